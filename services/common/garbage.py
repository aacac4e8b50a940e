"""How often Python looks for what is garbage though it refers to itself, of which services make next to nothing."""

from __future__ import annotations

import gc
from typing import Final

MADE_BEFORE_A_LOOK: Final = 10_000
"""Containers, not counting those that are gone by themselves. Of itself Python 3.11 looks after 700."""
LOOKS_BEFORE_AN_OLDER_ONE: Final = (3, 20)
"""After so many looks one goes back to what is older, and after so many of these one through all that is new since the
start. An older one takes some milliseconds, as long as with 2,000 containers and ten looks."""


def look_seldom() -> None:
    """Look for garbage less often, and never among what is there by now: modules, classes, the catalogue.

    A look through a whole server stops it for tens of milliseconds, and all looks together were a twentieth of what an
    action costs.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MADE_BEFORE_A_LOOK, *LOOKS_BEFORE_AN_OLDER_ONE)
