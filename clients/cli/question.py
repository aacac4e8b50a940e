"""The question that a player has before them: what can be done, what a typed line means, and why it is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from clients.cli import answers, typed
from clients.cli.advice import foretold, hints, would
from clients.cli.console import Console
from clients.cli.offers import Offers, numbered, wrapped
from clients.cli.situation import Situation
from clients.common.errors import Refused, answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, view_pb2

GONE: Final = frozenset({"DECISION_CLOSED", "DECISION_UNKNOWN", "NO_GAME", "NOT_YOUR_TURN", "MATCH_NOT_RUNNING"})
MOST_CHECKED: Final = 3
"""How many meanings of a line are asked about."""
PASS: Final = view_pb2.Action()
getattr(PASS, "pass").SetInParent()


class Question:
    """One open decision after another, and how the player answers it."""

    def __init__(self, session: Session, table_id: str, console: Console, situation: Situation) -> None:
        self.session = session
        self.table_id = table_id
        self.console = console
        self.situation = situation
        self.words = situation.words
        self.view = view_pb2.View()
        self.offers = Offers(session, table_id)
        self.open_id = 0
        """The decision that the player is looking at; 0 when nothing is asked."""
        self.answered_id = 0
        self.is_asking_which = False
        """Whether the list is the readings of an unclear answer: a number is then one of them."""
        self.asked = asyncio.Event()
        self.hints: list[game_pb2.Hint] = []
        """Hints, the next one first."""
        self.hints_for = 0
        """The decision that they are for."""

    # --- putting it ------------------------------------------------------------------------------------------------

    async def notice(self, view: view_pb2.View) -> None:
        """Put the question that a view has, once."""
        self.view = view
        asked = view.decision.id if view.HasField("decision") else 0
        if asked == self.open_id or (asked and asked == self.answered_id):
            return
        self.forget(self.open_id)
        if asked:
            await self.put(asked)

    async def put(self, decision_id: int) -> None:
        """Tell how things stand, what is asked, and what can be done."""
        try:
            actions = await self.offers.begin(decision_id)
        except Refused as problem:
            if problem.reason not in GONE and not problem.is_transient:
                raise
            return
        self.is_asking_which = False
        self.console.say(["", *self.situation.asked(self.view, can_only_pass=actions == [PASS])])
        self.open_id = decision_id
        self.list_offers(actions)
        self.asked.set()

    def forget(self, decision_id: int) -> None:
        """A question is over. The next one may have been put already, while an answer was on its way."""
        if self.open_id == decision_id:
            self.open_id = 0
            self.asked.clear()

    @property
    def can_only_pass(self) -> bool:
        """Whether passing is all that can be done; then an empty line is enough."""
        return bool(self.open_id) and len(self.offers.actions) == 1 and self.offers.actions[0] == PASS

    def list_offers(self, actions: Sequence[view_pb2.Action], first: int = 1, key: str = "offers") -> None:
        """Show a part of the list of what can be done."""
        view = self.view
        if self.can_only_pass:
            self.console.say(
                [self.words("offers.let_go_only" if view.decision.HasField("window") else "offers.pass_only")]
            )
            self.console.prompt()
            return
        if key == "offers" and view.decision.HasField("choice"):
            key = "offers.answers"
        items = numbered(actions, lambda action: self.situation.action(view, action), first)
        if self.offers.token:
            items.append(self.words("offers.more"))
        self.console.say(wrapped(self.words(key), items, self.words.listed(["", ""])))
        self.console.prompt()

    async def show_more(self) -> None:
        first = len(self.offers.actions) + 1
        actions = await self.offers.more() if self.open_id else []
        if actions:
            self.list_offers(actions, first)
        else:
            self.console.say([self.words("no_more")])

    # --- answering it ----------------------------------------------------------------------------------------------

    async def answer(self, line: str, is_pass: bool) -> None:
        """Answer the open question with a line; a line from a pipe waits for a question, a person is told."""
        if not self.open_id and not self.console.is_person:
            await self.asked.wait()
        if not self.open_id:
            self.console.say([self.words("not_your_turn"), *self.situation.waiting(self.view)])
            return
        try:
            actions = self.passing() if is_pass else await self.meanings(line)
        except typed.NotUnderstood as word:
            self.console.say([self.words("not_understood", typed=typed.echo(str(word)))])
        except typed.NotHeld as lack:
            rank = self.situation.style.rank(lack.rank)
            key = "too_few_of_rank" if lack.held else "none_of_rank"
            self.console.say([self.words(key, rank=rank, held=lack.held)])
        else:
            await self.settle(actions)

    def passing(self) -> list[view_pb2.Action]:
        """Return what `p` means: to pass, or to choose nothing; nothing if it has been said that neither can be."""
        if not self.view.decision.HasField("choice"):
            return [PASS]
        choice = self.view.decision.choice
        if not choice.least:
            return [answers.NOTHING]
        self.console.say([self.situation.must_choose(choice)])
        return []

    async def meanings(self, line: str) -> list[view_pb2.Action]:
        """List what a line can mean; nothing if that has been said to be unclear already."""
        number = typed.number(line)
        if number is None:
            return answers.also_offered(answers.read(line, self.view, self.situation.people), self.offers.actions)
        value, is_marked = number
        offer = self.offers.get(value)
        is_listed = is_marked or (self.is_asking_which and offer is not None)
        others = [] if is_listed else answers.read_number(value, self.view, self.situation.people)
        if offer is None or (others and answers.names_itself(self.view)):
            if not others:
                self.console.say([self.words("no_such_number", number=value)])
            return others
        # What is given away is gone: a rank in a choice is no number, even where more cards are to be named.
        is_other = any(not answers.same_cards(other, offer) for other in others)
        if is_other and (self.view.decision.HasField("choice") or await self.legal(others)):
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

    # --- asking about it -------------------------------------------------------------------------------------------

    async def hint(self) -> None:
        """Tell what the service would do; each time the next best thing."""
        if not self.open_id:
            self.console.say([self.words("not_your_turn")])
            return
        if self.hints_for != self.open_id:
            self.hints_for, self.hints = self.open_id, await hints(self.session, self.table_id, self.open_id)
        if not self.hints:
            self.console.say([self.words("hint.none")])
            return
        hint = self.hints[0]
        self.hints = [*self.hints[1:], hint]
        action = self.situation.action(self.view, hint.action)
        self.console.say([self.words("hint", action=action, reason=hint.text), *would(self.words, hint.would_fire)])

    async def check(self, line: str) -> None:
        """Tell what would come of an answer, without giving it."""
        if not self.open_id:
            self.console.say([self.words("not_your_turn")])
            return
        try:
            actions = await self.meanings(line)
        except (typed.NotUnderstood, typed.NotHeld):
            self.console.say([self.words("not_understood", typed=typed.echo(line))])
            return
        for action in actions[:MOST_CHECKED]:
            request = game_pb2.CheckActionRequest(table_id=self.table_id, decision_id=self.open_id, action=action)
            checked = await answered(self.session.game.CheckAction(request))
            reasons = [self.words("illegal", reason=each.text) for each in checked.refusal.violations]
            self.console.say(reasons or foretold(self.words, checked))

    def ask_which(self, actions: Sequence[view_pb2.Action]) -> None:
        self.offers.replace(actions)
        self.is_asking_which = True
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

    def refuse(self, problem: Refused) -> None:
        if problem.reason in GONE:
            self.console.say([self.words("question_gone")])
        elif problem.refusal.readings:
            self.ask_which(problem.refusal.readings)
        else:
            reasons = [violation.text for violation in problem.refusal.violations] or [problem.text]
            self.console.say([self.words("illegal", reason=reason) for reason in reasons])
