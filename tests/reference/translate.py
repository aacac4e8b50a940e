"""Between the engine's values and those of the naive game."""

from __future__ import annotations

from engine import events as ev
from engine.actions import PASS, PLAY
from engine.cards import PACK, RANK, SUIT, card, members
from engine.catalogue import settings
from engine.choices import CARD as OF_CARDS
from engine.choices import RANK as OF_RANKS
from engine.moves import Move
from engine.plays import GROUP, SHAPE_TEXT
from engine.program import Program
from engine.state import COLOR_LOCK, DOWN_LOCK, NUMBER_LOCK, PARTIAL_LOCK, SUIT_LOCK, State
from engine.view import open_choice
from tests.reference import effects, naive

KIND = {"sequence": "stair"}
"""Shapes that the naive game calls by another name."""
EXTRAS = {
    "seven_pass": "seven",
    "four_stop": "stop",
    "reverend_king": "king",
    "salvage": "salvage",
    "queen_bomber": "bomber",
    "partial_lock": "partial",
    "color_lock": "color",
    "number_lock": "number",
    "fierce_lock": "fierce",
    "queen_unlock": "unlock",
    "joker_lock": "joker lock",
    "sequence_suit_must_follow": "follow suit",
    "down_number": "down",
    "emperor": "emperor",
    "arithmetic_sequence": "arithmetic",
    **{rule: rule for rule, _ in effects.ORDER if rule in settings()},
    **{rule: rule for rule in (*effects.CUTS, *effects.CUTS_IN_REVOLUTION, *effects.EXACTLY_TWO) if rule in settings()},
    "next_ace": "next_ace",
}
"""The naive game's words for rules."""
WORDS = {
    ("bomber_removal_order", "named_order"): "named_order",
    ("six_cut_condition", "revolution_only"): "six_cut only then",
    ("triple_queen_effect", "bloody_mary_1"): "bloody_mary_1",
    ("triple_queen_effect", "jeanne_darc_1"): "jeanne_darc_1",
    ("down_number_after", "keep_down"): "keep down",
    ("down_number_count", "same_suit_groups"): "down groups",
}
LOCK = {SUIT_LOCK: "suit", PARTIAL_LOCK: "partial", COLOR_LOCK: "color", NUMBER_LOCK: "number", DOWN_LOCK: "down"}
OUT = ("finished", "fouled", "fallen", "previous", "turn", "places")


