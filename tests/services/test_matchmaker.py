"""Tickets: taken, followed, given back, and brought to seats at a real game service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from daifugo.v1 import matchmaker_pb2 as m
from services.common.config import CannotStart
from services.matchmaker.office import MOST_ENDED
from services.matchmaker.queues import Wrong, load, read
from services.matchmaker.store import SqliteStore
from tests.services.harness import refusal, world
from tests.services.office import beside, office

QUEUED, ASSIGNED = m.TICKET_STATE_QUEUED, m.TICKET_STATE_ASSIGNED


async def test_four_people_are_brought_to_one_table_and_the_match_begins() -> None:
    async with office() as o:
        people = ["p0", "p1", "p2", "p3"]
        for token in people:
            await o.take(token)
        seats = [(await o.until(token, ASSIGNED)).assignment for token in people]
        assert len({seat.table_id for seat in seats}) == 1
        assert [seat.seat for seat in seats] == [0, 1, 2, 3]
        for token, seat in zip(people, seats):
            assert await o.w.join(seat.table_id, token) == seat.seat
        o.w.clock.advance(0)
        async with asyncio.timeout(20):
            while (await o.w.caller("p0").view(seats[0].table_id)).view.state != view_pb2.TABLE_STATE_RUNNING:
                pass


async def test_bots_fill_up_after_the_wait_and_not_before() -> None:
    async with office(ticket_idle_seconds=100.0) as o:
        await o.take("p0")
        for bot in ("b1", "b2", "b3"):
            await o.take(bot)
        o.w.clock.advance(14.9)
        assert (await o.get("p0")).state == QUEUED
        o.w.clock.advance(0.1)
        assert (await o.until("p0", ASSIGNED)).assignment.seat == 0
        assert (await o.until("b3", ASSIGNED)).assignment.seat == 3


async def test_seats_that_are_not_taken_go_to_bots_that_wait() -> None:
    async with office(ticket_idle_seconds=100.0) as o:
        for token in ("p0", "p1", "p2", "p3"):
            await o.take(token)
        table = (await o.until("p0", ASSIGNED)).assignment.table_id
        await o.w.join(table, "p0")
        await o.take("b0")
        o.w.clock.advance(20)
        given = (await o.until("b0", ASSIGNED)).assignment
        assert (given.table_id, given.seat) == (table, 1)
        assert await o.w.join(table, "b0", given.seat, bot=True) == 1


async def test_a_repeated_request_returns_the_ticket_and_a_second_ticket_is_refused() -> None:
    async with office() as o:
        first = await o.take("p0")
        assert (await o.take("p0")).id == first.id
        failure = await refusal(o.take("p0", "other"))
        assert (failure.reason, failure.details["ErrorInfo"].metadata["ticket_id"]) == ("TICKET_EXISTS", first.id)
        assert (await refusal(o.take("p0", queue_id="quick"))).reason == "REQUEST_ID_REUSED"


async def test_of_somebody_who_comes_and_goes_only_the_last_tickets_are_remembered(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "matchmaker.db"))
    async with world() as w, beside(w, store) as o:
        first = await o.take("p0", "r0")
        for number in range(40):
            await o.call("p0", "DeleteTicket", m.DeleteTicketRequest())
            await o.take("p0", f"r{number + 1}")
        assert len(o.app.office.tickets) == MOST_ENDED + 1
        gone = await refusal(o.call("p0", "GetTicket", m.GetTicketRequest(ticket_id=first.id)))
        assert gone.reason == "TICKET_NOT_FOUND"
        assert (await o.take("p0", "r39")).state == m.TICKET_STATE_DELETED, "it is still told as it ended"
    async with world() as w, beside(w, SqliteStore(str(tmp_path / "matchmaker.db"))) as o:
        assert len(o.app.office.tickets) == MOST_ENDED + 1


async def test_what_cannot_be_is_refused_with_the_reason() -> None:
    async with office() as o:
        assert (await refusal(o.take("p0", queue_id="none"))).reason == "QUEUE_NOT_FOUND"
        assert (await refusal(o.take("p0", size=9))).reason == "SIZE_NOT_OFFERED"
        assert (await refusal(o.get("p0"))).reason == "TICKET_NOT_FOUND"
        ticket = await o.take("p0")
        stolen = o.call("p1", "DeleteTicket", m.DeleteTicketRequest(ticket_id=ticket.id))
        assert (await refusal(stolen)).reason == "TICKET_NOT_FOUND"


async def test_a_ticket_given_back_is_not_paired() -> None:
    async with office() as o:
        ticket = await o.take("p0")
        request = m.DeleteTicketRequest(ticket_id=ticket.id)
        assert (await o.call("p0", "DeleteTicket", request)).ticket.state == m.TICKET_STATE_DELETED
        for token in ("p1", "p2", "p3"):
            await o.take(token)
        assert (await o.get("p3")).state == QUEUED
        await o.take("p4")
        await o.until("p4", ASSIGNED)
        assert (await refusal(o.call("p4", "DeleteTicket", m.DeleteTicketRequest()))).reason == "TICKET_PAIRED"


async def test_a_ticket_that_nobody_asks_for_expires_and_one_that_is_watched_does_not() -> None:
    async with office() as o:
        await o.take("p0")
        await o.take("p1")
        watch: Any = o.stub.WatchTicket(m.WatchTicketRequest(), metadata=[("authorization", "Bearer p1")])
        assert (await watch.read()).ticket.state == QUEUED
        o.w.clock.advance(20)
        await o.until("p0", m.TICKET_STATE_EXPIRED)
        assert (await o.get("p1")).state == QUEUED
        for token in ("p2", "p3", "p4"):
            await o.take(token)
        while (message := await watch.read()).ticket.state != ASSIGNED:
            assert message.WhichOneof("message") in ("ticket", "heartbeat")


async def test_tickets_survive_a_restart(tmp_path: Path) -> None:
    async with world() as w:
        path = str(tmp_path / "tickets")
        async with beside(w, SqliteStore(path)) as o:
            for token in ("p0", "p1", "p2"):
                await o.take(token)
        async with beside(w, SqliteStore(path)) as o:
            assert (await o.get("p0")).state == QUEUED
            await o.take("p3")
            assert (await o.until("p0", ASSIGNED)).assignment.seat == 0
            with pytest.raises(CannotStart, match="another matchmaker"):
                SqliteStore(path)


async def test_a_table_that_cannot_be_fails_the_tickets_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    file.write_text('[long]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4]\nrounds = 1000\n')
    async with office(queues=str(file)) as o:
        for token in ("p0", "p1", "p2", "p3"):
            await o.take(token, queue_id="long")
        ticket = await o.until("p0", m.TICKET_STATE_FAILED)
        assert ticket.failure == rules_pb2.REASON_MALFORMED


async def test_in_a_ranked_queue_no_seat_passes_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    plain = '[{}]\nname = {{ ja = "x", en = "x" }}\npreset = "qdan"\nsizes = [4]\n'
    file.write_text(plain.format("open") + plain.format("serious") + "ranked = true\n")
    async with office(queues=str(file)) as o:
        queues = (await o.call("p0", "ListQueues", m.ListQueuesRequest())).queues
        assert [(queue.id, queue.ranked) for queue in queues] == [("open", False), ("serious", True)]
        passes = {}
        for number, queue in enumerate(queues):
            people = [f"p{4 * number + seat}" for seat in range(4)]
            for token in people:
                await o.take(token, queue_id=queue.id)
            table = (await o.until(people[0], ASSIGNED)).assignment.table_id
            await o.w.join(table, people[0])
            got = await o.w.caller(people[0]).call("GetTable", game_pb2.GetTableRequest(table_id=table))
            passes[queue.id] = got.table.your_auto_pass
        assert passes == {"open": True, "serious": False}


async def test_players_of_a_queue_have_hints_only_if_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    plain = '[{}]\nname = {{ ja = "x", en = "x" }}\npreset = "jdf4"\nsizes = [4]\n'
    file.write_text(plain.format("usual") + plain.format("easy") + "hints = true\n")
    async with office(queues=str(file)) as o:
        hints = {}
        for number, queue in enumerate(("usual", "easy")):
            people = [f"p{4 * number + seat}" for seat in range(4)]
            for token in people:
                await o.take(token, queue_id=queue)
            table = (await o.until(people[0], ASSIGNED)).assignment.table_id
            got = await o.w.caller(people[0]).call("GetTable", game_pb2.GetTableRequest(table_id=table))
            hints[queue] = got.table.hints
        assert hints == {"usual": game_pb2.HINTS_OFF, "easy": game_pb2.HINTS_ON}


async def test_a_table_has_the_clock_of_its_queue(tmp_path: Path) -> None:
    file = tmp_path / "queues.toml"
    clock = "turn_seconds = 10\nbank_seconds = 90\nbank_each_game = true\nchoice_seconds = 20\n"
    file.write_text(f'[slow]\nname = {{ ja = "x", en = "x" }}\npreset = "jdf4"\nsizes = [4]\n{clock}')
    async with office(queues=str(file)) as o:
        (queue,) = (await o.call("p0", "ListQueues", m.ListQueuesRequest())).queues
        for token in ("p0", "p1", "p2", "p3"):
            await o.take(token, queue_id="slow")
        table = (await o.until("p0", ASSIGNED)).assignment.table_id
        laid = (await o.w.caller("p0").call("GetTable", game_pb2.GetTableRequest(table_id=table))).table.clock
        assert (laid.turn_seconds, laid.bank_seconds, laid.bank_each_game, laid.choice_seconds) == (10, 90, True, 20)
        assert queue.clock.bank_seconds == 90


async def test_queues_tell_who_waits() -> None:
    async with office() as o:
        await o.take("p0")
        await o.take("b0")
        queues = (await o.call("p0", "ListQueues", m.ListQueuesRequest())).queues
        assert [(q.id, q.people_waiting, q.bots_waiting) for q in queues] == [("federation", 1, 1), ("quick", 0, 0)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1 to 100 queues"),
        (
            '[a]\nname = { ja = "x", en = "x" }\npreset = "qdan"\nsizes = [4]\nranked = true\nsettings.auto_pass = 1',
            "ranked queues have no auto_pass",
        ),
        ('[a]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4]\nbank_each_game = 1', "true or false"),
        (
            '[a]\nname = { ja = "x", en = "x" }\npreset = "qdan"\nsizes = [4]\nranked = true\nhints = true',
            "ranked queues have no hints",
        ),
        ("[A]", "an id has"),
        ('[a]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [1]', "sizes must"),
        ('[a]\nname = { ja = "x", en = "x" }\npreset = "jdf4"\nsizes = [4]\nset = 1', "did you mean sets"),
    ],
)
def test_a_bad_file_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(Wrong, match=said):
        read(text)


def test_the_queues_that_come_with_the_program_can_be_read() -> None:
    assert list(load("")) == ["federation", "quick"]
