"""What a player typed: a command, a number of the list, or names of cards, ranks and shapes.

Width, case and the signs between words do not matter: `ｓ８　ｈ８`, `S8,H8` and `s8 h8` are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from clients.common.cards import JOKER_RANK, RANKS, is_joker, rank_of, suit_of
from daifugo.v1 import cards_pb2

COMMANDS: Final = {
    "P": "pass",
    "PASS": "pass",
    "パス": "pass",
    "見送り": "pass",
    "?": "help",
    "HELP": "help",
    "ヘルプ": "help",
    "H": "hand",
    "HAND": "hand",
    "手札": "hand",
    "R": "rules",
    "RULES": "rules",
    "ルール": "rules",
    "T": "hint",
    "HINT": "hint",
    "ヒント": "hint",
    "C": "check",
    "CHECK": "check",
    "調べる": "check",
    "M": "more",
    "MORE": "more",
    "続き": "more",
    "Q": "quit",
    "QUIT": "quit",
    "EXIT": "quit",
    "終了": "quit",
}
WITH_REST: Final = frozenset({"rules", "check"})
"""Commands that are about something, which follows."""
SUITS: Final = {"S": 0, "H": 1, "D": 2, "C": 3, "♠": 0, "♥": 1, "♦": 2, "♣": 3}
SUIT_WORDS: Final = {
    "スペード": 0,
    "ハート": 1,
    "ダイヤ": 2,
    "クラブ": 3,
    "SPADE": 0,
    "HEART": 1,
    "DIAMOND": 2,
    "CLUB": 3,
}
RANK_WORDS: Final = {**{rank: number for number, rank in enumerate(RANKS)}, "T": 7, "ACE": 11}
JOKERS: Final = frozenset({"JK", "JK1", "JK2", "JOKER", "ジョーカー"})
SHAPES: Final = {
    "SINGLE": cards_pb2.SHAPE_SINGLE,
    "単騎": cards_pb2.SHAPE_SINGLE,
    "GROUP": cards_pb2.SHAPE_GROUP,
    "組": cards_pb2.SHAPE_GROUP,
    "SEQUENCE": cards_pb2.SHAPE_SEQUENCE,
    "SEQ": cards_pb2.SHAPE_SEQUENCE,
    "階段": cards_pb2.SHAPE_SEQUENCE,
    "EMPEROR": cards_pb2.SHAPE_EMPEROR,
    "エンペラー": cards_pb2.SHAPE_EMPEROR,
    "ARITHMETIC": cards_pb2.SHAPE_ARITHMETIC,
    "等差": cards_pb2.SHAPE_ARITHMETIC,
}
YES_NO: Final = {"Y": 1, "YES": 1, "はい": 1, "N": 0, "NO": 0, "いいえ": 0}
NOTHING: Final = frozenset({"NONE", "NOTHING", "なし"})
MOST_ECHOED: Final = 30
"""How many characters of what was typed are repeated in an answer."""
MOST_READINGS: Final = 24
"""How many ways to take ranks from a hand are looked at."""


@dataclass(frozen=True)
class Named:
    """One card or rank as typed: `suit` is None for any suit, `rank` is 13 for a joker."""

    rank: int
    suit: int | None = None
    stands_for: Named | None = None
    """For a joker: what it is to be."""


@dataclass(frozen=True)
class Typed:
    """Cards and ranks as typed, and the shape declared with them."""

    named: tuple[Named, ...]
    shape: cards_pb2.Shape = cards_pb2.SHAPE_UNSPECIFIED


class NotUnderstood(Exception):
    """A word is neither a card nor a rank nor a shape; the message is the word."""


class NotHeld(Exception):
    """More cards of a rank were named than the hand has."""

    def __init__(self, rank: int, held: int) -> None:
        super().__init__(rank)
        self.rank = rank
        self.held = held


def normal(line: str) -> str:
    """Bring full-width letters, case and separators into one form."""
    return re.sub(r"[\s,、，・]+", " ", unicodedata.normalize("NFKC", line)).strip().upper()


def echo(text: str) -> str:
    """Return what was typed as it can be repeated: short, and without characters that would steer the terminal."""
    shown = "".join([character if character.isprintable() else "?" for character in text[:MOST_ECHOED]])
    return shown + "…" if len(text) > MOST_ECHOED else shown


def command(line: str) -> tuple[str, str] | None:
    """Read a command and the rest of the line; None if the line is something else."""
    word, _, rest = normal(line).partition(" ")
    if word in COMMANDS and (not rest or COMMANDS[word] in WITH_REST):
        return COMMANDS[word], rest
    return None


def number(line: str) -> tuple[int, bool] | None:
    """Read a number alone, and whether it was marked (`#8`, `8.`) as one of the list."""
    match = re.fullmatch(r"(#?)(\d{1,6})(\.?)", normal(line))
    return (int(match[2]), bool(match[1] or match[3])) if match else None


def cards(line: str) -> Typed:
    """Read names of cards and ranks, or raise NotUnderstood."""
    named: list[Named] = []
    shape = cards_pb2.SHAPE_UNSPECIFIED
    for word in normal(line).split():
        if word.removeprefix("で") in SHAPES:
            shape = SHAPES[word.removeprefix("で")]
        elif word not in ("AS", "で", "として"):
            named.append(_named(word))
    return Typed(tuple(named), shape)


def _named(word: str) -> Named:
    text, _, meaning = word.partition("=")
    if text in JOKERS:
        return Named(JOKER_RANK, None, _named(meaning) if meaning else None)
    if not meaning:
        if text in RANK_WORDS:
            return Named(RANK_WORDS[text])
        for suits in (SUIT_WORDS, SUITS):
            for suit, suit_number in suits.items():
                if text.startswith(suit) and text[len(suit) :] in RANK_WORDS:
                    return Named(RANK_WORDS[text[len(suit) :]], suit_number)
    raise NotUnderstood(word)


def readings(typed: Typed, held: list[int]) -> list[tuple[int, ...]]:
    """List the sets of cards that the words can mean for somebody who holds `held`.

    A card with its suit that is not held stays in the sets: why it cannot be played is for the service to say.
    """
    left = list(held)
    fixed: list[int] = []
    wanted: Counter[int] = Counter()
    for name in typed.named:
        if name.rank == JOKER_RANK or name.suit is None:
            wanted[name.rank] += 1
        else:
            card = next((c for c in left if not is_joker(c) and _is(c, name)), name.rank * 4 + name.suit)
            fixed.append(card)
            if card in left:
                left.remove(card)
    ways: list[list[tuple[int, ...]]] = []
    for rank, count in wanted.items():
        of_rank = [c for c in left if rank_of(c) == rank]
        if len(of_rank) < count:
            raise NotHeld(rank, len(of_rank))
        # Jokers are all alike: the first ones will do.
        ways.append([tuple(of_rank[:count])] if rank == JOKER_RANK else list(combinations(of_rank, count)))
    sets = [tuple(sorted([*fixed, *(c for part in parts for c in part)])) for parts in product(*ways)]
    return list(dict.fromkeys(sets))[:MOST_READINGS]


def _is(card: int, name: Named) -> bool:
    return rank_of(card) == name.rank and suit_of(card) == name.suit


def play(typed: Typed, cards_played: tuple[int, ...]) -> cards_pb2.Play:
    """Make the play of some cards with the shape and the meanings of jokers that were typed."""
    jokers = [c for c in cards_played if is_joker(c)]
    asked = [name.stands_for for name in typed.named if name.rank == JOKER_RANK]
    meanings = [_meaning(joker, meaning) for joker, meaning in zip(jokers, asked) if meaning is not None]
    return cards_pb2.Play(cards=cards_played, shape=typed.shape, jokers=meanings)


def _meaning(joker: int, name: Named) -> cards_pb2.Meaning:
    suit = 0 if name.suit is None else name.suit + 1
    return cards_pb2.Meaning(joker=joker, rank=cards_pb2.Rank.Name(name.rank + 1), suit=cards_pb2.Suit.Name(suit))
