"""What the documents rule, case by case, as far as this version plays it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.catalogue import Value
from engine.ruleset import Ruleset, make_ruleset
from tests.rulings.given import translate
from tests.rulings.judge import FAILED, PASSED, SKIPPED, judge, said
from tests.rulings.notation import EXPECT, Locks, Ruling, parse_file
from tests.rulings.outcome import differences, summary
from tests.rulings.position import run

HERE = Path(__file__).parent
RULINGS = parse_file(HERE / "rulings.yaml")
FEDERATION = [ruling for ruling in RULINGS if ruling.preset in ("jdf4", "jdf3", "jdf5")]
EXTRA = parse_file(HERE / "extra.yaml")

BESIDE: dict[str, tuple[Value, ...]] = {
    "seven_pass": (True,),
    "four_stop": (True,),
    "reverend_king": (True,),
    "salvage": (True,),
    "queen_bomber": (True,),
    "bomber_removal_order": ("at_once", "named_order", "weakest_first"),
    "lock_plays_required": (3,),
    "unreturnable_flush": (False,),
    "pass_out": (True,),
}
"""Settings under which a ruling on another preset says the same about the federation's game."""


def is_beside(ruling: Ruling) -> bool:
    """Say whether a ruling on another preset is about the rules that this version has beside the federation's."""
    about = set(ruling.settings) - {"unreturnable_flush", "pass_out"}
    known = all(ruling.settings[name] in BESIDE.get(name, ()) for name in ruling.settings)
    return ruling not in FEDERATION and bool(about) and known


TRANSFERRED = [replace(ruling, preset="jdf4") for ruling in RULINGS if is_beside(ruling)]
PLAYED = [*FEDERATION, *EXTRA, *TRANSFERRED]


def ruleset_of(ruling: Ruling) -> Ruleset:
    return make_ruleset(ruling.preset, translate(ruling.settings), ruling.position.players)


@pytest.mark.parametrize("ruling", [*FEDERATION, *EXTRA], ids=lambda ruling: ruling.id)
def test_a_ruling_holds(ruling: Ruling) -> None:
    verdict = judge(ruling)
    assert verdict.result == PASSED, f"{ruling.reason} ({ruling.source}): {verdict.text}"


@pytest.mark.parametrize("ruling", TRANSFERRED, ids=lambda ruling: ruling.id)
def test_a_ruling_on_another_preset_holds_in_the_federations_game(ruling: Ruling) -> None:
    verdict = judge(ruling)
    assert verdict.result == PASSED, f"{ruling.reason} ({ruling.source}): {verdict.text}"


def test_no_ruling_of_the_federation_is_left_out() -> None:
    assert len(FEDERATION) == 123
    assert len(TRANSFERRED) >= 20
    assert not [ruling.id for ruling in FEDERATION if judge(ruling).result == SKIPPED]


@pytest.mark.parametrize("ruling", PLAYED, ids=lambda ruling: ruling.id)
def test_the_cards_that_do_not_matter_do_not(ruling: Ruling) -> None:
    ruleset = ruleset_of(ruling)
    first = summary(run(ruling, ruleset, 100))
    for filling in range(101, 120):
        assert said(ruling, ruleset, filling) == "", f"filling {filling}"
        assert summary(run(ruling, ruleset, filling)) == first, f"filling {filling}"


@pytest.mark.parametrize("ruling", PLAYED, ids=lambda ruling: ruling.id)
def test_a_ruling_that_expects_something_else_fails(ruling: Ruling) -> None:
    ruleset, expect = ruleset_of(ruling), ruling.expect
    for key in expect.given:
        if key in EXPECT:
            name = EXPECT[key][0]
            wrong = replace(expect, **{name: something_else(name, getattr(expect, name))})
        else:
            wrong = replace(expect, flags={**expect.flags, key: (expect.flags[key] or 0) + 1})
        if key != "choice":
            assert differences(run(replace(ruling, expect=wrong), ruleset)), f"{key} is not looked at"


def something_else(name: str, value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return "any 3" if name == "moves" else value + "x"
    if isinstance(value, Locks):
        return Locks() if value != Locks() else Locks(suits=frozenset({0}))
    if isinstance(value, frozenset):
        return value ^ {"single" if name == "options" else 51 if name in ("discard", "laid_away") else 1}
    if isinstance(value, tuple):
        return (*value, 1)
    if isinstance(value, dict):
        return {key: something_else(name, each) for key, each in value.items()} or {
            (0, 1): "any 1" if name == "moves" else 1
        }
    assert value is None
    return 0


def test_a_ruling_that_is_not_in_this_version_is_skipped() -> None:
    ruling = RULINGS[0]
    assert judge(replace(ruling, preset="qdan")).result == SKIPPED
    assert judge(replace(ruling, preset="none")).result == SKIPPED
    assert judge(replace(ruling, settings={"jack_back": True})).result == SKIPPED
    assert judge(replace(ruling, settings={"five_color_lock": True})).result == SKIPPED
    assert judge(replace(ruling, settings={"joker_count": 0})).result == FAILED
