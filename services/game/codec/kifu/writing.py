"""Writing a record as 棋譜."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from daifugo.v1 import cards_pb2, record_pb2, rules_pb2, view_pb2
from engine.catalogue import entries
from engine.choices import CARD
from engine.record import CannotReplay, Moment, replay
from engine.view import open_choice
from services.game.codec.kifu import words as w
from services.game.codec.matches import replayable

MOST_COMMENTED: Final = 5000
"""Longer matches have no comments, which take longer than everything else."""


def write(record: record_pb2.Record) -> str:
    """Write a record. What follows from the rules stands in comments, where the record makes a match here."""
    return "\n".join([*_head(record), *_games(record, _comments(record)), *_result(record)]) + "\n"


def _head(record: record_pb2.Record) -> Iterator[str]:
    pinned = record.ruleset
    yield f"{w.TITLE} {record.format}"
    yield f"{w.MATCH}：{record.match_id}"
    yield f"{w.TABLE}：{record.table_id} {_quoted(record.table_name)}"
    seats = f" {pinned.ruleset.seats}人" if pinned.ruleset.HasField("seats") else ""
    yield f"{w.PRESET}：{pinned.ruleset.preset}{seats}"
    for setting in pinned.ruleset.settings:
        yield f"{w.SETTING}：{setting.id} = {_value(setting)}"
    yield f"{w.HASH}：{pinned.hash}"
    yield f"{w.ENGINE}：{pinned.engine_version}"
    yield f"{w.GAMES}：{record.games_planned}"
    if record.HasField("clock"):
        yield f"{w.CLOCK}：{_clock(record)}".rstrip()
    if record.HasField("start_time"):
        yield f"{w.START}：{record.start_time.ToJsonString()}"
    if record.HasField("end_time"):
        yield f"{w.END}：{record.end_time.ToJsonString()}"
    if record.practice:
        yield f"{w.PRACTICE}：{w.YES}"
    if record.deal_number:
        yield f"{w.DEAL}：{record.deal_number}"
    yield f"{w.SEED}：{_hex(record.seed)}"
    if record.commitment:
        yield f"{w.COMMITMENT}：{_hex(record.commitment)}"
    if record.client_seeds:
        yield f"{w.CLIENT_SEEDS}：{' '.join([_hex(each) for each in record.client_seeds])}"
    if record.HasField("given_steps"):
        yield f"{w.GIVEN}：{record.given_steps}手"
    for letter, seat in zip(w.SEATS, record.seats):
        if not seat.players:
            yield f"{w.SEAT}{letter}："
        for player in seat.players:
            name = f" {_quoted(player.display_name)}" if player.display_name else ""
            since = f" {player.from_step}手から" if player.from_step else ""
            yield f"{w.SEAT}{letter}：{w.KINDS[player.kind]}{name}{since}"


def _clock(record: record_pb2.Record) -> str:
    clock, said = record.clock, []
    for field, word in (
        ("turn_seconds", w.TURN),
        ("choice_seconds", w.CHOICE),
        ("idle_seconds", w.IDLE),
        ("bank_seconds", w.BANK),
    ):
        if clock.HasField(field):
            said.append(f"{word} {getattr(clock, field)}秒")
    return " ".join([*said, w.EACH_GAME] if clock.bank_each_game else said)


def _value(setting: rules_pb2.Setting) -> str:
    match setting.WhichOneof("value"):
        case "flag":
            return w.YES if setting.flag else w.NO
        case "number":
            return str(setting.number)
        case "word":
            return _quoted(setting.word)
        case _:
            return f"[{_numbers(setting.numbers.values)}]"


def _games(record: record_pb2.Record, comments: Sequence[str]) -> Iterator[str]:
    number = 0
    for index, game in enumerate(record.games, 1):
        yield ""
        yield f"第{index}ゲーム {_after(game.after_ms)}"
        for letter, hand in zip(w.SEATS, game.deal.hands):
            yield f"{w.HAND}{letter}：{_cards(hand.cards)}".rstrip()
        if game.HasField("deal"):
            yield f"{w.BLINDS}：{_cards(game.deal.blinds)}".rstrip()
        for step in game.steps:
            number += 1
            said = comments[number - 1] if number <= len(comments) else ""
            by = f" {w.BY[step.by]}" if step.by else ""
            comment = f" {w.COMMENT}{said}" if said else ""
            yield f"{number} {w.SEATS[step.seat]} {_action(step.action)} {_after(step.after_ms)}{by}{comment}"
        if game.places:
            yield f"{w.PLACES}：{' '.join([w.SEATS[seat] for seat in game.places])}"
        if game.points:
            yield f"{w.POINTS}：{_numbers(game.points)}"


def _action(action: view_pb2.Action) -> str:
    match action.WhichOneof("action"):
        case "play":
            play = action.play
            named = [f"{w.card_text(each.joker)}={w.meaning_text(each.rank, each.suit)}" for each in play.jokers]
            return " ".join([_cards(play.cards), *named, *_shape(play)])
        case "pass":
            return w.PASS
        case "draw":
            return w.DRAW
        case "add":
            return f"{w.ADD} {_cards(action.add.cards)}"
        case "dump":
            return f"{w.DUMP} {_cards(action.dump.cards)}"
        case _:
            return f"{w.ANSWER} {_numbers(action.answer.values) or w.NONE}"


def _shape(play: cards_pb2.Play) -> list[str]:
    """Say what the cards are; a single card is a single."""
    if len(play.cards) == 1 and play.shape in (cards_pb2.SHAPE_SINGLE, cards_pb2.SHAPE_UNSPECIFIED):
        return [] if play.shape else [w.UNDECLARED]
    return [w.SHAPES[play.shape]] if play.shape else []


def _result(record: record_pb2.Record) -> Iterator[str]:
    if not record.HasField("result"):
        return
    result = record.result
    yield ""
    yield f"{w.RESULT}：{w.WHOLE if result.is_whole else w.BROKEN_OFF}"
    if result.ranks:
        yield f"{w.RANKS}：{_numbers(result.ranks)}"
    if result.totals:
        yield f"{w.TOTALS}：{_numbers(result.totals)}"
    if result.conduct:
        said = [f"{each.time_outs}/{each.take_overs}/{each.stood_in}" for each in result.conduct]
        yield f"{w.CONDUCT}：{' '.join(said)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _hex(data: bytes) -> str:
    return data.hex() or w.NONE


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join([str(number) for number in numbers])


def _cards(cards: Iterable[int]) -> str:
    return " ".join([w.card_text(card) for card in cards])


def _after(milliseconds: int) -> str:
    return f"+{milliseconds // 1000}.{milliseconds % 1000:03}"


# --- comments --------------------------------------------------------------------------------------------------------


def _comments(record: record_pb2.Record) -> list[str]:
    """Say of each step which rules acted, and which cards were named; as far as the record makes a match here."""
    found: list[str] = []
    if sum([len(game.steps) for game in record.games]) > MOST_COMMENTED:
        return found
    try:
        for moment in replay(replayable(record)):
            if moment.step is not None:
                found.append("、".join(_said(moment)))
    except CannotReplay:
        pass
    return found


def _said(moment: Moment) -> Iterator[str]:
    assert moment.step is not None
    choice = open_choice(moment.before, moment.step.seat)
    if choice is not None:
        yield _name(choice.rule)
        if choice.of == CARD:
            yield _cards(sorted(moment.step.action.values))
    acted = [event.rule for event in moment.events if event.rule]
    yield from [_name(rule) for rule in dict.fromkeys(acted) if choice is None or rule != choice.rule]


def _name(rule: str) -> str:
    entry = entries().get(rule.partition(".")[0])
    return entry.name.ja if entry is not None else rule
