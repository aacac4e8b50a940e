"""What the documents rule, case by case, as far as this version plays it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.available import can_be_played as available
from engine.available import is_available
from engine.catalogue import Value, entries, presets, settings
from engine.ruleset import CUSTOM, Ruleset, check_ruleset, foul_switches, make_ruleset
from tests.rulings.given import translate
from tests.rulings.judge import FAILED, PASSED, SKIPPED, judge, said
from tests.rulings.notation import EXPECT, FieldPlay, Locks, Ruling, parse_file
from tests.rulings.outcome import differences, summary
from tests.rulings.position import run
from tests.transcripts.evidence import REFUSES

HERE = Path(__file__).parent
RULINGS = parse_file(HERE / "rulings.yaml")
FEDERATION = [ruling for ruling in RULINGS if ruling.preset in ("jdf4", "jdf3", "jdf5")]
EXTRA = parse_file(HERE / "extra.yaml")

NEEDS: dict[str, tuple[str, Value]] = {}
"""Rulings that rest on something of their preset that is not in this version."""


def can_be_played(setting: str, value: Value) -> bool:
    """Say whether this version can play with a setting, or need not know it."""
    if setting not in settings():
        return False
    return entries()[settings()[setting].entry].kind not in ("rule", "setting") or is_available(setting, value)


def as_far_as_played(ruling: Ruling) -> Ruling:
    """Return a ruling with whatever this version can play of its preset, the rest as in the federation's game."""
    whole, _ = check_ruleset(ruling.preset)
    assert whole is not None
    own = translate(ruling.settings)
    base = {name: value for name, value in presets()[ruling.preset].settings.items() if can_be_played(name, value)}
    if own.get("foul_finish") == CUSTOM:
        base |= {switch: whole.values[switch] for switch in foul_switches()}
    return replace(ruling, preset="jdf4", settings={**base, **own})


def is_beside(ruling: Ruling) -> bool:
    """Say whether a ruling on another preset is only about what this version can play."""
    own = translate(ruling.settings)
    known = all(can_be_played(name, value) for name, value in own.items())
    return ruling not in FEDERATION and known and ruling.id not in NEEDS


TRANSFERRED = [as_far_as_played(ruling) for ruling in RULINGS if is_beside(ruling)]
PLAYED = [*FEDERATION, *EXTRA, *TRANSFERRED]


def ruleset_of(ruling: Ruling) -> Ruleset:
    return make_ruleset(ruling.preset, translate(ruling.settings), ruling.position.players)


@pytest.mark.parametrize("ruling", [*FEDERATION, *EXTRA], ids=lambda ruling: ruling.id)
def test_a_ruling_holds(ruling: Ruling) -> None:
    verdict = judge(ruling)
    assert verdict.result == PASSED, f"{ruling.reason} ({ruling.source}): {verdict.text}"


@pytest.mark.parametrize("ruling", TRANSFERRED, ids=lambda ruling: ruling.id)
def test_a_ruling_on_another_preset_holds_as_far_as_the_preset_can_be_played(ruling: Ruling) -> None:
    verdict = judge(ruling)
    assert verdict.result == PASSED, f"{ruling.reason} ({ruling.source}): {verdict.text}"


def test_no_ruling_of_the_federation_is_left_out() -> None:
    assert len(FEDERATION) == 123
    assert len(TRANSFERRED) >= 90
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


def test_a_ruling_that_has_become_playable_is_played() -> None:
    gone = {ruling.id for ruling in RULINGS if ruling.id in NEEDS and is_available(*NEEDS[ruling.id])}
    assert not gone


FEWER = {
    "deck_composition": "three cards less in a deck show in what is dealt, whatever the ruling",
    "first_leader_next": "rulings about later games show its values without naming them",
    "hand_size": "so many cards are dealt",
    "small_hand_size": "so many cards are dealt",
    "seat_order": "anticlockwise is the direction after any reverse",
    "exchange_joker_excluded": "its values are in the tests of the exchange",
    "return_choice": "its values are in the tests of the exchange",
    "miyako_vs_foul_order": "its values are in the tests of places",
    "extra_classes": "a table of names and numbers",
}
"""Settings that play along with others, and have fewer than three rulings of their own."""


def test_every_entry_that_is_played_has_three_rulings() -> None:
    found: Counter[str] = Counter()
    for ruling in PLAYED:
        made = run(ruling, ruleset_of(ruling), 100)
        acting = {event.rule.partition(".")[0] for event in [*made.dealt, *made.events]}
        if made.refusal is not None:
            acting.update(REFUSES.get(made.refusal.reason.value, ()))
        own = {name for name, value in translate(ruling.settings).items() if value != settings()[name].default}
        found.update(acting | {settings()[name].entry for name in own})
    played = [e for e in entries().values() if e.kind in ("rule", "setting") and e.settings and available(e)]
    of_documents = [entry for entry in played if not all(source[:3] == "005" for source in entry.sources)]
    assert {entry.id for entry in of_documents if found[entry.id] < 3} == set(FEWER)


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
    if isinstance(value, FieldPlay):
        return replace(value, seat=value.seat + 1)
    assert value is None
    return 0


def test_a_ruling_that_is_not_in_this_version_is_skipped() -> None:
    ruling = RULINGS[0]
    assert judge(replace(ruling, preset="none")).result == SKIPPED
    assert judge(replace(ruling, settings={"joker_count": 0})).result == FAILED
