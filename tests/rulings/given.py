"""Settings as the documents' files write them, translated to the ids of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.catalogue import Value, entries, settings

MAIN: Final = ("enabled", "mode", "range", "effect", "count", "order", "jokers", "plays", "kind", "placement")
"""In a map of parameters, names of the first-listed one."""

OLDER: Final[Mapping[tuple[str, object], dict[str, Value]]] = {
    ("variant_revolution_triple", True): {"revolution.min_group": 3},
    ("variant_revolution_triple", False): {},
    ("sequence.min_length", 2): {"two_card_sequence": True},
    ("sequence.min_length", 3): {},
    ("suit_lock.joker_can_start", True): {"joker_lock": True},
    ("suit_lock.joker_can_start", False): {},
    ("sequence.max_length", "none"): {"sequence.max_length": 0},
    ("deck_composition", "52+2"): {},
    ("deck_composition", "52+1"): {"joker_count": 1},
    ("deck_composition", "52+0"): {"joker_count": 0},
    ("deck_composition", "39+1"): {"deck_composition": "C", "joker_count": 1},
    ("blind_cards", "2+remainder"): {"blind_cards": 2},
    ("hand_size", "floor((50+jokers)/n)"): {"hand_size": 0},
    ("hand_size", "as equal as possible"): {"hand_size": 0},
    ("shuffle_and_deal", "daihinmin deals"): {"shuffle_and_deal": "daihinmin_deals"},
    ("set_and_round", "4x3"): {"set_and_round.games_per_set": 4, "set_and_round.sets_per_round": 3},
    ("points", "3/2/1/0"): {"points": "descending"},
    ("points", "+2/+1/0/-1/-2"): {"points": "standard"},
    ("points", "not specified"): {"points": "federation"},
}
"""Values and names that the catalogue writes otherwise."""


def translate(given: Mapping[str, object]) -> dict[str, Value]:
    """Return settings by their ids in the catalogue; what is unknown stays as it is, for the ruleset to refuse."""
    found: dict[str, Value] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            for parameter, each in value.items():
                found |= _one(name if parameter in MAIN else f"{name}.{parameter}", each)
        else:
            found |= _one(name, value)
    return found


def _one(name: str, value: object) -> dict[str, Value]:
    if isinstance(value, bool | int | str) and (name, value) in OLDER:
        return OLDER[name, value]
    if name == "player_count" and isinstance(value, int | str):
        least, _, most = str(value).partition("-")
        return {"player_count.min": int(least), "player_count.max": int(most or least)}
    if name == "points" and isinstance(value, list):
        return {"points": "custom", "points.by_place": tuple(value)}
    if isinstance(value, list):
        return {name: tuple(value)}
    assert isinstance(value, bool | int | str)
    entry = entries().get(name)
    if entry is not None and not entry.settings and value is not False:
        return {}
    known = settings().get(name)
    if known is not None and known.type == "number" and isinstance(value, str) and value.isdecimal():
        return {name: int(value)}
    if known is not None and known.type == "word" and isinstance(value, int) and not isinstance(value, bool):
        return {name: str(value)}
    return {name: value}
