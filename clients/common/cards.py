"""Cards as text, in the notation that players type and in words, and cards in the order of their strength."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from daifugo.v1 import cards_pb2

PACK: Final = 54
"""A second pack continues at this number."""
FIRST_JOKER: Final = 52
JOKER_RANK: Final = 13
"""The number of the joker among the ranks of a choice."""

RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS: Final = ("S", "H", "D", "C")
SYMBOLS: Final = ("♠", "♥", "♦", "♣")
JOKER: Final = "JK"
WORDS: Final = {
    "ja": ("スペード", "ハート", "ダイヤ", "クラブ", "ジョーカー"),
    "en": ("spade", "heart", "diamond", "club", "joker"),
}
BEYOND: Final = {"ja": "端の外", "en": "beyond"}
"""What a joker stands for one step past the strongest rank."""


def is_joker(card: int) -> bool:
    return card % PACK >= FIRST_JOKER


def rank_of(card: int) -> int:
    """Return the rank's number: 0 to 12 for 3 to 2, and 13 for a joker."""
    return JOKER_RANK if is_joker(card) else card % PACK // 4


def suit_of(card: int) -> int:
    """Return the suit's number. Not for jokers."""
    return card % PACK % 4


def weakest_first(cards: Iterable[int], is_reversed: bool = False) -> list[int]:
    """Sort cards by strength, then by suit; jokers are the strongest either way."""

    def strength(card: int) -> tuple[int, int]:
        rank = rank_of(card)
        return (-rank if is_reversed and rank != JOKER_RANK else rank, card)

    return sorted(cards, key=strength)


class CardStyle:
    """How cards are written: `letters` (S8) as players type them, `symbols` (♠8) or `words` (spade 8)."""

    def __init__(self, language: str = "en", style: str = "letters") -> None:
        self.language = language
        self.style = style
        self.words = WORDS[language]

    def rank(self, rank: int) -> str:
        """Write a rank by its number, 13 being the joker."""
        if rank == JOKER_RANK:
            return self.words[4] if self.style == "words" else JOKER
        return RANKS[rank]

    def suit(self, suit: int) -> str:
        """Name a suit by its number."""
        return self.words[suit]

    def card(self, card: int) -> str:
        """Write one card."""
        if is_joker(card):
            return self.rank(JOKER_RANK)
        return self.suited(suit_of(card), rank_of(card))

    def suited(self, suit: int, rank: int) -> str:
        if self.style == "words":
            return f"{self.words[suit]}{'' if self.language == 'ja' else ' '}{RANKS[rank]}"
        return f"{(SYMBOLS if self.style == 'symbols' else SUITS)[suit]}{RANKS[rank]}"

    def cards(self, cards: Iterable[int]) -> str:
        """Write several cards in the order given."""
        separator = ("、" if self.language == "ja" else ", ") if self.style == "words" else " "
        return separator.join(map(self.card, cards))

    def play(self, play: cards_pb2.Play) -> str:
        """Write the cards of a play, weakest first, and what its jokers stand for."""
        meanings = {meaning.joker: meaning for meaning in play.jokers}
        parts = [self.card(c) + self.meaning(meanings.get(c)) for c in weakest_first(play.cards)]
        return " ".join(parts)

    def meaning(self, meaning: cards_pb2.Meaning | None) -> str:
        """Write what a joker stands for, such as "=H9"; nothing for a joker as itself."""
        if meaning is None or meaning.rank in (cards_pb2.RANK_UNSPECIFIED, cards_pb2.RANK_JOKER):
            return ""
        if meaning.rank == cards_pb2.RANK_BEYOND:
            return f"={BEYOND[self.language]}"
        rank, suit = meaning.rank - 1, meaning.suit - 1
        return f"={self.suited(suit, rank)}" if 0 <= suit < 4 else f"={self.rank(rank)}"
