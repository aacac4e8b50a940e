"""What an action would bring about, as its seat can tell it: what is certain, and what may come."""

from __future__ import annotations

from engine.actions import PASSING, play_cards
from engine.cards import parse_cards
from engine.foreseeing import (
    ASKS,
    FINISHES,
    FLUSHES,
    FOULS,
    LEADS,
    LOCKS,
    MOVES_CARDS,
    OPENS_WINDOW,
    TURNS_STRENGTH,
    Effect,
    Foresight,
    foresee,
)
from engine.legal import check
from engine.program import Program
from engine.view import view
from tests.engine.position import Table
from tests.engine.tables import EXTRAS, program

PLAIN = program("jdf4", hand_size=4)
FILL = ("S4 S5 D10 DJ", "C4 C5 C10 CJ", "H4 H5 H10 HJ")
"""The hands of the others."""


def foreseen(table: Program, hand: str, cards: str, *others: str, **setting: str) -> Foresight:
    """Return what the first seat can tell of a play of cards."""
    at = Table(table, hand, *(others or FILL), **setting)  # type: ignore[arg-type]  # settings are given by name
    v = view(at.state, 0)
    action = play_cards(parse_cards(cards)) if cards else PASSING
    return foresee(v, check(v, v.seat, v.hand, v.choice, action))


def test_a_cut_is_certain_and_so_is_who_leads_then() -> None:
    seen = foreseen(PLAIN, "S8 S9 DQ C3", "S8")
    assert seen.would == (Effect("eight_cut", FLUSHES), Effect("", LEADS, 0))
    assert seen.may == ()


def test_a_play_without_effects_brings_nothing_about() -> None:
    assert foreseen(PLAIN, "S8 S9 DQ C3", "S9") == Foresight((), ())


def test_a_lock_and_a_finish_are_certain() -> None:
    seen = foreseen(PLAIN, "S6", "S6", "S5 S4", "C4 C5", "H4 H5", field="D:S5")
    assert Effect("suit_lock", LOCKS) in seen.would
    assert Effect("", FINISHES, 0) in seen.would


def test_going_out_with_a_foul_is_told_before_it_is_done() -> None:
    seen = foreseen(PLAIN, "S8", "S8", "S5 S4", "C4 C5", "H4 H5")
    assert [(effect.kind, effect.seat) for effect in seen.would if effect.rule == "foul_eight_cut"] == [(FOULS, 0)]


def test_what_waits_for_a_counter_may_come_but_is_not_certain() -> None:
    seen = foreseen(program("jdf4", "four_stop", hand_size=4), "S8 S9 DQ C3", "S8")
    assert seen.would == (Effect("four_stop", OPENS_WINDOW),)
    assert Effect("eight_cut", FLUSHES) in seen.may


def test_what_comes_after_an_answer_is_told_as_what_may_come() -> None:
    seen = foreseen(program("jdf4", *EXTRAS, hand_size=4), "S7 S9 DQ C3", "S7")
    assert seen.would == (Effect("seven_pass", ASKS, 0),)


def test_what_depends_on_a_hand_that_is_not_seen_is_never_certain() -> None:
    table = program("jdf4", "dokan", hand_size=2)
    seen = foreseen(table, "S9 S3", "S9", "S4 S5", "C5 C6", "H5 H6")
    assert {effect.rule for effect in seen.may} >= {"dokan"}
    assert not [effect for effect in seen.would if effect.rule == "dokan"]


def test_what_no_hidden_hand_can_do_is_ruled_out() -> None:
    # eight cards are eight at least, with both jokers, the aces and two 2s; the field is but three
    others = [" ".join(f"{suit}{rank}" for rank in (4, 5, 6, 7, 8, 10, "J", "K")) for suit in "SHD"]
    assert foreseen(program("jdf4", "dokan", hand_size=8), "S3 S9 DQ C3 D9 H9 C9 SQ", "S3", *others) == Foresight(
        (), ()
    )


def test_whether_others_could_answer_is_for_them_to_know() -> None:
    table = program("jdf4", "unreturnable_flush", hand_size=4)
    seen = foreseen(table, "SK S9 DQ C3", "SK")
    assert Effect("unreturnable_flush", FLUSHES) in seen.may


def test_the_strongest_cards_of_others_go_for_certain_though_nobody_knows_which() -> None:
    table = program("jdf4", "death", hand_size=4)
    seen = foreseen(table, "S4 H4 D4 C3", "S4 H4 D4", "S6 S5 D10 DJ", "C6 C5 C10 CJ", "H6 H5 H10 HJ")
    assert [effect.kind for effect in seen.would] == [ASKS] * 3
    assert Effect("death", MOVES_CARDS) in seen.may


def test_a_revolution_is_certain() -> None:
    seen = foreseen(PLAIN, "S6 H6 D6 C6", "S6 H6 D6 C6")
    assert Effect("revolution", TURNS_STRENGTH) in seen.would


def test_a_pass_that_ends_the_trick_says_so() -> None:
    seen = foreseen(PLAIN, "S8 S9 DQ C3", "", field="B:S10", passed="CD")
    assert [effect.kind for effect in seen.would] == [FLUSHES, LEADS]


def test_the_same_view_foresees_the_same() -> None:
    table = program("jdf4", "dokan", *EXTRAS, hand_size=2)
    one = foreseen(table, "S9 S3", "S9", "S4 S5", "C5 C6", "H5 H6")
    other = foreseen(table, "S9 S3", "S9", "C5 C6", "H5 H6", "S4 S5")
    assert one == other
