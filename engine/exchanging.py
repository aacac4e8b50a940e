"""The exchange of cards between two seats: what the lower place gives, and what the upper place returns."""

from __future__ import annotations

from typing import Final

from engine.cards import JOKER, JOKERS, RANK, SUIT, THREE, as_set, count, members, of_rank
from engine.choices import CARD, HAND, Choice, of_cards
from engine.native import i64, mypyc_attr
from engine.reasons import Reason
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import tell_given

# what happens to jokers
INCLUDED: Final = 0
LEFT_OUT: Final = 1
RETURNED: Final = 2

STRONGEST_FIRST: Final = tuple(range(JOKER, THREE - 1, -1))
"""For the tribute: joker above 2 above A …, whatever the last game's order was (JDF art. 68)."""
JOKERS_LAST: Final = (*STRONGEST_FIRST[1:], JOKER)
WEAKEST_FIRST: Final = STRONGEST_FIRST[::-1]


@mypyc_attr(acyclic=True, free_list_len=1)
class Exchange:
    """So many cards each way between the seats of an upper and a lower place, because of a rule."""

    def __init__(self, rule: str, upper: int, lower: int, number: int) -> None:
        self.rule = rule
        self.upper = upper
        self.lower = lower
        self.number = number


def within_hands(s: State, exchanges: list[Exchange], tribute_first: bool) -> list[Exchange]:
    """Lower the numbers so that nobody gives away their last card; leave out what is then nothing."""
    left = [s.size(seat) - 1 for seat in range(s.seats)]
    possible = []
    for each in exchanges:
        number = min(each.number, left[each.lower])
        if not tribute_first:
            number = min(number, left[each.upper])
        if number > 0:
            left[each.upper] = left[each.upper] - (0 if tribute_first else number)
            left[each.lower] = left[each.lower] - number
            possible.append(Exchange(each.rule, each.upper, each.lower, number))
    return possible


class Gifts:
    """What may be given under a ruleset."""

    def __init__(
        self,
        jokers: int = INCLUDED,
        by_suit: bool = False,
        weakest: bool = False,
        tribute_first: bool = False,
        costly: bool = False,
    ) -> None:
        self.jokers = jokers
        self.order: tuple[int, ...] = JOKERS_LAST if jokers == LEFT_OUT else STRONGEST_FIRST
        self.by_suit = by_suit
        """Suits decide among equals, so there is nothing to choose for the lower place."""
        self.weakest = weakest
        """Upper places return their weakest cards, not any."""
        self.tribute_first = tribute_first
        """Upper places choose when they have received."""
        self.costly = costly
        """An invalid return costs its giver the strongest cards that may be given."""

    def tributes(self, s: State, exchanges: list[Exchange]) -> list[Choice]:
        """Ask the lower places for their strongest cards; they choose among equals."""
        choices = []
        for each, before in zip(exchanges, given_before([each.lower for each in exchanges], exchanges)):
            options, required = next_of(s.hands[each.lower], self.order, before, each.number)
            choices.append(giving(each, each.lower, each.upper, options, required))
        return choices

    def by_suits(self, s: State, exchanges: list[Exchange]) -> list[int]:
        """Return the cards that each exchange takes from the lower place where suits decide, spades first."""
        taken = []
        for each, before in zip(exchanges, given_before([each.lower for each in exchanges], exchanges)):
            hand = sorted(members(s.hands[each.lower]), key=lambda c: (self.order.index(RANK[c]), SUIT[c], c))
            taken.append(as_set(hand[before : before + each.number]))
        return taken

    def against_return(self, choice: Choice) -> Reason:
        """Say why an upper place may not give these cards."""
        if self.weakest:
            return Reason.MUST_GIVE_WEAKEST
        return Reason.MUST_RETURN_JOKER if choice.required else Reason.NOT_AN_OPTION

    def in_return(self, choice: Choice) -> tuple[int, ...]:
        """Name the strongest cards that an upper place may give, spades first among equals."""
        cards = sorted(
            choice.options, key=lambda c: (c not in choice.required, STRONGEST_FIRST.index(RANK[c]), SUIT[c], c)
        )
        return tuple(cards[: choice.most])

    def returns(self, s: State, exchanges: list[Exchange], received: list[int], owed: list[int]) -> list[Choice]:
        """Ask the upper places for as many cards; `received` is what each exchange has brought, where that is known.

        A joker that must be given back is given back to where it came from. `owed` is what each exchange takes from its
        lower place at the same time, where that is certain: who is an upper place too cannot return it.
        """
        choices = []
        back = [cards & JOKERS if self.jokers == RETURNED else 0 for cards in received]
        every = 0
        for jokers in back:
            every |= jokers
        befores = given_before([each.upper for each in exchanges], exchanges)
        for each, jokers, before in zip(exchanges, back, befores):
            hand = s.hands[each.upper] & ~every
            for other, cards in zip(exchanges, owed):
                if other.lower == each.upper:
                    hand &= ~cards
            if not jokers and not self.weakest:
                if self.jokers == LEFT_OUT and count(hand & ~JOKERS) >= before + each.number:
                    hand &= ~JOKERS
                choices.append(of_cards(each.rule, each.upper, hand, each.number, each.number, HAND, each.lower))
                continue
            first = members(jokers)[: each.number]
            options, required = members(hand), list[int]()
            if self.weakest:
                options, required = next_of(hand, WEAKEST_FIRST, before, each.number - len(first))
            choices.append(giving(each, each.upper, each.lower, options + first, required + first))
        return choices


