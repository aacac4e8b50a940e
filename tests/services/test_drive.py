"""Many seats on one stream: each is told what Watch would tell it, and acts as with Act."""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import suppress
from typing import Any

import grpc
import pytest

from daifugo.v1 import drive_pb2, drive_pb2_grpc, game_pb2, rules_pb2, view_pb2
from services.game.journal import MemoryJournal
from tests.services.folder import Folder, plain
from tests.services.harness import Caller, Failure, World, refusal, world
from tests.services.test_actions import play
from tests.services.test_streams import SMALL_WINDOW, stall

EVERY_VERSION = drive_pb2.DRIVE_MODE_EVERY_VERSION


class Driver:
    """Drives seats with one stream, and folds what each is told."""

    def __init__(self, caller: Caller) -> None:
        stub = drive_pb2_grpc.DriveServiceStub(caller.channel)
        self.call: Any = stub.Drive(metadata=caller.metadata)
        self.folders: defaultdict[int, Folder] = defaultdict(Folder)
        self.legal: dict[int, drive_pb2.LegalActions] = {}
        self.results: list[drive_pb2.DriveResult] = []
        self.problems: list[drive_pb2.DriveProblem] = []
        self.going_away: dict[int, game_pb2.GoingAway] = {}
        self.messages = 0

    async def attach(self, handle: int, table: str, token: str = "", **more: Any) -> None:
        attach = drive_pb2.Attach(handle=handle, table_id=table, token=token, **more)
        await self.call.write(drive_pb2.DriveRequest(attach=[attach]))

    async def act(self, *actions: tuple[int, int, view_pb2.Action]) -> None:
        made = [drive_pb2.DriveAction(handle=h, decision_id=d, action=a) for h, d, a in actions]
        await self.call.write(drive_pb2.DriveRequest(actions=made))

    async def read(self) -> drive_pb2.DriveResponse:
        """Take one message; raise EOFError at the end, or Failure."""
        try:
            message = await self.call.read()
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None
        if message is grpc.aio.EOF:
            raise EOFError
        assert isinstance(message, drive_pb2.DriveResponse)
        self.messages += 1
        self.results += message.results
        self.problems += message.problems
        for update in message.updates:
            for each in update.messages:
                self.folders[update.handle].take(each)
                if each.notice.HasField("going_away"):
                    self.going_away[update.handle] = each.notice.going_away
            if update.HasField("legal"):
                self.legal[update.handle] = update.legal
        return message

    async def to_the_end(self) -> None:
        """Read until the stream ends."""
        with suppress(EOFError):
            while True:
                await self.read()

    async def until(self, handle: int, version: int) -> None:
        """Read until a seat knows a version."""
        while self.folders[handle].cursor.version < version:
            await self.read()

    async def problem(self) -> drive_pb2.DriveProblem:
        """Read until something is refused."""
        while not self.problems:
            await self.read()
        return self.problems.pop()


async def driving(w: World, table: str, seats: int = 4, **more: Any) -> Driver:
    """Drive all seats of a table."""
    driver = Driver(w.caller("driver"))
    for seat in range(seats):
        await driver.attach(seat, table, f"p{seat}", **more)
    while len(driver.folders) < seats:
        await driver.read()
    return driver


async def at_rest(w: World, table: str) -> None:
    """Wait until what was written is on its way, or it would seem that nobody reads."""
    for driven in w.app.tables.find(table).history.watchers._all:
        while driven._wake.__self__._is_writing:  # type: ignore[attr-defined]  # of the drive of a driven seat
            await w.caller("p0").view(table)


async def test_driven_seats_see_at_each_version_what_their_view_is() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        driver = await driving(w, table, mode=EVERY_VERSION)
        await w.start(table)
        rng = random.Random(3)
        while await w.step(table, rng):
            version = w.app.tables.find(table).shown.version
            for seat in range(4):
                await driver.until(seat, version)
                assert plain(driver.folders[seat].view) == plain((await w.caller(f"p{seat}").view(table)).view)
        assert driver.folders[0].view.state == view_pb2.TABLE_STATE_ENDED


