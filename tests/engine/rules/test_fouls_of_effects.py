"""Fouls that belong to the effects of ranks; no ruleset of this version has them, so the rules are asked themselves."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards
from engine.readings import readings
from engine.rules import pipeline
from engine.state import BY_BOMBER, BY_DISCARDING, BY_GIVING, BY_OTHERS, BY_PLAY, Emptied
from tests.engine.position import Table
from tests.engine.tables import program

RULES = {rule.id: rule for rule in pipeline.RULES}
STATE = Table(program("jdf4"), "S3", "S4", "S5", "S6").state


def is_foul(rule: str, cards: str, cause: int = BY_PLAY) -> bool:
    """Whether a hand emptied by or after this play is a foul under one rule."""
    play = readings(STATE.program.shapes, parse_cards(cards), False)[-1]
    return RULES[rule].fouls(STATE, Emptied(0, cause, play, 0, 0, 1))


@pytest.mark.parametrize(
    ("rule", "rank", "own"), [("foul_seven_pass", "7", BY_GIVING), ("foul_queen_bomber", "Q", BY_BOMBER)]
)
def test_the_last_cards_of_the_rank_and_what_its_own_effect_takes_are_fouls(rule: str, rank: str, own: int) -> None:
    for cards in (f"S{rank}", f"S{rank} H{rank}", f"S{rank} JK1"):
        assert is_foul(rule, cards)
        assert is_foul(rule, cards, own)
        assert not is_foul(rule, cards, BY_OTHERS)
        assert not is_foul(rule, cards, BY_DISCARDING)


@pytest.mark.parametrize("rule", ["foul_seven_pass", "foul_queen_bomber"])
@pytest.mark.parametrize("cards", ["S9", "S6 S7 S8", "SJ SQ SK", "JK1 JK2"])
def test_other_ranks_and_sequences_are_none(rule: str, cards: str) -> None:
    for cause in (BY_PLAY, BY_GIVING, BY_BOMBER, BY_OTHERS):
        assert not is_foul(rule, cards, cause)
