"""The check of shuffles that a player's client makes by itself."""

from __future__ import annotations

from hashlib import sha256

import pytest

from clients.cli.match import shuffles
from clients.cli.texts import Words
from clients.common.fairness import MOST_LINKS, Verdict, Witness, known_commitment, leads_to
from clients.common.session import Session
from daifugo.v1 import game_pb2, view_pb2
from tests.services.harness import World, world
from tests.services.test_deals import ONE
from tests.services.test_hosting import through
from tests.services.test_table_life import SHORT
from tests.services.test_tables import get


def hashed(seed: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        seed = sha256(seed).digest()
    return seed


SEED = b"s" * 32
OWN = b"o" * 32


def over(seed: bytes = SEED, commitment: bytes = b"", own: bytes = OWN) -> view_pb2.Shuffle:
    return view_pb2.Shuffle(commitment=commitment or hashed(seed), client_seeds=[b"", own], seed=seed)


@pytest.mark.parametrize("matches_before", [0, 1, MOST_LINKS - 1])
def test_the_seed_committed_to_before_the_own_seed_was_known_is_fair(matches_before: int) -> None:
    witness = Witness(OWN, hashed(SEED, 1 + matches_before))
    assert witness.verdict(over(), 1) is Verdict.FAIR


def test_another_seed_than_the_one_committed_to_is_found() -> None:
    assert Witness(OWN, hashed(SEED)).verdict(over(b"x" * 32, hashed(SEED)), 1) is Verdict.OTHER_SEED


def test_a_commitment_made_later_is_found() -> None:
    assert Witness(OWN, hashed(b"another")).verdict(over(), 1) is Verdict.NOT_BOUND
    assert not leads_to(hashed(SEED), SEED), "the other way round nobody can hash"


def test_an_own_seed_that_was_left_out_is_found() -> None:
    witness = Witness(OWN, hashed(SEED))
    assert witness.verdict(over(own=b"x"), 1) is Verdict.LEFT_OUT
    assert witness.verdict(over(), 0) is Verdict.LEFT_OUT
    assert witness.verdict(over(), 2) is Verdict.LEFT_OUT


def test_nothing_is_said_where_nothing_can_be_checked() -> None:
    running = view_pb2.Shuffle(commitment=hashed(SEED), client_seeds=[b"", OWN])
    assert Witness(OWN, hashed(SEED)).verdict(running, 1) is Verdict.UNCHECKED
    assert Witness(OWN, b"").verdict(over(), 1) is Verdict.UNCHECKED
    came_later = Witness(OWN, hashed(SEED), hashed(SEED))
    assert came_later.verdict(over(), 1) is Verdict.UNCHECKED


def test_what_is_known_beforehand_is_the_next_commitment_or_else_that_of_the_running_match() -> None:
    assert known_commitment(view_pb2.Shuffle(commitment=b"a", next_commitment=b"b")) == b"b"
    assert known_commitment(view_pb2.Shuffle(commitment=b"a")) == b"a"


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_told_in_words(language: str, verdict: Verdict) -> None:
    shown = {
        Verdict.FAIR: over(),
        Verdict.OTHER_SEED: over(b"x" * 32, hashed(SEED)),
        Verdict.NOT_BOUND: over(b"y" * 32),
        Verdict.LEFT_OUT: over(own=b""),
        Verdict.UNCHECKED: view_pb2.Shuffle(commitment=hashed(SEED)),
    }[verdict]
    table = game_pb2.Table(match_id="m1", shuffle=shown, your_seat=1)
    said = shuffles(Words(language), table, Witness(OWN, hashed(SEED)))
    if verdict is Verdict.UNCHECKED:
        assert not said
    else:
        assert shown.seed.hex() in said[0]
        assert said[1] == Words(language)(f"shuffle.{verdict.value}")


async def judged(w: World, session: Session, table: str) -> Verdict:
    shown = await get(w, table)
    return session.witnesses[table].verdict(shown.shuffle, shown.your_seat)


async def test_a_client_gives_a_seed_when_it_sits_down_and_can_check_every_match_from_then_on() -> None:
    async with world() as w, Session(w.address, "p0") as session:
        table = await w.table(seats=0, ruleset=SHORT, format=ONE)
        await session.join(game_pb2.JoinTableRequest(request_id="sit", table_id=table, seat=0, display_name="P0"))
        for seat in range(1, 4):
            await w.join(table, f"p{seat}", seat)
        assert (await get(w, table)).seats[0].client_seed == session.witnesses[table].client_seed
        for _ in range(3):
            await w.start(table)
            assert await judged(w, session, table) is Verdict.UNCHECKED, "the match is not over"
            await through(w, table)
            assert await judged(w, session, table) is Verdict.FAIR


async def test_of_a_match_that_had_begun_nothing_is_said_and_the_next_one_is_checked() -> None:
    async with world() as w, Session(w.address, "late") as session:
        table = await w.table(ruleset=SHORT, format=game_pb2.MatchFormat(games=2))
        await w.start(table)
        await w.caller("p3").call("LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        await through(w, table)
        await session.join(game_pb2.JoinTableRequest(request_id="sit", table_id=table, seat=3, display_name="LATE"))
        w.clock.advance(10)
        await through(w, table)
        shown = (await w.caller("late").view(table)).view.shuffle
        assert session.witnesses[table].verdict(shown, 3) is Verdict.UNCHECKED
        await w.start(table)
        await through(w, table)
        w.clock.advance(10)
        await through(w, table)
        shown = (await w.caller("late").view(table)).view.shuffle
        assert session.witnesses[table].verdict(shown, 3) is Verdict.FAIR
