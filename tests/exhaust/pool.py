"""Playing the matches of a run on several cores, until there are enough or somebody stops it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Final

from tests.exhaust.matches import Outcome, played
from tests.exhaust.runner import Runner

SAVED_EVERY: Final = 5.0
"""Seconds: what a run that is killed loses."""


def leave_ctrl_c_to_the_parent() -> None:
    """Let a worker play its match to the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(runner: Runner, games: int, processes: int, save: Callable[[], None]) -> bool:
    """Play until there are so many games or no match is left to play, and save now and then; False after Ctrl-C."""
    saved = time.monotonic()
    with ProcessPoolExecutor(processes, get_context("spawn"), leave_ctrl_c_to_the_parent) as pool:
        under_way: set[Future[Outcome]] = set()
        try:
            while True:
                while len(under_way) < 2 * processes and runner.progress.games < games:
                    job = runner.next()
                    if job is None:
                        break
                    under_way.add(pool.submit(played, job))
                if not under_way:
                    return True
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    runner.take(future.result())
                if time.monotonic() - saved > SAVED_EVERY:
                    save()
                    saved = time.monotonic()
        except KeyboardInterrupt:
            for future in under_way:
                future.cancel()
            return False
        finally:
            save()
