"""Questions to seats, kept as data: `seat` names `least`..`most` of `options`."""

from __future__ import annotations

from typing import Final

from engine.cards import as_set, count, members
from engine.native import i64, mypyc_attr

# what a choice ranges over
CARD: Final = 1
RANK: Final = 2
SEAT: Final = 3
NUMBER: Final = 4
YES_NO: Final = 5

# where the cards of a choice lie
NO_ZONE: Final = 0
HAND: Final = 1
FIELD: Final = 2
DISCARD: Final = 3
STOCK: Final = 4
BLIND: Final = 5
LAID_AWAY: Final = 6
DECK: Final = 7


@mypyc_attr(acyclic=True, free_list_len=1)
class Choice:
    """One question of a rule to a seat.

    `options` are cards, ranks (0..12, joker 13), seats, numbers, or 0 and 1 for no and yes. `required` options must
    be in every answer. `ordered` says that the order of an answer matters. `to_seat` is where cards go, or -1.
    """

    def __init__(
        self,
        rule: str,
        seat: int,
        of: int,
        options: tuple[int, ...],
        least: int,
        most: int,
        zone: int = NO_ZONE,
        ordered: bool = False,
        to_seat: int = -1,
        required: tuple[int, ...] = (),
    ) -> None:
        self.rule = rule
        self.seat: i64 = seat
        self.of: i64 = of
        self.listed = options
        self.cards = 0
        """The options as a set, where they are cards that are listed only when somebody looks."""
        self.least: i64 = least
        self.most: i64 = most
        self.zone: i64 = zone
        self.ordered = ordered
        self.to_seat: i64 = to_seat
        self.required = required

    @property
    def options(self) -> tuple[int, ...]:
        """What can be named, in order."""
        if self.cards and not self.listed:
            self.listed = tuple(members(self.cards))
        return self.listed

    def key(self) -> tuple[object, ...]:
        """Return a plain value that is equal for equal questions."""
        bounds = (self.options, self.least, self.most, self.required)
        return (self.rule, self.seat, self.of, bounds, self.zone, self.ordered, self.to_seat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def without(self, named: tuple[int, ...]) -> Choice:
        """Return the same question without options that the seat has already named."""
        if not named:
            return self
        if self.cards and not self.required:
            rest = self.cards & ~as_set(named)
            number = count(rest)
            return of_cards(
                self.rule, self.seat, rest, min(self.least, number), min(self.most, number), self.zone, self.to_seat
            )
        left = tuple([o for o in self.options if o not in named])
        return Choice(
            self.rule, self.seat, self.of, left, min(self.least, len(left)), min(self.most, len(left)), self.zone,
            self.ordered, self.to_seat, tuple([o for o in self.required if o not in named]),
        )  # fmt: skip


def of_cards(rule: str, seat: int, cards: int, least: int, most: int, zone: int, to_seat: int = -1) -> Choice:
    """Return the choice of some cards of a set; they are listed when somebody wants to see them."""
    choice = Choice(rule, seat, CARD, (), least, most, zone, False, to_seat)
    choice.cards = cards
    return choice


@mypyc_attr(acyclic=True, free_list_len=1)
class Group:
    """Questions that one rule asks at once; answers stay hidden until the last one is in."""

    def __init__(self, rule: str, choices: list[Choice]) -> None:
        self.rule = rule
        self.choices = choices
