"""A match that was played, as far as the rules go: what it was played by, what was dealt from, and what was done.

`replay` makes everything else of it again. That holds on the engine's version that played it; another one refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.actions import Action
from engine.catalogue import Value
from engine.events import Event, GameEnded
from engine.game import apply, new_match, start_game
from engine.program import Program
from engine.reasons import IllegalAction
from engine.ruleset import RulesetError, make_ruleset
from engine.state import State
from engine.version import ENGINE_VERSION


@dataclass(frozen=True)
class Step:
    """A seat's answer to what it was asked."""

    seat: int
    action: Action


@dataclass(frozen=True)
class Game:
    """A game: its hands, if they were prescribed, and what was done; places if it was played to its end."""

    steps: tuple[Step, ...]
    hands: tuple[int, ...] = ()
    blind: int = 0
    places: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Record:
    """A match. `games_planned` 0: as many as the ruleset says."""

    preset: str
    values: tuple[tuple[str, Value], ...]
    """What differs from the preset."""
    seats: int
    ruleset_hash: str
    engine_version: str
    games_planned: int
    seed: bytes
    games: tuple[Game, ...]


class CannotReplay(ValueError):
    """A record that does not make a match here, and why, in both languages."""

    def __init__(self, ja: str, en: str) -> None:
        super().__init__(en)
        self.ja = ja
        self.en = en


@dataclass(frozen=True)
class Moment:
    """A match after a deal or a step, and what happened in it."""

    game: int
    """From 1."""
    number: int
    """How many steps of the match have been taken."""
    step: Step | None
    """None: the game was dealt."""
    before: State
    """As it was; before the first deal a match without a game."""
    state: State
    events: tuple[Event, ...]


def program_of(record: Record) -> Program:
    """Compile what a record was played by, or refuse one that does not go on this engine."""
    if record.engine_version != ENGINE_VERSION:
        raise CannotReplay(
            f"エンジンの版 {record.engine_version} の棋譜です。ここにあるのは版 {ENGINE_VERSION} で、"
            "同じ手順から別の試合になりかねません。",
            f"it was recorded with engine version {record.engine_version}; this is version {ENGINE_VERSION}, which may "
            "make another match of the same steps",
        )
    try:
        ruleset = make_ruleset(record.preset, dict(record.values), record.seats)
    except RulesetError as error:
        raise CannotReplay(
            f"ルールセットが正しくありません：{error.problems[0].text_ja}",
            f"its ruleset is not valid: {error.problems[0].text_en}",
        ) from None
    if record.ruleset_hash != ruleset.hash:
        raise CannotReplay(
            f"ルールセットのハッシュが {record.ruleset_hash} ですが、設定からは {ruleset.hash} になります。",
            f"the hash of its ruleset is {record.ruleset_hash}, but its settings make {ruleset.hash}",
        )
    return Program(ruleset)


def replay(record: Record, program: Program | None = None, open_ends: bool = False) -> Iterator[Moment]:
    """Play a match again, deal by deal and step by step.

    Raises CannotReplay where an action is against the rules, or a game ends otherwise than the record says; with
    `open_ends` it need not say.
    """
    state, number = new_match(program or program_of(record), record.games_planned), 0
    for index, game in enumerate(record.games, 1):
        before = state
        try:
            state, events = start_game(state, record.seed, game.hands, game.blind)
        except ValueError as error:
            raise CannotReplay(
                f"第{index}ゲームを配れません：{error}", f"game {index} cannot be dealt: {error}"
            ) from None
        yield Moment(index, number, None, before, state, tuple(events))
        for step in game.steps:
            before, number = state, number + 1
            try:
                state, events = apply(state, step.seat, step.action)
            except IllegalAction as error:
                raise CannotReplay(
                    f"第{index}ゲーム、{number}手目が反則です（{error}）",
                    f"step {number}, in game {index}, is against the rules: {error}",
                ) from None
            yield Moment(index, number, step, before, state, tuple(events))
        if not open_ends:
            check_end(index, game, state, events)


def check_end(index: int, game: Game, state: State, events: list[Event]) -> None:
    """Refuse a game that has ended otherwise than its record says."""
    places = () if state.playing else tuple(state.places)
    if places != game.places:
        raise CannotReplay(
            f"第{index}ゲームの順位が棋譜と違います：{_said(places)}（棋譜は {_said(game.places)}）",
            f"game {index} ends otherwise: places {_said(places)}, but the record has {_said(game.places)}",
        )
    ended = [event for event in events if isinstance(event, GameEnded)]
    if game.points and ended and ended[0].points != game.points:
        raise CannotReplay(
            f"第{index}ゲームの得点が棋譜と違います：{_said(ended[0].points)}（棋譜は {_said(game.points)}）",
            f"game {index} ends otherwise: points {_said(ended[0].points)}, but the record has {_said(game.points)}",
        )


def _said(numbers: tuple[int, ...]) -> str:
    return " ".join([str(number) for number in numbers]) or "-"
