"""`daifugo verify`: what a record says is computed anew, and a record that was changed is found out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from google.protobuf import json_format

from daifugo.v1 import game_pb2, record_pb2, rules_pb2, view_pb2
from services.game.codec.exports import BINARY, JSON_LINES, KIFU, exported
from services.game.codec.kept import whole
from services.game.codec.verifying import NotChecked, read, verify
from services.game.deals import seed_of
from services.game.verify import main
from tests.services.harness import World, world
from tests.services.test_deals import NUMBERED
from tests.services.test_shuffles import GIVEN, laid

Change = Callable[[record_pb2.Record], object]


async def recorded(w: World, table: str) -> record_pb2.Record:
    """Play a match at a table to its end, and return its record."""
    await w.start(table)
    match_id = w.app.tables.find(table).shown.match_id
    await w.play(table)
    kept = await w.app.desk.journal.match(match_id)
    assert kept is not None
    return whole(kept)


@pytest.fixture(scope="module")
def matches() -> dict[str, record_pb2.Record]:
    """A match with seeds of players, one whose deal number was told, and one of practice."""
    return asyncio.run(played())


async def played() -> dict[str, record_pb2.Record]:
    two = game_pb2.MatchFormat(games=2)
    async with world() as w:
        return {
            "fair": await recorded(w, await laid(w, GIVEN, ruleset=rules_pb2.Ruleset(preset="jdf4"), format=two)),
            "numbered": await recorded(w, await laid(w, GIVEN, ruleset=NUMBERED, format=two)),
            "practice": await recorded(w, await w.table(format=two, deal_number="P77")),
        }


@pytest.mark.parametrize("which", ["fair", "numbered", "practice"])
def test_a_record_of_the_service_is_as_it_says(which: str, matches: dict[str, record_pb2.Record]) -> None:
    verdict = verify(matches[which])
    assert not verdict.findings
    assert verdict.games == 2
    assert verdict.steps == sum(len(game.steps) for game in matches[which].games)
    assert verdict.draws > 2 * 50, "each deal takes a word for nearly every card"


def other(values: bytes) -> bytes:
    """Change one bit."""
    return values[:-1] + bytes([values[-1] ^ 1])


def set_to(message: object, **values: object) -> None:
    for name, value in values.items():
        setattr(message, name, value)


def without(steps: object, number: int) -> None:
    del steps[number]  # type: ignore[attr-defined]  # a repeated field


def play_twice(record: record_pb2.Record) -> None:
    """Let somebody play a card that is out of the game already."""
    first, second = [step.action.play for step in record.games[1].steps if step.action.play.cards][:2]
    second.cards[0] = first.cards[0]


def name_twice(record: record_pb2.Record) -> None:
    """Let somebody give the same card twice in an exchange."""
    answer = record.games[1].steps[0].action.answer
    answer.values.append(answer.values[0])


CHANGED: Final[dict[str, Change]] = {
    "the seed": lambda r: set_to(r, seed=other(r.seed)),
    "the commitment": lambda r: set_to(r, commitment=other(r.commitment)),
    "seed and commitment of another match": lambda r: set_to(
        r, seed=bytes(32), commitment=bytes.fromhex("66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
    ),
    "a player's seed": lambda r: r.client_seeds.__setitem__(0, b"other"),
    "seeds that change places": lambda r: r.client_seeds.MergeFrom([r.client_seeds.pop(0)]),
    "a player's seed left out": lambda r: r.client_seeds.__setitem__(2, b""),
    "all players' seeds left out": lambda r: r.client_seeds.clear(),
    "a seed too many": lambda r: r.client_seeds.append(b"more"),
    "a deal number": lambda r: set_to(r, deal_number="P5"),
    "called practice": lambda r: set_to(r, practice=True),
    "called practice with another number": lambda r: set_to(r, practice=True, deal_number="P5", seed=seed_of("P5")),
    "the preset": lambda r: set_to(r.ruleset.ruleset, preset="dagashi"),
    "a setting": lambda r: r.ruleset.ruleset.settings.add(id="seven_pass", flag=True),
    "the hash of the ruleset": lambda r: set_to(r.ruleset, hash="0" * 64),
    "the number of seats": lambda r: set_to(r.ruleset.ruleset, seats=3),
    "the engine's version": lambda r: set_to(r.ruleset, engine_version="0"),
    "the format": lambda r: set_to(r, format=2),
    "fewer games than were played": lambda r: set_to(r, games_planned=1),
    "a seat less": lambda r: without(r.seats, 0),
    "prescribed hands": lambda r: r.games[0].deal.hands.add(cards=[1]),
    "the first game left out": lambda r: without(r.games, 0),
    "all games left out": lambda r: r.games.clear(),
    "the last game left out": lambda r: without(r.games, 1),
    "games in another order": lambda r: r.games.MergeFrom([r.games.pop(0)]),
    "a step left out": lambda r: without(r.games[0].steps, 5),
    "the last step left out": lambda r: without(r.games[1].steps, -1),
    "a step of another seat": lambda r: set_to(r.games[0].steps[3], seat=r.games[0].steps[3].seat ^ 1),
    "an action that no rule offers": lambda r: (
        r.games[0].steps[0].action.CopyFrom(view_pb2.Action(draw=view_pb2.Draw()))
    ),
    "a card that is out already": play_twice,
    "a card that is given twice": name_twice,
    "a step after the end": lambda r: r.games[1].steps.add(seat=0),
    "the places of a game": lambda r: r.games[0].places.MergeFrom([r.games[0].places.pop(0)]),
    "the places of the last game left out": lambda r: r.games[1].places.clear(),
    "the points of a game": lambda r: r.games[0].points.__setitem__(0, 99),
    "the ranks": lambda r: r.result.ranks.__setitem__(0, r.result.ranks[0] + 1),
    "the ranks left out": lambda r: r.result.ranks.clear(),
    "the totals": lambda r: r.result.totals.__setitem__(1, r.result.totals[1] + 1),
    "called unfinished": lambda r: set_to(r.result, is_whole=False),
}


@pytest.mark.parametrize("change", CHANGED, ids=lambda name: name.replace(" ", "-"))
def test_a_record_that_was_changed_is_found_out(change: str, matches: dict[str, record_pb2.Record]) -> None:
    record = record_pb2.Record.FromString(matches["fair"].SerializeToString())
    CHANGED[change](record)
    assert record != matches["fair"]
    verdict = verify(record)
    assert verdict.findings
    assert all(finding.ja and finding.en for finding in verdict.findings)


COMPUTED: Final = {"format", "ruleset", "games_planned", "practice", "deal_number", "seed", "commitment"}
COMPUTED_TOO: Final = {"client_seeds", "seats", "games", "result"}
SAID: Final = {"match_id", "table_id", "table_name", "clock", "start_time", "end_time", "given_steps"}
"""What nothing can be computed of."""


def test_every_field_of_a_record_is_computed_or_known_to_be_only_said() -> None:
    assert {field.name for field in record_pb2.Record.DESCRIPTOR.fields} == COMPUTED | COMPUTED_TOO | SAID


@pytest.mark.parametrize(
    "change",
    [
        lambda r: set_to(r, deal_number="P78"),
        lambda r: set_to(r, deal_number=""),
        lambda r: set_to(r, practice=False),
        lambda r: set_to(r, seed=seed_of("P78")),
        lambda r: set_to(r, commitment=bytes(32)),
        lambda r: r.client_seeds.extend([b"1", b"2", b"3", b"4"]),
    ],
)
def test_so_is_one_of_practice(change: Change, matches: dict[str, record_pb2.Record]) -> None:
    record = record_pb2.Record.FromString(matches["practice"].SerializeToString())
    change(record)
    assert verify(record).findings


def test_a_deal_number_that_does_not_follow_from_the_seeds_is_found_out(matches: dict[str, record_pb2.Record]) -> None:
    record = record_pb2.Record.FromString(matches["numbered"].SerializeToString())
    record.client_seeds[0] = b"other"
    assert [finding.en for finding in verify(record).findings] == ["The deal number does not follow from the seeds."]


async def test_a_commitment_that_was_noted_before_a_match_some_matches_ago_is_the_one(tmp_path: Path) -> None:
    async with world() as w:
        table = await laid(w, GIVEN)
        noted = (await w.caller("p0").view(table)).view.shuffle.next_commitment
        await recorded(w, table)
        record = await recorded(w, table)
    assert not verify(record, noted).findings
    assert not verify(record, record.commitment).findings
    assert [finding.en for finding in verify(record, bytes(32)).findings] == [
        "The commitment does not follow from the one that you know."
    ]


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["ja_JP.UTF-8", "C"])
@pytest.mark.parametrize("form", ["binary", "json"])
def test_the_command_reads_both_forms_and_speaks_both_languages(
    form: str,
    locale: str,
    matches: dict[str, record_pb2.Record],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    path, record = tmp_path / "record", matches["fair"]
    path.write_bytes(record.SerializeToString() if form == "binary" else json_format.MessageToJson(record).encode())
    assert main([str(path), "--commitment", record.commitment.hex()]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert record.seed.hex() in said.out
    assert record.commitment.hex() in said.out
    assert ("棋譜のとおりです" in said.out) == (locale != "C")
    changed = record_pb2.Record.FromString(record.SerializeToString())
    changed.games[0].points[0] += 1
    path.write_bytes(changed.SerializeToString())
    assert main([str(path)]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert ("第1ゲームの得点が棋譜と違います" if locale != "C" else "game 1 ends otherwise") in said.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": it is empty"),
        (b"no record", ": record 1 is damaged"),
        ("大富豪棋譜 1\n試し：1".encode(), ": line 2: there is no field 試し"),
        (b"{}", "is no record of format 1."),
        (b'{"format": 9}', "is no record of format 1."),
        (
            b'{"format": 1, "ruleset": {"engineVersion": "0"}}',
            "It was recorded with engine version 0; this is",
        ),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_of_what_cannot_be_read_nothing_is_said(
    content: bytes | None,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    path = tmp_path / "record"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["abc", "zz" * 32, "00" * 31])
def test_what_is_no_commitment_is_refused(
    wrong: str, matches: dict[str, record_pb2.Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record"
    path.write_bytes(matches["fair"].SerializeToString())
    assert main([str(path), "--commitment", wrong]) == 2
    assert "64" in capsys.readouterr().err


@pytest.mark.parametrize("form", [JSON_LINES, BINARY, KIFU])
async def test_every_exported_file_of_one_record_can_be_checked(form: int, tmp_path: Path) -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await w.play(table)
        kept = await w.journal.match(w.app.tables.find(table).shown.match_id)
    assert kept is not None
    path = tmp_path / "record"
    path.write_bytes(exported(whole(kept), form))
    assert verify(read(path)).findings == ()
    path.write_bytes(exported(whole(kept), form) * 2)
    with pytest.raises(NotChecked, match="has 2 records" if form == BINARY else "record"):
        read(path)
