"""Tables for tests: programs by their settings, and what a seat can do there."""

from __future__ import annotations

from functools import cache
from itertools import islice

from engine.catalogue import Value
from engine.legal import legal_moves
from engine.moves import Move
from engine.program import Program
from engine.ruleset import make_ruleset
from engine.state import State
from engine.view import open_choice

STRENGTH = (
    *("sequence_revolution", "revolution_of_qka", "coup_detat", "great_revolution", "triple_seven", "omen"),
    *("religious_revolution", "optional_revolution", "weak_joker_in_revolution", "delayed_revolution"),
    *("revolution_flush", "revolution_eight_flush", "arthur", "jack_back", "two_back", "enhanced_jack_back"),
    *("six_return", "joker_revolution", "taepodong", "spade2_counter", "triple3_counter"),
)
"""Rules about the order of strength; the last two need a joker, the two before them both."""
EXTRAS = ("seven_pass", "four_stop", "reverend_king", "salvage", "queen_bomber")
EFFECTS = (
    *("four_cut", "six_cut", "ten_cut", "jack_cut", "queen_cut", "eight_cut_in_sequence", "five_cut_in_revolution"),
    *("sandstorm", "ambulance", "rokurokubi", "dignity", "five_skip", "six_skip", "ten_skip", "king_skip"),
    *("seven_reverse", "nine_reverse", "ten_reverse", "queen_reverse", "five_pass", "ten_pass", "nine_return"),
    *("seven_discard", "ten_discard", "queen_discard", "seven_attach", "sequence_card_effects"),
    *("seven_counter", "ten_return", "eight_cut_return", "death", "black_seven", "red_five", "kings_privilege"),
    *("black_market", "nine_shuffle", "next_ace", "countdown_of_doom", "dokan"),
)
"""Effects of ranks that random tables play with."""
SHAPES = ("emperor", "arithmetic_sequence")
LOCKS = ("partial_lock", "color_lock", "number_lock", "fierce_lock", "queen_unlock", "joker_lock")
ANSWERS = ("sequence_suit_must_follow", "down_number", "unreturnable_flush")
"""Rules about what may answer a play."""


@cache
def compiled(preset: str, settings: tuple[tuple[str, Value], ...]) -> Program:
    """Return the one program of a ruleset."""
    return Program(make_ruleset(preset, dict(settings)))


def program(preset: str, *extras: str, **settings: Value) -> Program:
    """Return the program of a preset with extra rules on; `a__b` is the setting a.b, `seats` any number of players."""
    values: dict[str, Value] = dict.fromkeys(extras, True)
    values |= {name.replace("__", "."): value for name, value in settings.items()}
    seats = values.pop("seats", None)
    if seats is not None:
        values |= {"player_count.min": seats, "player_count.max": seats}
    return compiled(preset, tuple(sorted(values.items())))


def asked(s: State) -> list[int]:
    """List the seats that have something to decide."""
    return [seat for seat in range(s.seats) if s.decisions[seat]]


def moves_of(s: State, seat: int, most: int | None = None) -> list[Move]:
    """List what a seat can do, the first `most` of it."""
    return list(islice(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)), most))
