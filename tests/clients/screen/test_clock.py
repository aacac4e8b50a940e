"""Time left is what the service said, counted down here."""

from __future__ import annotations

import pytest

from clients.screen import paint
from clients.screen.clock import Clock
from daifugo.v1 import view_pb2


class Times:
    """A machine whose clock is wrong by a day, and goes only when told to."""

    def __init__(self) -> None:
        self.passed = 0.0

    def clock(self) -> Clock:
        return Clock(lambda: 500 + self.passed, lambda: 1_000_000 + self.passed)


@pytest.fixture
def times() -> Times:
    return Times()


def ask(view: view_pb2.View, deadline: int, remaining: int) -> None:
    view.decision.id = 3
    view.decision.deadline.seconds, view.decision.remaining.seconds = deadline, remaining


def test_the_time_left_does_not_depend_on_the_clock_of_this_machine(times: Times, view: view_pb2.View) -> None:
    clock = times.clock()
    ask(view, deadline=1_086_430, remaining=30)
    clock.hear(view)
    times.passed = 12.5
    assert clock.left(view) == 17.5
    times.passed = 60
    assert clock.left(view) == 0


def test_hearing_the_same_again_does_not_give_time_back(times: Times, view: view_pb2.View) -> None:
    clock = times.clock()
    ask(view, deadline=1_086_430, remaining=30)
    clock.hear(view)
    times.passed = 10
    clock.hear(view)
    assert clock.left(view) == 20
    ask(view, deadline=1_086_450, remaining=40)
    clock.hear(view)
    assert clock.left(view) == 40


def test_the_time_of_others_uses_what_is_known_about_the_services_clock(times: Times, view: view_pb2.View) -> None:
    clock = times.clock()
    ask(view, deadline=1_086_430, remaining=30)
    clock.hear(view)
    view.ClearField("decision")
    view.asked.add(seat=1, decision_id=4).deadline.seconds = 1_086_450
    times.passed = 10
    assert clock.left(view) == 40


def test_what_a_bank_may_still_pay_is_known_of_ones_own_turn_and_of_others(times: Times, view: view_pb2.View) -> None:
    clock = times.clock()
    ask(view, deadline=1_086_430, remaining=80)
    assert clock.bank(view) == 0
    view.decision.bank.seconds = 60
    assert clock.bank(view) == 60
    view.ClearField("decision")
    view.asked.add(seat=1, decision_id=4, kind=view_pb2.DECISION_KIND_TURN).deadline.seconds = 1_086_450
    view.seats[1].bank.seconds = 7
    assert clock.bank(view) == 7
    view.asked[0].kind = view_pb2.DECISION_KIND_CHOICE
    assert clock.bank(view) == 0


def test_without_a_clock_there_is_no_time(times: Times, view: view_pb2.View) -> None:
    view.decision.id = 3
    view.asked.add(seat=1, decision_id=4)
    assert times.clock().left(view) is None


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (0.1, "0:01"), (59.5, "1:00"), (125, "2:05")])
def test_a_second_that_has_begun_counts(seconds: float, text: str) -> None:
    assert paint.clock(seconds) == text
