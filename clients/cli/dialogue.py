"""A person at a table: hears what happens, is asked, and answers in typed words."""

from __future__ import annotations

import asyncio

from clients.cli import typed
from clients.cli.console import Console
from clients.cli.follow import Attend, Follower, timed_out
from clients.cli.question import Question
from clients.cli.rulebook import Rulebook
from clients.cli.sentences import Teller
from clients.cli.situation import Situation
from clients.common.errors import Refused
from clients.common.session import Session
from clients.common.watch import Update


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
        self.question = Question(session, table_id, console, Situation(teller))
        self.rest_of_rules: list[str] = []

    async def play(self) -> None:
        """Follow the match to its end, or until the player quits."""
        following, conversing = asyncio.create_task(self.follow()), asyncio.create_task(self.converse())
        tasks = {following, conversing}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.console.end()
        if following not in done:
            # Only now: until it is cancelled, the other task may still tell what arrives.
            self.console.say([self.words("goodbye")])

    # --- being asked -----------------------------------------------------------------------------------------------

    async def hear(self, update: Update) -> None:
        """Tell an update, and put the question if there is a new one."""
        self._notice_time_up(update)
        await super().hear(update)
        if not update.lost:
            await self.question.notice(update.view)

    def _notice_time_up(self, update: Update) -> None:
        if self.question.open_id in timed_out(update) - {self.question.answered_id}:
            self.console.say([self.words("time_up")])

    # --- answering -------------------------------------------------------------------------------------------------

    async def converse(self) -> None:
        """Take lines until the player quits or the input ends."""
        while (line := await self.console.line()) is not None:
            command = typed.command(line)
            if command is not None and command[0] == "quit":
                break
            try:
                await self.come_back()
                if command is not None and command[0] != "pass":
                    await self.serve(*command)
                elif line.strip() or self.question.can_only_pass:
                    self.rest_of_rules = []
                    await self.question.answer(line, is_pass=command is not None or not line.strip())
            except Refused as problem:
                self.question.refuse(problem)
            if self.question.open_id:
                self.console.prompt()

    async def serve(self, command: str, rest: str) -> None:
        """Do what a command asks for: it is no answer."""
        if command == "help":
            keys = ("help.cards", "help.joker", "help.number", "help.commands", "help.advice", "help.choices")
            self.console.say(map(self.words, keys))
        elif command == "hand":
            await self.show_hand()
        elif command == "hint":
            await self.question.hint()
        elif command == "check":
            await self.question.check(rest)
        elif command == "rules":
            self.rest_of_rules = self.book.card(rest, self.words)
            title = [self.words("rules.title", count=len(self.rest_of_rules))] if not rest else []
            self.console.say(title if self.rest_of_rules else [self.words("rules.none", word=typed.echo(rest))])
            self.show_rules()
        elif self.rest_of_rules:
            self.show_rules()
        else:
            await self.question.show_more()

    async def show_hand(self) -> None:
        """Tell how things stand; a question is put again from its beginning."""
        if self.question.open_id:
            await self.question.put(self.question.open_id)
        else:
            situation = self.question.situation
            self.console.say([*situation.lines(self.view), *situation.waiting(self.view)])

    def show_rules(self) -> None:
        fit = self.console.page(self.rest_of_rules)
        self.console.say(self.rest_of_rules[:fit])
        self.rest_of_rules = self.rest_of_rules[fit:]
        if self.rest_of_rules:
            self.console.say([self.words("rules.more", count=len(self.rest_of_rules))])
