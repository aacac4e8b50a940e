"""Any value of the engine as plain tuples, attribute by attribute, interpreted or compiled."""

from __future__ import annotations

from enum import Enum
from typing import Any

from engine.program import Program

NOT_PART_OF_THE_VALUE = {
    "State": ("sink", "because", "chance"),
    "Play": ("fields", "total"),
    "Choice": ("cards", "listed"),
}
"""Where a state's events go, a simulator's own randomness, and what can be worked out anew."""

_names: dict[type, tuple[str, ...]] = {}


def plain(value: Any) -> Any:
    """Return a value that is equal for equal values and tells unequal ones apart, and whose repr can be compared."""
    if value is None or isinstance(value, int | str | bytes):
        return value
    if isinstance(value, list | tuple):
        return tuple([plain(each) for each in value])
    if isinstance(value, dict):
        return tuple([(key, plain(each)) for key, each in sorted(value.items())])
    if isinstance(value, Program):
        return value.ruleset.hash
    if isinstance(value, Enum):
        return value.value
    kind = type(value)
    if kind not in _names:
        names = [name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))]
        _names[kind] = tuple(names)
    skipped = NOT_PART_OF_THE_VALUE.get(kind.__name__, ())
    return (kind.__name__, *[(name, plain(getattr(value, name))) for name in _names[kind] if name not in skipped])
