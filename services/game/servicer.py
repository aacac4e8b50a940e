"""GameService: each call finds its table, lets it do something, and waits until that may be spoken of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from daifugo.v1 import game_pb2, game_pb2_grpc
from services.common.auth import caller
from services.common.context import Context
from services.common.pages import position_in, size_of, token_for
from services.common.times import seconds_from, time_to
from services.game import hosting
from services.game.analysis import position_from
from services.game.answers import Kept
from services.game.codec import actions, hints, legal, streams, views
from services.game.codec.tables import (
    answer_from,
    auto_start_from,
    occupant_from,
    policy_from,
    seat_kind_from,
    settings_from,
    table_to,
    updated_from,
)
from services.game.eyes import eyes_or_refuse
from services.game.records import Answer, Created
from services.game.table import Table
from services.game.tables import Tables
from services.game.watching import poll, watch

Repeatable = (
    game_pb2.KickSeatRequest
    | game_pb2.MoveSeatRequest
    | game_pb2.TransferHostRequest
    | game_pb2.UpdateTableRequest
    | game_pb2.RenewInviteCodeRequest
    | game_pb2.StartMatchRequest
    | game_pb2.EndMatchRequest
)
"""Requests to a table whose request_id makes repeating them harmless."""


class GameServicer(game_pb2_grpc.GameServiceServicer):
    """Tables and what is done at them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.hints = hints.Hints()

    def _table(self, table_id: str, code: str = "") -> Table:
        """Return a table that the caller may know of."""
        return self.tables.seen_by(caller().identity, table_id, code)

    def _table_or_kept(self, answer: Answer, table_id: str, code: str = "") -> tuple[Table, Kept | None]:
        """Return a table that the caller may know of, and the first result if the same request was sent before."""
        kept = self.tables.repeated(answer)
        return (self._table(kept.table_id) if kept is not None else self._table(table_id, code)), kept

    async def _once(self, request: Repeatable, method: str, do: Callable[[Table, Answer], int]) -> game_pb2.Table:
        """Do something to a table, unless the same request has done it before; return the table."""
        who = caller()
        answer = answer_from(request, request.request_id, method, who)
        table, kept = self._table_or_kept(answer, request.table_id)
        if kept is not None:
            version = kept.version
        else:
            version = await table.history.decided(lambda: do(table, answer))
        await table.history.settled(version)
        return table_to(table, who)

    # --- tables and seats ------------------------------------------------------------------------------------------

    async def CreateTable(  # noqa: N802
        self, request: game_pb2.CreateTableRequest, context: Context
    ) -> game_pb2.CreateTableResponse:
        """Create a table."""
        who = caller()
        answer = answer_from(request, request.request_id, "CreateTable", who)
        settings = settings_from(request, await position_from(self.tables, who.identity, request))
        created = Created(settings, who.identity, auto_start_from(request, settings.seats))
        table = await self.tables.create(created, answer)
        return game_pb2.CreateTableResponse(table=table_to(table, who))

    async def GetTable(  # noqa: N802
        self, request: game_pb2.GetTableRequest, context: Context
    ) -> game_pb2.GetTableResponse:
        """Show a table."""
        table = self._table(request.table_id, request.invite_code)
        return game_pb2.GetTableResponse(table=table_to(table, caller()))

    async def ListTables(  # noqa: N802
        self, request: game_pb2.ListTablesRequest, context: Context
    ) -> game_pb2.ListTablesResponse:
        """List tables."""
        who, size = caller(), size_of(request.page_size)
        listing: list[str | int] = ["tables", int(request.mine), int(request.joinable)]
        before = position_in(listing, request.page_token)
        found = self.tables.newest_first(before, who.identity, request.mine, request.joinable)
        page = list(islice(found, size + 1))
        token = token_for(listing, page[size - 1].number) if len(page) > size else ""
        return game_pb2.ListTablesResponse(tables=[table_to(t, who) for t in page[:size]], next_page_token=token)

    async def JoinTable(  # noqa: N802
        self, request: game_pb2.JoinTableRequest, context: Context
    ) -> game_pb2.JoinTableResponse:
        """Give the caller a seat."""
        who = caller()
        answer = answer_from(request, request.request_id, "JoinTable", who)
        table, kept = self._table_or_kept(answer, request.table_id, request.invite_code)
        if kept is not None:
            version, seat = kept.version, kept.answer.seat
        else:
            wanted = request.seat if request.HasField("seat") else None
            occupant = occupant_from(request, who)
            version, seat = await table.history.decided(lambda: table.join(occupant, wanted, answer))
        await table.history.settled(version)
        return game_pb2.JoinTableResponse(table=table_to(table, who), seat=seat)

    async def LeaveTable(  # noqa: N802
        self, request: game_pb2.LeaveTableRequest, context: Context
    ) -> game_pb2.LeaveTableResponse:
        """Take the caller's seat back."""
        who, table = caller(), self._table(request.table_id)
        await table.history.settled(await table.history.decided(lambda: table.leave(who.identity)))
        return game_pb2.LeaveTableResponse(table=table_to(table, who))

    async def SetSeat(  # noqa: N802
        self, request: game_pb2.SetSeatRequest, context: Context
    ) -> game_pb2.SetSeatResponse:
        """Say who a seat is for."""
        who, table, kind = caller(), self._table(request.table_id), seat_kind_from(request.kind)
        policy = policy_from(request.bot_policy, table.desk.config.bot_policies)
        version = await table.history.decided(lambda: hosting.set_seat(table, who.identity, request.seat, kind, policy))
        await table.history.settled(version)
        return game_pb2.SetSeatResponse(table=table_to(table, who))

    async def KickSeat(  # noqa: N802
        self, request: game_pb2.KickSeatRequest, context: Context
    ) -> game_pb2.KickSeatResponse:
        """Take somebody's seat away."""

        def kick(table: Table, answer: Answer) -> int:
            return hosting.kick(table, answer.identity, request.seat, request.for_good, self.tables.new_code(), answer)

        table = await self._once(request, "KickSeat", kick)
        return game_pb2.KickSeatResponse(table=table)

    async def MoveSeat(  # noqa: N802
        self, request: game_pb2.MoveSeatRequest, context: Context
    ) -> game_pb2.MoveSeatResponse:
        """Let somebody change places."""
        table = await self._once(
            request,
            "MoveSeat",
            lambda t, answer: hosting.move(t, answer.identity, request.seat, request.to_seat, answer),
        )
        return game_pb2.MoveSeatResponse(table=table)

    async def TransferHost(  # noqa: N802
        self, request: game_pb2.TransferHostRequest, context: Context
    ) -> game_pb2.TransferHostResponse:
        """Make somebody the host."""
        table = await self._once(
            request, "TransferHost", lambda t, answer: hosting.transfer_host(t, answer.identity, request.seat, answer)
        )
        return game_pb2.TransferHostResponse(table=table)

    async def UpdateTable(  # noqa: N802
        self, request: game_pb2.UpdateTableRequest, context: Context
    ) -> game_pb2.UpdateTableResponse:
        """Change what the next match is played by."""

        def update(table: Table, answer: Answer) -> int:
            return hosting.update(table, answer.identity, lambda settings: updated_from(request, settings), answer)

        table = await self._once(request, "UpdateTable", update)
        return game_pb2.UpdateTableResponse(table=table)

    async def RenewInviteCode(  # noqa: N802
        self, request: game_pb2.RenewInviteCodeRequest, context: Context
    ) -> game_pb2.RenewInviteCodeResponse:
        """Draw a new invite code."""
        table = await self._once(
            request,
            "RenewInviteCode",
            lambda t, answer: hosting.renew_code(t, answer.identity, self.tables.new_code(), answer),
        )
        return game_pb2.RenewInviteCodeResponse(table=table)

    # --- matches ---------------------------------------------------------------------------------------------------

    async def StartMatch(  # noqa: N802
        self, request: game_pb2.StartMatchRequest, context: Context
    ) -> game_pb2.StartMatchResponse:
        """Start a match."""
        table = await self._once(request, "StartMatch", lambda t, answer: t.start(answer.identity, answer))
        return game_pb2.StartMatchResponse(table=table)

    async def EndMatch(  # noqa: N802
        self, request: game_pb2.EndMatchRequest, context: Context
    ) -> game_pb2.EndMatchResponse:
        """End the match."""
        table = await self._once(request, "EndMatch", lambda t, answer: hosting.end_match(t, answer.identity, answer))
        return game_pb2.EndMatchResponse(table=table)

    async def SetSeatOptions(  # noqa: N802
        self, request: game_pb2.SetSeatOptionsRequest, context: Context
    ) -> game_pb2.SetSeatOptionsResponse:
        """Say how the caller's seat is played."""
        who, table = caller(), self._table(request.table_id)
        stand_in = request.stand_in if request.HasField("stand_in") else None
        auto_pass = request.auto_pass if request.HasField("auto_pass") else None
        version = await table.history.decided(lambda: table.set_options(who.identity, stand_in, auto_pass))
        await table.history.settled(version)
        return game_pb2.SetSeatOptionsResponse(table=table_to(table, who))

    async def Act(self, request: game_pb2.ActRequest, context: Context) -> game_pb2.ActResponse:  # noqa: N802
        """Answer a decision."""
        identity, decision = caller().identity, request.decision_id
        table, action = self.tables.seen_by(identity, request.table_id), actions.action_from(request.action)
        version, repeated = await table.history.decided(lambda: table.act(identity, decision, action, legal.refused))
        await table.history.settled(version)
        durable = table.history.durable_version
        return game_pb2.ActResponse(version=version, durable_version=durable, repeated=repeated)

    # --- seeing ----------------------------------------------------------------------------------------------------

    async def Watch(self, request: game_pb2.WatchRequest, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """Follow a table. It writes its messages itself, to know when nobody reads them."""
        after = streams.cursor_from(request)
        # on its own, so that a first message that nobody reads does not keep the status from being sent
        await context.send_initial_metadata(())
        table = self._table(request.table_id, request.invite_code)
        await watch(table, caller().identity, after, context.write)

    async def ListEvents(  # noqa: N802
        self, request: game_pb2.ListEventsRequest, context: Context
    ) -> game_pb2.ListEventsResponse:
        """Tell what a stream would tell, when there is something to tell."""
        table, after = self._table(request.table_id, request.invite_code), streams.cursor_from(request)
        messages, reached = await poll(table, caller().identity, after, seconds_from(request.wait))
        return streams.listed(messages, reached)

    async def GetView(  # noqa: N802
        self, request: game_pb2.GetViewRequest, context: Context
    ) -> game_pb2.GetViewResponse:
        """Show a table as the caller may see it."""
        table = self._table(request.table_id, request.invite_code)
        viewer = eyes_or_refuse(table.shown, caller().identity)
        return game_pb2.GetViewResponse(
            cursor=streams.cursor_to(table, viewer),
            view=views.view_to(table, viewer),
            time=time_to(table.desk.clock.now()),
        )

    async def GetLegalActions(  # noqa: N802
        self, request: game_pb2.GetLegalActionsRequest, context: Context
    ) -> game_pb2.GetLegalActionsResponse:
        """List what the caller may do."""
        table, kind = self._table(request.table_id), actions.kind_from(request.kind)
        view = legal.asked_view(table, caller().identity, request.decision_id)
        listing: list[str | int] = ["legal", table.id, request.decision_id, kind]
        start, size = position_in(listing, request.page_token) or 0, size_of(request.page_size)
        page, more = legal.legal_actions(view, kind, start, size)
        token = token_for(listing, start + size) if more else ""
        return game_pb2.GetLegalActionsResponse(actions=page, next_page_token=token)

    async def CheckAction(  # noqa: N802
        self, request: game_pb2.CheckActionRequest, context: Context
    ) -> game_pb2.CheckActionResponse:
        """Say whether an action would be accepted."""
        table, who = self._table(request.table_id), caller()
        view = legal.asked_view(table, who.identity, request.decision_id)
        return legal.check_action(view, request.action, who.locale)

    async def GetHint(  # noqa: N802
        self, request: game_pb2.GetHintRequest, context: Context
    ) -> game_pb2.GetHintResponse:
        """Say what the caller might well do."""
        table, who = self._table(request.table_id), caller()
        view = legal.asked_view(table, who.identity, request.decision_id)
        return game_pb2.GetHintResponse(hints=self.hints.of_table(table, view, request.most, who.locale))
