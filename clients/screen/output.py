"""The terminal as the screen writes to it. A terminal that is gone, its window closed, holds nothing up."""

from __future__ import annotations

import os
import signal
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.driver import Driver


class Output:
    """Passes on what is written until that fails; from then on it is dropped, and the program is told to hang up.

    textual writes from a thread of its own, which an error would end, and waits for that thread for ever.
    """

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.is_gone = False

    def write(self, text: str) -> None:
        if self.is_gone:
            return
        try:
            self.file.write(text)
        except OSError:
            self.hang_up()

    def flush(self) -> None:
        if self.is_gone:
            return
        try:
            self.file.flush()
        except OSError:
            self.hang_up()

    def hang_up(self) -> None:
        """Tell the program; whoever ran it in the background may have kept the kernel from doing so."""
        self.is_gone = True
        os.kill(os.getpid(), signal.SIGHUP)

    def fileno(self) -> int:
        return self.file.fileno()

    def isatty(self) -> bool:
        return self.file.isatty()


def outliving(driver: type[Driver]) -> type[Driver]:
    """Make a driver that outlives its terminal."""

    class Outliving(driver):  # type: ignore[misc, valid-type]  # the platform says at run time which driver it is
        _file: Any

        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            self._file = Output(self._file)

    return Outliving
