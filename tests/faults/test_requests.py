"""Whatever anybody sends is answered or refused by name, and harms no table."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from daifugo.v1 import drive_pb2, game_pb2, identity_pb2, matchmaker_pb2, record_pb2, rules_pb2
from engine.available import PRESETS
from engine.catalogue import entries, settings
from services.game.codec.kept import whole
from services.game.codec.kifu.writing import write
from tests.faults.requests import Requests
from tests.services.accounts import accounts, secret
from tests.services.harness import Failure, world
from tests.services.office import beside

SENT: Final = [
    pytest.param(20_000, marks=pytest.mark.timeout(900)),
    pytest.param(200_000, marks=[pytest.mark.long, pytest.mark.timeout(0)]),
]
AT_ONCE: Final = 50
NEVER: Final = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
UNDERSTOOD: Final = (grpc.StatusCode.OK, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED)
PLAYERS: Final = ("p0", "p1", "p2", "p3")
STRANGERS: Final = ("stranger", "b1")
MORE: Final = 200
"""How many times more the requests are sent of which none was understood yet: some mean something only seldom."""
METHODS: Final = [
    method
    for module in (game_pb2, drive_pb2, record_pb2, rules_pb2, matchmaker_pb2, identity_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


async def send(channel: grpc.aio.Channel, method: Any, data: bytes, token: str) -> tuple[grpc.StatusCode, str]:
    """Send a request as bytes; return the status, and the reason if it is refused. Of a stream one message is read."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = (("authorization", f"Bearer {token}"),)
    try:
        if method.client_streaming:
            drive: Any = channel.stream_stream(path)
            stream = drive(metadata=metadata)
            await stream.write(data)
            await stream.done_writing()
            while await stream.read() is not grpc.aio.EOF:
                pass
            if await stream.code() != grpc.StatusCode.OK:
                return await stream.code(), _reason(await stream.trailing_metadata())
        elif method.server_streaming:
            watch: Any = channel.unary_stream(path)
            stream = watch(data, metadata=metadata)
            await stream.read()
            if stream.done() and await stream.code() != grpc.StatusCode.OK:
                return await stream.code(), _reason(await stream.trailing_metadata())
            stream.cancel()
        else:
            call: Any = channel.unary_unary(path)
            await call(data, metadata=metadata, timeout=60)
    except grpc.aio.AioRpcError as error:
        return error.code(), _reason(error.trailing_metadata())
    return grpc.StatusCode.OK, ""


HARMFUL: Final = ("KickSeat", "MoveSeat", "TransferHost", "UpdateTable", "EndMatch")
"""What a host must not do to a table at which others are to play on."""


def drawn(requests: Requests, method: Any) -> tuple[bytes, str]:
    """Draw a request, and who sends it. Players do not leave their tables, or for good; hosts spoil others only."""
    if method.name in HARMFUL:
        unused = {"table_id": requests.known["table_id"][1:]}
        requests = Requests(requests.rng, {**requests.known, **unused})
    who = STRANGERS if method.name in ("LeaveTable", "DeleteAccount") else [*PLAYERS, *STRANGERS]
    return requests.any(method.input_type), requests.rng.choice(who)


def _reason(metadata: Any) -> str:
    status = status_pb2.Status.FromString(dict(metadata or ()).get("grpc-status-details-bin", b""))
    info = error_details_pb2.ErrorInfo()
    return info.reason if any(detail.Unpack(info) for detail in status.details) else ""


@pytest.mark.parametrize("number", SENT)
async def test_every_request_is_answered_or_refused_by_name(number: int, tmp_path: Path) -> None:
    rng = random.Random(number)
    seen: Counter[tuple[str, grpc.StatusCode]] = Counter()

    def understood(method: Any) -> bool:
        return any(seen[method.name, code] for code in UNDERSTOOD)

    async with world(max_tables=200) as w, beside(w) as o, accounts(tmp_path, sign_ins_per_second=1e6) as a:
        form = game_pb2.MatchFormat(games=1000)
        tables = [await w.table(format=form), await w.table(format=form), await w.table(seats=1)]
        await w.start(tables[0])
        over = await w.table(format=game_pb2.MatchFormat(games=1))
        await w.start(over)
        await w.play(over)
        kept = await w.journal.match(w.app.tables.find(over).shown.match_id)
        assert kept is not None
        decisions: list[int] = []
        keys = [await a.bot((await a.sign_in(who)).tokens.token, "Helper", 1) for who in ("p0", "p0", "keeper")]
        refresh_tokens: list[str] = []
        known: dict[str, Sequence[Any]] = {
            "table_id": tables,
            "decision_id": decisions,
            "match_ids": [w.app.tables.find(over).shown.match_id],
            "data": [write(whole(kept)).encode()],
            "match_id": [w.app.tables.find(table).shown.match_id for table in (over, tables[0])],
            "seat": range(4),
            "seats": [4],
            "deal_number": ["", "P1151739204"],
            **{name: [1] for name in ("games", "rounds", "sets", "durability", "visibility")},
            "kind": [1, 2, 3],
            "handle": range(3),
            "token": PLAYERS,
            "preset": PRESETS,
            "id": [*settings(), *entries()],
            "queue_id": [queue.id for queue in o.app.queues.values()],
            "request_id": [f"request-{number}" for number in range(20)],
            "device_secret": [secret(who) for who in PLAYERS],
            "display_name": ["Mio", "Sora"],
            "scopes": [1, 2, 3],
            "key": keys,
            "refresh_token": refresh_tokens,
            "bot_key_id": [key.split("_")[1] for key in keys],
        }
        requests = Requests(rng, known)
        async with grpc.aio.insecure_channel(w.address) as game:
            for time in range(number // AT_ONCE + MORE):
                methods = METHODS
                if time >= number // AT_ONCE and not (methods := [m for m in METHODS if not understood(m)]):
                    break
                decisions[:] = [d for table in tables for d in w.app.tables.find(table).shown.state.decisions if d]
                signed_in = {who: (await a.sign_in(who)).tokens for who in (*PLAYERS, *STRANGERS)}
                refresh_tokens[:] = [signed_in["p1"].refresh_token]
                sent = [(method, *drawn(requests, method)) for method in rng.choices(methods, k=AT_ONCE)]
                calls = []
                for method, data, who in sent:
                    if "Identity" in method.full_name:
                        calls.append(send(a.channel, method, data, signed_in[who].token))
                    else:
                        calls.append(send(o.channel if "Matchmaker" in method.full_name else game, method, data, who))
                for (method, _, _), (code, reason) in zip(sent, await asyncio.gather(*calls)):
                    assert code not in NEVER, (method.name, code)
                    assert reason or code == grpc.StatusCode.OK, (method.name, code)
                    seen[method.name, code] += 1
                w.clock.advance(0.5)
                # and the players play on meanwhile, unless a stand-in was faster
                try:
                    await w.step(tables[0], rng)
                except Failure as failure:
                    if failure.reason != "DECISION_CLOSED":
                        raise
        for method in METHODS:
            assert understood(method), f"{method.name} was never understood"
            assert sum(seen[method.name, code] for code in grpc.StatusCode) > number / len(METHODS) / 2
        assert w.app.tables.find(tables[0]).shown.state.game > 1, "nobody was kept from playing"
