"""What a player can pick for the open question, what is picked, and which actions that can mean. Nothing is sent here.

Cards of the hand are picked for turns, windows and choices from the hand; for other choices it is their options.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from clients.common.cards import JOKER_RANK, PACK, is_joker, rank_of, weakest_first
from daifugo.v1 import cards_pb2, view_pb2

Choice = view_pb2.Choice
STRONGEST: Final = JOKER_RANK + 1


class Picking:
    """One hand, or the options of one choice, with a cursor on it."""

    def __init__(self) -> None:
        self.view = view_pb2.View()
        self.offers: Sequence[view_pb2.Action] = ()
        self.is_complete = True
        """Whether the offers are all that can be done."""
        self.picked: list[int] = []
        """What is picked, in the order of picking."""
        self.at = 0
        """The number of the item under the cursor."""
        self.items: list[int] = []
        """What stands on the tray: cards of the hand, weakest first, or the options of a choice."""
        self.has_options = False
        """Whether the options of a choice are to be picked from, instead of the hand."""
        self.hinted: view_pb2.Action | None = None
        """The offer that was picked as a whole. It may be one without cards."""

    # --- what there is ---------------------------------------------------------------------------------------------

    def see(self, view: view_pb2.View) -> None:
        """Take in how things stand; cards may be picked ahead of the own turn, and stay picked while they are held."""
        had_options, under_cursor = self.has_options, self.items[self.at] if self.at < len(self.items) else None
        choice = view.decision.choice if view.decision.HasField("choice") else None
        is_of_hand = choice is None or (choice.of == Choice.OF_CARD and set(choice.options) <= set(view.hand))
        hand = weakest_first(view.hand, view.strength.reversed)
        self.view, self.has_options = view, not is_of_hand
        self.items = hand if choice is None or is_of_hand else list(choice.options)
        if had_options or self.has_options:
            kept = had_options and self.has_options
            self.at, self.picked = (self.at, self.picked) if kept else (0, [])
        elif under_cursor in self.items:
            self.at = self.items.index(under_cursor)
        self.at = max(0, min(self.at, len(self.items) - 1))
        self.picked = [value for value in self.picked if value in self.items]

    def ask(self, offers: Sequence[view_pb2.Action], is_complete: bool) -> None:
        """Take in what can be done about a new question."""
        self.offers, self.is_complete, self.hinted = offers, is_complete, None
        if self.choice is not None:
            self.picked = list(self.choice.required)
            self.at = 0 if self.has_options else self.at
        if self.items and not self.picked:
            first = next((at for at, item in enumerate(self.items) if self.is_offered(item)), self.at)
            self.at = self.at if self.is_offered(self.items[self.at]) else first

    def forget(self) -> None:
        """Nothing is asked any more."""
        self.offers, self.is_complete, self.hinted = (), True, None

    @property
    def choice(self) -> view_pb2.Choice | None:
        decision = self.view.decision
        return decision.choice if decision.HasField("choice") else None

    def is_offered(self, item: int) -> bool:
        """Whether an item is part of anything that can be done."""
        if self.choice is not None:
            return item in self.choice.options
        if not self.is_complete:
            return True
        return any(item % PACK == card % PACK for offer in self.offers for card in cards_of(offer))

    # --- picking ---------------------------------------------------------------------------------------------------

    def move(self, steps: int) -> None:
        """Move the cursor; it stops at both ends."""
        self.at = max(0, min(self.at + steps, len(self.items) - 1))

    def toggle(self, item: int) -> None:
        """Pick an item, or put it back. One pick too many for a choice takes the place of the oldest."""
        self.hinted = None
        choice = self.choice
        required = list(choice.required) if choice is not None else []
        if item in self.picked:
            self.picked = [value for value in self.picked if value != item or value in required]
            return
        self.picked.append(item)
        if choice is not None and len(self.picked) > choice.most:
            oldest = next((value for value in self.picked if value not in required), item)
            self.picked.remove(oldest)

    def toggle_rank(self, rank: int) -> None:
        """Pick one more card of a rank; when all of them are picked, put them back."""
        of_rank = [item for item in self.items if rank_of(item) == rank] if not self.is_of_numbers else []
        left = [item for item in of_rank if item not in self.picked]
        if left:
            card = next((item for item in left if self.is_offered(item)), left[0])
            self.at = self.items.index(card)
            self.toggle(card)
        else:
            for card in of_rank:
                self.toggle(card)

    @property
    def is_of_numbers(self) -> bool:
        """Whether the items are no cards."""
        return self.choice is not None and self.choice.of != Choice.OF_CARD

    def clear(self) -> None:
        """Put everything back."""
        self.hinted = None
        self.picked = list(self.choice.required) if self.choice is not None else []

    def take(self, offer: view_pb2.Action) -> None:
        """Pick all of an offer."""
        self.hinted = offer
        self.picked = list(offer.answer.values if offer.HasField("answer") else cards_of(offer))
        if self.picked and self.picked[0] in self.items:
            self.at = self.items.index(self.picked[0])

    # --- what it means ---------------------------------------------------------------------------------------------

    @property
    def actions(self) -> list[view_pb2.Action]:
        """List the actions that the picks can mean: those offered with these cards, or else a play of them."""
        if self.hinted is not None:
            return [self.hinted]
        if not self.picked:
            return []
        if self.choice is not None:
            return [view_pb2.Action(answer=view_pb2.Answer(values=self.picked))]
        same = [offer for offer in self.offers if folded(cards_of(offer)) == folded(self.picked)]
        return same or [view_pb2.Action(play=cards_pb2.Play(cards=self.picked))]

    def is_known(self, action: view_pb2.Action) -> bool:
        """Whether an action is one of the offers, so that nobody has to be asked whether it is legal."""
        return action in self.offers

    def next_offer(self, steps: int) -> tuple[int, view_pb2.Action] | None:
        """Return the offer after the one picked as a whole, and its number; nothing if passing is all there is."""
        offers = sorted_offers(self.offers, self.view.strength.reversed)
        if not offers:
            return None
        at = offers.index(self.hinted) + steps if self.hinted in offers else (0 if steps > 0 else -1)
        at %= len(offers)
        return at, offers[at]


def cards_of(action: view_pb2.Action) -> list[int]:
    """Return the cards that an action puts down, adds or throws away."""
    kind = action.WhichOneof("action")
    return list(getattr(action, kind).cards) if kind in ("play", "add", "dump") else []


def folded(cards: Iterable[int]) -> list[int]:
    """Take equal cards of two packs for the same."""
    return sorted([card % PACK for card in cards])


def sorted_offers(offers: Iterable[view_pb2.Action], is_reversed: bool) -> list[view_pb2.Action]:
    """Sort offers as players think of them: without jokers first, the weak ones first, larger sets before smaller."""

    def key(offer: view_pb2.Action) -> tuple[int, int, int]:
        cards = cards_of(offer)
        ranks = [rank_of(card) for card in cards if not is_joker(card)]
        weakest = (-max(ranks) if is_reversed else min(ranks)) if ranks else STRONGEST
        return sum(map(is_joker, cards)), weakest, -len(cards)

    return sorted([offer for offer in offers if not offer.HasField("pass")], key=key)
