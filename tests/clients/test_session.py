"""A session that loses its connection goes on where it was, and stops where going on would do harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import grpc
import pytest
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2, status_pb2

from clients.common.errors import Refused
from clients.common.session import Session
from clients.common.watch import Update, WatchEnded
from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from tests.services.harness import world
from tests.services.test_auto_start import kept_table

CUT = ConnectionError()
NEWER = view_pb2.Event.FromString(b"\xa2\x06\x00")
"""An event of a kind that is not in these protos."""


def snapshot(view: view_pb2.View, version: int, epoch: int = 1) -> game_pb2.WatchResponse:
    cursor = game_pb2.Cursor(epoch=epoch, version=version)
    reason = game_pb2.SNAPSHOT_REASON_NO_CURSOR
    return game_pb2.WatchResponse(snapshot=game_pb2.Snapshot(reason=reason, cursor=cursor, view=view))


def resumed(version: int) -> game_pb2.WatchResponse:
    return game_pb2.WatchResponse(resumed=game_pb2.Resumed(cursor=game_pb2.Cursor(epoch=1, version=version)))


def turn(version: int, seat: int) -> game_pb2.WatchResponse:
    event = view_pb2.Event(turn_changed=view_pb2.TurnChanged(seat=seat))
    cursor = game_pb2.Cursor(epoch=1, version=version)
    batch = game_pb2.Batch(cursor=cursor, events=[event])
    return game_pb2.WatchResponse(batches=game_pb2.Batches(batches=[batch]))


def going_away(reason: Any, **more: Any) -> game_pb2.WatchResponse:
    return game_pb2.WatchResponse(notice=game_pb2.Notice(going_away=game_pb2.GoingAway(reason=reason, **more)))


async def turns(session: Session, until: int) -> list[int]:
    """Follow the table and list whose turn each batch made it, until it is that seat's turn."""
    seen: list[int] = []
    async for update in session.watch("t"):
        if update.events:
            seen.append(update.view.turn)
            if update.view.turn == until:
                break
    return seen


async def test_calls_carry_the_token_and_the_language(service: Any) -> None:
    async with Session(service.address, "secret", "ja") as session:
        await session.act("t", 7, view_pb2.Action())
    assert service.metadata[0]["authorization"] == "Bearer secret"
    assert service.metadata[0]["accept-language"] == "ja"


