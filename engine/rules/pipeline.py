"""The order of everything: rule ids per phase, with the stage of the documents at which each takes effect.

Reading a phase from top to bottom is reading what happens first. A rule stands here only if it acts in the phase.
"""

from __future__ import annotations

from typing import Final

from engine.rules import (
    additions,
    backs,
    black_sevens,
    comparison,
    countdown,
    counters,
    cuts,
    discards,
    dokan,
    downs,
    exchange,
    flushes,
    forced,
    fouls,
    gives,
    jokers,
    kings,
    last_plays,
    leads,
    locks,
    number_locks,
    openings,
    passing,
    plays,
    queens,
    religion,
    returns,
    reverses,
    revolution,
    rich_and_poor,
    seating,
    sixes,
    skips,
    special_finishes,
    stock,
    swaps,
    threes,
    titles,
    unanswerable,
    upheavals,
)
from engine.rules.base import Rule

RULES: Final[tuple[Rule, ...]] = (
    *plays.RULES,
    *passing.RULES,
    *comparison.RULES,
    *jokers.RULES,
    *revolution.RULES,
    *religion.RULES,
    *upheavals.RULES,
    *sixes.RULES,
    *backs.RULES,
    *special_finishes.RULES,
    *cuts.RULES,
    *flushes.RULES,
    *unanswerable.RULES,
    *locks.RULES,
    *number_locks.RULES,
    *downs.RULES,
    *counters.RULES,
    *returns.RULES,
    *threes.RULES,
    *gives.RULES,
    *discards.RULES,
    *forced.RULES,
    *black_sevens.RULES,
    *swaps.RULES,
    *seating.RULES,
    *countdown.RULES,
    *dokan.RULES,
    *queens.RULES,
    *kings.RULES,
    *reverses.RULES,
    *skips.RULES,
    *fouls.RULES,
    *last_plays.RULES,
    *titles.RULES,
    *exchange.RULES,
    *rich_and_poor.RULES,
    *stock.RULES,
    *leads.RULES,
    *openings.RULES,
    *additions.RULES,
)
"""Every rule of this engine, as it is before a ruleset has set its parameters."""

ORDER: Final[dict[str, tuple[str, ...]]] = {
    # before the cards are dealt: where seats sit (stage 100)
    "seated": ("seat_redraw",),
    # after the cards are dealt (stage 100)
    "dealt": ("tenpenchii", "card_exchange", "antitrust_law"),
    # who exchanges how many cards; each rule takes what the one before it has left (stage 100)
    "exchanges": ("card_exchange", "absolute_monarchy", "commoner_exchange", "capital_tax", "tenpenchii"),
    # who leads (stage 100)
    "exchanged": ("first_leader_initial", "first_leader_next", "no_lead_after_miyako_ochi"),
    # moves beyond the ruleset's shapes, or over a refusal (stage 0)
    "offers": (
        "draw_from_stock",
        "spade3_counter",
        "spade2_counter",
        "triple3_counter",
        "down_number",
        "religious_revolution",
        "sandstorm",
        "same_rank_addition",
    ),
    # refusals of a play; the first one is reported (stage 0)
    "allows": (
        "daifugo_composure",
        "designated_first_card",
        "joker_sequence_placement",
        "sandstorm",
        "same_shape_required",
        "same_shape_required.shape",
        "joker_on_joker_banned",
        "strictly_stronger",
        "religious_revolution.parity",
        "sequence_suit_must_follow",
        "suit_lock",
        "partial_lock",
        "color_lock",
        "five_color_lock",
        "number_lock",
        "fierce_lock",
        "down_number_after",
    ),
    # what a list of answers to the field may leave out (stage 0)
    "narrows": (
        "strictly_stronger",
        "religious_revolution.parity",
        "sequence_suit_must_follow",
        "suit_lock",
        "partial_lock",
        "color_lock",
        "five_color_lock",
        "number_lock",
        "fierce_lock",
        "down_number_after",
    ),
    # who has nothing to list, as every play is refused (stage 0)
    "must_pass": ("daifugo_composure",),
    # refusals of a pass (stage 0)
    "allows_pass": ("designated_first_card", "leader_must_play"),
    # effects of a play that lies on the field
    "played": (
        "pass_out",  # 0
        "pass_limit",  # 0
        "great_revolution",  # 5
        "taepodong",  # 5
        "dokan",  # 12
        "suit_lock",  # 20
        "partial_lock",  # 20
        "color_lock",  # 20
        "number_lock",  # 20
        "fierce_lock",  # 20
        "down_number_after",  # 20
        "queen_unlock",  # 22
        "joker_unlock",  # 22
        "omen",  # 30
        "triple_six_effect",  # 30
        "religious_revolution",  # 30
        "optional_revolution",  # 30
        "revolution",  # 30
        "revolution_freeze_count",  # 30
        "jack_back",  # 33
        "enhanced_jack_back",  # 33
        "two_back",  # 33
        "six_return",  # 33
        "countdown_of_doom",  # 33
        "arthur",  # 36
        "red_five",  # 40
        "kings_privilege",  # 40
        "black_market",  # 40
        "reverend_king",  # 44
        "five_pass",  # 45
        "seven_pass",  # 45
        "ten_pass",  # 45
        "seven_discard",  # 50
        "seven_attach",  # 50
        "ten_discard",  # 50
        "queen_discard",  # 50
        "death",  # 55
        "triple_queen_effect",  # 55
        "black_seven",  # 60
        "queen_bomber",  # 65
        "nine_shuffle",  # 70
        "seven_reverse",  # 71
        "nine_reverse",  # 71
        "ten_reverse",  # 71
        "queen_reverse",  # 71
        "nine_return",  # 72
        "five_skip",  # 75
        "six_skip",  # 75
        "ten_skip",  # 75
        "king_skip",  # 75
        "five_color_lock",  # 78
        "revolution_flush",  # 80
        "revolution_eight_flush",  # 80
        "eight_cut",  # 80
        "eight_cut_in_sequence",  # 80
        "jack_cut",  # 80
        "four_cut",  # 80
        "ten_cut",  # 80
        "queen_cut",  # 80
        "six_cut",  # 80
        "five_cut_in_revolution",  # 80
        "seven_cut_in_revolution",  # 80
        "sandstorm",  # 80
        "ambulance",  # 80
        "rokurokubi",  # 80
        "dignity",  # 80
        "double_joker_flush",  # 80
        "six_card_flush",  # 80
        "strongest_stair_flush",  # 80
        "spade3_counter",  # 80
        "spade2_counter",  # 80
        "triple3_counter",  # 80
        "unreturnable_flush",  # 80
    ),
    # answers to a play before its flush (stage 79)
    "counters": ("four_stop", "seven_counter", "ten_return", "eight_cut_return"),
    "passed": ("triple_six_effect", "countdown_of_doom", "pass_limit"),
    # just after the flush (stage 85)
    "flushed": ("triple_seven", "triple_six_effect", "delayed_revolution", "salvage"),
    # last plays that are no finish (stage 90)
    "fouls": (
        "foul_joker",
        "foul_strongest_number",
        "foul_eight_cut",
        "foul_spade3_counter",
        "foul_spade3_any_single",
        "foul_spade2_counter",
        "foul_seven_pass",
        "foul_ten_discard",
        "foul_jack_back",
        "foul_queen_bomber",
        "foul_two_back",
        "foul_revolution_set",
        "no_finish_with_revolution",
        "no_finish_with_weakest",
    ),
    # what a valid finish brings (stage 90)
    "finished": ("gekokujo", "miyako_ochi", "kyo_ochi"),
    # who leads, when everybody who goes out has gone (stage 95)
    "leading": ("next_ace",),
    # after the next turn is given (stage 95)
    "turned": (),
    # when the places are final (stage 100)
    "titled": ("no_lead_after_miyako_ochi", "capital_tax"),
    # points beside those of the places (stage 100)
    "scores": ("final_game_bonus", "miyako_ochi_late_penalty"),
}

