"""The policy greedy: what it does in positions that players know, and that it answers whatever it is asked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advice.answers import BY_KIND, BY_RULE, answer_to
from advice.outlook import Outlook
from benchmarks.arena import Pages, at_once, deal, play, view_of
from benchmarks.duel import duel
from clients.bot.greedy import Greedy
from clients.bot.policies import POLICIES
from clients.common.cards import FIRST_JOKER, RANKS, SUITS
from daifugo.v1 import view_pb2
from engine.choices import CARD, HAND, RANK, Choice, Group
from engine.game import apply, new_match, start_game
from engine.program import Program
from engine.state import State
from services.game.codec.actions import action_from, choice_to
from tests.clients.test_bot import choices
from tests.engine.tables import EXTRAS, SHAPES, program

JDF = program("jdf4", "seven_pass", "four_stop")
TABLES = {
    "jdf3": program("jdf3"),
    "jdf4": program("jdf4"),
    "jdf5": program("jdf5"),
    "jdf3 with five more rules": program("jdf3", *EXTRAS),
    "jdf4 with five more rules": program("jdf4", *EXTRAS),
    "jdf5 with five more rules": program("jdf5", *EXTRAS),
    "rules of strength": program("jdf4", "jack_back", "two_back", "omen", "religious_revolution"),
    "fusion": program("jdf4", same_rank_addition="fusion"),
    "follow revolution": program("jdf4", same_rank_addition="follow_revolution"),
    "catapult": program("jdf4", same_rank_addition="catapult"),
    "guerrilla": program("jdf4", same_rank_addition="guerrilla"),
    "two packs": program("jdf4", deal_method="two_packs"),
    "emperors and arithmetic sequences": program("jdf4", *SHAPES),
    "uecda": program("uecda"),
}


def cards(text: str) -> list[int]:
    """Read cards such as "S3 H10 JK"; a second JK is the other joker."""
    jokers = iter((FIRST_JOKER, FIRST_JOKER + 1))
    return [next(jokers) if c == "JK" else 4 * RANKS.index(c[1:]) + SUITS.index(c[0]) for c in text.split()]


def as_set(text: str) -> int:
    return sum(1 << card for card in cards(text))


def position(*hands: str, table: Program = JDF) -> State:
    """The first turn of a game with these hands; seat 0 leads. The rest of the deck has been played.

    A card that is named twice belongs to the first hand.
    """
    held: list[int] = []
    for hand in hands:
        held.append(as_set(hand) & ~sum(held))
    s, _ = start_game(new_match(table), b"key", tuple(held))
    s.discard = table.deck & ~sum(held)
    assert s.turn == 0
    return s


def after(s: State, *plays: str) -> State:
    """Let the seats whose turn it is play these cards in turn; "-" is a pass."""
    for text in plays:
        message = view_pb2.Action()
        if text == "-":
            getattr(message, "pass").SetInParent()
        else:
            message.play.cards.extend(cards(text))
        seat = next(seat for seat in range(s.seats) if s.decisions[seat])
        s, _ = apply(s, seat, action_from(message))
    return s


def asked(s: State, seat: int, policy: Greedy | None = None) -> view_pb2.Action:
    return at_once((policy or Greedy()).decide(view_of(s, seat), Pages(s, seat)))


def put_down(s: State, seat: int) -> str:
    """What greedy plays in a seat, as text by number; "-" for a pass."""
    action = asked(s, seat)
    if action.WhichOneof("action") == "pass":
        return "-"
    return " ".join(sorted("JK" if c >= FIRST_JOKER else SUITS[c % 4] + RANKS[c // 4] for c in action.play.cards))


OTHERS = ("H4 H6 H9 HJ HK", "D4 D6 D9 DJ DK", "C5 C6 C9 CJ CK")


@pytest.mark.parametrize("name", TABLES)
def test_it_tells_the_deck_from_the_number_of_cards(name: str) -> None:
    s = deal(TABLES[name], b"seed")
    for seat in range(s.seats):
        outlook = Outlook(view_of(s, seat))
        assert outlook.hand | outlook.unseen == TABLES[name].deck


@pytest.mark.parametrize(
    ("from_ace", "is_reversed", "weakest", "strongest"),
    [(False, False, "3", "2"), (False, True, "2", "3"), (True, False, "A", "K"), (True, True, "K", "A")],
)
def test_it_knows_the_order_of_strength(from_ace: bool, is_reversed: bool, weakest: str, strongest: str) -> None:
    view = view_of(deal(JDF, b"seed"), 0)
    view.strength.from_ace, view.strength.reversed = from_ace, is_reversed
    by_strength = sorted(range(13), key=Outlook(view).strength)
    assert (RANKS[by_strength[0]], RANKS[by_strength[-1]]) == (weakest, strongest)
    assert Outlook(view).strength(13) == 13
    view.strength.joker_weakest = True
    assert Outlook(view).strength(13) == -1


# --- leading ---------------------------------------------------------------------------------------------------------


def test_it_leads_what_is_hardest_to_get_rid_of() -> None:
    assert put_down(position("S4 SQ SA H2 JK", *OTHERS), 0) == "S4"


def test_it_leads_a_weak_sequence_before_strong_singles() -> None:
    assert put_down(position("S4 S5 S6 HA H2 D9", *OTHERS[:1], "D4 D6 DJ DQ DK D8", OTHERS[2]), 0) == "S4 S5 S6"


def test_an_8_cuts_before_the_last_card_is_led() -> None:
    assert put_down(position("S8 H5", *OTHERS), 0) == "S8"


def test_a_sure_winner_goes_before_the_last_card() -> None:
    assert put_down(position("JK C4", "S3 S4 H6", "D5 D6 D9", "C5 C6 C9"), 0) == "JK"


# --- answering -------------------------------------------------------------------------------------------------------


def test_it_answers_with_the_weakest_card_that_is_free() -> None:
    s = after(position("S4 S9 S6 SK", "H5 H7 D9 C9 HQ HK", OTHERS[1], "C4 C6 C7"), "S4")
    assert put_down(s, 1) == "H5"


def test_it_does_not_break_a_pair_for_a_middling_card() -> None:
    s = after(position("S10 S9 S4", "D4 H6 CJ HJ", "H4 H5 H9 HK HA", "C4 C6 C7 CK CA"), "S10")
    assert put_down(s, 1) == "-"


def test_it_never_goes_out_on_a_foul_while_it_may_pass() -> None:
    s = after(position("SA S9", "H2", *OTHERS[1:]), "SA")
    assert put_down(s, 1) == "-"


def test_the_spade_3_answers_a_lone_joker() -> None:
    s = after(position("JK S9", "S3 H5 H6 HQ", *OTHERS[1:]), "JK")
    assert put_down(s, 1) == "S3"


def test_it_does_not_beat_its_own_play_where_the_owner_must_pass_too() -> None:
    hands = ("D3 S5 S9 SK", "H4 H6 H9", "D4 D6 D9", "C5 C6 C9", "C4 C10 CQ")
    s = after(position(*hands, table=program("uecda", seat_redraw=0)), "S5", "-", "-", "-", "-")
    assert s.trick
    assert put_down(s, 0) == "-"


def test_it_goes_out_when_it_can() -> None:
    s = after(position("S9 S10", "HJ", *OTHERS[1:]), "S9")
    assert put_down(s, 1) == "HJ"


def test_it_goes_out_with_an_8_in_an_emperor_or_an_arithmetic_sequence() -> None:
    shapes = program("jdf4", *SHAPES)
    s = after(position("DJ CQ SK HA D3", "S8 H9 D10 CJ", "D4 H6", "C5 C6", table=shapes), "DJ CQ SK HA")
    assert put_down(s, 1) == "CJ D10 H9 S8"
    s = after(position("H4 H6 H8 D3", "S8 S10 SQ", "D4 H7", "C5 C6", table=shapes), "H4 H6 H8")
    assert put_down(s, 1) == "S10 S8 SQ"


# --- revolution ------------------------------------------------------------------------------------------------------


def test_it_revolts_with_a_weak_hand() -> None:
    s = position("S4 H4 D4 C4 S5 D3 C6", "HA HK H9 H10", "DA DK D9 D10", "CA CK C9 C10")
    assert put_down(s, 0) == "C4 D4 H4 S4"


def test_it_does_not_revolt_with_strong_cards_in_hand() -> None:
    s = position("S9 H9 D9 C9 SA HA D2 C2 S5", "H4 HK H7 H10 HJ", "D4 DK D7 D10 DJ", "C4 CK C7 C10 CJ")
    assert put_down(s, 0) != "C9 D9 H9 S9"


# --- choices ---------------------------------------------------------------------------------------------------------


def question(
    rule: str, s: State, seat: int, number: int, of: int = CARD, zone: int = HAND, options: str = ""
) -> list[int]:
    """What greedy answers to a question of a rule: about the cards of its hand, or the options given."""
    held = tuple(cards(options)) if options else tuple(view_of(s, seat).hand) if of == CARD else tuple(range(14))
    choice = choice_to(Choice(rule, seat, of, held, number, number, zone))
    return answer_to(choice, Outlook(view_of(s, seat)))


def test_the_winner_gives_back_what_its_hand_needs_least() -> None:
    s = position("S5 S6 S7 H5 D10 C10 H2 JK", *OTHERS)
    assert question("card_exchange", s, 0, 1) == cards("H5")


def test_seven_pass_rids_of_awkward_cards_but_not_of_the_last_one() -> None:
    s = position("S7 H7 H4 D2", *OTHERS)
    assert question("seven_pass", s, 0, 1) == cards("H4")
    alone = position("H4", *OTHERS)
    choice = choice_to(Choice("seven_pass", 0, CARD, tuple(cards("H4")), 0, 1, HAND))
    assert answer_to(choice, Outlook(view_of(alone, 0))) == []


def test_a_bomber_names_strong_ranks_that_it_does_not_hold() -> None:
    s = position("SA HA S2 D8", *OTHERS)
    (rank,) = question("queen_bomber", s, 0, 1, RANK)
    assert rank == RANKS.index("K")


def test_a_bomber_does_not_bomb_its_own_last_cards() -> None:
    s = position("S4 H4", *OTHERS)
    (rank,) = question("queen_bomber", s, 0, 1, RANK)
    assert rank != RANKS.index("4")


def test_salvage_takes_the_best_card_but_no_3() -> None:
    s = position("S5 S6", *OTHERS)
    assert question("salvage", s, 0, 1, zone=3, options="D4 HA D3") == cards("HA")


def test_a_four_stop_is_used_when_the_lead_wins_the_game() -> None:
    s = after(position("S8 S9 S10", "H4 D4 HK", *OTHERS[1:2], "C5 C6"), "S8")
    assert put_down(s, 1) == "D4 H4"


@given(choices(), st.sampled_from(["", *BY_RULE]), st.sampled_from([0, *BY_KIND]), st.integers(0, 3))
def test_any_question_is_answered_within_its_bounds(choice: view_pb2.Choice, rule: str, of: int, zone: int) -> None:
    choice.rule_id, choice.of, choice.zone = rule, of, zone  # type: ignore[assignment]
    values = answer_to(choice, Outlook(view_of(position("S4 H9 D2 JK", *OTHERS), 0)))
    assert len(values) == len(set(values))
    assert set(choice.required) <= set(values) <= set(choice.options)
    assert choice.least <= len(values) <= choice.most


# --- whole games -----------------------------------------------------------------------------------------------------


def lineup(seats: int, at: int) -> list[str]:
    return ["greedy" if seat in (at, (at + 1) % seats) else "random" for seat in range(seats)]


def whole_game(table: Program, number: int) -> tuple[State, list[view_pb2.Decision]]:
    """Play a game with two greedy seats; an answer that is not legal raises."""
    chance = random.Random(number)
    names = lineup(table.seats, number % table.seats)
    policies = [POLICIES[name](random.Random(f"{number} {seat}")) for seat, name in enumerate(names)]
    previous = chance.sample(range(table.seats), table.seats) if number % 2 else []
    s = deal(table, chance.randbytes(32), previous)
    decisions: list[view_pb2.Decision] = []
    play(
        s, policies, lambda _, seat, view, action: decisions.append(view.decision) if names[seat] == "greedy" else None
    )
    return s, decisions


@pytest.mark.parametrize("name", TABLES)
def test_it_is_never_refused_in_whole_games(name: str) -> None:
    kinds: Counter[str | None] = Counter()
    for number in range(12):
        s, decisions = whole_game(TABLES[name], number)
        assert not s.drawn_places
        kinds.update([decision.choice.rule_id or decision.WhichOneof("ask") for decision in decisions])
    wanted = {"turn", "card_exchange"}
    if "more rules" in name:
        wanted |= {"window", "seven_pass", "reverend_king", "salvage", "queen_bomber"}
    assert kinds.keys() == wanted


def test_the_same_seed_plays_the_same_game() -> None:
    assert whole_game(JDF, 3)[1] == whole_game(JDF, 3)[1]


def test_it_is_better_than_random_by_far() -> None:
    """On these deals greedy leaves about 0.95 of the others behind; even would be 0.5."""
    greedy, other = duel(TABLES["jdf4"], "greedy", "random", 1, 10, 1)
    assert fmean(greedy.beaten()) > 0.75
    assert fmean(other.beaten()) < 0.45


# --- pages -----------------------------------------------------------------------------------------------------------


class Book:
    """Legal actions of a position, `size` a page."""

    def __init__(self, s: State, size: int) -> None:
        pages = Pages(s, 0)
        self.actions: Iterator[view_pb2.Action] = iter(at_once(pages()))
        self.size = size
        self.asked = 0

    async def __call__(self) -> list[view_pb2.Action]:
        self.asked += 1
        return list(islice(self.actions, self.size))


@pytest.mark.parametrize(("size", "pages"), [(200, 1), (5, 2)])
def test_it_asks_for_more_pages_only_until_its_lead_is_on_one(size: int, pages: int) -> None:
    s = position("S4 S5 S6 H10 HQ", *OTHERS)
    book = Book(s, size)
    action = at_once(Greedy().decide(view_of(s, 0), book))
    assert list(action.play.cards) == cards("S4 S5 S6")
    assert book.asked == pages


def test_it_asks_for_no_legal_actions_when_it_has_a_choice() -> None:
    s = deal(TABLES["jdf4"], b"seed", [0, 1, 2, 3])
    assert isinstance(s.group, Group)
    book = Book(s, 200)
    at_once(Greedy().decide(view_of(s, 0), book))
    assert book.asked == 0