async def test_a_whole_match_is_played_by_decisions_and_ends_as_the_same_one_over_act_and_watch() -> None:
    journal = MemoryJournal()
    async with world(journal=journal) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=2))
        driver = await driving(w, table, with_legal=True)
        await w.start(table)
        rng = random.Random(5)
        answered: set[int] = set()
        while driver.folders[0].view.state != view_pb2.TABLE_STATE_ENDED:
            open_now = [(h, legal) for h, legal in driver.legal.items() if legal.decision_id not in answered]
            if not open_now:
                if not w.app.tables.find(table).shown.state.playing:
                    w.clock.advance(5)
                await driver.read()
                continue
            for handle, legal in open_now:
                view = driver.folders[handle].view
                assert view.decision.id == legal.decision_id
                assert legal == drive_pb2.LegalActions(
                    decision_id=legal.decision_id,
                    actions=(await w.caller(f"p{handle}").legal(table, legal.decision_id, page_size=200)).actions,
                )
                plays = [each.action for each in legal.actions if each.action.WhichOneof("action") != "pass"]
                await driver.act((handle, legal.decision_id, rng.choice(plays or [legal.actions[0].action])))
                answered.add(legal.decision_id)
        for seat in range(1, 4):
            await driver.until(seat, driver.folders[0].cursor.version)
            assert plain(driver.folders[seat].view) == plain((await w.caller(f"p{seat}").view(table)).view)
        assert not driver.problems
        assert {result.decision_id for result in driver.results} <= answered


async def test_in_between_decisions_nothing_is_sent_and_then_nothing_is_left_out() -> None:
    async with world() as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        driver = await driving(w, table, seats=1)
        await w.start(table)
        rng = random.Random(1)
        while await w.step(table, rng):
            pass
        shown = w.app.tables.find(table).shown.version
        await driver.until(0, shown)
        assert plain(driver.folders[0].view) == plain((await w.caller("p0").view(table)).view)
        assert driver.messages < shown / 2


async def test_one_bad_item_fails_alone_and_the_same_answer_again_is_harmless() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table)
        await w.start(table)
        _, view = await w.asked(table)
        seat = view.seat
        await driver.until(seat, w.app.tables.find(table).shown.version)
        other = (seat + 1) % 4
        good = play(view.hand[0])
        await driver.act(
            (99, view.decision.id, good),
            (other, view.decision.id, good),
            (seat, view.decision.id, view_pb2.Action()),
            (seat, view.decision.id, play(*[card for card in range(52) if card not in view.hand][:1])),
            (seat, view.decision.id, good),
            (seat, view.decision.id, good),
        )
        while len(driver.results) < 2 or len(driver.problems) < 4:
            await driver.read()
        assert [(r.handle, r.response.repeated) for r in driver.results] == [(seat, False), (seat, True)]
        assert driver.results[0].response.version == driver.results[1].response.version
        reasons = [rules_pb2.Reason.Name(problem.reason) for problem in driver.problems]
        assert reasons[0] == "REASON_MALFORMED"
        assert driver.problems[0].detached
        assert reasons[2:] == ["REASON_MALFORMED", "REASON_NOT_IN_HAND"]
        assert driver.problems[3].refusal.violations[0].text
        assert not any(problem.detached for problem in driver.problems[1:])


async def test_a_seat_belongs_to_whoever_has_its_token() -> None:
    async with world() as w:
        table = await w.table()
        driver = Driver(w.caller("stranger"))
        await driver.attach(1, table)
        problem = await driver.problem()
        assert (problem.handle, problem.reason, problem.detached) == (1, rules_pb2.REASON_NOT_SEATED, True)
        await driver.attach(1, "nowhere", "p1")
        assert (await driver.problem()).reason == rules_pb2.REASON_TABLE_NOT_FOUND
        await driver.attach(1, table, "p1")
        await driver.until(1, 1)
        await driver.attach(1, table, "p2")
        problem = await driver.problem()
        assert (problem.reason, problem.detached) == (rules_pb2.REASON_MALFORMED, False)
        assert driver.folders[1].view.seat == 1


async def test_a_stream_drives_only_so_many_seats() -> None:
    async with world(max_seats_per_stream=2) as w:
        table = await w.table()
        driver = await driving(w, table, seats=2)
        await driver.attach(2, table, "p2")
        assert (await driver.problem()).reason == rules_pb2.REASON_TOO_MANY
        await driver.call.write(drive_pb2.DriveRequest(detach=[0, 7]))
        await driver.attach(2, table, "p2")
        await driver.until(2, 1)


async def test_whoever_comes_back_gets_what_was_missed_and_the_open_decision_again() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table, mode=EVERY_VERSION, with_legal=True)
        await w.start(table)
        _, view = await w.asked(table)
        await driver.until(view.seat, w.app.tables.find(table).shown.version)
        driver.call.cancel()
        again = Driver(w.caller("driver"))
        again.folders[view.seat] = driver.folders[view.seat]
        after = driver.folders[view.seat].cursor
        await again.attach(view.seat, table, f"p{view.seat}", after=after, with_legal=True)
        response = await again.read()
        assert response.updates[0].messages[0].WhichOneof("message") == "resumed"
        assert again.legal[view.seat].decision_id == view.decision.id
        await again.act((view.seat, view.decision.id, again.legal[view.seat].actions[0].action))
        while not again.results:
            await again.read()


