"""A player's side of a table, without a screen: hears, is asked, picks, checks and answers.

What is to be said is kept as functions of a teller, so that the screen can say all of it again in another language.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from clients.cli.advice import chain, hints
from clients.cli.follow import Attend, Following, timed_out
from clients.cli.offers import Offers
from clients.cli.question import GONE, PASS
from clients.cli.sentences import Teller
from clients.cli.situation import Situation
from clients.common.errors import Refused, answered
from clients.common.session import Session
from clients.common.watch import Update
from clients.screen.clock import Clock
from clients.screen.picking import Picking
from daifugo.v1 import cards_pb2, game_pb2, view_pb2

KEPT: Final = 2000
"""How many things that happened the log remembers."""
PAGE: Final = 200
MOST_OFFERS: Final = 1000
"""How many actions are fetched to tell which cards can be played."""

Telling = Callable[[Teller], list[str]]
"""Something to be said, in the language of whoever tells it."""


def text(key: str, **places: object) -> Telling:
    """Make a telling of one text."""
    return lambda teller: [teller.words(key, **places)]


def lines(said: list[str]) -> Telling:
    """Make a telling of what is in some language already."""
    return lambda teller: said


class Player(Following):
    """Plays one match, as told by `enter` and its like; `changed` is called when there is something new to see."""

    def __init__(
        self, session: Session, table_id: str, changed: Callable[[], None], attend: Attend | None = None
    ) -> None:
        super().__init__(session, table_id, attend)
        self.changed = changed
        self.clock = Clock()
        self.picking = Picking()
        self.offers = Offers(session, table_id, PAGE)
        self.story: deque[Telling] = deque(maxlen=KEPT)
        self.told = 0
        """How many things have been told in all, also those that the story has forgotten."""
        self.verdict: Telling | None = None
        """What would become of the picks, or what became of the last key."""
        self.ending: Telling | None = None
        """How it all ended."""
        self.open_id = 0
        """The decision that the player is looking at; 0 when nothing is asked."""
        self.answered_id = 0
        self.hints: list[game_pb2.Hint] = []
        self.hint_at = -1
        """The number of the hint that was shown last."""
        self.hints_for = 0
        """The decision that they are for."""
        self.pace = 0.0
        """How many seconds the play of somebody else stays in view before the story goes on."""

    # --- hearing ---------------------------------------------------------------------------------------------------

    async def hear(self, update: Update) -> None:
        if self.open_id in timed_out(update) - {self.answered_id}:
            self.note("time_up")
        self.clock.hear(update.view)
        self.picking.see(update.view)
        await super().hear(update)
        self.changed()
        if self.pace and any(map(self.is_of_others, update.events)):
            await asyncio.sleep(self.pace)
        if not update.lost:
            await self.notice()

    def is_of_others(self, event: view_pb2.Event) -> bool:
        """Whether somebody else has put cards down."""
        moved = event.cards_moved
        is_own = self.view.HasField("seat") and moved.from_seat == self.view.seat
        return event.HasField("cards_moved") and moved.to_zone == cards_pb2.ZONE_FIELD and not is_own

    def note(self, key: str) -> None:
        self.add(text(key))
        if key in ("superseded", "closed"):
            self.ending = text(key)

    def tell(self, before: view_pb2.View, events: list[view_pb2.Event]) -> None:
        self.add(lambda teller: teller.tell(before, events))
        for event in events:
            if event.HasField("match_ended"):
                self.ending = lambda teller, event=event: teller.tell_one(before, event)

    def add(self, telling: Telling) -> None:
        """Add something to the story."""
        self.story.append(telling)
        self.told += 1
        self.changed()

    # --- being asked -----------------------------------------------------------------------------------------------

    async def notice(self) -> None:
        """Look at the question that the view has, once."""
        asked = self.view.decision.id if self.view.HasField("decision") else 0
        if asked == self.open_id or (asked and asked == self.answered_id):
            return
        self.close(self.open_id)
        if not asked:
            return
        try:
            await self.offers.begin(asked)
            while self.offers.token and len(self.offers.actions) < MOST_OFFERS:
                await self.offers.more()
        except Refused as problem:
            if problem.reason not in GONE and not problem.is_transient:
                raise
            return
        self.open_id = asked
        self.verdict = None
        self.picking.ask(self.offers.actions, not self.offers.token)
        self.changed()
        await self.check()

    def close(self, decision_id: int) -> None:
        """A question is over. The next one may have come already, while an answer was on its way."""
        if self.open_id == decision_id:
            self.open_id = 0
            self.verdict = None
            self.picking.forget()
            self.changed()

    @property
    def can_only_pass(self) -> bool:
        return bool(self.open_id) and list(self.picking.offers) == [PASS]

    # --- answering -------------------------------------------------------------------------------------------------

    async def check(self) -> None:
        """Say what would become of the picks."""
        actions, decision_id = self.picking.actions, self.open_id
        self.verdict = None
        if decision_id and len(actions) > 1:
            self.verdict = text("several", count=len(actions))
        elif decision_id and actions and self.picking.picked:
            action = actions[0]
            self.verdict = self.ready(action)
            self.changed()
            verdict = await self.checked(decision_id, action)
            if (decision_id, actions) != (self.open_id, self.picking.actions):
                return  # the player has gone on meanwhile
            self.verdict = verdict
        self.changed()

    async def checked(self, decision_id: int, action: view_pb2.Action) -> Telling | None:
        """Ask the service what it would say."""
        request = game_pb2.CheckActionRequest(table_id=self.table_id, decision_id=decision_id, action=action)
        try:
            answer = await answered(self.session.game.CheckAction(request))
        except Refused as problem:
            return lines([problem.text]) if problem.reason not in GONE else None
        if answer.legal:
            return self.ready(answer.reading, chain(answer.would_fire))
        if answer.refusal.readings:
            return text("several", count=len(answer.refusal.readings))
        return refusal([violation.text for violation in answer.refusal.violations])

    def ready(self, action: view_pb2.Action, effects: str = "") -> Telling:
        """Say what Enter would do, and what would come of it."""
        view = self.view

        def tell(teller: Teller) -> list[str]:
            said = teller.words("ready", action=Situation(teller).action(view, action))
            return [f"{said} {teller.words('comes', effects=effects)}" if effects else said]

        return tell

    async def enter(self) -> list[view_pb2.Action]:
        """Answer with the picks. Returns the readings to choose from if they can mean several things."""
        if self.is_stood_in:
            await self.come_back()
            return []
        if not self.open_id:
            self.verdict = text("not_now")
            self.changed()
            return []
        if self.can_only_pass and not self.picking.picked:
            return await self.act(PASS)
        actions = self.picking.actions
        if len(actions) > 1:
            return actions
        if actions:
            return await self.act(actions[0])
        if self.picking.items:
            self.picking.toggle(self.picking.items[self.picking.at])
            await self.check()
        return []

    async def let_go(self) -> None:
        """Pass, let a window go by, or choose nothing."""
        choice = self.picking.choice
        if not self.open_id:
            self.verdict = text("not_now")
        elif choice is not None and choice.least:
            self.verdict = lambda teller: [Situation(teller).must_choose(choice)]
        else:
            await self.act(view_pb2.Action(answer=view_pb2.Answer()) if choice is not None else PASS)
        self.changed()

    async def act(self, action: view_pb2.Action) -> list[view_pb2.Action]:
        """Send an answer; returns its readings where it could mean several things."""
        decision_id = self.open_id
        self.answered_id = decision_id
        try:
            await self.session.act(self.table_id, decision_id, action)
        except Refused as problem:
            self.answered_id = 0
            if problem.refusal.readings:
                return list(problem.refusal.readings)
            reasons = [violation.text for violation in problem.refusal.violations] or [problem.text]
            self.verdict = text("question_gone") if problem.reason in GONE else refusal(reasons)
        else:
            if self.open_id == decision_id:
                self.picking.clear()
            self.close(decision_id)
        self.changed()
        return []

    async def hint(self, steps: int) -> None:
        """Pick the next thing that the service would do; where it does not say, the next thing that can be done."""
        if not self.open_id:
            self.verdict = text("not_now")
        elif await self.fetch_hints():
            first = 0 if steps > 0 else -1
            at = self.hint_at = (first if self.hint_at < 0 else self.hint_at + steps) % len(self.hints)
            hint = self.hints[at]
            self.picking.take(hint.action)
            ready, count = self.ready(hint.action, chain(hint.would_fire)), len(self.hints)
            self.verdict = lambda teller: [
                teller.words("hint.screen", number=at + 1, count=count, ready=ready(teller)[0]),
                hint.text,
            ]
        elif (found := self.picking.next_offer(steps)) is None:
            self.verdict = text("offers.pass_only")
        else:
            number, offer = found
            self.picking.take(offer)
            await self.check()
            ready, count = self.ready(offer), len(self.picking.offers) - self.can_pass
            more = "" if self.picking.is_complete else "+"
            self.verdict = lambda teller: [
                teller.words("hint.screen", number=number + 1, count=f"{count}{more}", ready=ready(teller)[0])
            ]
        self.changed()

    async def fetch_hints(self) -> list[game_pb2.Hint]:
        """Return the hints for the open question, which are asked for once."""
        decision_id = self.open_id
        if self.hints_for != decision_id:
            found = await hints(self.session, self.table_id, decision_id)
            self.hints, self.hint_at, self.hints_for = found, -1, decision_id
        return self.hints if self.hints_for == self.open_id else []

    @property
    def can_pass(self) -> bool:
        return PASS in self.picking.offers


def refusal(reasons: list[str]) -> Telling:
    """Say why something is not possible."""
    return lambda teller: [teller.words("illegal", reason=reason) for reason in reasons]
