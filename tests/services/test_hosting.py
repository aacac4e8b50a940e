"""What a host does: kicks, moves, hands over, ends matches, changes tables; and people leave and come back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from services.game.journal import Journal, MemoryJournal
from services.game.lengths import OPEN_ENDED
from services.game.sqlite import SqliteJournal
from tests.services.folder import Folder, plain
from tests.services.harness import FakeClock, Stream, World, refusal, world
from tests.services.test_actions import play
from tests.services.test_clocks import rest
from tests.services.test_private_tables import private
from tests.services.test_successors import leave
from tests.services.test_table_life import SHORT
from tests.services.test_tables import create, get, joining

OPEN_FORMAT: Final = game_pb2.MatchFormat(until_host_ends=True)


async def host(
    w: World, method: str, table: str, token: str = "p0", request_id: str = "", **more: Any
) -> game_pb2.Table:
    """Let the host do something."""
    request = getattr(game_pb2, f"{method}Request")(table_id=table, request_id=request_id or w.request_id(), **more)
    done: game_pb2.Table = (await w.caller(token).call(method, request)).table
    return done


async def between(w: World, **more: Any) -> str:
    """A table between two games."""
    more.setdefault("format", game_pb2.MatchFormat(games=3))
    table = await w.table(ruleset=SHORT, **more)
    await w.start(table)
    await through(w, table)
    return table


async def through(w: World, table: str) -> None:
    """Play the game that is being played to its end, whoever sits where by now."""
    rng, history = random.Random(1), w.app.tables.find(table).history
    while (await rest(w, table)).playing:
        life = history.shown
        assert life is not None
        seat, decision = next((seat, decision) for seat, decision in enumerate(life.state.decisions) if decision)
        occupant = life.seats[seat].occupant
        if occupant is None:
            w.clock.advance(1)
            continue
        who = w.caller(occupant.name.lower())
        actions = [each.action for each in (await who.legal(table, decision, page_size=200)).actions]
        plays = [action for action in actions if not action.HasField("pass")]
        await who.act(table, decision, rng.choice(plays or actions))


async def deal(w: World, table: str) -> view_pb2.View:
    """Let the pause before the next game go by."""
    w.clock.advance(10)
    return await rest(w, table)


class Following:
    """Somebody who folds what a table tells."""

    def __init__(self, w: World, table: str, token: str = "spectator") -> None:
        self.w, self.table, self.who = w, table, w.caller(token)
        self.stream: Stream = self.who.watch(table)
        self.folder = Folder()

    async def check(self) -> view_pb2.View:
        """Read on to what is shown now, and compare."""
        now = await self.who.view(self.table)
        if self.folder.cursor.version < now.cursor.version or not self.folder.batches:
            for message in await self.stream.until(now.cursor.version):
                self.folder.take(message)
        assert plain(self.folder.view) == plain(now.view)
        return now.view


# --- kicking ---------------------------------------------------------------------------------------------------------


async def test_whoever_is_kicked_loses_seat_stream_and_code() -> None:
    async with world() as w:
        table, code = await private(w, seats=3)
        stream = w.caller("p1").watch(table)
        await stream.read()
        kicked = await host(w, "KickSeat", table, seat=1)
        assert not kicked.seats[1].occupied
        assert kicked.invite_code != code
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
        assert (await refusal(w.caller("p1").view(table))).reason == "TABLE_NOT_FOUND"
        old = joining("", "again", invite_code=code)
        assert (await refusal(w.caller("p1").call("JoinTable", old))).reason == "TABLE_NOT_FOUND"
        new = joining("", "invited", invite_code=kicked.invite_code)
        assert (await w.caller("p1").call("JoinTable", new)).seat == 1, "whoever is invited again may come"


async def test_kicked_for_good_is_for_good() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        await host(w, "KickSeat", table, seat=1, for_good=True)
        failure = await refusal(w.join(table, "p1"))
        assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "REMOVED")
        await w.join(table, "p2")


async def test_a_kick_that_is_sent_again_hits_nobody_else() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        first = await host(w, "KickSeat", table, request_id="k", seat=1)
        await w.join(table, "p2", 1)
        again = await host(w, "KickSeat", table, request_id="k", seat=1)
        assert again.seats[1].occupied
        assert again.invite_code == first.invite_code
        assert (await refusal(host(w, "KickSeat", table, seat=2))).reason == "SEAT_FREE"
        assert (await refusal(host(w, "KickSeat", table, seat=9))).reason == "NO_SUCH_SEAT"


async def test_a_host_who_kicks_themselves_hands_over() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        done = await host(w, "KickSeat", table, seat=0)
        assert [seat.host for seat in done.seats] == [False, True, False, False]


async def test_between_games_a_seat_can_be_given_to_somebody_else_who_plays_the_next_game() -> None:
    async with world() as w:
        table = await between(w)
        following = Following(w, table)
        await host(w, "KickSeat", table, seat=2)
        assert await w.join(table, "new") == 2
        before = (await w.caller("new").view(table)).view
        assert not before.hand, "what is left of the last game is not theirs"
        await deal(w, table)
        now = (await w.caller("new").view(table)).view
        assert len(now.hand) == 2
        assert now.game == 2
        await following.check()


# --- seats -----------------------------------------------------------------------------------------------------------


async def test_seats_are_set_for_those_whom_they_fit() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        setting = game_pb2.SetSeatRequest(table_id=table, seat=1, kind=view_pb2.SEAT_KIND_PERSON)
        assert (await w.caller("p0").call("SetSeat", setting)).table.seats[1].occupied
        setting.kind = view_pb2.SEAT_KIND_BOT
        assert (await refusal(w.caller("p0").call("SetSeat", setting))).reason == "SEAT_TAKEN"


async def test_the_host_lets_two_change_places_and_others_take_free_seats() -> None:
    async with world() as w:
        table = await w.table(seats=3)
        following = Following(w, table)
        swapped = await host(w, "MoveSeat", table, request_id="m", seat=1, to_seat=2)
        assert [seat.display_name for seat in swapped.seats] == ["P0", "P2", "P1", ""]
        again = await host(w, "MoveSeat", table, request_id="m", seat=1, to_seat=2)
        assert again.seats == swapped.seats
        moved = await host(w, "MoveSeat", table, "p2", seat=1, to_seat=3)
        assert [seat.display_name for seat in moved.seats] == ["P0", "", "P1", "P2"]
        assert moved.your_seat == 3
        await following.check()
        assert (await refusal(host(w, "MoveSeat", table, "p2", seat=3, to_seat=2))).reason == "SEAT_TAKEN"
        assert (await refusal(host(w, "MoveSeat", table, "p2", seat=2, to_seat=1))).reason == "NOT_HOST"
        assert (await refusal(host(w, "MoveSeat", table, seat=1, to_seat=2))).reason == "SEAT_FREE"
        assert (await refusal(host(w, "MoveSeat", table, seat=0, to_seat=4))).reason == "NO_SUCH_SEAT"
        setting = game_pb2.SetSeatRequest(table_id=table, seat=1, kind=view_pb2.SEAT_KIND_BOT)
        await w.caller("p0").call("SetSeat", setting)
        assert (await refusal(host(w, "MoveSeat", table, seat=0, to_seat=1))).reason == "SEAT_RESERVED"


async def test_whoever_moves_after_a_match_does_not_see_the_cards_of_the_seat() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await through(w, table)
        hands = w.app.tables.find(table).shown.state.hands
        holder = next(seat for seat in range(4) if hands[seat])
        other = (holder + 1) % 4
        stream = w.caller(f"p{other}").watch(table)
        await stream.read()
        await host(w, "MoveSeat", table, seat=holder, to_seat=other)
        assert (await stream.notice("going_away")).going_away.reason == game_pb2.GOING_AWAY_REASON_SEAT_LOST
        seen = (await w.caller(f"p{other}").view(table)).view
        assert seen.seat == holder
        assert seen.seats[holder].hand_count
        assert not seen.hand
        await w.start(table)
        await through(w, table)


# --- leaving and coming back -----------------------------------------------------------------------------------------


async def test_whoever_left_in_a_game_comes_back_to_seat_and_cards_at_any_time() -> None:
    async with world(stand_in_seconds=1000) as w:
        table = await w.table()
        await w.start(table)
        who, view = await w.asked(table)
        seat = view.seat
        other = w.caller(f"p{(seat + 1) % 4}")
        hand = (await other.view(table)).view.hand
        await leave(w, table, other.token)
        assert not (await other.view(table)).view.HasField("seat")
        assert (await refusal(w.join(table, "new"))).reason == "GAME_RUNNING"
        await who.act(table, view.decision.id, play(view.hand[0]))
        assert await w.join(table, other.token) == (seat + 1) % 4
        back = (await other.view(table)).view
        assert back.hand == hand
        legal = (await other.legal(table, back.decision.id)).actions
        await other.act(table, back.decision.id, legal[0].action)


async def test_whoever_comes_back_may_have_only_their_own_seat_and_not_one_that_is_taken() -> None:
    async with world() as w:
        table = await between(w)
        await leave(w, table, "p2")
        await leave(w, table, "p3")
        await w.join(table, "new", 2)
        await deal(w, table)
        assert (await refusal(w.join(table, "p2"))).reason == "GAME_RUNNING"
        assert (await refusal(w.join(table, "p3", 2))).reason == "GAME_RUNNING"
        assert await w.join(table, "p3") == 3
        await through(w, table)
        seen = (await w.caller("new").view(table)).view
        assert len(seen.hand) == seen.seats[2].hand_count


async def test_where_the_rules_let_nobody_come_back_whoever_has_left_is_out() -> None:
    async with world() as w:
        rules = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="reconnect", flag=False)])
        table = await w.table(ruleset=rules)
        await w.start(table)
        await leave(w, table, "p3")
        assert (await refusal(w.join(table, "p3"))).reason == "GAME_RUNNING"


async def test_nobody_new_comes_to_a_match_that_began_by_itself() -> None:
    async with world() as w:
        kept = game_pb2.AutoStart(reserved_seconds=30)
        table = (
            await w.caller("p0").call(
                "CreateTable", create(ruleset=SHORT, format=game_pb2.MatchFormat(games=3), auto_start=kept)
            )
        ).table.id
        for number in range(4):
            await w.join(table, f"p{number}")
        w.clock.advance(0)
        await rest(w, table)
        await through(w, table)
        assert not (await rest(w, table)).playing
        await leave(w, table, "p3")
        assert (await refusal(w.join(table, "new"))).reason == "MATCH_RUNNING"
        listing = game_pb2.ListTablesRequest(joinable=True)
        assert not (await w.caller("new").call("ListTables", listing)).tables
        assert await w.join(table, "p3") == 3


# --- hosts -----------------------------------------------------------------------------------------------------------


async def test_a_host_makes_somebody_else_host_also_in_a_game() -> None:
    async with world() as w:
        table = await w.table(seats=3)
        await w.join(table, "p3")
        following = Following(w, table)
        await w.start(table)
        done = await host(w, "TransferHost", table, request_id="t", seat=2)
        assert [seat.host for seat in done.seats] == [False, False, True, False]
        again = await host(w, "TransferHost", table, request_id="t", seat=2)
        assert again.cursor == done.cursor
        assert (await refusal(host(w, "TransferHost", table, seat=1))).reason == "NOT_HOST"
        assert (await get(w, table, "p2")).you_are_host
        await following.check()
        await leave(w, table, "p1")
        assert (await refusal(host(w, "TransferHost", table, "p2", seat=1))).reason == "SEAT_FREE"


# --- how long a match is ---------------------------------------------------------------------------------------------


async def test_a_match_goes_on_until_its_host_ends_it_with_the_game_that_is_played() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=OPEN_FORMAT)
        following = Following(w, table)
        await w.start(table)
        assert (await following.check()).games == 0
        for _ in range(6):
            await through(w, table)
            await deal(w, table)
        assert (await following.check()).game == 7
        ended = await host(w, "EndMatch", table, request_id="e")
        assert ended.state == view_pb2.TABLE_STATE_RUNNING
        assert (await following.check()).games == 7
        await host(w, "EndMatch", table, request_id="e")
        await through(w, table)
        view = await following.check()
        assert (view.state, view.games, view.game) == (view_pb2.TABLE_STATE_ENDED, 7, 7)
        assert (await refusal(host(w, "EndMatch", table))).reason == "MATCH_NOT_RUNNING"
        await w.start(table)
        assert (await following.check()).games == 0, "the next one has no end again"


async def test_between_two_games_a_match_ends_at_once_and_everybody_is_told_the_result() -> None:
    async with world() as w:
        table = await between(w, format=game_pb2.MatchFormat(games=9))
        stream = w.caller("spectator").watch(table)
        folder = Folder()
        folder.take(await stream.read())
        ended = await host(w, "EndMatch", table)
        assert ended.state == view_pb2.TABLE_STATE_ENDED
        (message,) = await stream.until(ended.cursor.version)
        folder.take(message)
        kinds = [event.WhichOneof("event") for event in message.batches.batches[0].events]
        assert kinds == ["games_changed", "match_ended", "table_changed"]
        results = message.batches.batches[0].events[1].match_ended.results
        assert sorted(result.rank for result in results)[0] == 1
        assert plain(folder.view) == plain((await w.caller("spectator").view(table)).view)
        assert not (await deal(w, table)).playing, "no game follows"
        assert (await get(w, table)).state == view_pb2.TABLE_STATE_ENDED


async def test_the_ruleset_can_leave_the_end_to_the_host() -> None:
    async with world() as w:
        rules = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="host_ends_party", flag=True)])
        table = await w.table(ruleset=rules, format=game_pb2.MatchFormat())
        assert (await get(w, table)).format == OPEN_FORMAT
        await w.start(table)
        assert w.app.tables.find(table).shown.state.games == OPEN_ENDED
        fixed = await w.table(ruleset=rules, format=game_pb2.MatchFormat(games=2))
        assert (await get(w, fixed)).format == game_pb2.MatchFormat(games=2), "whoever asks for a length has it"


async def test_a_length_and_no_end_do_not_go_together() -> None:
    async with world() as w:
        request = create(format=game_pb2.MatchFormat(until_host_ends=True, sets=2))
        failure = await refusal(w.caller("p0").call("CreateTable", request))
        assert failure.details["BadRequest"].field_violations[0].field == "format.sets"


# --- changing the table ----------------------------------------------------------------------------------------------


async def test_a_table_is_changed_field_by_field_and_the_rest_stays() -> None:
    async with world() as w:
        table = await w.table(seats=2, name="ours", clock=game_pb2.Clock(turn_seconds=30, choice_seconds=9))
        before = await get(w, table)
        after = await host(w, "UpdateTable", table, visibility=game_pb2.TABLE_VISIBILITY_PRIVATE)
        assert after.visibility == game_pb2.TABLE_VISIBILITY_PRIVATE
        assert (await refusal(w.caller("stranger").view(table))).reason == "TABLE_NOT_FOUND"
        assert (after.name, after.clock, after.format, after.ruleset) == (
            "ours",
            before.clock,
            before.format,
            before.ruleset,
        )
        after = await host(
            w, "UpdateTable", table, name="theirs", format=OPEN_FORMAT, clock=game_pb2.Clock(turn_seconds=5)
        )
        assert (after.name, after.format) == ("theirs", OPEN_FORMAT)
        assert after.clock == game_pb2.Clock(turn_seconds=5, choice_seconds=60, idle_seconds=180)
        assert after.visibility == game_pb2.TABLE_VISIBILITY_PRIVATE
        assert [seat.occupied for seat in after.seats] == [True, True, False, False]
        for wrong, field in (
            ({"name": "x" * 81}, "name"),
            ({"format": game_pb2.MatchFormat(games=0)}, "format.games"),
            ({"clock": game_pb2.Clock(idle_seconds=0)}, "clock.idle_seconds"),
            ({"ruleset": rules_pb2.Ruleset(preset="?")}, "ruleset.preset"),
            ({"visibility": 9}, "visibility"),
        ):
            failure = await refusal(host(w, "UpdateTable", table, **wrong))
            assert failure.details["BadRequest"].field_violations[0].field == field


async def test_the_next_match_is_played_by_other_rules_at_more_seats_and_then_fewer() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=1))
        streams = [Following(w, table), Following(w, table, "p1")]
        await w.start(table)
        await through(w, table)
        for each in streams:
            await each.check()
        first = await get(w, table)
        five = await host(w, "UpdateTable", table, ruleset=rules_pb2.Ruleset(preset="jdf5"))
        assert (five.state, len(five.seats)) == (view_pb2.TABLE_STATE_OPEN, 5)
        assert five.ruleset.hash != first.ruleset.hash
        for each in streams:
            view = await each.check()
            assert (len(view.seats), view.ruleset_hash, view.game) == (5, five.ruleset.hash, 0)
        assert await w.join(table, "p4") == 4
        await w.start(table)
        await w.play(table)
        for each in streams:
            assert (await each.check()).state == view_pb2.TABLE_STATE_ENDED
        three = rules_pb2.Ruleset(preset="jdf3")
        failure = await refusal(host(w, "UpdateTable", table, ruleset=three))
        assert (failure.reason, failure.details["ErrorInfo"].metadata["seats"]) == ("SEAT_TAKEN", "3,4")
        for token in ("p3", "p4"):
            await leave(w, table, token)
        await host(w, "UpdateTable", table, ruleset=three)
        await w.start(table)
        await w.play(table)
        for each in streams:
            assert len((await each.check()).seats) == 3


async def test_decisions_of_a_match_under_other_rules_have_numbers_of_their_own() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        await through(w, table)
        last = w.app.tables.find(table).shown.state.last_decision
        await host(w, "UpdateTable", table, ruleset=rules_pb2.Ruleset(preset="jdf4"))
        await w.start(table)
        assert (await w.asked(table))[1].asked[0].decision_id > last


async def test_a_version_that_was_told_under_the_old_rules_is_read_under_them() -> None:
    async with world() as w:
        table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=1))
        await w.start(table)
        rng, cursor = random.Random(1), (await w.caller("p0").view(table)).cursor
        while await w.step(table, rng):
            if w.app.tables.find(table).shown.phase == 2:
                cursor = (await w.caller("p0").view(table)).cursor
        for token in ("p2", "p3"):
            await leave(w, table, token)
        two = rules_pb2.Ruleset(preset="qdan", seats=2)
        updated = await host(w, "UpdateTable", table, ruleset=two)
        stream = w.caller("spectator").watch(table, cursor)
        messages = await stream.until(updated.cursor.version)
        events = [e for m in messages for b in m.batches.batches for e in b.events if e.HasField("game_ended")]
        assert [result.title for result in events[0].game_ended.results] == [1, 2, 4, 5]


# --- restarts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", ["memory", "sqlite"])
async def test_everything_that_a_host_did_holds_after_a_restart(kept: str, tmp_path: Path) -> None:
    clock, memory = FakeClock(), MemoryJournal()

    def opened() -> Journal:
        return SqliteJournal(str(tmp_path / "store")) if kept == "sqlite" else memory

    async with world(clock, opened()) as w:
        table = await w.table(ruleset=SHORT, format=OPEN_FORMAT)
        await host(w, "MoveSeat", table, request_id="m", seat=1, to_seat=2)
        await host(w, "KickSeat", table, request_id="k", seat=3, for_good=True)
        await host(w, "UpdateTable", table, request_id="u", ruleset=rules_pb2.Ruleset(preset="jdf3"))
        await host(w, "TransferHost", table, request_id="t", seat=2)
        before = await get(w, table)
    async with world(clock, opened()) as w:
        after = await get(w, table)
        assert after.cursor.version == before.cursor.version
        after.cursor.CopyFrom(before.cursor)
        assert after == before
        again: list[tuple[str, dict[str, Any]]] = [
            ("MoveSeat", {"request_id": "m", "seat": 1, "to_seat": 2}),
            ("KickSeat", {"request_id": "k", "seat": 3, "for_good": True}),
            ("TransferHost", {"request_id": "t", "seat": 2}),
        ]
        for method, more in again:
            assert (await host(w, method, table, **more)).cursor.version == before.cursor.version
        assert (await refusal(w.join(table, "p3"))).reason == "REMOVED"
        start = game_pb2.StartMatchRequest(request_id="s", table_id=table)
        await w.caller("p1").call("StartMatch", start)
        assert (await rest(w, table)).games == 0
        await leave(w, table, "p0")
    async with world(clock, opened()) as w:
        assert await w.join(table, "p0") == 0
        mine = (await w.caller("p0").view(table)).view
        assert len(mine.hand) == mine.seats[0].hand_count
        await host(w, "EndMatch", table, "p1", request_id="e")
        await through(w, table)
        assert (await rest(w, table)).state == view_pb2.TABLE_STATE_ENDED
