"""Which engine this is."""

from __future__ import annotations

from typing import Final

ENGINE_VERSION: Final = "1"
"""The same seed and actions give the same game on every build that claims this version."""
