"""Plays after which hands, or parts of them, change places."""

from __future__ import annotations

from engine.cards import ACE, FIVE, HEART, KING, as_set, members
from engine.choices import HAND, SEAT, Choice, Group, of_cards
from engine.plays import SINGLE
from engine.randomness import shuffle
from engine.reasons import Reason
from engine.rules.base import GO_ON, Rule
from engine.rules.forced import choice_of_strongest
from engine.rules.ranks import is_real_group
from engine.ruleset import Ruleset
from engine.state import State
from engine.steps import ask, next_holder, others_in, previous_holder, tell_given


def swap(s: State, one: int, gives: int, other: int, returns: int, rule: str) -> None:
    """Let two seats change cards at once: nobody's hand is empty in between."""
    s.hands[one] = s.hands[one] & ~gives | returns
    s.hands[other] = s.hands[other] & ~returns | gives
    for giver, taker, cards in ((one, other, gives), (other, one, returns)):
        if cards:
            tell_given(s, giver, taker, cards, rule)


class WithSomebody(Rule):
    """What the player of some cards does with a seat of choice, both holding cards."""

    def happens(self, s: State) -> bool:
        """Say whether the running play brings it about."""
        return is_real_group(s.cause, 3)

    def partners(self, s: State) -> list[int]:
        """List the seats to choose from."""
        return others_in(s, s.actor)

    def played(self, s: State) -> int:
        if not self.happens(s) or not s.hands[s.actor]:
            return GO_ON
        seats = tuple(self.partners(s))
        return ask(s, self.id, [Choice(self.id, s.actor, SEAT, seats, 1, 1)] if seats else [])


class RedFive(WithSomebody):
    """赤い5: a red 5 alone mixes its player's hand with that of another seat, and deals each half of it (000 L224).

    An odd card goes to whoever held more, or always to the player (赤い5の余り札: 000 L255).
    """

    id = "red_five"
    ranks = 1 << FIVE

    def __init__(self, odd_to_player: bool = False) -> None:
        self.odd_to_player = odd_to_player

    def on(self, ruleset: Ruleset) -> Rule | None:
        odd_to_player = ruleset.word("red_five_remainder") == "player_of_five"
        return RedFive(odd_to_player) if ruleset.bool(self.id) else None

    def happens(self, s: State) -> bool:
        return s.cause.shape == SINGLE and bool(s.cause.suits >> 4 * HEART & 0xFF)

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        player, other = group.choices[0].seat, answers[0][0]
        mine, theirs = members(s.hands[player]), members(s.hands[other])
        places = list(range(len(mine) + len(theirs)))
        shuffle(s, places)
        more_is_mine = self.odd_to_player or len(mine) > len(theirs)
        half = (len(places) + more_is_mine) // 2
        cards = mine + theirs
        dealt = as_set([cards[place] for place in places[:half]])
        # told as a whole hand that goes over and cards that come back: what the lot has moved is for the two to know
        before, both = s.hands[player], s.hands[player] | s.hands[other]
        s.hands[player], s.hands[other] = dealt, both & ~dealt
        tell_given(s, player, other, before, self.id)
        tell_given(s, other, player, dealt, self.id)
        return GO_ON


class KingsPrivilege(WithSomebody):
    """王の特権: exactly three real kings swap their player's whole hand with that of a neighbour (000 L240)."""

    id = "kings_privilege"
    ranks = 1 << KING
    not_an_option = Reason.NOT_A_NEIGHBOUR

    def partners(self, s: State) -> list[int]:
        return [seat for seat in sorted({next_holder(s, s.actor), previous_holder(s, s.actor)}) if seat >= 0]

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        player, other = group.choices[0].seat, answers[0][0]
        swap(s, player, s.hands[player], other, s.hands[other], self.id)
        return GO_ON


class BlackMarket(WithSomebody):
    """闇市: exactly three real aces exchange two cards of choice for a seat's two strongest (000 L231).

    Both hands need as many: of fewer cards fewer are exchanged. The two choose at the same time.
    """

    id = "black_market"
    ranks = 1 << ACE

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        first = group.choices[0]
        if first.of == SEAT:
            player, other = first.seat, answers[0][0]
            number = min(2, s.hands[player].bit_count(), s.hands[other].bit_count())
            return ask(s, self.id, self.choices(s, player, other, number))
        swap(s, first.seat, as_set(answers[0]), first.to_seat, as_set(answers[1]), self.id)
        return GO_ON

    def choices(self, s: State, player: int, other: int, number: int) -> list[Choice]:
        """Ask the player for any cards, and the other for the strongest."""
        own = of_cards(self.id, player, s.hands[player], number, number, HAND, other)
        return [own, choice_of_strongest(s, self.id, other, number, player)]

    def asked_with(self, s: State, choice: Choice) -> list[Choice]:
        if choice.of == SEAT:
            return [choice]
        other = choice.to_seat if choice.seat == s.actor else choice.seat
        return self.choices(s, s.actor, other, choice.least)


RULES: tuple[Rule, ...] = (RedFive(), KingsPrivilege(), BlackMarket())
