"""What a rule is: an object with an id and methods named after the phases in which it takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.moves import NO_MOVES
from engine.reasons import Reason
from engine.rows import ANYWHERE

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.choices import Choice, Group
    from engine.exchanging import Exchange
    from engine.moves import Move
    from engine.plays import Play
    from engine.ruleset import Ruleset
    from engine.state import Emptied, Public, State

ALL: Final = -1
"""As `ranks`: every play concerns the rule."""

# what a step answers: go on, wait for seats to answer, or a label to go to
GO_ON: Final = 0
WAIT: Final = 1
WINDOW: Final = 2
FLUSH: Final = 3
FINISH: Final = 4
TURN: Final = 5
ASK: Final = 6
"""Ask the seat on turn again: it keeps its turn."""
END: Final = 7
PAST_ROWS: Final = 8
"""Go on after the rules that look at plays in a row."""


class Rule:
    """A rule that can be switched on. It holds no state: programs, and so rules, are shared by tables.

    A rule overrides the phases under which `pipeline.py` lists it. `ranks` and `shapes` are the ranks and
    shapes (as bits) of which a play must have one each to concern `played`; `waiver` is what an offer must waive to
    pass by `allows`.
    """

    id: str = ""
    ranks: int = ALL
    shapes: int = ALL
    waiver: int = 0
    of_sequences: bool = False
    """Whether `allows` refuses only rows of ranks with jokers, by the play and the order of strength alone."""
    of_locks: bool = False
    """Whether the rule refuses and narrows nothing while no lock stands."""
    of_rows: bool = False
    """Whether `played` has nothing to do while fewer plays lie in a row than locks need."""
    not_an_option: Reason = Reason.NOT_AN_OPTION
    """The reason against an answer that names something outside the options of this rule's choice."""

    def on(self, ruleset: Ruleset) -> Rule | None:
        """Return the rule as this ruleset wants it, or None when it is off."""
        return self if ruleset.bool(self.id) else None

    def seated(self, s: State) -> int:
        """Act before the cards are dealt."""
        return GO_ON

    def dealt(self, s: State) -> int:
        """Act when the cards have been dealt."""
        return GO_ON

    def exchanged(self, s: State) -> int:
        """Act when every exchange is over, before the first turn."""
        return GO_ON

    def offers(self, p: Public, seat: int, hand: int) -> list[Move]:
        """List moves that the ruleset's shapes do not have, or that waive a refusal."""
        return NO_MOVES

    def offers_of(self, p: Public) -> int:
        """Return cards of which every offer on this field has one at least; nothing where `offers` lists nothing.

        It only saves asking hands without them. It looks only at what `narrows` may.
        """
        return ALL

    def narrows(self, p: Public) -> int:
        """Return the cards, jokers among them, that a play of the field's shape can hold without a waiver.

        It only saves listing what `allows` would refuse. It looks at the locks, at the play on top, whichever of equal
        cards it is made of, at the order of strength and at whether there is a revolution: while these are the same it
        need not be asked again.
        """
        return ALL

    def suits_needed(self, p: Public) -> int:
        """Return the suits, as a set, that a group on a group must have; jokers without a suit make up for them.

        What it says of groups without a waiver is what `allows` refuses. It looks only at what `narrows` may.
        """
        return 0

    def refuses_jokers(self, p: Public) -> bool:
        """Say whether `allows` refuses jokers alone as an answer to a group. It looks only at what `narrows` may."""
        return False

    def place_to_beat(self, p: Public) -> int:
        """Return the place beyond which an answer to a row of ranks stands; ANYWHERE where this rule does not mind.

        Jokers may stand only there too. It looks only at what `narrows` may.
        """
        return ANYWHERE

    def allows(self, p: Public, seat: int, hand: int, move: Move) -> Reason | None:
        """Refuse a play with a reason, or return None."""
        return None

    def narrows_fully(self, p: Public) -> bool:
        """Say whether `allows` lets every play of the field's shape and size pass that `narrows` leaves cards for.

        Groups have what `suits_needed` and `refuses_jokers` say besides, and rows of ranks what `place_to_beat` says.
        On an empty field: whether it lets every play pass. Such plays can be counted without listing them. It looks
        only at what `narrows` may.
        """
        return False

    def must_pass(self, p: Public, seat: int) -> bool:
        """Say whether `allows` refuses every play of a seat that has had no turn in this game, whatever it holds.

        It only saves listing them.
        """
        return False

    def allows_pass(self, p: Public, seat: int, hand: int) -> Reason | None:
        """Refuse a pass with a reason, or return None."""
        return None

    def acts_on(self, play: Play) -> bool:
        """Say whether `played` and `opens` have anything to do where such a play runs; it only saves calling them.

        It looks only at the play's shape, its rank and its ranks.
        """
        return True

    def played(self, s: State) -> int:
        """Act on the play that is running; it lies on the field."""
        return GO_ON

    def opens(self, p: Public) -> bool:
        """Say whether the play that is running may be countered under this rule."""
        return False

    def counters(self, p: Public, seat: int, hand: int) -> list[Move]:
        """List the counters that a hand holds while this rule's window is open."""
        return NO_MOVES

    def refuses(self, p: Public, seat: int, hand: int, cards: int) -> Reason | None:
        """Say why these cards are no counter under this rule."""
        return None

    def withholds(self, p: Public, hand: int, action: Action) -> Reason | None:
        """Say why a draw, an addition or a dump, which this rule sometimes offers, is not offered now."""
        return None

    def acted(self, s: State) -> int:
        """Act on a move that this rule offered: a counter (it lies on the field), a draw, an addition or a dump."""
        return GO_ON

    def passed(self, s: State) -> int:
        """Act on a pass."""
        return GO_ON

    def flushed(self, s: State) -> int:
        """Act just after the field was flushed."""
        return GO_ON

    def fouls(self, s: State, note: Emptied) -> bool:
        """Say whether a seat may not finish like this."""
        return False

    def finished(self, s: State, seat: int) -> int:
        """Act on a valid finish; END ends the game."""
        return GO_ON

    def leading(self, s: State) -> int:
        """Act when everybody who goes out has gone, before the next turn is given."""
        return GO_ON

    def turned(self, s: State) -> int:
        """Act when the next turn has been given."""
        return GO_ON

    def scores(self, p: Public, seat: int) -> int:
        """Return the points that a seat gets beside those of its final place."""
        return 0

    def titled(self, s: State) -> int:
        """Act when the places are final."""
        return GO_ON

    def exchanges(self, s: State, others: list[Exchange]) -> list[Exchange]:
        """Return the exchanges before a game: those of the rules before this one, as it leaves them, and its own."""
        return others

    def against(self, p: Public, choice: Choice) -> Reason:
        """Say why an answer is refused that names something beside the options, or not all that are required."""
        return self.not_an_option

    def instead(self, p: Public, choice: Choice) -> tuple[int, ...]:
        """Return the answer that counts in place of one that is refused or does not come; nothing: there is none."""
        return ()

    def asked_with(self, s: State, choice: Choice) -> list[Choice]:
        """List the group of a choice that is open, itself among it, as far as the state knows the other hands."""
        return [choice]

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        """Take the answers to a group of choices, in the order of the choices."""
        return GO_ON
