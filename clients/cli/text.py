"""A text as people read it, in Japanese and in English."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """One text in both languages."""

    ja: str
    en: str
