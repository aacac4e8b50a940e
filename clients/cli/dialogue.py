"""A person at a table: hears what happens, is asked, and answers in typed words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from clients.cli import answers, typed
from clients.cli.console import Console
from clients.cli.follow import Attend, Follower
from clients.cli.offers import Offers, numbered, wrapped
from clients.cli.rulebook import Rulebook
from clients.cli.sentences import Teller
from clients.cli.situation import Situation
from clients.common.errors import Refused, answered
from clients.common.session import Session
from clients.common.watch import Update
from daifugo.v1 import game_pb2, view_pb2

GONE: Final = frozenset({"DECISION_CLOSED", "DECISION_UNKNOWN", "NO_GAME", "NOT_YOUR_TURN", "MATCH_NOT_RUNNING"})
RULES_PAGE: Final = 10
PASS: Final = view_pb2.Action()
getattr(PASS, "pass").SetInParent()


class Dialogue(Follower):
    """Plays one match with whoever is at the console."""

    def __init__(
        self,
        session: Session,
        table_id: str,
        console: Console,
        teller: Teller,
        book: Rulebook,
        attend: Attend | None = None,
    ) -> None:
        super().__init__(session, table_id, console, teller, attend)
        self.book = book
        self.situation = Situation(teller)
        self.offers = Offers(session, table_id)
        self.open_id = 0
        """The decision that the player is looking at; 0 when nothing is asked."""
        self.answered_id = 0
        self.asked = asyncio.Event()
        self.rest_of_rules: list[str] = []

    async def play(self) -> None:
        """Follow the match to its end, or until the player quits."""
        tasks = {asyncio.create_task(self.follow()), asyncio.create_task(self.converse())}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # --- being asked -----------------------------------------------------------------------------------------------

    async def hear(self, update: Update) -> None:
        """Tell an update, and put the question if there is a new one."""
        self._notice_time_up(update)
        await super().hear(update)
        if not update.lost:
            await self.notice_question()

    def _notice_time_up(self, update: Update) -> None:
        closed = {event.decision_closed.decision_id for event in update.events if event.HasField("decision_closed")}
        if self.open_id in closed and self.open_id != self.answered_id:
            self.console.say([self.words("time_up")])

    async def notice_question(self) -> None:
        """Put the open question, once."""
        asked = self.view.decision.id if self.view.HasField("decision") else 0
        if asked == self.open_id or asked == self.answered_id:
            return
        self.forget(self.open_id)
        if not asked:
            return
        try:
            actions = await self.offers.begin(asked)
        except Refused as problem:
            if problem.reason not in GONE and not problem.is_transient:
                raise
            return
        self.console.say(["", *self.situation.asked(self.view)])
        self.open_id = asked
        self.list_offers(actions)
        self.asked.set()

    @property
    def can_only_pass(self) -> bool:
        """Whether passing is all that can be done; then an empty line is enough."""
        return bool(self.open_id) and len(self.offers.actions) == 1 and self.offers.actions[0] == PASS

    def list_offers(self, actions: Sequence[view_pb2.Action], first: int = 1, key: str = "offers") -> None:
        """Show a part of the list of what can be done."""
        view = self.view
        if self.can_only_pass:
            self.console.say([self.words("offers.pass_only")])
            self.console.prompt()
            return
        if key == "offers" and view.decision.HasField("choice"):
            key = "offers.answers"
        items = numbered(actions, lambda action: self.situation.action(view, action), first)
        if self.offers.token:
            items.append(self.words("offers.more"))
        self.console.say(wrapped(self.words(key), items, self.words.listed(["", ""])))
        self.console.prompt()

    # --- answering -------------------------------------------------------------------------------------------------

    async def converse(self) -> None:
        """Take lines until the player quits or the input ends."""
        while (line := await self.console.line()) is not None:
            command = typed.command(line)
            if command is not None and command[0] == "quit":
                break
            try:
                if command is not None and command[0] != "pass":
                    await self.serve(*command)
                elif line.strip() or self.can_only_pass:
                    await self.answer(line, is_pass=command is not None or not line.strip())
            except Refused as problem:
                self.refuse(problem)
            if self.open_id:
                self.console.prompt()
        self.console.say([self.words("goodbye")])

    async def serve(self, command: str, rest: str) -> None:
        """Do what a command asks for: it is no answer."""
        if command == "help":
            keys = ("help.cards", "help.joker", "help.number", "help.commands", "help.choices")
            self.console.say(map(self.words, keys))
        elif command == "hand":
            self.console.say(self.situation.lines(self.view))
            if self.open_id:
                self.console.say(self.situation.question(self.view))
                self.list_offers(self.offers.actions)
        elif command == "rules":
            self.rest_of_rules = self.book.card(rest, self.words)
            title = [self.words("rules.title", count=len(self.rest_of_rules))] if not rest else []
            self.console.say(title if self.rest_of_rules else [self.words("rules.none", word=rest)])
            self.show_rules()
        elif self.rest_of_rules:
            self.show_rules()
        else:
            await self.show_more()

    def show_rules(self) -> None:
        self.console.say(self.rest_of_rules[:RULES_PAGE])
        self.rest_of_rules = self.rest_of_rules[RULES_PAGE:]
        if self.rest_of_rules:
            self.console.say([self.words("rules.more", count=len(self.rest_of_rules))])

    async def show_more(self) -> None:
        first = len(self.offers.actions) + 1
        actions = await self.offers.more() if self.open_id else []
        if actions:
            self.list_offers(actions, first)
        else:
            self.console.say([self.words("no_more")])

    async def answer(self, line: str, is_pass: bool) -> None:
        """Answer the open question with a line; a line from a pipe waits for a question, a person is told."""
        if not self.open_id and not self.console.is_person:
            await self.asked.wait()
        if not self.open_id:
            self.console.say([self.words("not_your_turn")])
            return
        self.rest_of_rules = []
        try:
            actions = [PASS] if is_pass else await self.meanings(line)
        except typed.NotUnderstood as word:
            self.console.say([self.words("not_understood", typed=word)])
        except typed.NotHeld as lack:
            rank = self.situation.style.rank(lack.rank)
            self.console.say([self.words("too_few_of_rank", rank=rank, held=lack.held)])
        else:
            await self.settle(actions)

    async def meanings(self, line: str) -> list[view_pb2.Action]:
        """List what a line can mean; nothing if that has been said to be unclear already."""
        number = typed.number(line)
        if number is None:
            return answers.read(line, self.view, self.teller.people)
        value, is_marked = number
        offer = self.offers.get(value)
        others = [] if is_marked else answers.read_number(value, self.view, self.teller.people)
        if offer is None or (others and answers.names_itself(self.view)):
            if not others:
                self.console.say([self.words("no_such_number", number=value)])
            return others
        if any(not answers.same_cards(other, offer) for other in others) and await self.legal(others):
            text = self.situation.action(self.view, offer)
            self.console.say([self.words("number_or_card", number=value, offer=text)])
            return []
        return [offer]

    async def settle(self, actions: list[view_pb2.Action]) -> None:
        """Do the only action that is legal; with several, ask which; with none, say why."""
        if len(actions) > 1:
            legal = await self.legal(actions)
            if len(legal) > 1:
                self.ask_which(legal)
                return
            actions = legal or actions
        if actions:
            await self.act(actions[0])

    async def legal(self, actions: list[view_pb2.Action]) -> list[view_pb2.Action]:
        """Return which of these the service would accept, each as it would count."""
        legal: list[view_pb2.Action] = []
        for action in actions:
            request = game_pb2.CheckActionRequest(table_id=self.table_id, decision_id=self.open_id, action=action)
            checked = await answered(self.session.game.CheckAction(request))
            if checked.legal:
                legal.append(checked.reading)
        return legal

    def ask_which(self, actions: Sequence[view_pb2.Action]) -> None:
        self.offers.replace(actions)
        self.list_offers(actions, key="which")

    async def act(self, action: view_pb2.Action) -> None:
        """Send the answer; tell why if it is refused."""
        decision_id = self.open_id
        self.answered_id = decision_id
        try:
            await self.session.act(self.table_id, decision_id, action)
        except Refused as problem:
            self.answered_id = 0
            self.refuse(problem)
        else:
            self.forget(decision_id)

    def forget(self, decision_id: int) -> None:
        """A question is over. The next one may have been put already, while an answer was on its way."""
        if self.open_id == decision_id:
            self.open_id = 0
            self.asked.clear()

    def refuse(self, problem: Refused) -> None:
        if problem.reason in GONE:
            self.console.say([self.words("question_gone")])
        elif problem.refusal.readings:
            self.ask_which(problem.refusal.readings)
        else:
            reasons = [violation.text for violation in problem.refusal.violations] or [problem.text]
            self.console.say([self.words("illegal", reason=reason) for reason in reasons])
