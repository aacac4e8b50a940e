"""The notation is read strictly: what it does not know it refuses, and says in which ruling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.cards import parse_card
from engine.ruleset import NOT_AVAILABLE, check_ruleset
from tests.rulings.given import translate
from tests.rulings.notation import (
    COUNTS,
    EXPECT,
    EXPECTED_FLAGS,
    FLAGS,
    KEYS,
    READINGS,
    SEAT_FLAGS,
    STATE,
    WHOLE,
    FieldPlay,
    Hand,
    Locks,
    Meant,
    NotationError,
    Ruling,
    Step,
    parse_action,
    parse_expectation,
    parse_file,
    parse_position,
    parse_ruling,
    read_file,
)

HERE = Path(__file__).parent
RULINGS = parse_file(HERE / "rulings.yaml")
EXTRA = parse_file(HERE / "extra.yaml")


def c(text: str) -> int:
    return parse_card(text)


def test_every_ruling_of_the_documents_is_in_the_notation() -> None:
    assert len(RULINGS) == 423
    assert len(EXTRA) >= 25
    assert not {ruling.id for ruling in RULINGS} & {ruling.id for ruling in EXTRA}


@pytest.mark.parametrize("ruling", [*RULINGS, *EXTRA], ids=lambda ruling: ruling.id)
def test_the_settings_of_a_ruling_are_sound_if_not_all_in_this_version(ruling: Ruling) -> None:
    ruleset, problems = check_ruleset(ruling.preset, translate(ruling.settings), ruling.position.players)
    assert ruleset is not None
    assert {problem.kind for problem in problems} <= {NOT_AVAILABLE}
    seats = [*ruling.position.hands, *[play.seat for play in ruling.position.trick], *ruling.position.prev]
    assert all(seat < ruleset.seats for seat in seats)
    assert all(step.seat < ruleset.seats for step in ruling.steps)


def test_the_settings_of_the_files_are_written_as_in_the_catalogue() -> None:
    for ruling in (*RULINGS, *EXTRA):
        if "player_count" not in ruling.settings:
            assert translate(ruling.settings) == ruling.settings


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"seven_pass": True}, {"seven_pass": True}),
        ({"revolution": {"enabled": True, "min_group": 3}}, {"revolution": True, "revolution.min_group": 3}),
        ({"variant_revolution_triple": True}, {"revolution.min_group": 3}),
        ({"sequence": {"min_length": 2}}, {"two_card_sequence": True}),
        ({"player_count": "2-12"}, {"player_count.min": 2, "player_count.max": 12}),
        ({"player_count": 5}, {"player_count.min": 5, "player_count.max": 5}),
        ({"joker_count": "1"}, {"joker_count": 1}),
        ({"eight_cut_return": {"by": 8}}, {"eight_cut_return.by": "8"}),
        ({"deck_composition": "39+1"}, {"deck_composition": "C", "joker_count": 1}),
        ({"points": [3, 2, 1, 0]}, {"points": "custom", "points.by_place": (3, 2, 1, 0)}),
        ({"pair": True}, {}),
        ({"pair": False}, {"pair": False}),
        ({"nothing": 1}, {"nothing": 1}),
    ],
)
def test_settings_of_the_documents_own_form_are_translated(given: dict[str, object], meant: dict[str, object]) -> None:
    assert translate(given) == meant


# --- the position ----------------------------------------------------------------------------------------------------


def test_a_position_is_read_in_full() -> None:
    position = parse_position(
        "turn=B; A=; B=S9 JK1 *3; field=D:S3,S4,JK1=S5|A:S6,S7,S8; lock=suit:S; rev=1; back=2; dir=ccw; passed=C;"
        " out=E:1; foul=F; fell=G; prev=A,B,C; game=3; set=2; discard=SK; spade_seat=C; damian=1; players=7".replace(
            "B=S9 JK1 *3", "B=S9 *3"
        )
    )
    assert position.turn == 1
    assert position.hands == {0: Hand(), 1: Hand((c("S9"),), 3)}
    assert position.trick == (
        FieldPlay(3, (Meant(c("S3")), Meant(c("S4")), Meant(c("JK1"), 0, 2))),
        FieldPlay(0, (Meant(c("S6")), Meant(c("S7")), Meant(c("S8")))),
    )
    assert position.lock == Locks(suits=frozenset({0}))
    assert (position.rev, position.back, position.clockwise, position.players) == (True, 2, False, 7)
    assert (position.passed, position.out, position.foul, position.fell) == ((2,), ((4, 1),), (5,), (6,))
    assert (position.prev, position.game, position.set) == ((0, 1, 2), "3", 2)
    assert position.discard == (c("SK"),)
    assert position.seats == {"spade_seat": (2,)}
    assert position.flags == {"damian": 1}


@pytest.mark.parametrize(
    ("text", "lock"),
    [
        ("-", Locks()),
        ("suit:H,S", Locks(suits=frozenset({1, 0}))),
        ("suit:H+number", Locks(suits=frozenset({1}), number=True)),
        ("partial:D", Locks(partial=frozenset({2}))),
        ("color:red", Locks(color="red")),
        ("number", Locks(number=True)),
    ],
)
def test_locks_are_read(text: str, lock: Locks) -> None:
    assert parse_position(f"lock={text}").lock == lock


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ("turn", "not a pair"),
        ("turn=Z", "not a seat"),
        ("wind=east", "unknown key"),
        ("turn=A; turn=B", "stands twice"),
        ("A=S1", "not a card"),
        ("A=S5 S5", "twice"),
        ("A=S5; B=S5", "two places"),
        ("A=S5; field=B:S5", "two places"),
        ("A=S5 *x", "not a number"),
        ("field=S5", "not a play"),
        ("field=A:S5=S6", "only a joker"),
        ("field=A:JK1=S1", "not a meaning"),
        ("lock=hearts", "not a lock"),
        ("rev=2", "not 0 or 1"),
        ("dir=left", "none of cw, ccw"),
        ("phase=lunch", "is none of"),
        ("game=some", "not a number"),
        ("damian=yes", "not 0 or 1"),
    ],
)
def test_a_position_that_is_not_in_the_notation_is_refused(state: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        parse_position(state)


# --- the action ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("A: pass", (Step("pass", 0),)),
        ("deal order", (Step("deal_order"),)),
        ("match result", (Step("match_result"),)),
        ("B: play S9 JK1 JK2 as triple", (Step("play", 1, (Meant(36 - 12), Meant(52), Meant(53)), "group"),)),
        ("A: play JK1 as H8", (Step("play", 0, (Meant(52, 1, 5),)),)),
        ("A: play H4 JK1=H5", (Step("play", 0, (Meant(c("H4")), Meant(52, 1, 2))),)),
        ("A: give D4 -> B", (Step("give", 0, (Meant(c("D4")),), to=1),)),
        ("A: give none; A: give any 2 -> C", (Step("give", 0, any=0), Step("give", 0, any=2, to=2))),
        ("A: pass-on D4", (Step("pass_on", 0, (Meant(c("D4")),)),)),
        ("A: name 5 JK", (Step("name", 0, words=("5", "JK")),)),
        ("A: choose yes", (Step("choose", 0, words=("yes",)),)),
        ("A: seats A,C,B,D", (Step("seats", 0, words=("A", "C", "B", "D")),)),
        ("A: (timeout)", (Step("timeout", 0),)),
    ],
)
def test_steps_are_read(text: str, steps: tuple[Step, ...]) -> None:
    assert parse_action(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play S5",
        "A: play",
        "A: sing",
        "A: pass twice",
        "A: play S5 S5",
        "A: play S5 as soup",
        "A: give",
        "A: give any",
        "A: take S5 S6",
        "A: name X",
        "A: choose perhaps",
        "Z: pass",
        "deal; A: pass",
    ],
)
def test_an_action_that_is_not_in_the_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_action(text)


# --- the expectation -------------------------------------------------------------------------------------------------


def test_an_expectation_is_read_by_key() -> None:
    expect = parse_expectation(
        {
            "legal": True,
            "next": "B",
            "fell": None,
            "rev": 1,
            "lock": "suit:H,S",
            "ranks": {"A": 1, "B": "大貧民"},
            "hands": {"A": "S9 D4", "B": ""},
            "moves": {"C->A": "JK1", "A->C": "any 1"},
            "counts": {"A<->D": 2, "C": 0},
            "field_top": "D:D5",
            "choice": None,
        }
    )
    assert expect.next == 1
    assert expect.fell is None
    assert "fell" in expect.given
    assert "finish" not in expect.given
    assert expect.ranks == {0: 1, 1: "大貧民"}
    assert expect.hands == {0: frozenset({c("S9"), c("D4")}), 1: frozenset()}
    assert expect.moves == {(2, 0): "JK1", (0, 2): "any 1"}
    assert expect.counts == {(0, 3): 2, (2, 2): 0}
    assert expect.field_top == FieldPlay(3, (Meant(c("D5")),))
    assert expect.flags == {"choice": None}


@pytest.mark.parametrize(
    "expect",
    [
        {"legla": True},
        {"legal": 1},
        {"next": "Z"},
        {"place": "first"},
        {"lock": "hearts"},
        {"hands": "S9"},
        {"ranks": {"Z": 1}},
        {"field": "full"},
        {"dir": "left"},
        {"options": "soup"},
        {"choice": "yes"},
    ],
)
def test_an_expectation_that_is_not_in_the_notation_is_refused(expect: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        parse_expectation(expect)


def test_the_grammar_explains_every_key() -> None:
    text = (HERE / "GRAMMAR.md").read_text(encoding="utf-8")
    state, expect = text.partition("## `expect`")[::2]
    for key in (*STATE, *SEAT_FLAGS, *FLAGS, *COUNTS, *KEYS, *WHOLE, *READINGS):
        assert f"`{key}`" in state or f'"{key}"' in state, key
    for key in (*EXPECT, *EXPECTED_FLAGS):
        assert f"`{key}`" in expect, key


# --- rulings and files -----------------------------------------------------------------------------------------------

ROW: dict[str, Any] = {
    "id": "T1",
    "source": "004:art.7",
    "preset": "jdf4",
    "settings": {},
    "state": "turn=A; A=DA D5; field=D:HK",
    "action": "A: play DA",
    "expect": {"legal": True},
    "reason": "A is above K",
    "status": "text",
}


@pytest.mark.parametrize(
    "change", [{"state": "turn=Z"}, {"action": "sing"}, {"expect": {"x": 1}}, {"status": "x"}, {"more": 1}]
)
def test_an_error_names_its_ruling(change: dict[str, Any]) -> None:
    with pytest.raises(NotationError, match=r"^T1: "):
        parse_ruling(ROW | change)


def test_a_file_that_is_no_list_of_rulings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rulings.yaml"
    path.write_text("rules: []")
    with pytest.raises(NotationError):
        read_file(path)
