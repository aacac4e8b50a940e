"""What spectators see who see every hand a game late: the table as it was when nothing was being played."""

from __future__ import annotations

from typing import Final

from services.game.frames import Frame, Recent
from services.game.life import RUNNING, Life

MOST_KEPT: Final = 2500
"""A game and what lies around it: more versions than one can have (2,000 actions) hardly ever."""


class Behind:
    """Holds back the versions of a game until it is over."""

    def __init__(self) -> None:
        self.shown: Life | None = None
        """The table as they see it."""
        self.recent = Recent(MOST_KEPT)
        self._held: list[Frame] = []
        self._has_gap = False

    def take(self, frame: Frame, life: Life) -> list[Frame] | None:
        """Take a version; return those that may be told now, or None if some are missing and a snapshot has to come."""
        self._held.append(frame)
        if is_being_played(life):
            return []
        held, self._held = self._held, []
        self.shown = life
        if self._has_gap:
            self._has_gap = False
            self.recent = Recent(MOST_KEPT)
            self.recent.reached(frame.epoch, frame.version)
            return None
        for each in held:
            self.recent.add(each)
        return held

    def pass_over(self, epoch: int, life: Life) -> None:
        """Take a version of which nothing is told any more, as it was before the service was started."""
        if not is_being_played(life):
            self.shown = life
        self._lose(life)
        self.reached(epoch)

    def _lose(self, life: Life) -> None:
        self._held = []
        self._has_gap = self.shown is None or self.shown.version < life.version

    def lose(self, life: Life) -> None:
        """Give up what is held, because a version could not be told."""
        self._lose(life)
        if not is_being_played(life):
            self.shown, self._has_gap = life, False
            self.recent = Recent(MOST_KEPT)

    def reached(self, epoch: int) -> None:
        """Take note of a new run of the history."""
        if self.shown is not None:
            self.recent.reached(epoch, self.shown.version)


def is_being_played(life: Life) -> bool:
    """Say whether a game is being played whose hands are secret."""
    return life.phase == RUNNING and life.state.playing
