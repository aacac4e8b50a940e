"""Checks a record (棋譜) by computing everything anew that can be computed: keys, deals, draws, and what was done.

Who played, when, and what the table was called cannot be computed; a record says it, and nothing here vouches for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from daifugo.v1 import record_pb2
from engine.finishing import match_ranks
from engine.record import CannotReplay, Moment, replay
from engine.version import ENGINE_VERSION
from services.game.codec.exports import NoRecords, records_in
from services.game.codec.matches import FORMAT, replayable
from services.game.deals import deal_of, seed_of
from services.game.seeds import LINKS, MOST_CLIENT_SEED, match_key

FIRST_BYTE: Final = b"\x08"
"""Of a message by itself, which begins with its format; a file of eight bytes holds no record."""
SHA256: Final = 32
"""How many bytes it has."""


@dataclass(frozen=True)
class Finding:
    """Something in a record that is not as it must be, in both languages."""

    ja: str
    en: str


@dataclass(frozen=True)
class Verdict:
    """What was found, and how much was computed for it."""

    findings: tuple[Finding, ...]
    games: int = 0
    steps: int = 0
    draws: int = 0
    """How many words of the streams of its games were drawn."""


def verify(record: record_pb2.Record, known: bytes = b"") -> Verdict:
    """Check a record. `known` is a commitment that somebody had noted before they gave a seed; empty: none."""
    findings = list(_of_seeds(record, known))
    try:
        moments = list(replay(replayable(record)))
    except CannotReplay as problem:
        return Verdict((*findings, Finding(problem.ja, problem.en)))
    last = _last_of_games(moments)
    findings += _of_result(record, moments)
    return Verdict(
        tuple(findings), len(last), moments[-1].number if moments else 0, sum(m.state.drawn_words for m in last)
    )


def _last_of_games(moments: list[Moment]) -> list[Moment]:
    return list({moment.game: moment for moment in moments}.values())


def _of_seeds(record: record_pb2.Record, known: bytes) -> Iterator[Finding]:
    """Check what deals follow from, before any is made."""
    own = record.games[1:] if _is_analysis(record) else record.games
    if any(game.HasField("deal") for game in own):
        yield Finding("抽選でない手札が配られています。", "Hands were dealt that do not come from a shuffle.")
    if record.practice:
        yield from _of_practice(record)
        return
    if sha256(record.seed).digest() != record.commitment:
        yield Finding("シードがコミットメントと合いません。", "The seed is not the one that was committed to.")
    if known and not _leads_to(record.commitment, known):
        yield Finding(
            "コミットメントが、控えておいたものから続いていません。",
            "The commitment does not follow from the one that you know.",
        )
    seats = record.ruleset.ruleset.seats
    given = record.client_seeds
    if len(given) not in (0, seats) or any(len(each) > MOST_CLIENT_SEED for each in given):
        yield Finding("参加者のシードの数か長さが違います。", "The players' seeds are too many, too few or too long.")
    elif record.deal_number and record.deal_number != deal_of(match_key(record.seed, given)):
        yield Finding("局番号がシードから決まるものと違います。", "The deal number does not follow from the seeds.")


def _is_analysis(record: record_pb2.Record) -> bool:
    """Say whether a match of practice began in a position."""
    is_from_seed = not (record.deal_number or record.client_seeds or record.commitment)
    return record.practice and record.HasField("given_steps") and is_from_seed


def _of_practice(record: record_pb2.Record) -> Iterator[Finding]:
    if _is_analysis(record):
        return  # whoever began it has said where, or with which hands
    if record.seed != seed_of(record.deal_number) or record.client_seeds or record.commitment:
        yield Finding(
            "練習なのに、局番号だけから決まる配りではありません。",
            "It is practice, but not dealt from its deal number alone.",
        )


def _leads_to(commitment: bytes, known: bytes) -> bool:
    for _ in range(LINKS):
        if commitment == known:
            return True
        commitment = sha256(commitment).digest()
    return False


def _of_result(record: record_pb2.Record, moments: list[Moment]) -> Iterator[Finding]:
    """Check what the match came to; how each game ended has been checked on the way."""
    if not moments:
        yield Finding("ゲームがありません。", "There is no game in it.")
        return
    state, result = moments[-1].state, record.result
    if len(record.seats) != state.seats:
        yield Finding("席の数がルールセットと違います。", "Its seats are not those of the ruleset.")
    if result.is_whole == state.playing:
        yield Finding("最後まで行われたかどうかが違います。", "Whether it went on to its end is told wrongly.")
    if list(result.totals) != list(state.totals):
        yield Finding(
            f"得点の合計は {_said(state.totals)} です（棋譜は {_said(result.totals)}）。",
            f"The points come to {_said(state.totals)}, but the record has {_said(result.totals)}.",
        )
    ranks = match_ranks(state)
    if list(result.ranks) != list(ranks):
        yield Finding(
            f"順位は {_said(ranks)} です（棋譜は {_said(result.ranks)}）。",
            f"The ranks are {_said(ranks)}, but the record has {_said(result.ranks)}.",
        )
    for moment in _last_of_games(moments)[:-1]:
        if moment.state.playing:
            yield Finding(f"第{moment.game}ゲームが途中です。", f"Game {moment.game} has no end, and others follow.")


def _said(numbers: Iterable[int]) -> str:
    return " ".join([str(number) for number in numbers]) or "-"


# --- for people -----------------------------------------------------------------------------------------------------


class NotChecked(Exception):
    """Nothing can be said of this record, and why, in both languages."""

    def __init__(self, ja: str, en: str) -> None:
        super().__init__(en)
        self.ja = ja
        self.en = en


def read(path: Path) -> record_pb2.Record:
    """Read one record: as a message in binary, as JSON, or as a file of any form that is exported."""
    try:
        content = path.read_bytes()
        if content.lstrip()[:1] == b"{":
            record = json_format.Parse(content, record_pb2.Record())
        elif content[:1] == FIRST_BYTE:
            record = record_pb2.Record.FromString(content)
        else:
            record, *others = records_in(content)
            if others:
                many = 1 + len(others)
                raise NotChecked(
                    f"{path} には棋譜が{many}個あります。確かめるのは1個ずつです。",
                    f"{path} has {many} records; they are checked one by one.",
                )
    except OSError as problem:
        raise NotChecked(
            f"{path} が読めません：{problem.strerror}", f"{path} cannot be read: {problem.strerror}"
        ) from None
    except NoRecords as problem:
        raise NotChecked(f"{path}：{problem.ja}", f"{path}: {problem.en}") from None
    except (DecodeError, json_format.ParseError, ValueError):
        record = record_pb2.Record()
    version = record.ruleset.engine_version
    if record.format != FORMAT:
        raise NotChecked(f"{path} は形式 {FORMAT} の棋譜ではありません。", f"{path} is no record of format {FORMAT}.")
    if version != ENGINE_VERSION:
        raise NotChecked(
            f"エンジンの版 {version} の棋譜です。確かめられるのは版 {ENGINE_VERSION} だけです。",
            f"It was recorded with engine version {version}; this is version {ENGINE_VERSION}.",
        )
    return record


def commitment_from(text: str) -> bytes:
    """Read a commitment as a client shows it; empty: none."""
    try:
        known = bytes.fromhex(text)
    except ValueError:
        known = b"?"
    if len(known) not in (0, SHA256):
        raise NotChecked("コミットメントは16進数64桁です。", "A commitment has 64 hexadecimal digits.")
    return known


def lines(record: record_pb2.Record, verdict: Verdict, japanese: bool) -> list[str]:
    """Say what was found."""
    match, preset = record.match_id, record.ruleset.ruleset.preset
    if verdict.findings:
        wrong = "試合 {} は棋譜のとおりではありません。" if japanese else "Match {} is not what the record says."
        return [wrong.format(match), *[f"- {each.ja if japanese else each.en}" for each in verdict.findings]]
    players = sum([bool(each) for each in record.client_seeds])
    games, steps, draws = verdict.games, verdict.steps, verdict.draws
    if japanese:
        head = f"試合 {match} は棋譜のとおりです：{preset}、{games}ゲーム、{steps}手。"
        if record.practice:
            source = f"局番号 {record.deal_number}" if record.deal_number else f"シード {record.seed.hex()}"
            return [head, f"配りと抽選のすべて（{draws}語）は{source} から決まります。"]
        return [
            head,
            f"配りと抽選のすべて（{draws}語）は、シード {record.seed.hex()} と",
            f"参加者{players}人のシードから決まります。",
            f"シードは、試合前のコミットメント {record.commitment.hex()} のとおりです。",
        ]
    head = f"Match {match} is what the record says: {preset}, games: {games}, steps: {steps}."
    if record.practice:
        source = f"deal number {record.deal_number}" if record.deal_number else f"seed {record.seed.hex()}"
        return [head, f"All deals and draws ({draws} words) follow from the {source}."]
    return [
        head,
        f"All deals and draws ({draws} words) follow from the seed {record.seed.hex()}",
        f"and the seeds of players: {players}.",
        f"The seed is the one committed to before the match: {record.commitment.hex()}.",
    ]
