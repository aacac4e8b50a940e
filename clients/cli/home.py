"""A game at home: services and bots of its own, and a queue in which the bots wait for whoever plays."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from clients.cli.host import Bots, ruleset
from clients.cli.processes import Part, Processes
from clients.cli.rulebook import text_of
from clients.cli.running import first_of, needs
from clients.cli.settings import BadSetting
from clients.cli.texts import Words
from clients.common.errors import answered
from clients.common.tickets import NoTable, Tickets
from daifugo.v1 import matchmaker_pb2, rules_pb2, rules_pb2_grpc

QUEUE: Final = "home"
ALONE: Final = (
    *("--issuer", "", "--host", "127.0.0.1", "--port", "0", "--port-file", "", "--admin-port", "0"),
    *("--store", "memory", "--game-token", "", "--game-key", "", "--identity-address", "", "--table-address", ""),
)
"""What a matchmaker has to itself here, whatever the environment says about others."""


class Home:
    """The services of a game at home, and its bots."""

    service: Part
    matchmaker: Part
    address: str
    """Of the game service."""
    queues: str
    """The address of the matchmaker."""

    def __init__(self, processes: Processes, options: argparse.Namespace, bots: Bots) -> None:
        self.processes = processes
        self.options = options
        self.bots = bots
        self.bots_wanted = 0

    async def start(self) -> None:
        """Start the services; the game service is there then, and the matchmaker gets ready."""
        words, processes = Words(self.options.lang), self.processes
        self.matchmaker = await processes.prepare(words("matchmaker"), "services.matchmaker", ALONE)
        self.service, self.address = await processes.start_service(words("service"))

    async def open(self, service: rules_pb2_grpc.RulesServiceAsyncStub) -> None:
        """Open the queue for what the command line asks for; raise BadSetting if that cannot be played."""
        asked = await ruleset(service, self.options)
        checked = await answered(service.CheckRuleset(rules_pb2.CheckRulesetRequest(ruleset=asked)))
        if checked.problems:
            raise BadSetting("\n".join([text_of(each.text, self.options.lang) for each in checked.problems]))
        file = Path(self.processes.folder.name) / "queues.toml"
        file.write_text("\n".join(queue(checked.pinned.ruleset, self.options)), encoding="utf-8")
        self.matchmaker.go(["--queues", str(file), "--game-address", self.address])
        self.bots_wanted = checked.pinned.ruleset.seats - 1
        await self.bots.prepare(self.bots_wanted)
        self.queues = await self.processes.address(self.matchmaker)

    async def keep_bots(self) -> None:
        """Let bots wait in the queue for as long as there is a game."""
        await self.bots.play([["--matchmaker", self.queues, "--queue", QUEUE]] * self.bots_wanted)

    async def seat(self) -> matchmaker_pb2.Assignment:
        """Take a ticket and return the seat that it brings."""
        async with Tickets(self.queues, self.options.token, self.options.lang) as tickets:
            try:
                return await first_of(tickets.seat(QUEUE), needs(self.matchmaker))
            except NoTable as problem:
                raise BadSetting(Words(self.options.lang)("queue.failed", reason=problem.reason)) from None


def queue(played: rules_pb2.Ruleset, options: argparse.Namespace) -> Iterator[str]:
    """Write the queue as the matchmaker reads it: in TOML, in which text and lists are written as in JSON."""
    yield f"[{QUEUE}]"
    yield 'name = { ja = "この端末", en = "This terminal" }'
    yield f"preset = {json.dumps(played.preset)}"
    yield f"sizes = [{played.seats}]"
    yield f"games = {options.games}"
    yield f"turn_seconds = {options.turn_seconds}"
    yield f"choice_seconds = {options.choice_seconds}"
    yield f"idle_seconds = {options.idle_seconds}"
    yield f"bank_seconds = {options.bank_seconds}"
    yield "bots_after_seconds = 0"
    yield "hints = true"
    yield f"[{QUEUE}.settings]"
    yield from _settings(played.settings)


def _settings(settings: Iterable[rules_pb2.Setting]) -> Iterator[str]:
    for setting in settings:
        kind = setting.WhichOneof("value")
        value = list(setting.numbers.values) if kind == "numbers" else getattr(setting, kind or "flag")
        yield f"{json.dumps(setting.id)} = {json.dumps(value)}"
