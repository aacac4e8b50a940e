"""The words of the 棋譜, and cards as it writes them."""

from __future__ import annotations

from typing import Final

from daifugo.v1 import cards_pb2, record_pb2
from engine.cards import PACK, RANK_TEXT

TITLE: Final = "大富豪棋譜"

MATCH: Final = "試合"
TABLE: Final = "卓"
PRESET: Final = "ルール"
SETTING: Final = "設定"
HASH: Final = "ハッシュ"
ENGINE: Final = "エンジン"
GAMES: Final = "ゲーム数"
CLOCK: Final = "時計"
START: Final = "開始"
END: Final = "終了"
PRACTICE: Final = "練習"
DEAL: Final = "局番号"
SEED: Final = "シード"
COMMITMENT: Final = "コミットメント"
CLIENT_SEEDS: Final = "各席のシード"
GIVEN: Final = "継続"
SEAT: Final = "席"
HAND: Final = "手札"
BLINDS: Final = "伏せ札"
PLACES: Final = "順位"
POINTS: Final = "得点"
RESULT: Final = "結果"
RANKS: Final = "総合順位"
TOTALS: Final = "総得点"
CONDUCT: Final = "行い"

YES: Final = "はい"
NO: Final = "いいえ"
NONE: Final = "なし"
WHOLE: Final = "完"
BROKEN_OFF: Final = "途中"
COMMENT: Final = "；"

TURN: Final = "1手"
CHOICE: Final = "選択"
IDLE: Final = "放置"
BANK: Final = "予備"
EACH_GAME: Final = "毎ゲーム"

PASS: Final = "パス"
DRAW: Final = "引く"
ADD: Final = "足す"
DUMP: Final = "捨てる"
ANSWER: Final = "答え"

Player = record_pb2.RecordPlayer
KINDS: Final = {
    Player.KIND_UNSPECIFIED: "不明",
    Player.KIND_PERSON: "人",
    Player.KIND_BOT: "ボット",
    Player.KIND_NOBODY: NONE,
}
SHAPES: Final = {
    cards_pb2.SHAPE_SINGLE: "[単]",
    cards_pb2.SHAPE_GROUP: "[組]",
    cards_pb2.SHAPE_SEQUENCE: "[階段]",
    cards_pb2.SHAPE_EMPEROR: "[エンペラー]",
    cards_pb2.SHAPE_ARITHMETIC: "[等差]",
}
UNDECLARED: Final = "[任せ]"
"""A play of one card that does not say it is a single; others that declare nothing have no mark."""
BY: Final = {
    record_pb2.STEP_BY_CLOCK: "<時間切れ>",
    record_pb2.STEP_BY_STAND_IN: "<代打ち>",
    record_pb2.STEP_BY_AUTO_PASS: "<オートパス>",
}
SEATS: Final = "ABCDEFGHIJKL"

SUITS: Final = "♠♥♦♣"
BEYOND: Final = "外"
"""What a joker in a sequence stands for past its end."""
RANKS_NAMED: Final = (*RANK_TEXT, BEYOND)
"""What a joker can stand for, by number."""


def card_text(card: int) -> str:
    """Write a card: ♠3, ♥10, JK1; the second pack adds an apostrophe."""
    base, mark = card % PACK, "'" if card >= PACK else ""
    return f"JK{base - 51}{mark}" if base >= 52 else f"{SUITS[base % 4]}{RANK_TEXT[base // 4]}{mark}"


CARDS: Final = {card_text(card): card for card in range(2 * PACK)}
"""Every card by its text."""


def meaning_text(rank: int, suit: int) -> str:
    """Write what a joker stands for, by the numbers of the published Rank and Suit."""
    return f"{SUITS[suit - 1] if 1 <= suit <= 4 else ''}{RANKS_NAMED[rank - 1]}"


MEANINGS: Final = {meaning_text(rank, suit): (rank, suit) for rank in range(1, 16) for suit in (1, 2, 3, 4, 5)}
"""Everything that a joker can stand for, by its text."""
