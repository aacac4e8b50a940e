"""The people at a table as sentences name them."""

from __future__ import annotations

from collections.abc import Iterable

from clients.cli.texts import Words
from daifugo.v1 import view_pb2


def printable(text: str) -> str:
    """Leave out what would steer the terminal or write backwards: others have chosen this text."""
    return "".join([character for character in text if character.isprintable()])


class People:
    """Names seats for the viewer of a view: "You", a name, or the number of a seat without a name."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def is_you(self, view: view_pb2.View, seat: int) -> bool:
        return view.HasField("seat") and view.seat == seat

    def name(self, view: view_pb2.View, seat: int) -> str:
        if self.is_you(view, seat):
            return self.words("you")
        return printable(view.seats[seat].seat.display_name) or self.words("seat", number=seat + 1)

    def names(self, view: view_pb2.View, seats: Iterable[int]) -> str:
        return self.words.listed([self.name(view, seat) for seat in seats])

    def object(self, view: view_pb2.View, seat: int) -> str:
        """Name a seat in the middle of a sentence."""
        name = self.name(view, seat)
        return name.lower() if self.is_you(view, seat) else name

    def subject(self, view: view_pb2.View, seat: int) -> dict[str, str]:
        """Name a seat at the head of a sentence, with the endings that make an English verb agree."""
        is_you = self.is_you(view, seat)
        return {
            "who": self.name(view, seat),
            "s": "" if is_you else "s",
            "es": "" if is_you else "es",
            "be": "are" if is_you else "is",
            "have": "have" if is_you else "has",
        }
