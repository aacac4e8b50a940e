"""How long streams last."""

from __future__ import annotations

import random
from typing import Final

from services.common.config import Config

SHORTEST: Final = 0.8
LONGEST: Final = 0.9
"""When a stream ends by itself, as a part of how long a connection is used."""


def lifetime(config: Config) -> float:
    """Draw how many seconds a stream lasts at most: by lot, so that not all who came together come back together."""
    return config.connection_seconds * random.uniform(SHORTEST, LONGEST)
