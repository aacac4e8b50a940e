"""Seats, cards, events, views and actions in words; actions can be read back.

A word never holds a comma: what has several parts is joined by commas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, Final

from engine import events as ev
from engine.actions import ADD, ANSWER, DRAW, DUMP, PASS, PLAY, Action, Meaning
from engine.cards import BEYOND, NO_SUIT, RANK_TEXT, SUIT_TEXT, as_set, card_text, cards_text, members, parse_card
from engine.choices import CARD, NUMBER, RANK, SEAT, YES_NO, Choice
from engine.plays import ANY, ARITHMETIC, GROUP, SHAPE_TEXT, SINGLE, Play
from engine.state import Emptied, Lock, Note, Placed
from engine.view import View

SEATS: Final = "ABCDEFGHIJKL"
ZONES: Final = ("nowhere", "hand", "field", "discard", "stock", "blind", "laid away", "deck")
KINDS: Final = {ev.TURN: "turn", ev.WINDOW: "window", ev.CHOICE: "choice"}
OF: Final = {CARD: "card", RANK: "rank", SEAT: "seat", NUMBER: "number", YES_NO: "yes or no"}
VERBS: Final = {PLAY: "plays", PASS: "passes", DRAW: "draws", ADD: "adds", DUMP: "dumps", ANSWER: "answers"}
NOTHING: Final = "nothing"

# --- small things ----------------------------------------------------------------------------------------------------


def seat(number: int) -> str:
    """Write a seat, or that there is none."""
    return SEATS[number] if number >= 0 else "nobody"


def seats(numbers: Iterable[int]) -> str:
    """Write seats in order."""
    return " ".join([SEATS[number] for number in numbers])


def seat_bits(bits: int) -> str:
    """Write a set of seats."""
    return seats(members(bits))


def by_seat(numbers: Iterable[int]) -> str:
    """Write a number for each seat that has one."""
    return " ".join([f"{SEATS[i]} {number}" for i, number in enumerate(numbers) if number])


def numbers(values: Iterable[int]) -> str:
    """Write numbers."""
    return " ".join([str(value) for value in values])


def cards(bits: int | None) -> str:
    """Write a set of cards, or that it may not be seen."""
    return "hidden" if bits is None else cards_text(bits) or "none"


def values(of: int, some: Sequence[int]) -> str:
    """Write what a choice ranges over, or an answer to it, in its order."""
    if of == CARD:
        return " ".join([card_text(value) for value in some])
    if of == RANK:
        return " ".join([RANK_TEXT[value] for value in some])
    return seats(some) if of == SEAT else numbers(some)


def meaning(meant: Meaning) -> str:
    """Write what a joker stands for."""
    rank = "beyond" if meant.rank == BEYOND else RANK_TEXT[meant.rank]
    return f"{card_text(meant.joker)}={'' if meant.suit == NO_SUIT else SUIT_TEXT[meant.suit]}{rank}"


def suits(packed: int | Sequence[int]) -> str:
    """Write suits, counted four bits each or in a row, once for each card."""
    counts = [packed >> 4 * i & 15 for i in range(4)] if isinstance(packed, int) else packed
    return " ".join([suit for suit, count in zip(SUIT_TEXT, counts) for _ in range(count)])


def play(p: Play | None) -> str:
    """Write what cards mean that were played together."""
    if p is None or not p.size:
        return ""
    low = RANK_TEXT[p.low] if p.shape in (SINGLE, GROUP) else f"from place {p.low}"
    step = [f"by {p.step}"] if p.shape == ARITHMETIC else []
    return " ".join([SHAPE_TEXT[p.shape], low, *step, *map(meaning, p.meanings())])


def choice(c: Choice | None) -> str:
    """Write a question to a seat."""
    if c is None:
        return ""
    words = [c.rule, f"{c.least} to {c.most}", OF[c.of]]
    words += ["in order"] if c.ordered else []
    words += [f"from {ZONES[c.zone]}"] if c.zone else []
    words += [f"for {seat(c.to_seat)}"] if c.to_seat >= 0 else []
    words += [f"with {values(c.of, c.required)}"] if c.required else []
    return " ".join([*words, "of", values(c.of, c.options)])


def notes(some: dict[str, Note]) -> str:
    """Write what rules remember."""
    return " / ".join([f"{name} {values(note.of, note.values) or NOTHING}" for name, note in sorted(some.items())])


def placed(some: Sequence[Placed]) -> str:
    """Write the plays of a trick."""
    return " / ".join([f"{seat(each.seat)} {cards(each.play.cards)} as {play(each.play)}" for each in some])


def locks(some: Sequence[Lock]) -> str:
    """Write the locks in force."""
    return " / ".join([f"{lock.kind} {suits(lock.suits)}".strip() for lock in some])


def emptied(some: Sequence[Emptied]) -> str:
    """Write which hands were emptied, how, and in which orders before and after."""
    return " / ".join([f"{seat(e.seat)} {e.cause} {e.before} {e.after} {e.run}" for e in some])


# --- events and views ------------------------------------------------------------------------------------------------

SEAT_FIELDS: Final = ("seat", "dealer", "spade_seat", "from_seat", "to_seat")
SEATS_FIELDS: Final = ("order", "seating", "previous", "places", "drawn")
EVENT_FIELDS: Final[dict[str, Callable[[Any], str]]] = {
    **dict.fromkeys(SEAT_FIELDS, seat),
    **dict.fromkeys(SEATS_FIELDS, seats),
    **dict.fromkeys(("sizes", "points", "totals", "ranks"), numbers),
    "cards": cards,
    "play": play,
    "choice": choice,
    "kind": KINDS.__getitem__,
    "zone": ZONES.__getitem__,
    "rules": " ".join,
    "fouls": " ".join,
    "reserved": lambda number: str(number or ""),
    "freeze": lambda number: str(number or ""),
    "running": lambda some: " / ".join([f"{rule} {left}" for rule, left in some]),
    "rests": lambda rests: " ".join([f"{seat(who)} {turns}" for who, turns in rests]),
    "locks": lambda some: " / ".join([f"{kind} {suits(counts)}".strip() for kind, counts in some]),
}
"""How fields of events are written that are no plain numbers, words or flags."""


def event(told: ev.Event) -> dict[str, str]:
    """Write the fields of an event, without its rule and its cause; flags that are not set are left out."""
    found: dict[str, str] = {}
    for field in fields(told):
        name, value = field.name, getattr(told, field.name)
        if name in ("rule", "because", "seen_by"):
            continue
        if isinstance(told, ev.CardsMoved) and name.endswith(("_zone", "_seat")):
            side, _, what = name.partition("_")
            if what == "zone":
                owner = getattr(told, f"{side}_seat")
                found[side] = ZONES[value] + (f" {seat(owner)}" if owner >= 0 else "")
        elif isinstance(told, ev.NoteChanged) and name in ("of", "values"):
            found["values"] = values(told.of, told.values) or NOTHING
        elif isinstance(value, bool):
            found |= {name: ""} if value else {}
        else:
            text = EVENT_FIELDS[name](value) if name in EVENT_FIELDS else str(value)
            found |= {name: text} if text else {}
    return found


VIEW_FIELDS: Final[dict[str, Callable[[Any], str]]] = {
    "game": str,
    "games": str,
    "playing": str,
    "actions": str,
    "turn": seat,
    "starter": seat,
    "owner": seat,
    "decisions": by_seat,
    "asking_rule": str,
    "window_rules": " ".join,
    "window_seats": seats,
    "hand": cards,
    "choice": choice,
    "sizes": numbers,
    "trick": placed,
    "last_trick": placed,
    "discard": cards,
    "passed": seat_bits,
    "skipped": seat_bits,
    "passes_in_row": str,
    "rests": by_seat,
    "lasting_rests": by_seat,
    "locks": locks,
    "row_start": str,
    "revolution": str,
    "reserved_revolutions": str,
    "freeze": str,
    "from_ace": str,
    "joker_above_ten": str,
    "backs": lambda some: " / ".join([f"{back.rule} {back.left}" for back in some]),
    "order": str,
    "seating": seats,
    "turned": str,
    "finished": seats,
    "fouled": seats,
    "fallen": seats,
    "defeated": seats,
    "gone": seat_bits,
    "emptied": emptied,
    "notes": notes,
    "flushing": str,
    "flush_rule": str,
    "to_lead": seat,
    "drawn": str,
    "had_turn": seat_bits,
    "places": seats,
    "drawn_places": seats,
    "previous": seats,
    "before_previous": seats,
    "totals": numbers,
    "firsts": numbers,
    "spade_seat": seat,
    "blind_count": str,
    "stock_count": str,
    "laid_away_count": str,
}
"""How the fields of a view are written, in the order of reading."""

NOT_WRITTEN: Final = (
    "program",
    "seats",
    "seat",
    # how far the steps of a run have come: engine steps may be added without a change for anybody who plays
    "actor",
    "cause",
    "cursor",
    "revolted",
    "turned_over",
    "offered_by",
    "program_number",
    "run_kind",
    "run_number",
    "run_program",
    "run_ranks",
    "last_decision",
)
"""Fields of a view that a transcript leaves out."""


def view(seen: View, usual: View) -> dict[str, str]:
    """Write the fields of a view that are not as usual."""
    found: dict[str, str] = {}
    for name, write in VIEW_FIELDS.items():
        text = write(getattr(seen, name))
        if text != write(getattr(usual, name)):
            found[name] = text or NOTHING
    return found


# --- actions ---------------------------------------------------------------------------------------------------------


def action(done: Action, asked: Choice | None) -> str:
    """Write what a seat does, so that `read_action` can read it."""
    verb = VERBS[done.kind]
    if done.kind == ANSWER:
        of = asked.of if asked is not None else NUMBER
        return f"{verb} {values(of, done.values)}".strip()
    words = [SHAPE_TEXT[done.shape]] if done.shape != ANY else []
    words += [card_text(c) for c in members(done.cards)]
    if done.meanings:
        words += ["with", *map(meaning, done.meanings)]
    return " ".join([verb, *words])


def read_action(text: str, asked: Choice | None) -> Action:
    """Read an action; ValueError for anything that `action` does not write."""
    verb, _, rest = text.partition(" ")
    kinds = {word: kind for kind, word in VERBS.items()}
    if verb not in kinds:
        raise ValueError(f"no action: {text!r}")
    if kinds[verb] == ANSWER:
        of = asked.of if asked is not None else NUMBER
        return Action(ANSWER, values=tuple([read_value(of, word) for word in rest.split()]))
    put, _, meant = rest.partition(" with ")
    words = put.split()
    shape = SHAPE_TEXT.index(words.pop(0)) if words and words[0] in SHAPE_TEXT else ANY
    return Action(kinds[verb], as_set([parse_card(word) for word in words]), shape, read_meanings(meant))


def read_value(of: int, word: str) -> int:
    """Read one value of an answer."""
    if of == CARD:
        return parse_card(word)
    if of == RANK:
        return RANK_TEXT.index(word)
    return SEATS.index(word) if of == SEAT else int(word)


def read_meanings(text: str) -> tuple[Meaning, ...]:
    """Read what jokers stand for."""
    found: list[Meaning] = []
    for word in text.split():
        joker, _, rank = word.partition("=")
        suit = NO_SUIT
        if rank not in (*RANK_TEXT, "beyond"):
            suit, rank = SUIT_TEXT.index(rank[0]), rank[1:]
        found.append(Meaning(parse_card(joker), BEYOND if rank == "beyond" else RANK_TEXT.index(rank), suit))
    return tuple(found)
