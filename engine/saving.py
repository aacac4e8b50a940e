"""A state as text and back, also in the middle of a decision.

The text is JSON. It names the ruleset's hash and the engine's version, and loading refuses others: a cursor counts
the steps of one compiled program.
"""

from __future__ import annotations

import json
from typing import Any, Final

from engine.actions import Meaning
from engine.choices import Choice, Group
from engine.plays import NO_PLAY, Play
from engine.program import Program
from engine.state import Back, Emptied, Lock, Note, Placed, State
from engine.version import ENGINE_VERSION

PLAIN: Final = (
    "games",
    "game",
    "playing",
    "actions",
    "previous",
    "before_previous",
    "totals",
    "firsts",
    "spade_seat",
    "seating",
    "turned",
    "rests",
    "passed",
    "passes_in_row",
    "owner",
    "starter",
    "turn",
    "had_turn",
    "drawn",
    "revolution",
    "revolted",
    "turned_over",
    "reserved_revolutions",
    "freeze",
    "from_ace",
    "joker_above_ten",
    "order",
    "row_start",
    "discard",
    "laid_away_count",
    "blind_count",
    "stock_count",
    "finished",
    "fouled",
    "fallen",
    "defeated",
    "gone",
    "places",
    "drawn_places",
    "run_kind",
    "run_number",
    "actor",
    "run_ranks",
    "offered_by",
    "cursor",
    "flushing",
    "flush_rule",
    "to_lead",
    "program_number",
    "run_program",
    "skipped",
    "window_seats",
    "asking_rule",
    "decisions",
    "last_decision",
    "hands",
    "blind",
    "kept_blinds",
    "laid_away",
    "stock",
    "drawn_words",
)
"""Fields that JSON holds as they are."""


class CannotLoad(ValueError):
    """This text is no state of this program on this version of the engine."""


def save(s: State) -> str:
    """Write a state as text, the same text for equal states."""
    plays = _Plays()
    saved: dict[str, Any] = {name: getattr(s, name) for name in PLAIN}
    saved["engine"] = ENGINE_VERSION
    saved["ruleset"] = s.program.ruleset.hash
    saved["seats"] = s.seats
    saved["key"] = s.key.hex()
    saved["notes"] = {rule: [note.scope, note.of, list(note.values)] for rule, note in sorted(s.notes.items())}
    saved["locks"] = [[lock.kind, lock.suits] for lock in s.locks]
    saved["backs"] = [[back.rule, back.left] for back in s.backs]
    saved["trick"] = [[p.seat, plays.number(p.play), p.order] for p in s.trick]
    saved["last_trick"] = [[p.seat, plays.number(p.play), p.order] for p in s.last_trick]
    saved["cause"] = plays.number(s.cause)
    saved["emptied"] = [[e.seat, e.cause, plays.number(e.play), e.before, e.after, e.run, e.rule] for e in s.emptied]
    saved["window_rules"] = list(s.window_rules)
    saved["lasting_rests"] = list(s.lasting_rests)
    saved["group"] = None if s.group is None else [s.group.rule, [_choice(c) for c in s.group.choices]]
    saved["held"] = [None if answer is None else list(answer) for answer in s.held]
    saved["plays"] = plays.saved
    return json.dumps(saved, separators=(",", ":"), sort_keys=True)


def load(program: Program, text: str) -> State:
    """Read what `save` wrote; raise CannotLoad for another ruleset, another engine version or anything damaged."""
    try:
        saved = json.loads(text)
        if saved["engine"] != ENGINE_VERSION:
            raise CannotLoad(f"saved by engine version {saved['engine']}, this is {ENGINE_VERSION}")
        if saved["ruleset"] != program.ruleset.hash:
            raise CannotLoad("saved under another ruleset")
        return _state(program, saved)
    except CannotLoad:
        raise
    except (AttributeError, KeyError, TypeError, IndexError, ValueError, OverflowError) as damage:
        raise CannotLoad(f"not a saved state: {damage}") from damage


def _state(program: Program, saved: dict[str, Any]) -> State:
    s = State(program, saved["seats"])
    for name in PLAIN:
        setattr(s, name, saved[name])
    plays = [_play(row) for row in saved["plays"]]
    s.key = bytes.fromhex(saved["key"])
    s.notes = {rule: Note(scope, of, tuple(values)) for rule, (scope, of, values) in saved["notes"].items()}
    s.locks = [Lock(kind, suits) for kind, suits in saved["locks"]]
    s.backs = [Back(rule, left) for rule, left in saved["backs"]]
    s.trick = [Placed(seat, plays[n], order) for seat, n, order in saved["trick"]]
    s.last_trick = [Placed(seat, plays[n], order) for seat, n, order in saved["last_trick"]]
    s.cause = NO_PLAY if saved["cause"] is None else plays[saved["cause"]]
    s.emptied = [
        Emptied(seat, cause, NO_PLAY if n is None else plays[n], before, after, run, rule)
        for seat, cause, n, before, after, run, rule in saved["emptied"]
    ]
    s.window_rules = tuple(saved["window_rules"])
    s.lasting_rests = tuple(saved["lasting_rests"])
    if saved["group"] is not None:
        s.group = Group(saved["group"][0], [_read_choice(row) for row in saved["group"][1]])
    s.held = [None if answer is None else tuple(answer) for answer in saved["held"]]
    return s


class _Plays:
    """Plays are saved once each: rules tell whether two places hold the very same play."""

    def __init__(self) -> None:
        self.saved: list[list[Any]] = []
        self.known: list[Play] = []

    def number(self, play: Play) -> int | None:
        if not play.size:
            return None
        for i, known in enumerate(self.known):
            if known is play:
                return i
        self.known.append(play)
        declared = [[m.joker, m.rank, m.suit] for m in play.declared]
        fields = [play.cards, play.shape, play.size, play.low, play.suits, play.jokers, play.ranks]
        self.saved.append([*fields, declared, play.step])
        return len(self.known) - 1


def _play(row: list[Any]) -> Play:
    cards, shape, size, low, suits, jokers, ranks, declared, step = row
    meanings = tuple([Meaning(j, r, t) for j, r, t in declared])
    return Play(cards, shape, size, low, suits, jokers, ranks, meanings, step)


def _choice(c: Choice) -> list[Any]:
    return [
        c.rule, c.seat, c.of, list(c.options), c.least, c.most, c.zone, c.ordered, c.to_seat, list(c.required),
    ]  # fmt: skip


def _read_choice(row: list[Any]) -> Choice:
    rule, seat, of, options, least, most, zone, ordered, to_seat, required = row
    return Choice(rule, seat, of, tuple(options), least, most, zone, ordered, to_seat, tuple(required))
