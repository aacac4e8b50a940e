"""One seat on a drive: when there is news for it, and what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daifugo.v1 import drive_pb2
from services.common.clocks import Timer
from services.game.codec.drive import legal_to, update_to
from services.game.codec.streams import message_to
from services.game.messages import GoingAway
from services.game.table import Table
from services.game.watcher import Watcher

UNTOLD: Final = -1
EVERY_VERSION: Final = drive_pb2.DRIVE_MODE_EVERY_VERSION


class Driven(Watcher):
    """A seat on a drive. Its messages wait as those of any stream do, and the drive takes them all at once.

    `wake` is called when it is time to tell of the seat.
    """

    def __init__(
        self, wake: Callable[[Driven], None], table: Table, identity: str, seat: int, request: drive_pb2.Attach
    ) -> None:
        super().__init__(table.desk, identity, seat)
        self.handle = request.handle
        self.table = table
        self._wake = wake
        self._every = request.mode == EVERY_VERSION
        self._with_legal = request.with_legal
        self._history = table.history
        self._decision = UNTOLD
        """The decision that was told last."""
        self._phase = 0
        """What the table did then."""
        self.expiry: Timer | None = None

    def _go_on(self) -> None:
        """Let the drive take what waits, if it is time to tell."""
        life = self._history.shown
        assert life is not None
        decision = life.state.decisions[self.seat]
        if (
            (decision and decision != self._decision)
            or life.phase != self._phase
            or self._every
            or self._leaving is not None
        ):
            self._wake(self)

    def news(self) -> tuple[bytes, str]:
        """Take everything that waits; return also why the seat is driven no longer, if so."""
        taken = self.take()
        messages = [message_to(message, self.table, self) for message in taken]
        is_over = taken[-1].reason if taken and isinstance(taken[-1], GoingAway) else ""
        life = self.table.shown
        decision, legal = life.state.decisions[self.seat], None
        if self._with_legal and decision and not is_over and self._decision != decision:
            legal = legal_to(self.table, self.seat, decision)
        self._decision, self._phase = decision, life.phase
        return update_to(self.handle, messages, legal) if messages else b"", is_over
