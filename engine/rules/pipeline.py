"""The order of everything: rule ids per phase, with the stage of the documents at which each takes effect.

Reading a phase from top to bottom is reading what happens first. A rule stands here only if it acts in the phase.
"""

from __future__ import annotations

from typing import Final

from engine.rules import (
    counters,
    cuts,
    exchange,
    fouls,
    jokers,
    kings,
    last_plays,
    leads,
    locks,
    openings,
    plays,
    queens,
    revolution,
    sevens,
    threes,
    titles,
)
from engine.rules.base import Rule

RULES: Final[tuple[Rule, ...]] = (
    *plays.RULES,
    *jokers.RULES,
    *revolution.RULES,
    *cuts.RULES,
    *locks.RULES,
    *counters.RULES,
    *threes.RULES,
    *sevens.RULES,
    *queens.RULES,
    *kings.RULES,
    *fouls.RULES,
    *last_plays.RULES,
    *titles.RULES,
    *exchange.RULES,
    *leads.RULES,
    *openings.RULES,
)
"""Every rule of this engine, as it is before a ruleset has set its parameters."""

ORDER: Final[dict[str, tuple[str, ...]]] = {
    # before the cards are dealt: where seats sit (stage 100)
    "seated": (),
    # after the cards are dealt (stage 100)
    "dealt": ("card_exchange",),
    # who leads (stage 100)
    "exchanged": ("first_leader_initial", "first_leader_next", "no_lead_after_miyako_ochi"),
    # moves beyond the ruleset's shapes, or over a refusal (stage 0)
    "offers": ("spade3_counter",),
    # refusals of a play; the first one is reported (stage 0)
    "allows": (
        "daifugo_composure",
        "designated_first_card",
        "joker_sequence_placement",
        "same_shape_required",
        "same_shape_required.shape",
        "joker_on_joker_banned",
        "strictly_stronger",
        "suit_lock",
    ),
    # what a list of answers to the field may leave out (stage 0)
    "narrows": ("strictly_stronger", "suit_lock"),
    # refusals of a pass (stage 0)
    "allows_pass": ("designated_first_card", "leader_must_play"),
    # effects of a play that lies on the field
    "played": (
        "pass_out",  # 10
        "suit_lock",  # 20
        "revolution",  # 30
        "reverend_king",  # 44
        "seven_pass",  # 45
        "queen_bomber",  # 65
        "eight_cut",  # 80
        "six_card_flush",  # 80
        "strongest_stair_flush",  # 80
        "spade3_counter",  # 80
    ),
    # answers to a play before its flush (stage 79)
    "counters": ("four_stop",),
    "passed": (),
    # just after the flush (stage 85)
    "flushed": ("salvage",),
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
    "leading": (),
    # after the next turn is given (stage 95)
    "turned": (),
    # when the places are final (stage 100)
    "titled": ("no_lead_after_miyako_ochi",),
    # points beside those of the places (stage 100)
    "scores": ("final_game_bonus", "miyako_ochi_late_penalty"),
}

IN_COUNTERS: Final = ("pass_out", "revolution")
"""Rules of the phase `played` that act on a counter too; it has no number effects."""

STOPPED: Final = (
    "spade3_counter",
    "four_stop",
    "suit_lock",
    "revolution",
    "reverend_king",
    "seven_pass",
    "queen_bomber",
    "eight_cut",
    "salvage",
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
