"""What the top line says of the order of strength, in a few words each."""

from __future__ import annotations

from collections.abc import Iterator

from clients.cli.rulebook import Rulebook
from clients.cli.texts import Words
from daifugo.v1 import view_pb2


def of_strength(strength: view_pb2.Strength, book: Rulebook, words: Words) -> Iterator[str]:
    """Name what has changed the order, then what is strongest in it where that is not the usual 2."""
    if strength.revolution:
        yield words("badge.revolution")
    for back in strength.running:
        yield book.name(back.rule_id, words)
    if strength.from_ace:
        yield words("badge.ace" if strength.reversed else "badge.king")
    elif strength.reversed:
        yield words("badge.three")
