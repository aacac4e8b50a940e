"""Reading 棋譜: a line at a time, each word checked; what is wrong is named with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, NoReturn, TypeVar

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from daifugo.v1 import cards_pb2, record_pb2, view_pb2
from services.game.codec.kifu import words as w

T = TypeVar("T")

FORMAT: Final = 1
GAME: Final = re.compile(r"第([0-9]{1,5})ゲーム (\+[0-9]+\.[0-9]{3})")
STEP: Final = re.compile(r"([0-9]{1,7}) (\S+) (\S.*?) (\+[0-9]{1,9}\.[0-9]{3})(?: (<[^>]+>))?")
PLAYER: Final = re.compile(r'(\S+?)(?: (".*"))?(?: ([0-9]{1,7})手から)?')
MOST_LINES: Final = 100_000
MOST_COLUMNS: Final = 4000
"""Of a line; the longest that is written has the seeds of all players."""


class NoKifu(ValueError):
    """Text that is no 棋譜: the line, from 1, and what is wrong with it, in both languages."""

    def __init__(self, line: int, ja: str, en: str) -> None:
        super().__init__(f"line {line}: {en}")
        self.line = line
        self.ja = f"{line}行目：{ja}"
        self.en = f"line {line}: {en}"


def read(text: str) -> record_pb2.Record:
    """Read one record, or raise NoKifu."""
    (record,) = _records(text, most=1)
    return record


def read_all(text: str) -> list[record_pb2.Record]:
    """Read one record after the other, or raise NoKifu."""
    return _records(text, most=MOST_LINES)


def _records(text: str, most: int) -> list[record_pb2.Record]:
    found: list[_Reader] = []
    lines = text.removeprefix("\ufeff").split("\n")
    if len(lines) > MOST_LINES:
        raise NoKifu(MOST_LINES, "長すぎます", "it is too long")
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            raise NoKifu(number, "行が長すぎます", "the line is too long")
        said = line.strip()
        if said[:1].isdigit():
            # of other lines none has a comment, and a name may look like one
            said = said.split(f" {w.COMMENT}", 1)[0]
        if said.startswith(w.TITLE):
            if len(found) == most:
                raise NoKifu(number, "棋譜は1つだけです", "one record is wanted")
            found.append(_Reader())
        if not said or said.startswith(w.COMMENT):
            continue
        if not found:
            raise NoKifu(number, f"「{w.TITLE} {FORMAT}」で始まります", f"it begins with {w.TITLE} {FORMAT}")
        found[-1].take(number, said)
    if not found:
        raise NoKifu(1, f"「{w.TITLE} {FORMAT}」で始まります", f"it begins with {w.TITLE} {FORMAT}")
    return [reader.record for reader in found]


class _Reader:
    """Reads the lines of one record."""

    def __init__(self) -> None:
        self.record = record_pb2.Record()
        self._line = 0
        self._steps = 0

    def take(self, number: int, said: str) -> None:
        """Take a line without its comment."""
        self._line = number
        if said.startswith(w.TITLE):
            self.record.format = self._number(said.removeprefix(w.TITLE).strip())
            if self.record.format != FORMAT:
                self._wrong(f"形式 {self.record.format} は読めません", f"format {self.record.format} is not known")
        elif (game := GAME.fullmatch(said)) is not None:
            self._game(game[1], game[2])
        elif (step := STEP.fullmatch(said)) is not None:
            self._step(step[1], step[2], step[3], step[4], step[5])
        else:
            key, colon, value = said.partition("：")
            if not colon:
                self._wrong("読めない行です", "it cannot be read")
            self._field(key.strip(), value.strip())

    def _wrong(self, ja: str, en: str) -> NoReturn:
        raise NoKifu(self._line, ja, en)

    def _field(self, key: str, value: str) -> None:
        read = FIELDS.get(key)
        if read is not None:
            read(self, value)
        elif key[:-1] == w.SEAT:
            self._seat(key[-1], value)
        elif key[:-1] == w.HAND:
            self._hand(key[-1], value)
        else:
            self._wrong(f"「{key}」という項目はありません", f"there is no field {key}")

    # --- the head ----------------------------------------------------------------------------------------------------

    def _table(self, value: str) -> None:
        self.record.table_id, _, name = value.partition(" ")
        self.record.table_name = self._text(name)

    def _preset(self, value: str) -> None:
        preset, _, seats = value.partition(" ")
        self.record.ruleset.ruleset.preset = preset
        if seats:
            self.record.ruleset.ruleset.seats = self._number(seats.removesuffix("人"))

    def _setting(self, value: str) -> None:
        name, equals, said = value.partition(" = ")
        if not equals:
            self._wrong("「設定：名前 = 値」と書きます", "a setting is written: name = value")
        setting = self.record.ruleset.ruleset.settings.add(id=name)
        if said in (w.YES, w.NO):
            setting.flag = said == w.YES
        elif said.startswith('"'):
            setting.word = self._text(said)
        elif said.startswith("["):
            setting.numbers.SetInParent()
            setting.numbers.values.extend(self._numbers(said.removeprefix("[").removesuffix("]")))
        else:
            setting.number = self._number(said, signed=True)

    def _clock(self, value: str) -> None:
        clock, rest = self.record.clock, value.split()
        clock.SetInParent()
        while rest:
            word = rest.pop(0)
            if word == w.EACH_GAME:
                clock.bank_each_game = True
                continue
            seconds = self._number(rest.pop(0).removesuffix("秒") if rest else "")
            if word == w.TURN:
                clock.turn_seconds = seconds
            elif word == w.CHOICE:
                clock.choice_seconds = seconds
            elif word == w.IDLE:
                clock.idle_seconds = seconds
            elif word == w.BANK:
                clock.bank_seconds = seconds
            else:
                self._wrong(f"時計に「{word}」はありません", f"a clock has no {word}")

    def _time(self, into: Timestamp, value: str) -> None:
        try:
            into.FromJsonString(value)
        except ValueError:
            self._wrong("日時が読めません", "the time cannot be read")

    def _seat(self, letter: str, value: str) -> None:
        number = self._letter(letter)
        if number == len(self.record.seats):
            self.record.seats.add()
        elif number != len(self.record.seats) - 1:
            self._wrong("席は順に並べます", "seats come in order")
        if not value:
            return
        said = PLAYER.fullmatch(value)
        if said is None or said[1] not in KINDS:
            self._wrong("だれの席か読めません", "it does not say whose seat it is")
        player = self.record.seats[-1].players.add(kind=KINDS[said[1]])
        player.display_name = self._text(said[2]) if said[2] else ""
        player.from_step = self._number(said[3]) if said[3] else 0

    # --- games -------------------------------------------------------------------------------------------------------

    def _game(self, number: str, after: str) -> None:
        if int(number) != len(self.record.games) + 1:
            self._wrong(f"次は第{len(self.record.games) + 1}ゲームです", f"game {len(self.record.games) + 1} is next")
        self.record.games.add(after_ms=self._milliseconds(after))

    def _last_game(self) -> record_pb2.RecordGame:
        if not self.record.games:
            self._wrong("まだゲームがありません", "no game has begun")
        return self.record.games[-1]

    def _hand(self, letter: str, value: str) -> None:
        game = self._last_game()
        if self._letter(letter) != len(game.deal.hands):
            self._wrong("手札は席の順に並べます", "hands come in the order of the seats")
        game.deal.hands.add(cards=self._cards(value.split()))

    def _blinds(self, value: str) -> None:
        deal = self._last_game().deal
        deal.SetInParent()
        deal.blinds.extend(self._cards(value.split()))

    def _step(self, number: str, seat: str, action: str, after: str, by: str | None) -> None:
        game = self._last_game()
        self._steps += 1
        if int(number) != self._steps:
            self._wrong(f"次は{self._steps}手目です", f"step {self._steps} is next")
        if by is not None and by not in BY:
            self._wrong(f"{by} は読めません", f"{by} is not known")
        step = game.steps.add(seat=self._letter(seat), after_ms=self._milliseconds(after))
        if by is not None:
            step.by = BY[by]
        self._action(step.action, action.split())

    def _action(self, action: view_pb2.Action, said: list[str]) -> None:
        word, rest = said[0], said[1:]
        if word in (w.PASS, w.DRAW):
            if rest:
                self._wrong(f"「{word}」の後には何も書きません", f"nothing comes after {word}")
            getattr(action, "pass" if word == w.PASS else "draw").SetInParent()
        elif word in (w.ADD, w.DUMP):
            into = action.add if word == w.ADD else action.dump
            into.SetInParent()
            into.cards.extend(self._cards(rest))
        elif word == w.ANSWER:
            action.answer.SetInParent()
            action.answer.values.extend([] if rest == [w.NONE] else self._numbers(" ".join(rest)))
        else:
            self._play(action, said)

    def _play(self, action: view_pb2.Action, said: list[str]) -> None:
        play = action.play
        marks = [said.pop()] if said[-1] in SHAPES or said[-1] == w.UNDECLARED else []
        named = [each for each in said if "=" in each]
        play.cards.extend(self._cards([each for each in said if "=" not in each]))
        if not play.cards:
            self._wrong("出す札がありません", "it names no card to play")
        usual = cards_pb2.SHAPE_SINGLE if len(play.cards) == 1 else cards_pb2.SHAPE_UNSPECIFIED
        play.shape = SHAPES.get(marks[0], cards_pb2.SHAPE_UNSPECIFIED) if marks else usual
        for each in named:
            joker, _, meaning = each.partition("=")
            if meaning not in w.MEANINGS:
                self._wrong(f"{each} は読めません", f"{each} is not known")
            rank, suit = w.MEANINGS[meaning]
            play.jokers.add(joker=self._cards([joker])[0], rank=rank, suit=suit)

    # --- values ------------------------------------------------------------------------------------------------------

    def _number(self, said: str, signed: bool = False) -> int:
        digits = said.removeprefix("-") if signed else said
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            self._wrong(f"「{said}」は数ではありません", f"{said!r} is no number")
        return int(said)

    def _numbers(self, said: str) -> list[int]:
        return [self._number(each, signed=True) for each in said.split()]

    def _naturals(self, said: str) -> list[int]:
        return [self._number(each) for each in said.split()]

    def _milliseconds(self, said: str) -> int:
        return self._number(said.removeprefix("+").replace(".", "").lstrip("0") or "0")

    def _letter(self, said: str) -> int:
        number = w.SEATS.find(said) if len(said) == 1 else -1
        if number < 0:
            self._wrong(f"席「{said}」はありません", f"there is no seat {said}")
        return number

    def _cards(self, said: list[str]) -> list[int]:
        for each in said:
            if each not in w.CARDS:
                self._wrong(f"「{each}」という札はありません", f"there is no card {each}")
        return [w.CARDS[each] for each in said]

    def _text(self, said: str) -> str:
        text = _string(said)
        if text is None:
            self._wrong('名前は "…" と書きます', 'a name is written as "..."')
        return text

    def _bytes(self, said: str) -> bytes:
        try:
            return b"" if said == w.NONE else bytes.fromhex(said)
        except ValueError:
            self._wrong("16進数ではありません", "it is not hexadecimal")

    def _conduct(self, value: str) -> None:
        for each in value.split():
            numbers = self._naturals(each.replace("/", " "))
            if len(numbers) != 3:
                self._wrong("「0/0/0」のように3つの数です", "three numbers are wanted, as 0/0/0")
            time_outs, take_overs, stood_in = numbers
            self.record.result.conduct.add(time_outs=time_outs, take_overs=take_overs, stood_in=stood_in)

    def _result(self, value: str) -> None:
        if value not in (w.WHOLE, w.BROKEN_OFF):
            self._wrong(f"「{w.WHOLE}」か「{w.BROKEN_OFF}」です", f"it is {w.WHOLE} or {w.BROKEN_OFF}")
        self.record.result.is_whole = value == w.WHOLE
        self.record.result.SetInParent()


def _string(said: str) -> str | None:
    """Read a text as JSON writes it; None if it is none, or has what no message can carry."""
    try:
        text = json.loads(said)
        if not isinstance(text, str):
            return None
        text.encode()  # half of a character cannot be
    except (ValueError, RecursionError):
        return None
    return text


def _turned(words: Mapping[T, str]) -> dict[str, T]:
    return {word: value for value, word in words.items()}


KINDS: Final = _turned(w.KINDS)
SHAPES: Final = _turned(w.SHAPES)
BY: Final = _turned(w.BY)

FIELDS: Final[dict[str, Callable[[_Reader, str], object]]] = {
    w.MATCH: lambda r, value: _set(r.record, "match_id", value),
    w.TABLE: _Reader._table,
    w.PRESET: _Reader._preset,
    w.SETTING: _Reader._setting,
    w.HASH: lambda r, value: _set(r.record.ruleset, "hash", value),
    w.ENGINE: lambda r, value: _set(r.record.ruleset, "engine_version", value),
    w.GAMES: lambda r, value: _set(r.record, "games_planned", r._number(value)),
    w.CLOCK: _Reader._clock,
    w.START: lambda r, value: r._time(r.record.start_time, value),
    w.END: lambda r, value: r._time(r.record.end_time, value),
    w.PRACTICE: lambda r, value: _set(r.record, "practice", value == w.YES),
    w.DEAL: lambda r, value: _set(r.record, "deal_number", value),
    w.SEED: lambda r, value: _set(r.record, "seed", r._bytes(value)),
    w.COMMITMENT: lambda r, value: _set(r.record, "commitment", r._bytes(value)),
    w.CLIENT_SEEDS: lambda r, value: r.record.client_seeds.extend([r._bytes(each) for each in value.split()]),
    w.GIVEN: lambda r, value: _set(r.record, "given_steps", r._number(value.removesuffix("手"))),
    w.BLINDS: _Reader._blinds,
    w.PLACES: lambda r, value: r._last_game().places.extend([r._letter(each) for each in value.split()]),
    w.POINTS: lambda r, value: r._last_game().points.extend(r._numbers(value)),
    w.RESULT: _Reader._result,
    w.RANKS: lambda r, value: r.record.result.ranks.extend(r._naturals(value)),
    w.TOTALS: lambda r, value: r.record.result.totals.extend(r._numbers(value)),
    w.CONDUCT: _Reader._conduct,
}
"""How each field is read."""


def _set(message: Message, field: str, value: object) -> None:
    setattr(message, field, value)