def gifts_of(ruleset: Ruleset) -> Gifts:
    """Read from a ruleset what may be given."""
    words = {"include": INCLUDED, "exclude": LEFT_OUT, "return_joker": RETURNED}
    return Gifts(
        words[ruleset.word("exchange_joker_excluded")],
        ruleset.word("tribute_order") == "suit_order_CDHS",
        ruleset.word("return_choice") == "weakest",
        ruleset.word("exchange_timing") == "tribute_first",
        ruleset.word("invalid_return") == "strongest_taken",
    )


@mypyc_attr(acyclic=True, free_list_len=1)
class Gift:
    """Cards that go from hand to hand because of a rule."""

    def __init__(self, rule: str, giver: int, taker: int, cards: int) -> None:
        self.rule = rule
        self.giver: i64 = giver
        self.taker: i64 = taker
        self.cards = cards


def hand_over(s: State, gifts: list[Gift]) -> None:
    """Move cards between hands, all at once."""
    for gift in gifts:
        s.hands[gift.giver] = s.hands[gift.giver] & ~gift.cards
    for gift in gifts:
        s.hands[gift.taker] = s.hands[gift.taker] | gift.cards
        tell_given(s, gift.giver, gift.taker, gift.cards, gift.rule)


def giving(each: Exchange, giver: int, taker: int, options: list[int], required: list[int]) -> Choice:
    """Ask one side of an exchange for its cards."""
    number = each.number
    return Choice(each.rule, giver, CARD, tuple(options), number, number, HAND, False, taker, tuple(required))


def next_of(hand: int, order: tuple[int, ...], before: int, number: int) -> tuple[list[int], list[int]]:
    """Take the next `number` cards after `before` of a hand in an order of ranks: the possible ones, the certain ones.

    Everything of the ranks that are used up goes, and within the last one the choice is free.
    """
    possible: list[int] = []
    certain: list[int] = []
    seen = 0
    for rank in order:
        if seen >= before + number:
            break
        held = of_rank(hand, rank)
        if not held:
            continue
        cards = members(held)
        seen += len(cards)
        if seen > before:
            certain = possible
            possible = certain + cards
    return possible, certain


def given_before(givers: list[int], exchanges: list[Exchange]) -> list[int]:
    """Count for each exchange how many cards its giver gives in those before it."""
    before: list[int] = []
    for i, giver in enumerate(givers):
        number = 0
        for j in range(i):
            if givers[j] == giver:
                number += exchanges[j].number
        before.append(number)
    return before