async def test_a_cut_stream_goes_on_from_the_version_reached(service: Any, view: view_pb2.View) -> None:
    service.streams = [[snapshot(view, 4), turn(5, 1), CUT], [resumed(5), turn(6, 2)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [1, 2]
    assert not service.watched[0].HasField("after")
    assert service.watched[1].after == game_pb2.Cursor(epoch=1, version=5)


async def test_a_version_that_comes_twice_counts_once(service: Any, view: view_pb2.View) -> None:
    service.streams = [[snapshot(view, 4), turn(5, 1), turn(5, 3), turn(6, 2)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [1, 2]


async def test_a_snapshot_of_another_history_replaces_everything(service: Any, view: view_pb2.View) -> None:
    other = view_pb2.View()
    other.CopyFrom(view)
    other.turn = 3
    service.streams = [[snapshot(view, 4), turn(5, 1), CUT], [snapshot(other, 2, epoch=9)]]
    views: list[Update] = []
    async with Session(service.address, "me") as session:
        async for update in session.watch("t"):
            views.append(update)
            if update.view.turn == 3:
                break
    assert views[-1].before is None
    assert views[-1].snapshot == game_pb2.SNAPSHOT_REASON_NO_CURSOR


@pytest.mark.parametrize(("version", "missed"), [(5, False), (8, True)])
async def test_a_snapshot_of_what_was_told_already_leaves_nothing_out(
    service: Any, view: view_pb2.View, version: int, missed: bool
) -> None:
    again = snapshot(view, version, epoch=2)
    again.snapshot.reason = game_pb2.SNAPSHOT_REASON_COMPACTED
    service.streams = [[snapshot(view, 4), turn(5, 1), CUT], [again]]
    async with Session(service.address, "me") as session, aclosing(session.watch("t")) as updates:
        told = [update async for update in until_again(updates)]
    assert [update.missed for update in told if update.snapshot is not None] == [False, missed]


async def until_again(updates: AsyncIterator[Update]) -> AsyncIterator[Update]:
    """Iterate over updates up to the second snapshot."""
    snapshots = 0
    async for update in updates:
        yield update
        snapshots += update.snapshot is not None
        if snapshots == 2:
            return


async def test_several_versions_in_one_message_are_told_one_by_one(service: Any, view: view_pb2.View) -> None:
    both = [*turn(5, 1).batches.batches, *turn(6, 2).batches.batches]
    together = game_pb2.WatchResponse(batches=game_pb2.Batches(batches=both))
    service.streams = [[snapshot(view, 4), together, CUT], [resumed(6), turn(7, 3)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=3) == [1, 2, 3]
    assert service.watched[1].after.version == 6


async def test_after_a_gap_a_snapshot_is_asked_for(service: Any, view: view_pb2.View) -> None:
    service.streams = [[snapshot(view, 4), turn(5, 1), turn(7, 3)], [snapshot(view, 7), turn(8, 2)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [1, 2]
    assert not service.watched[1].HasField("after")


async def test_instead_of_an_event_that_is_not_known_a_snapshot_is_asked_for(service: Any, view: view_pb2.View) -> None:
    newer = turn(5, 1)
    newer.batches.batches[0].events.append(NEWER)
    service.streams = [[snapshot(view, 4), newer, turn(6, 3)], [snapshot(view, 5), turn(6, 2)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [2]
    assert not service.watched[1].HasField("after")


async def test_a_notice_that_is_not_known_is_left_aside(service: Any, view: view_pb2.View) -> None:
    notice = game_pb2.WatchResponse(notice=game_pb2.Notice.FromString(b"\xa2\x06\x00"))
    message = game_pb2.WatchResponse.FromString(b"\xa2\x06\x00")
    service.streams = [[snapshot(view, 4), notice, message, turn(5, 2)]]
    async with Session(service.address, "me") as session:
        updates = [update async for update in first(session, 2)]
    assert updates[1].view.turn == 2
    assert updates[1].events


async def test_a_stream_that_ends_for_a_reason_that_is_not_known_goes_on_after_a_while(
    service: Any, view: view_pb2.View
) -> None:
    soon = duration_pb2.Duration(nanos=1_000_000)
    service.streams = [[snapshot(view, 4), going_away(99, reconnect_after=soon)], [resumed(4), turn(5, 2)]]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [2]


async def test_a_deadline_that_changes_is_told(service: Any, view: view_pb2.View) -> None:
    view.asked.add(seat=0, decision_id=9).deadline.seconds = 100
    view.decision.id = 9
    later = game_pb2.DeadlineChanged(seat=0, decision_id=9)
    later.deadline.seconds, later.remaining.seconds = 200, 50
    notice = game_pb2.WatchResponse(notice=game_pb2.Notice(deadline_changed=later))
    service.streams = [[snapshot(view, 4), notice]]
    async with Session(service.address, "me") as session:
        changed = [update.view async for update in first(session, 2)][1]
    assert (changed.asked[0].deadline.seconds, changed.decision.deadline.seconds) == (200, 200)
    assert changed.decision.remaining.seconds == 50


async def first(session: Session, number: int) -> AsyncIterator[Update]:
    """Follow the table for so many updates."""
    async with aclosing(session.watch("t")) as updates:
        async for update in updates:
            yield update
            number -= 1
            if not number:
                return


async def test_a_superseded_watch_never_comes_back(service: Any, view: view_pb2.View) -> None:
    service.streams = [[snapshot(view, 4), going_away(game_pb2.GOING_AWAY_REASON_SUPERSEDED)]]
    async with Session(service.address, "me") as session:
        with pytest.raises(WatchEnded) as ended:
            await turns(session, until=2)
    assert ended.value.reason == game_pb2.GOING_AWAY_REASON_SUPERSEDED
    assert len(service.watched) == 1


async def test_a_server_that_goes_away_is_followed_to_its_new_address(service: Any, view: view_pb2.View) -> None:
    soon = duration_pb2.Duration(nanos=1_000_000)
    moved = going_away(game_pb2.GOING_AWAY_REASON_MOVED, reconnect_after=soon, address=service.address)
    service.streams = [[snapshot(view, 4), moved], [resumed(4), turn(5, 2)]]
    async with Session(service.address.replace("127.0.0.1", "localhost"), "me") as session:
        assert await turns(session, until=2) == [2]
        assert session.address == service.address


async def test_a_lost_seat_is_watched_as_a_spectator_from_a_snapshot(service: Any, view: view_pb2.View) -> None:
    service.streams = [
        [snapshot(view, 4), going_away(game_pb2.GOING_AWAY_REASON_SEAT_LOST)],
        [snapshot(view, 4), turn(5, 2)],
    ]
    async with Session(service.address, "me") as session:
        assert await turns(session, until=2) == [2]
    assert not service.watched[1].HasField("after")


async def test_a_stream_that_ends_because_it_is_old_is_gone_on_with_and_nothing_seems_lost(
    service: Any, view: view_pb2.View
) -> None:
    service.streams = [[snapshot(view, 4), going_away(game_pb2.GOING_AWAY_REASON_MAX_AGE)], [resumed(4), turn(5, 2)]]
    async with Session(service.address, "me") as session:
        updates = [update async for update in first(session, 3)]
    assert not [update for update in updates if update.lost]
    assert updates[-1].view.turn == 2
    assert service.watched[1].after.version == 4


async def test_unavailable_calls_are_repeated(service: Any) -> None:
    service.act_answers = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE, game_pb2.ActResponse(version=9)]
    async with Session(service.address, "me") as session:
        assert (await session.act("t", 7, view_pb2.Action())).version == 9
    assert len(service.acted) == 3


async def test_other_failures_are_not_repeated(service: Any) -> None:
    service.act_answers = [grpc.StatusCode.INTERNAL]
    async with Session(service.address, "me") as session:
        with pytest.raises(Refused) as no:
            await session.act("t", 7, view_pb2.Action())
    assert (no.value.reason, len(service.acted)) == ("INTERNAL", 1)


async def test_a_refusal_tells_reason_text_and_everything_against_the_play(
    service: Any, refusal: Callable[..., status_pb2.Status]
) -> None:
    against = game_pb2.Refusal(violations=[game_pb2.Violation(reason=rules_pb2.REASON_NOT_STRONGER, text="Too weak.")])
    wait = error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(seconds=2))
    status = refusal("NOT_STRONGER", "Too weak.", grpc.StatusCode.FAILED_PRECONDITION, against, wait)
    service.act_answers = [status]
    async with Session(service.address, "me") as session:
        with pytest.raises(Refused) as no:
            await session.act("t", 7, view_pb2.Action())
    assert (no.value.reason, no.value.text, no.value.retry_seconds) == ("NOT_STRONGER", "Too weak.", 2.0)
    assert no.value.refusal == against


async def test_whoever_sits_down_last_misses_nothing_of_a_match_that_begins_at_once() -> None:
    async with world() as w, Session(w.address, "p0") as session:
        table = await kept_table(w, "p0", "b1", "b2", "b3")
        for number in (1, 2, 3):
            await w.join(table, f"b{number}", number, bot=True)
        await session.join(game_pb2.JoinTableRequest(request_id="r", table_id=table, display_name="Mio"))
        w.clock.advance(0)
        async with asyncio.timeout(20):
            while (await w.caller("p0").view(table)).view.state != view_pb2.TABLE_STATE_RUNNING:
                pass
        told: list[str] = []
        async with aclosing(session.watch(table)) as updates:
            async for update in updates:
                assert update.snapshot is None
                told += [str(event.WhichOneof("event")) for event in update.events]
                if "decision_opened" in told:
                    break
        assert told[:3] == ["table_changed", "game_started", "dealt"]
        now = (await w.caller("p0").view(table)).view
        assert update.view.seat == 0
        assert update.view.hand == now.hand
        assert len(update.view.hand) == 13
