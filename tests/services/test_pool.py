"""Who is brought together: properties of every pairing."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from services.matchmaker.pool import Waiting, pair

NOW = 100.0


@st.composite
def queues(draw: st.DrawFn) -> list[Waiting]:
    found = []
    for number in range(draw(st.integers(0, 16))):
        bot = draw(st.booleans())
        size = draw(st.sampled_from((0, 3, 4) if bot else (3, 4)))
        start = math.inf if bot else draw(st.sampled_from((50.0, 90.0, 100.0, 101.0, math.inf)))
        found.append(Waiting(f"t{number}", number, size, bot, start))
    return draw(st.permutations(found))


@given(queues(), st.booleans())
def test_nobody_is_in_two_pairings_and_each_table_is_full(waiting: list[Waiting], bots_only: bool) -> None:
    groups = pair(waiting, NOW, 4, bots_only).groups
    everybody = [each for group in groups for each in group]
    assert len(everybody) == len(set(everybody))
    by_id = {ticket.id: ticket for ticket in waiting}
    for group in groups:
        members = [by_id[each] for each in group]
        people = [ticket for ticket in members if not ticket.bot]
        assert {ticket.size for ticket in members} - {0} <= {len(members)}
        assert people or bots_only
        if people and len(people) < len(members):
            assert min(ticket.bots_from for ticket in people) <= NOW
            assert all(ticket.bots_from < math.inf for ticket in people)


@given(queues(), st.booleans())
def test_whoever_can_play_with_people_does_and_the_oldest_go_first(waiting: list[Waiting], bots_only: bool) -> None:
    paired = {each for group in pair(waiting, NOW, 4, bots_only).groups for each in group}
    for size in (3, 4):
        people = sorted([t for t in waiting if not t.bot and t.size == size], key=lambda ticket: ticket.number)
        full = len(people) - len(people) % size
        assert {ticket.id for ticket in people[:full]} <= paired


@given(queues(), st.booleans())
def test_the_order_in_which_tickets_are_listed_does_not_matter(waiting: list[Waiting], only: bool) -> None:
    assert pair(waiting, NOW, 4, only) == pair(sorted(waiting, key=lambda t: t.id), NOW, 4, only)


@given(queues())
def test_the_next_look_is_when_somebodys_wait_is_over(waiting: list[Waiting]) -> None:
    found = pair(waiting, NOW, 4, False)
    assert found.next_look > NOW
    paired = {each for group in found.groups for each in group}
    later = [t.bots_from for t in waiting if not t.bot and t.id not in paired and t.bots_from > NOW]
    assert found.next_look == min(later, default=math.inf)


@given(queues())
def test_bots_come_as_soon_as_the_wait_is_over_if_there_are_enough(waiting: list[Waiting]) -> None:
    found = pair(waiting, NOW, 4, False)
    paired = {each for group in found.groups for each in group}
    left = [ticket for ticket in waiting if ticket.id not in paired]
    for person in left:
        if not person.bot and person.bots_from <= NOW:
            together = [t for t in left if not t.bot and t.size == person.size and t.bots_from < math.inf]
            bots = [t for t in left if t.bot and t.size in (0, person.size)]
            assert len(together) + len(bots) < person.size
