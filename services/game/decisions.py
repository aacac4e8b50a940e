"""Answers already given to decisions: what makes sending an action twice harmless."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from engine.actions import Action
from services.common.errors import Refused
from services.game.life import Life
from services.game.records import Acted, Record

MOST: Final = 512
"""How many are remembered for a table: about five games."""


class Decisions:
    """The decisions of a table that have been answered, with the version that each answer made."""

    def __init__(self) -> None:
        self._taken: OrderedDict[int, tuple[Acted, int]] = OrderedDict()

    def keep(self, record: Record) -> None:
        """Remember an answer."""
        if isinstance(record.operation, Acted):
            self._taken[record.operation.decision] = (record.operation, record.version)
            if len(self._taken) > MOST:
                self._taken.popitem(last=False)

    def forget_after(self, version: int) -> None:
        """Forget answers from versions after this one: they never came to be."""
        for decision in [d for d, (_, made) in self._taken.items() if made > version]:
            del self._taken[decision]

    def find(self, life: Life, seat: int, decision: int, action: Action) -> int | None:
        """Return the version that this very answer made before; None if it is open for the seat; or refuse."""
        taken = self._taken.get(decision)
        if taken is not None:
            acted, version = taken
            if version < life.seats[seat].since:
                # it was somebody else's, and what that one answered is no business of this one's
                raise Refused("DECISION_CLOSED")
            if acted.seat != seat:
                raise Refused("NOT_YOUR_SEAT")
            if acted.action == action:
                return version
            raise Refused("DECISION_CLOSED")
        check_open(life, seat, decision)
        return None


def check_open(life: Life, seat: int, decision: int) -> None:
    """Refuse a decision that is not an open question to this seat."""
    if decision > life.state.last_decision:
        raise Refused("DECISION_UNKNOWN")
    if decision not in life.state.decisions:
        raise Refused("DECISION_CLOSED")
    if life.state.decisions[seat] != decision:
        raise Refused("NOT_YOUR_SEAT")
