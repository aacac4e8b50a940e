"""Colours and widths: rich text for sentences, cards, and cells of a table. Nothing is ever read as markup."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from clients.cli.people import printable
from clients.common.cards import CardStyle, is_joker, suit_of

RED_SUITS: Final = (1, 2)
RED: Final = Style(color="#ff6b6b")
JOKER: Final = Style(color="#d7a6ff")
DIM: Final = Style(color="#8f8f8f")
HEAD: Final = Style(bold=True, color="#9fd3a8")
OWN: Final = Style(bold=True)
NOW: Final = Style(bold=True, color="#ffd75f")
BADGE: Final = Style(bold=True, color="#1a1a1a", bgcolor="#ffd75f")
ALARM: Final = Style(bold=True, color="#ffffff", bgcolor="#b3261e")
PAPER: Final = "#f4f1e8"
GOLD: Final = "#ffd75f"
SHADE: Final = "#24382d"
INK: Final = {"black": "#1a1a1a", "red": "#b3261e", "joker": "#6a1b9a"}
FAINT: Final = {"black": "#9aa79f", "red": "#cf8a84", "joker": "#b39ac9"}

RANK: Final = r"(?:10|[2-9JQKA])"
RED_CARDS: Final = {
    "symbols": rf"[♥♦]{RANK}?",
    "letters": rf"(?<![0-9A-Za-z])[HD]{RANK}(?![0-9A-Za-z])",
    "words": rf"(?:ハート|ダイヤ|heart|diamond) ?{RANK}?",
}
JOKERS: Final = r"JK|ジョーカー|joker"


def sentence(text: str, style: CardStyle, base: Style | None = None) -> Text:
    """Write a sentence, its red cards in red."""
    painted = Text(printable(text), style=base or "")
    painted.highlight_regex(RED_CARDS[style.style], RED)
    painted.highlight_regex(JOKERS, JOKER)
    return painted


def cell(text: str, width: int, style: Style | None = None, right: bool = False) -> Text:
    """Write a text into so many columns, cut or filled up; full-width characters count twice."""
    shown = printable(text)
    if cell_len(shown) > width:
        shown = set_cell_size(shown, max(0, width - 1)) + "~"
    gap = " " * (width - cell_len(shown))
    return Text(gap + shown if right else shown + gap, style=style or "")


def face(card: int, style: CardStyle, is_bright: bool = True, is_picked: bool = False, meaning: str = "") -> Text:
    """Write a card as it lies on the table or stands on the tray."""
    colour = "joker" if is_joker(card) else "red" if suit_of(card) in RED_SUITS else "black"
    if is_picked:
        return Text(f"[{style.card(card)}]", Style(color=INK[colour], bgcolor=GOLD, bold=True))
    if is_bright:
        return Text(f" {style.card(card)}{meaning} ", Style(color=INK[colour], bgcolor=PAPER, bold=True))
    return Text(f" {style.card(card)} ", Style(color=FAINT[colour], bgcolor=SHADE))


def clock(seconds: float) -> str:
    """Write a time as minutes and seconds; a second that has begun counts."""
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02}"
