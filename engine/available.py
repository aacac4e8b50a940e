"""Which values of the engine's settings this version can play; everything else is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.catalogue import Entry, Value, presets, settings
from engine.catalogue.types import SEATS

PRESETS: Final = (
    *("jdf4", "jdf3", "jdf5", "dagashi", "classic", "revolution", "local", "qdan"),
    *("blog_basic", "blog_site1_full", "blog_qa", "blog_short", "blog_nico", "uecda"),
)
"""Whatever these presets use can be played."""

ALSO: Final[Mapping[str, tuple[Value, ...]]] = {
    "seven_pass": (True,),
    "four_stop": (True,),
    "reverend_king": (True,),
    "salvage": (True,),
    "queen_bomber": (True,),
    "bomber_removal_order": ("named_order", "weakest_first"),
    "sequence.max_length": (3,),
    "two_card_sequence": (True,),
    "strongest_stair_flush.lengths": ("any",),
    "partial_lock": (True,),
    "color_lock": (True,),
    "number_lock": (True,),
    "fierce_lock": (True,),
    "five_color_lock": (True,),
    "five_lock_kind": ("suit",),
    "joker_lock": (True,),
    "queen_unlock": (True,),
    "sequence_suit_must_follow": (True,),
    "down_number": (True,),
    "down_number_after": ("keep_down",),
    "down_number_count": ("same_suit_groups",),
    "seven_strength": ("red_seven", "black_seven"),
    "unreturnable_flush": (True,),
    "unreturnable_flush.basis": ("exact_hands",),
    "spade3_counter": (False,),
    "eight_cut": (False,),
    "suit_lock": (False,),
    "revolution": (False,),
    "pass_out": (False,),
    "sequence": (False,),
    "joker_sequence_placement": ("strongest",),
    "joker_above_top": (False,),
    "strongest_stair_flush": (False,),
    "sequence_comparison": ("all_stronger",),
    "revolution.joker_allowed": (False,),
    "revolution.groups": (False,),
    "counter_revolution": (False,),
    "foul_seven_pass": (True,),
    "foul_queen_bomber": (True,),
    "foul_revolution_set": (True,),
}
"""What else can be played."""

ANY: Final = frozenset(
    {
        *("player_count.min", "player_count.max", "seat_suits", "seat_suits.order", "seat_order"),
        *("joker_count", "deck_composition", "blind_cards", "blind_scope", "joker_always_dealt", "hand_size"),
        *("shuffle_and_deal", "shuffle_and_deal.cut_right", "remainder_deal"),
        *("deal_method", "small_hand_size", "draw_from_stock", "lock_plays_required"),
        *("first_leader_initial", "first_leader_next", "no_lead_after_miyako_ochi"),
        *("designated_first_card", "leader_must_play", "daifugo_composure"),
        *("foul_finish", "foul_joker", "foul_strongest_number", "foul_eight_cut", "foul_strength_timing"),
        *("foul_spade3_counter", "foul_spade3_any_single", "no_finish_with_revolution", "no_finish_with_weakest"),
        *("rank_names", "extra_classes", "points", "points.by_place", "final_game_bonus", "tie_break"),
        *("miyako_ochi", "miyako_ochi_mode", "miyako_ochi_late_penalty", "miyako_vs_foul_order"),
        *("gekokujo", "kyo_ochi", "card_exchange"),
        *("eight_cut_in_sequence", "eight_cut_return", "eight_cut_return.by", "jack_cut", "four_cut", "ten_cut"),
        *("queen_cut", "six_cut", "six_cut_condition", "five_cut_in_revolution", "seven_cut_in_revolution"),
        *("sandstorm", "ambulance", "rokurokubi", "dignity", "double_joker_flush"),
        *("five_skip", "six_skip", "ten_skip", "king_skip", "king_skip_count"),
        *("seven_reverse", "nine_reverse", "ten_reverse", "queen_reverse"),
        *("five_pass", "ten_pass", "nine_return", "ten_discard", "seven_discard", "queen_discard", "seven_attach"),
        *("death", "triple_queen_effect", "black_seven", "red_five", "red_five_remainder", "kings_privilege"),
        *("black_market", "nine_shuffle", "next_ace", "countdown_of_doom", "dokan"),
        "same_rank_addition",
        *("foul_ten_discard", "sequence_card_effects", "seven_counter", "ten_return", "ten_return_count"),
        *("revolution.min_group", "sequence_revolution", "sequence_revolution.min_length", "revolution_of_qka"),
        *("emperor", "arithmetic_sequence", "arithmetic_sequence.same_difference_required"),
        *("coup_detat", "great_revolution", "joker_revolution", "taepodong", "triple_seven", "triple_seven_effect"),
        "triple_six_effect",
        *("omen", "religious_revolution", "optional_revolution", "delayed_revolution", "weak_joker_in_revolution"),
        *("revolution_flush", "revolution_eight_flush", "revolution_freeze_count", "nuke_same_color_joker", "arthur"),
        *("jack_back", "jack_back.optional", "jack_back.in_sequence", "jack_back.groups"),
        *("jack_back.rank_in_revolution", "two_back", "enhanced_jack_back", "six_return"),
        *("triple3_counter", "spade2_counter", "foul_spade2_counter", "foul_jack_back", "foul_two_back"),
        *("exchange_timing", "tribute_order", "return_choice", "exchange_joker_excluded", "commoner_exchange"),
        *("tenpenchii", "absolute_monarchy", "monarchy_only_on_streak", "antitrust_law", "capital_tax"),
        *("joker_above_top.both_ends", "joker_takes_suit", "joker_unlock", "all_must_pass", "pass_limit"),
        *("seat_redraw", "invalid_return"),
        *("set_and_round.games_per_set", "set_and_round.sets_per_round", "fixed_round_count"),
    }
)
"""Settings that can be played at every value within their bounds."""


WITHOUT_EFFECT: Final = frozenset({"autosave", "cpu_strength", "presentation_speed", "ranked_draw", "tutorial"})
"""What services and clients do not have yet. Presets name them, so a table may ask for them: nothing comes of it."""


def without_effect(values: Mapping[str, Value]) -> list[str]:
    """List the settings of a ruleset that ask for what services and clients do not have yet."""
    known = settings()
    return [
        setting
        for setting, value in sorted(values.items())
        if known[setting].entry in WITHOUT_EFFECT and value != known[setting].default
    ]


@lru_cache(maxsize=1)
def _available() -> Mapping[str, frozenset[Value]]:
    found = {}
    for setting_id, setting in settings().items():
        used = {presets()[preset].settings.get(setting_id, setting.default) for preset in PRESETS}
        found[setting_id] = frozenset(used | set(ALSO.get(setting_id, ())))
    return found


def is_available(setting: str, value: Value) -> bool:
    """Say whether this version can play with a setting at this value."""
    return setting in ANY or value in _available()[setting]


def can_be_played(entry: Entry) -> bool:
    """Say whether this version can switch an entry on, or play it as it is by default, and has the rules it needs."""
    if entry.id in WITHOUT_EFFECT:
        return False
    if entry.kind not in ("rule", "setting") or not entry.settings:
        return True
    needs = [need for need in entry.requires if need.when is None and need.setting != SEATS]
    if not all(any(is_available(need.setting, value) for value in need.values) for need in needs if need.values):
        return False
    main = entry.settings[0]
    if main.type == "word" and entry.kind == "rule":
        return any(is_available(main.id, word) for word in main.words if word != main.default)
    return is_available(main.id, True if main.type == "bool" else main.default)
