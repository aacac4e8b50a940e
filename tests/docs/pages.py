"""The pages of docs/ as tests read them: blocks of code, headings, and links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """Read a page of docs/."""
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str, *kinds: str) -> list[tuple[str, str]]:
    """List the blocks of code of these kinds, each with its kind."""
    return [(kind, code) for kind, code in _BLOCK.findall(text) if kind in kinds]


def commands(text: str) -> list[str]:
    """List the lines of the blocks that are to be typed, without comments."""
    return [line for _, code in blocks(text, "sh") for line in code.splitlines() if line and not line.startswith("#")]


def levels(text: str) -> list[int]:
    """List the headings, each as its level."""
    outside = _BLOCK.sub("", text)
    return [len(marks) for marks in re.findall(r"^(#+) ", outside, re.MULTILINE)]


def links(text: str) -> list[str]:
    """List what a page links to within the repository, without the places inside pages."""
    found = re.findall(r"\]\(([^)\s]+)\)", _BLOCK.sub("", text))
    return [link.partition("#")[0] for link in found if not re.match(r"[a-z]+:|#", link)]
