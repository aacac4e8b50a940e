"""Recorded games are played again: the same actions must make everybody see the same. See docs/transcripts.md."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from engine.game import ENGINE_VERSION
from engine.view import View, view
from tests.transcripts import words
from tests.transcripts.diff import differences
from tests.transcripts.evidence import fired, playable
from tests.transcripts.record import LATE, Game, record, replay
from tests.transcripts.script import Step, Told, Transcript, paths, read

PATHS = paths()
MOST_SHOWN = 5
"""How many steps that differ are shown."""
REWRITE = "\nIf that is how it should be: .venv/bin/python -m tests.transcripts, and review what git shows."


def load(path: Path) -> Transcript:
    return read(path.read_text(encoding="utf-8"))


def smallest() -> Transcript:
    """Return the smallest transcript with more than a few actions."""
    return load(min([path for path in PATHS if path.stat().st_size > 15_000], key=lambda path: path.stat().st_size))


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_the_same_actions_make_everybody_see_the_same(path: Path) -> None:
    shown: list[str] = []
    ended, last = False, ""
    for expected, got, game in replay(load(path)):
        different = differences(expected, got)
        if different and len(shown) < MOST_SHOWN:
            shown.append("".join([f"{path.stem}, ", *different]))
        ended, last = game.state.game == game.state.games and not game.state.playing, expected.where
    assert not shown, "\n".join(["", *shown, REWRITE])
    assert ended, f"{path.stem}: the match is not over after {last}"


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_a_file_is_written_as_it_is_read_and_says_which_engine_made_it(path: Path) -> None:
    transcript = load(path)
    assert transcript.text() == path.read_text(encoding="utf-8")
    assert transcript.engine == ENGINE_VERSION


def test_every_rule_that_can_be_played_fires_in_some_transcript() -> None:
    never = playable() - {rule for path in PATHS for rule in fired(load(path))}
    assert not never, f"no transcript shows {', '.join(sorted(never))}; docs/transcripts.md says how to record one"


def test_the_files_stay_small_enough_to_review() -> None:
    assert sum([path.stat().st_size for path in PATHS]) < 2_700_000


def test_time_runs_out_and_a_game_ends_by_lot_somewhere() -> None:
    steps = [step for path in PATHS for step in load(path).steps]
    assert any([step.text.endswith(LATE) for step in steps])
    assert any([told.name == "GameEnded" and "drawn" in told.fields for step in steps for told in step.events])


def test_every_field_of_a_view_is_written_or_left_out_on_purpose() -> None:
    seen = view(Game(smallest()).state, -1)
    names = {name for name in dir(View) + dir(seen) if not name.startswith("_") and not callable(getattr(seen, name))}
    assert names == {*words.VIEW_FIELDS, *words.NOT_WRITTEN}


# --- recording anew --------------------------------------------------------------------------------------------------


def test_recording_anew_keeps_what_is_still_so() -> None:
    transcript = smallest()
    assert record(transcript).text() == transcript.text()


def test_recording_goes_on_by_itself_where_an_action_is_not_legal_any_more() -> None:
    transcript = smallest()
    damaged = deepcopy(transcript)
    place = next(i for i, step in enumerate(damaged.steps) if step.action == 3 and step.events)
    damaged.steps[place].text = "A plays"
    assert record(damaged).steps[:place] == transcript.steps[:place]
    again = record(replace(transcript, steps=transcript.steps[:place]))
    assert record(damaged).text() == again.text()
    assert [got for _, got, _ in replay(again)] == again.steps


# --- the diff --------------------------------------------------------------------------------------------------------

FLUSH = [
    Told("CardsMoved", fields={"from": "hand A", "cards": "S8"}),
    Told("FieldFlushed", "eight_cut", 0),
    Told("TurnChanged", "", 1, {"seat": "A", "starter": ""}),
]


def compared(events: list[Told], **more: object) -> str:
    expected = Step(2, 14, "A plays S8", FLUSH, {"A": {"hand": "S3"}})
    return "".join(differences(expected, replace(expected, events=events, **more)))  # type: ignore[arg-type] # any field


def test_equal_steps_have_no_difference() -> None:
    assert compared(list(FLUSH)) == ""


def test_a_field_that_differs_is_named_with_its_event_and_its_action() -> None:
    turned = Told("TurnChanged", "", 1, {"seat": "B"})
    assert compared([*FLUSH[:2], turned]) == (
        "game 2, action 14: A plays S8\n"
        "  event 2 TurnChanged, seat: expected A, got B\n"
        "  event 2 TurnChanged, starter: expected yes, got nothing\n"
    )


def test_another_rule_and_another_cause_are_named() -> None:
    text = compared([FLUSH[0], Told("FieldFlushed", "six_card_flush", -1), FLUSH[2]])
    assert "event 1 FieldFlushed by eight_cut, rule: expected eight_cut, got six_card_flush\n" in text
    assert "cause: expected event 0 CardsMoved, got none\n" in text


def test_an_event_more_is_one_difference_though_all_later_ones_move() -> None:
    moved = Told("TurnChanged", "", 2, {"seat": "A", "starter": ""})
    text = compared([FLUSH[0], Told("Passed", fields={"seat": "B"}), FLUSH[1], moved])
    assert text.splitlines()[1:] == ["  event 1: unexpected Passed: seat B"]
    assert "event 1: missing <0 FieldFlushed by eight_cut" in compared([FLUSH[0], FLUSH[2]])


def test_what_only_one_seat_sees_is_compared_for_that_seat() -> None:
    leak = replace(FLUSH[0], seen={"B": {"cards": "S8 H4"}})
    assert "event 0 CardsMoved, as B sees it, cards: expected nothing, got S8 H4" in compared([leak, *FLUSH[1:]])
    assert "view of A, hand: expected S3, got S4" in compared(list(FLUSH), views={"A": {"hand": "S4"}})


def test_an_action_that_is_refused_now_is_told_with_the_reason() -> None:
    transcript = load(next(path for path in PATHS if path.stem == "lot"))
    place = next(i for i, step in enumerate(transcript.steps) if step.action == 2 and step.events)
    seat = transcript.steps[place].text[0]
    transcript.steps[place].text = f"{seat} draws"
    *_, (expected, got, _) = replay(transcript)
    assert f"expected '{seat} draws', got '{seat} draws | impossible now: not_offered'" in "".join(
        differences(expected, got)
    )
