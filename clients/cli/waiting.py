"""A player's wait at a matchmaker, told in the terminal: what to wait for, that it goes on, and how it ends."""

from __future__ import annotations

import argparse
import asyncio
from typing import Final

from clients.cli.console import Console
from clients.cli.people import printable
from clients.cli.rulebook import text_of
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.common.tickets import NoTable, Tickets
from daifugo.v1 import matchmaker_pb2

CONNECTION: Final = ("lost", "back")


class Waiting:
    """Waits for a seat as the command line says."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.words = Words(options.lang)

    async def seat(self) -> matchmaker_pb2.Assignment:
        """Choose the queue and wait there; raise BadSetting if it is not clear which, or there is none."""
        options = self.options
        async with Tickets(options.matchmaker, options.token, options.lang, self.tell) as tickets:
            queue = self.chosen(list(await tickets.queues()))
            kept = await tickets.kept_seat()
            if kept is not None:
                self.console.say([self.words("queue.returned")])
                return kept
            self.console.say([self.words("queue.waiting", name=self.name(queue))])
            if queue.HasField("bots_after"):
                self.console.say([self.words("queue.bots", seconds=queue.bots_after.seconds)])
            try:
                return await tickets.seat(queue.id, size=options.seats or 0)
            except NoTable as problem:
                raise BadSetting(self.words("queue.failed", reason=problem.reason)) from None
            except asyncio.CancelledError:
                self.console.say([self.words("queue.left")])
                raise

    def chosen(self, queues: list[matchmaker_pb2.Queue]) -> matchmaker_pb2.Queue:
        """Return the queue that the command line names, or the only one."""
        wanted = self.options.queue
        found = [queue for queue in queues if wanted in (None, queue.id)]
        if len(found) != 1:
            rows = [self.row(queue) for queue in queues]
            unknown = [self.words("queue.unknown", id=wanted)] if wanted is not None else []
            raise BadSetting("\n".join([*unknown, self.words("queue.many"), *rows]))
        (queue,) = found
        if self.options.seats and self.options.seats not in queue.sizes:
            sizes = self.words.listed([str(size) for size in queue.sizes])
            raise BadSetting(self.words("queue.size", wanted=self.options.seats, name=self.name(queue), seats=sizes))
        return queue

    def row(self, queue: matchmaker_pb2.Queue) -> str:
        sizes = self.words.listed([str(size) for size in queue.sizes])
        return self.words("queue.row", id=queue.id, name=self.name(queue), seats=sizes, people=queue.people_waiting)

    def name(self, queue: matchmaker_pb2.Queue) -> str:
        return printable(text_of(queue.name, self.options.lang))

    def tell(self, news: str) -> None:
        self.console.say([self.words(news if news in CONNECTION else f"queue.{news}")])