async def test_a_watch_of_the_same_seat_takes_over_and_the_other_way_round() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table)
        watch = w.caller("p0").watch(table)
        await watch.read()
        while 0 not in driver.going_away:
            await driver.read()
        assert driver.going_away[0].reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED
        await driver.attach(0, table, "p0")
        notice = (await watch.notice("going_away")).going_away
        assert notice.reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED


async def test_driven_seats_are_there_as_long_as_the_stream_is() -> None:
    async with world() as w:
        table = await w.table()
        watch = w.caller("spectator").watch(table)
        await watch.read()
        driver = await driving(w, table, seats=1)
        assert (await watch.notice("presence")).presence.connected
        driver.call.cancel()
        assert not (await watch.notice("presence")).presence.connected


async def test_a_stream_without_news_shows_that_it_is_alive() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table, seats=1)
        for _ in range(3):
            await at_rest(w, table)
            w.clock.advance(21)
            assert not (await driver.read()).ListFields()


async def test_the_end_of_requests_ends_the_stream_when_all_is_answered() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table)
        await w.start(table)
        _, view = await w.asked(table)
        await driver.act((view.seat, view.decision.id, play(view.hand[0])))
        await driver.call.done_writing()
        await driver.to_the_end()
        assert driver.results[0].decision_id == view.decision.id
        assert await driver.call.code() == grpc.StatusCode.OK


async def test_a_server_that_stops_says_so_and_ends_the_stream() -> None:
    async with world() as w:
        table = await w.table()
        driver = await driving(w, table)
        w.app.tables.drain()
        await driver.to_the_end()
        assert {notice.reason for notice in driver.going_away.values()} == {game_pb2.GOING_AWAY_REASON_DRAINING}


async def test_a_message_that_cannot_be_read_ends_the_stream_with_its_reason() -> None:
    async with world(max_message_bytes=200) as w:
        driver = Driver(w.caller("driver"))
        await driver.attach(0, "x" * 300)
        assert (await refusal(driver.read())).reason == "TOO_LARGE"


async def test_a_stream_ends_before_its_connection_is_too_old_and_the_seats_stay_present() -> None:
    async with world(connection_seconds=60) as w:
        table = await w.table()
        driver = await driving(w, table)
        for _ in range(3):
            await at_rest(w, table)
            w.clock.advance(20)
            await w.caller("p0").view(table)
        await driver.to_the_end()
        assert {notice.reason for notice in driver.going_away.values()} == {game_pb2.GOING_AWAY_REASON_MAX_AGE}
        again = await driving(w, table)
        assert all(seat.seat.connected for seat in again.folders[0].view.seats)


async def test_a_stream_that_is_not_read_is_closed_and_the_table_goes_on() -> None:
    async with world(watcher_versions=4, write_seconds=10) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=100))
        driver = Driver(w.caller("driver", options=SMALL_WINDOW))
        await driver.attach(0, table, "p0", mode=EVERY_VERSION)
        await driver.until(0, 1)
        await w.start(table)
        await stall(w, table, driver)
        w.clock.advance(11)
        with pytest.raises(Failure, match="TOO_SLOW"):
            await driver.to_the_end()
        assert await w.step(table, random.Random(1))


@pytest.mark.parametrize("way", ["refused", "repeated", "attached"])
async def test_what_is_refused_or_repeated_counts_as_calls_do(way: str) -> None:
    async with world(calls_per_second=0.001, calls_burst=200) as w:
        table = await w.table()
        driver = await driving(w, table, with_legal=True)
        await w.start(table)
        while not driver.legal:
            await driver.read()
        handle, legal = next(iter(driver.legal.items()))
        if way == "attached":
            attach = [drive_pb2.Attach(handle=number, table_id=table, token="p0") for number in range(10, 1000)]
            await driver.call.write(drive_pb2.DriveRequest(attach=attach))
        else:
            decision = legal.decision_id if way == "repeated" else 99
            await driver.act(*[(handle, decision, legal.actions[0].action)] * 500)
        failure = await refusal(driver.to_the_end())
        assert failure.reason == "TOO_MANY"
        assert failure.details["ErrorInfo"].metadata["limit"] == "calls_per_second"
        assert len(driver.problems) < 200


async def test_what_is_played_counts_as_no_calls() -> None:
    async with world(calls_per_second=0.001, calls_burst=30) as w:
        table = await w.table(format=game_pb2.MatchFormat(games=1))
        driver = await driving(w, table, with_legal=True)
        await w.start(table)
        answered: set[int] = set()
        while len(answered) < 40:
            await driver.read()
            for handle, legal in driver.legal.items():
                if legal.decision_id not in answered:
                    answered.add(legal.decision_id)
                    plays = [each.action for each in legal.actions if each.action.WhichOneof("action") != "pass"]
                    await driver.act((handle, legal.decision_id, (plays or [legal.actions[0].action])[0]))
        assert not driver.problems
