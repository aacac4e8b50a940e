"""What modules tell the compiler. Interpreted, whole numbers are whole numbers, and classes stay as they are.

An `i64` meets a set of cards only where that is of one pack: of two packs it fits no machine word. Numbers in lists
are changed as `hands[seat] = hands[seat] | cards` where that happens often: of `hands[seat] |= cards` the compiler
makes work on objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_):
        """Say of a class what its instances are like."""
        return lambda a_class: a_class


__all__ = ["i64", "mypyc_attr"]
