"""A client without any rule, fed with events only, has the very view that the server would send."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from clients.bot.bot import Bot
from clients.bot.policies import Random
from clients.cli.processes import Processes
from clients.common.errors import Refused, answered
from clients.common.session import Session
from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from tests.e2e.proxy import Proxy


class Comparing(Bot):
    """Compares, whenever the table waits for it, what it has folded with what the server shows."""

    compared = 0

    async def act(self, view: view_pb2.View) -> None:
        try:
            shown = await answered(self.session.game.GetView(game_pb2.GetViewRequest(table_id=self.table_id)))
        except Refused as problem:
            if not problem.is_transient:
                raise
            return
        if shown.view.decision.id == view.decision.id and len(shown.view.asked) == len(view.asked) == 1:
            assert comparable(view) == comparable(shown.view)
            self.compared += 1
        await super().act(view)


def comparable(view: view_pb2.View) -> view_pb2.View:
    """Leave out what changes without an event: time that is left, and who is connected."""
    copy = view_pb2.View()
    copy.CopyFrom(view)
    copy.decision.ClearField("remaining")
    for seat in copy.seats:
        seat.seat.ClearField("connected")
    return copy


def adding(way: str) -> rules_pb2.Ruleset:
    setting = rules_pb2.Setting(id="same_rank_addition", word=way)
    return rules_pb2.Ruleset(preset="jdf4", settings=[setting, *on("five_skip", "seven_pass")])


def on(*ids: str) -> list[rules_pb2.Setting]:
    return [rules_pb2.Setting(id=rule_id, flag=True) for rule_id in ids]


RULESETS: dict[str, rules_pb2.Ruleset] = {
    "jdf4": rules_pb2.Ruleset(preset="jdf4"),
    "jdf3": rules_pb2.Ruleset(preset="jdf3"),
    "jdf5": rules_pb2.Ruleset(preset="jdf5"),
    "uecda": rules_pb2.Ruleset(preset="uecda"),
    "choices": rules_pb2.Ruleset(preset="jdf4", settings=on("seven_pass", "salvage", "queen_bomber", "reverend_king")),
    "windows": rules_pb2.Ruleset(
        preset="jdf4", settings=on("four_stop", "seven_counter", "ten_return", "eight_cut_return")
    ),
    "strength": rules_pb2.Ruleset(
        preset="jdf4",
        settings=on(
            *("jack_back", "enhanced_jack_back", "two_back", "six_return", "arthur", "triple_seven"),
            *("sequence_revolution", "coup_detat", "joker_revolution", "great_revolution", "religious_revolution"),
            *("optional_revolution", "delayed_revolution", "weak_joker_in_revolution", "spade2_counter"),
        ),
    ),
    "omen": rules_pb2.Ruleset(
        preset="jdf4", settings=on("omen", "jack_back", "revolution_flush", "sequence_revolution", "seven_pass")
    ),
    "fusion": adding("fusion"),
    "catapult": adding("catapult"),
    "guerrilla": adding("guerrilla"),
    "effects": rules_pb2.Ruleset(
        preset="jdf4",
        settings=on("queen_reverse", "nine_reverse", "five_skip", "seven_discard", "seven_attach", "nine_return"),
    ),
    "locks": rules_pb2.Ruleset(
        preset="jdf4",
        settings=on(
            *("partial_lock", "color_lock", "number_lock", "fierce_lock", "queen_unlock", "joker_lock", "down_number"),
            *("sequence_suit_must_follow", "unreturnable_flush"),
        ),
    ),
    "shapes": rules_pb2.Ruleset(
        preset="jdf4",
        settings=[
            *on("two_card_sequence", "sequence_card_effects", "eight_cut_in_sequence", "jack_back", "dignity"),
            *on("double_joker_flush", "taepodong", "great_revolution", "sequence_revolution"),
            rules_pb2.Setting(id="deal_method", word="two_packs"),
            rules_pb2.Setting(id="hand_size", number=13),
        ],
    ),
    "exchanges": rules_pb2.Ruleset(
        preset="jdf5",
        settings=[
            *on("tenpenchii", "antitrust_law", "capital_tax", "no_lead_after_miyako_ochi"),
            rules_pb2.Setting(id="miyako_ochi_mode", word="play_on"),
            rules_pb2.Setting(id="exchange_timing", word="tribute_first"),
            rules_pb2.Setting(id="exchange_joker_excluded", word="return_joker"),
        ],
    ),
    "kings and fives": rules_pb2.Ruleset(
        preset="jdf4",
        settings=on("kings_privilege", "black_market", "red_five", "nine_shuffle", "death", "black_seven", "dokan"),
    ),
}


@pytest.mark.parametrize("name", RULESETS)
async def test_the_folded_view_is_the_view(name: str) -> None:
    async with Processes() as processes:
        _, address = await processes.start_service("service")
        bots = await play(address, RULESETS[name], games=4)
    assert sum(bot.compared for bot in bots) > 50


class Unlucky(Comparing):
    """A bot whose connection is cut while its action is on its way."""

    proxy: Proxy

    async def act(self, view: view_pb2.View) -> None:
        loop = asyncio.get_running_loop()
        if self.policy.rng.random() < 0.1:  # type: ignore[attr-defined]
            loop.call_later(self.policy.rng.uniform(0, 0.003), self.proxy.cut)  # type: ignore[attr-defined]
        await super().act(view)


async def test_a_match_goes_on_over_connections_that_break() -> None:
    async with Processes() as processes:
        _, address = await processes.start_service("service")
        Unlucky.proxy = Proxy(address)
        async with Unlucky.proxy as way:
            bots = await play(way, RULESETS["jdf4"], games=2, kind=Unlucky)
    assert Unlucky.proxy.cuts > 3
    assert sum(bot.compared for bot in bots) > 20


async def play(
    address: str, ruleset: rules_pb2.Ruleset, games: int, kind: type[Comparing] = Comparing
) -> list[Comparing]:
    """Let bots play a match and return them."""
    async with Session(address, "host") as host:
        request: Any = game_pb2.CreateTableRequest(
            request_id="table", ruleset=ruleset, format=game_pb2.MatchFormat(games=games)
        )
        table = (await answered(host.game.CreateTable(request))).table
        sessions = [Session(address, f"bot {seat.index}") for seat in table.seats]
        bots = [
            kind(session, table.id, Random(random.Random(seat)), f"Bot {seat}", seat)
            for seat, session in enumerate(sessions)
        ]
        for bot in bots:
            await bot.join()
        start = game_pb2.StartMatchRequest(request_id="start", table_id=table.id)
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(bot.play()) for bot in bots]
            group.create_task(answered(host.game.StartMatch(start)))
        assert all(task.done() for task in playing)
        for session in sessions:
            await session.__aexit__(None, None, None)
    return bots
