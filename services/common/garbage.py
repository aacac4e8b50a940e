"""How often Python looks for what is garbage though it refers to itself, of which services make next to nothing."""

from __future__ import annotations

import gc
from typing import Final

MADE_BEFORE_A_LOOK: Final = 2_000
"""Containers, not counting those that are gone by themselves. Of itself Python 3.11 looks after 700."""


def look_seldom() -> None:
    """Look for garbage less often, and never among what is there by now: modules, classes, the catalogue.

    A look through a whole server stops it for tens of milliseconds, and all looks together were a twentieth of what an
    action costs.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MADE_BEFORE_A_LOOK, *gc.get_threshold()[1:])