IN_COUNTERS: Final = ("pass_out", "pass_limit", "dokan", "optional_revolution", "revolution", "revolution_freeze_count")
"""Rules of the phase `played` that act on a counter too; it has no number effects."""

STOPPED: Final = (
    "same_rank_addition",
    "spade3_counter",
    "spade2_counter",
    "triple3_counter",
    "four_stop",
    "seven_counter",
    "ten_return",
    "eight_cut_return",
    "dokan",
    "suit_lock",
    "great_revolution",
    "taepodong",
    "triple_seven",
    "triple_six_effect",
    "omen",
    "religious_revolution",
    "optional_revolution",
    "partial_lock",
    "color_lock",
    "five_color_lock",
    "number_lock",
    "fierce_lock",
    "down_number_after",
    "queen_unlock",
    "joker_unlock",
    "revolution",
    "revolution_freeze_count",
    "revolution_flush",
    "revolution_eight_flush",
    "jack_back",
    "enhanced_jack_back",
    "two_back",
    "six_return",
    "arthur",
    "countdown_of_doom",
    "red_five",
    "kings_privilege",
    "black_market",
    "reverend_king",
    "five_pass",
    "seven_pass",
    "ten_pass",
    "seven_discard",
    "seven_attach",
    "ten_discard",
    "queen_discard",
    "death",
    "triple_queen_effect",
    "black_seven",
    "queen_bomber",
    "nine_shuffle",
    "seven_reverse",
    "nine_reverse",
    "ten_reverse",
    "queen_reverse",
    "nine_return",
    "five_skip",
    "six_skip",
    "ten_skip",
    "king_skip",
    "eight_cut",
    "eight_cut_in_sequence",
    "jack_cut",
    "four_cut",
    "ten_cut",
    "queen_cut",
    "six_cut",
    "five_cut_in_revolution",
    "seven_cut_in_revolution",
    "sandstorm",
    "ambulance",
    "rokurokubi",
    "dignity",
    "double_joker_flush",
    "salvage",
    "next_ace",
    "foul_eight_cut",
    "foul_spade3_counter",
    "foul_spade3_any_single",
    "foul_spade2_counter",
    "foul_seven_pass",
    "foul_ten_discard",
    "foul_jack_back",
    "foul_queen_bomber",
    "foul_two_back",
    "foul_revolution_set",
    "no_finish_with_revolution",
)
"""Rules that the stopped program lacks in every phase: card effects, locks, and the fouls that go with them."""
