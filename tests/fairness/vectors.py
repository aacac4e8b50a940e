"""Golden vectors of shuffles: from a root to the hands, for whoever checks them in another language."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.cards import members
from engine.events import Dealt
from engine.game import new_match, start_game
from engine.program import Program
from engine.randomness import commitment, draw, game_key, shuffle, words
from engine.ruleset import make_ruleset
from engine.state import State
from services.game.deals import deal_of, seed_of
from services.game.seeds import LINKS, dealt_from, match_key, seed_at

FILE: Final = Path(__file__).parent / "vectors.json"
COUNTED: Final = bytes(range(32))
GIVEN: Final[tuple[tuple[bytes, ...], ...]] = (
    (),
    (b"", b"", b"", b""),
    (b"mio", b"", b"ken", b""),
    (b"", b"mio", b"ken", b""),
    (COUNTED, COUNTED[::-1], bytes(32), b"\xff" * 32),
    (b"\x00", b"", b"", b"", b""),
)
BELOW: Final = (2, 3, 6, 13, 52, 54, 108, 3_000_000_000, 2**31 + 1, 2**32 - 1, 1)
DEALS: Final[tuple[tuple[str, dict[str, int]], ...]] = (
    ("jdf4", {}),
    ("dagashi", {}),
    ("jdf4", {"joker_count": 1, "blind_cards": 1}),
)
"""Rulesets that leave no cards over."""


def everything() -> dict[str, Any]:
    """Make all vectors."""
    return {
        "about": "docs/fairness.md; bytes are hexadecimal",
        "rows": [_row(root) for root in (bytes(32), COUNTED)],
        "keys": [_keys(COUNTED, given) for given in GIVEN],
        "deal_numbers": [_number(COUNTED, given) for given in GIVEN[1:3]],
        "words": [_words(key, block) for key in (bytes(32), game_key(COUNTED, 1)) for block in (0, 1, 2**40)],
        "draws": [_draws(game_key(COUNTED, game)) for game in (1, 2)],
        "shuffles": [_shuffle(game_key(COUNTED, game), size) for game in (1, 2) for size in (1, 2, 54, 108)],
        "deals": [_deal(preset, values, given) for preset, values in DEALS for given in (GIVEN[0], GIVEN[2])],
    }


def _row(root: bytes) -> dict[str, Any]:
    """A row of seeds: its end, the commitment to its first, and some of them."""
    return {
        "root": root.hex(),
        "links": LINKS,
        "commitment": seed_at(root, 0).hex(),
        "seeds": {str(number): seed_at(root, number).hex() for number in (1, 2, 3, LINKS)},
    }


def _keys(seed: bytes, given: Sequence[bytes]) -> dict[str, Any]:
    key = match_key(seed, given)
    return {
        "seed": seed.hex(),
        "commitment": commitment(seed).hex(),
        "client_seeds": [each.hex() for each in given],
        "match_key": key.hex(),
        "game_keys": [game_key(key, game).hex() for game in (1, 2, 300)],
    }


def _number(seed: bytes, given: Sequence[bytes]) -> dict[str, Any]:
    number = deal_of(match_key(seed, given))
    return {
        "seed": seed.hex(),
        "client_seeds": [each.hex() for each in given],
        "deal_number": number,
        "dealt_from": dealt_from(seed, given, number).hex(),
        "practice": {"deal_number": "P1151739204", "dealt_from": seed_of("P1151739204").hex()},
    }


def _words(key: bytes, block: int) -> dict[str, Any]:
    return {"key": key.hex(), "block": block, "words": words(key, block)}


def _state(key: bytes) -> State:
    s = new_match(Program(make_ruleset("jdf4", {}, None)))
    s.key = key
    return s


def _draws(key: bytes) -> dict[str, Any]:
    s = _state(key)
    numbers = [draw(s, below) for below in BELOW]
    return {"key": key.hex(), "below": list(BELOW), "numbers": numbers, "words_used": s.drawn_words}


def _shuffle(key: bytes, size: int) -> dict[str, Any]:
    s, mixed = _state(key), list(range(size))
    shuffle(s, mixed)
    return {"key": key.hex(), "size": size, "shuffled": mixed, "words_used": s.drawn_words}


def _deal(preset: str, values: dict[str, int], given: Sequence[bytes]) -> dict[str, Any]:
    """The first deal of a match, by a ruleset that leaves no cards over."""
    program = Program(make_ruleset(preset, dict(values), None))
    key = match_key(COUNTED, given)
    s, events = start_game(new_match(program), key)
    order = next(event.order for event in events if isinstance(event, Dealt))
    return {
        "match_key": key.hex(),
        "game": 1,
        "number_cards": program.number_cards,
        "blinds": program.dealing.blinds,
        "jokers": program.jokers,
        "order": list(order),
        "hands": [members(hand) for hand in s.hands],
        "blind": members(s.blind),
    }


def text() -> str:
    """Write all vectors as they are kept."""
    sections = [f"{json.dumps(name)}: {_lines(value)}" for name, value in everything().items()]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join([f"  {json.dumps(each)}" for each in value]) + "\n]"
