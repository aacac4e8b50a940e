"""What modules tell the compiler. Interpreted, whole numbers are whole numbers, and classes stay as they are."""

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
