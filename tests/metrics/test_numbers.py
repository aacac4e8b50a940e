"""What the numbers say after many games: neither more series than after a few, nor anything that did not happen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from daifugo.v1 import game_pb2, rules_pb2, view_pb2
from tests.metrics.page import VALUES
from tests.services.harness import World, refusal, world

SHORT = rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="hand_size", number=2)])
GAMES = 10
"""Games at a table."""
TABLES = 20


def samples(w: World) -> Iterator[Sample]:
    for family in text_string_to_metric_families(generate_latest(w.app.metrics.registry).decode()):
        yield from family.samples


def series(w: World) -> set[tuple[str, str]]:
    return {(sample.name, str(sorted(sample.labels.items()))) for sample in samples(w)}


def number(w: World, name: str, **labels: str) -> float:
    (value,) = [sample.value for sample in samples(w) if (sample.name, sample.labels) == (name, labels)]
    return value


async def match(w: World, done: Counter[str], rng: random.Random) -> None:
    """Play a match at a new table; now and then somebody sleeps, or tries what is refused."""
    clock, form = game_pb2.Clock(turn_seconds=180), game_pb2.MatchFormat(games=GAMES)
    table = await w.table(ruleset=SHORT, format=form, clock=clock, name=f"private {rng.random()}")
    stream = w.caller("p0").watch(table)
    await stream.read()
    await w.start(table)
    for turn in range(10_000):
        decisions = w.app.tables.find(table).shown.state.decisions
        if any(decisions) and turn % 40 == 17:
            open_ones = sum(1 for decision in decisions if decision)
            await w.advance(table, 200)
            done["time_outs"] += open_ones
            await w.caller("p0").view(table)
            decided = w.app.tables.find(table).shown.state.decisions
            assert all(now != before for now, before in zip(decided, decisions) if before)
        elif any(decisions) and turn % 40 == 29:
            await refusal(w.caller("p0").act(table, 10**6, view_pb2.Action()))
            done["refused"] += 1
        elif await w.step(table, rng):
            done["acts"] += 1
        elif w.app.tables.find(table).shown.state.playing is False:
            view = (await w.caller("p0").view(table)).view
            if view.state != view_pb2.TABLE_STATE_RUNNING:
                break
            w.clock.advance(5)
    stream.cancel()
    await w.caller("p0").view(table)


@pytest.mark.timeout(120)
async def test_after_two_hundred_games_there_are_no_more_series_than_after_a_few_and_the_numbers_are_right() -> None:
    async with world(max_tables=TABLES, table_idle_seconds=1e9, most_time_outs=10**6) as w:
        done: Counter[str] = Counter()
        rng = random.Random(5)
        for _ in range(2):
            await match(w, done, rng)
        few = series(w)
        for _ in range(TABLES - 2):
            await match(w, done, rng)
        assert series(w) == few

        assert number(w, "daifugo_games_total") == TABLES * GAMES
        assert number(w, "daifugo_matches_total") == TABLES
        assert number(w, "daifugo_tables") == TABLES
        assert number(w, "daifugo_matches_running") == 0
        assert number(w, "daifugo_seats", by="person") == TABLES * 4
        assert number(w, "daifugo_calls_total", method="Act", code="OK") == done["acts"]
        assert number(w, "daifugo_call_seconds_count", method="Act") == done["acts"] + done["refused"]
        assert number(w, "daifugo_calls_total", method="CreateTable", code="OK") == TABLES
        assert number(w, "daifugo_calls_total", method="JoinTable", code="OK") == TABLES * 4
        assert number(w, "daifugo_actions_total", by="seat") == done["acts"]
        assert number(w, "daifugo_actions_total", by="clock") == done["time_outs"] > 0
        assert number(w, "daifugo_time_outs_total", seat="person") == done["time_outs"]
        assert sum(s.value for s in samples(w) if s.name == "daifugo_refused_total") == done["refused"] > 0
        # the journal lets go of what its snapshots make needless
        records = sum(table.shown.version + 1 for table in w.app.tables._by_id.values())
        for part in VALUES["part"]:
            assert number(w, "daifugo_action_seconds_count", part=part) == records


async def test_a_label_is_one_of_the_values_that_the_page_names() -> None:
    async with world() as w:
        await match(w, Counter(), random.Random(6))
        assert (await refusal(w.caller("").call("ListReasons", rules_pb2.ListReasonsRequest()))).reason
        named = [(label, value) for sample in samples(w) for label, value in sample.labels.items() if label != "le"]
        assert named
        for label, value in named:
            assert value in VALUES[label], (label, value)


async def test_seats_are_counted_by_who_has_them_while_their_table_is_open() -> None:
    async with world() as w:
        table = await w.table(seats=2)
        await w.join(table, "robot", bot=True)
        assert [number(w, "daifugo_seats", by=who) for who in ("person", "bot", "nobody")] == [2, 1, 1]
        w.app.tables.find(table).close()
        await w.caller("p0").view(table)
        assert [number(w, "daifugo_seats", by=who) for who in ("person", "bot", "nobody")] == [0, 0, 0]
