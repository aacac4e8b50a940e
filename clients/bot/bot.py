"""A bot at one seat of one table: it sits down, watches, and answers whatever its seat is asked."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing
from typing import Final

from clients.bot.policy import Legal, Policy
from clients.common.errors import Refused, answered
from clients.common.fairness import new_client_seed
from clients.common.session import Session
from clients.common.watch import Update
from daifugo.v1 import game_pb2, view_pb2

PAGE: Final = 200
"""How many legal actions a bot fetches at once: as many as there may be."""
OVER = (view_pb2.TABLE_STATE_ENDED, view_pb2.TABLE_STATE_CLOSED)
LATE_SECONDS: Final = 10.0
"""How much later than it says a match may begin before a bot waits no longer."""
STALE = frozenset({"DECISION_CLOSED", "DECISION_UNKNOWN", "NO_GAME", "MATCH_NOT_RUNNING", "NOT_YOUR_TURN"})
"""Refusals that mean: the question is gone, look at the table again."""


class Bot:
    """Plays one match at a table."""

    def __init__(
        self, session: Session, table_id: str, policy: Policy, name: str, seat: int | None = None, code: str = ""
    ) -> None:
        self.session = session
        self.table_id = table_id
        self.policy = policy
        self.name = name
        self.seat = seat
        self.code = code
        """The invite code, for a private table."""
        self.answered = 0
        """The decision that was answered last."""
        self.has_played = False

    async def play(self) -> None:
        """Sit down and play until the match is over, or it is clear that there will be none."""
        patience = await self.join()
        try:
            async with asyncio.timeout(patience) as limit, aclosing(self.session.watch(self.table_id)) as updates:
                async for update in updates:
                    if self.is_over(update):
                        return
                    if self.has_played:
                        limit.reschedule(None)
                    if update.view.HasField("decision") and not update.lost:
                        await self.act(update.view)
        except TimeoutError:
            if not limit.expired():
                raise

    async def join(self) -> float | None:
        """Take the seat; a bot that comes back has it already. Return for how many seconds to wait for the match."""
        request = game_pb2.JoinTableRequest(
            request_id=str(uuid.uuid4()),
            table_id=self.table_id,
            seat=self.seat,
            display_name=self.name,
            bot=True,
            invite_code=self.code,
            client_seed=new_client_seed(),
        )
        try:
            table = (await answered(self.session.game.JoinTable(request))).table
        except Refused as problem:
            again = game_pb2.GetTableRequest(table_id=self.table_id)
            table = (await answered(self.session.game.GetTable(again))).table
            if not table.HasField("your_seat"):
                raise problem from None
        if not table.HasField("starts_by"):
            return None
        # the whole time, and not what is left of it: this machine's clock need not be that of the service
        return (table.starts_by.ToDatetime() - table.create_time.ToDatetime()).total_seconds() + LATE_SECONDS

    def is_over(self, update: Update) -> bool:
        """Tell the end of a match from a table that waits for its next one."""
        if update.view.state == view_pb2.TABLE_STATE_RUNNING:
            self.has_played = True
        return self.has_played and update.view.state in OVER

    async def act(self, view: view_pb2.View) -> None:
        """Answer the open decision, once. If it is gone meanwhile, the next update tells what is asked now."""
        decision_id = view.decision.id
        if decision_id == self.answered:
            return
        try:
            action = await self.policy.decide(view, self.legal(decision_id))
            await self.session.act(self.table_id, decision_id, action)
        except Refused as problem:
            if problem.reason not in STALE and not problem.is_transient:
                raise
            if problem.is_transient:
                return
        self.answered = decision_id

    def legal(self, decision_id: int) -> Legal:
        """Return a way to fetch what may be done, a page a call; nothing after the last page."""
        request = game_pb2.GetLegalActionsRequest(table_id=self.table_id, decision_id=decision_id, page_size=PAGE)
        is_last = False

        async def next_page() -> list[view_pb2.Action]:
            nonlocal is_last
            if is_last:
                return []
            page = await answered(self.session.game.GetLegalActions(request))
            request.page_token = page.next_page_token
            is_last = not page.next_page_token
            return [legal.action for legal in page.actions]

        return next_page