def naive_card(c: int) -> naive.Card:
    """Translate a card."""
    if RANK[c] > 12:
        return (naive.JOKER, "JK", c % PACK - 52 + 2 * (c // PACK))
    return (RANK[c] + 3, "SHDC"[SUIT[c]], c // PACK)


def engine_card(c: naive.Card) -> int:
    """Translate a card back."""
    rank, suit, copy = c
    return 52 + copy % 2 + copy // 2 * PACK if rank == naive.JOKER else card(rank - 3, "SHDC".index(suit), copy)


def naive_move(s: State, seat: int, move: Move) -> naive.Move:
    """Translate a legal move of a seat; equal cards become indistinguishable where it is a play."""
    if move.kind == PASS:
        return naive.Move("pass")
    if move.kind == PLAY:
        play = move.play
        assert play is not None
        low = naive.JOKER if play.shape <= GROUP and play.low > 12 else play.low + 3
        cards, shape = [naive_card(c) for c in members(play.cards)], SHAPE_TEXT[play.shape]
        return naive.Move("play", naive.Play(KIND.get(shape, shape), naive.faces(cards), low, play.step))
    choice = open_choice(s, seat)
    assert choice is not None
    if choice.of == OF_RANKS:
        ranks = tuple([naive.JOKER if v == 13 else v + 3 for v in move.values])
        return naive.Move("answer", ranks if choice.ordered else tuple(sorted(ranks)))
    if choice.of != OF_CARDS:
        return naive.Move("answer", move.values)
    return naive.Move("answer", frozenset(naive_card(c) for c in move.values))


def naive_rules(program: Program) -> naive.Rules:
    """Translate what a program plays."""
    ruleset = program.ruleset
    extras = {word for rule, word in EXTRAS.items() if ruleset.bool(rule)}
    extras |= {word for (setting, value), word in WORDS.items() if ruleset.word(setting) == value}
    if not ruleset.bool("arithmetic_sequence.same_difference_required"):
        extras.add("any difference")
    if not ruleset.bool("sequence"):
        extras.add("no stairs")
    if "six_cut only then" in extras:
        extras -= {"six_cut"} if ruleset.bool("six_cut") else {"six_cut only then"}
    if not ruleset.bool("suit_lock"):
        extras.add("no suit lock")
    if ruleset.bool("five_color_lock"):
        extras.add("five " + ruleset.word("five_lock_kind"))
    if ruleset.bool("unreturnable_flush"):
        by_one = ruleset.word("unreturnable_flush.basis") == "exact_hands"
        extras.add("unanswerable by one" if by_one else "unanswerable")
    return naive.Rules(
        ruleset.number("revolution.min_group"),
        ruleset.bool("six_card_flush"),
        ruleset.number("lock_plays_required"),
        tuple([(upper - 1, lower - 1, number) for upper, lower, number in ruleset.exchange_pairs()]),
        frozenset(extras),
        ruleset.word("seven_strength").removesuffix("_seven").replace("none", ""),
    )


def engine_locks(s: State) -> dict[str, set[str]]:
    """The locks of a state, by kind."""
    found = {}
    for lock in s.locks:
        suits = {suit for i, suit in enumerate("SHDC") if lock.suits >> 4 * i & 15}
        found[LOCK[lock.kind]] = suits if lock.kind != COLOR_LOCK else naive.colors(suits)
    return found


def naive_locks(game: naive.Game) -> dict[str, set[str]]:
    """The locks of a naive game, by kind."""
    return {kind: {bound} if kind == "color" else set(bound) for kind, bound in game.locks.items()}


def naive_begin(s: State) -> naive.Game:
    """The naive game of a state whose cards have just been dealt."""
    hands = [[naive_card(c) for c in members(hand)] for hand in s.hands]
    game = naive.begin(naive_rules(s.program), hands, s.previous, s.spade_seat)
    game.seating = list(s.seating)
    return game


BY_LOT = ("black_seven", "red_five")


def drawn(s: State, seat: int, events: list[ev.Event]) -> list[list[naive.Card]]:
    """What a seat has got by lot, each time, as the events of its action say."""
    moved = [e for e in events if isinstance(e, ev.CardsMoved) and e.rule in BY_LOT and e.to_seat == seat]
    return [[naive_card(c) for c in members(e.cards or 0)] for e in moved]


def differences(s: State, game: naive.Game) -> list[str]:
    """What the two games do not agree on."""
    mine = {
        "hands": [sorted(naive_card(c) for c in members(hand)) for hand in s.hands],
        "field": [placed.seat for placed in s.trick],
        "pile": sorted(naive_card(c) for c in members(s.discard)),
        "passed": {seat for seat in range(s.seats) if s.passed >> seat & 1 and not s.gone >> seat & 1},
        "upside_down": s.order == 1,
        "lock": engine_locks(s),
        "direction": s.is_clockwise(),
        "seating": s.seating,
        "asked": [seat for seat in range(s.seats) if s.decisions[seat]],
        "out": (s.finished, s.fouled, s.fallen),
        "places": s.places,
    }
    theirs = {
        "hands": game.hands,
        "field": [seat for seat, _ in game.trick],
        "pile": sorted(game.pile),
        "passed": {seat for seat in game.passed if not naive.is_out(game, seat)},
        "upside_down": game.upside_down,
        "lock": naive_locks(game),
        "direction": len(game.turned) % 2 == 0,
        "seating": game.seating,
        "asked": naive.asked(game),
        "out": (game.finished, game.fouled, game.fallen),
        "places": game.places,
    }
    if s.playing and not s.asking_rule and not s.window_seats:
        mine["turn"], theirs["turn"] = s.turn, game.turn
    if not s.playing:  # the last hand and the last field stay where they are, or not: nobody cares
        for gone in ("hands", "field", "pile", "passed", "lock", "direction"):
            mine.pop(gone), theirs.pop(gone)
    return [f"{what}: engine {mine[what]} naive {theirs[what]}" for what in mine if mine[what] != theirs[what]]
