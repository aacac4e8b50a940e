"""What holds for every call: identity, size, languages, unknown methods, health, reflection, bugs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from daifugo.v1 import drive_pb2, drive_pb2_grpc, game_pb2, game_pb2_grpc, rules_pb2, rules_pb2_grpc
from services.common.auth import best_locale
from services.common.limit import Limit
from services.game.app import NAMES
from services.game.drive_servicer import DriveServicer
from services.game.rules_servicer import RulesServicer
from services.game.servicer import GameServicer
from tests.services.harness import Failure, refusal, world
from tests.services.test_actions import play, running

# --- identity --------------------------------------------------------------------------------------------------------


async def test_every_call_needs_an_identity() -> None:
    async with world() as w:
        nobody = w.caller("")
        for service in (game_pb2, rules_pb2):
            for described in service.DESCRIPTOR.services_by_name.values():
                for method in described.methods:
                    if method.server_streaming:
                        failure = await refusal(nobody.watch("x").read())
                    else:
                        request: Any = getattr(service, method.input_type.name)()
                        failure = await refusal(nobody.call(method.name, request))
                    assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, "NOT_SIGNED_IN")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc", "abc"])
async def test_a_header_without_a_token_is_no_identity(header: str) -> None:
    async with world() as w:
        caller = w.caller("x")
        caller.metadata = [("authorization", header)]
        assert (await refusal(caller.call("ListReasons", rules_pb2.ListReasonsRequest()))).reason == "NOT_SIGNED_IN"


@pytest.mark.parametrize(
    ("accepted", "best"),
    [
        ("ja", "ja"),
        ("ja-JP", "ja"),
        ("fr", "en"),
        ("", "en"),
        ("en;q=0.2, ja;q=0.9", "ja"),
        ("fr, en;q=0.8, ja;q=0.5", "en"),
        ("ja;q=nonsense", "en"),
        ("*;q=0.1", "en"),
    ],
)
def test_the_language_is_the_best_of_those_accepted(accepted: str, best: str) -> None:
    assert best_locale(accepted, "en") == best


# --- what cannot be read ---------------------------------------------------------------------------------------------


async def raw(address: str, path: str, data: bytes) -> Any:
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.unary_unary(path)
        try:
            return await call(data, metadata=[("authorization", "Bearer t")], timeout=10)
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None


async def test_a_message_that_is_too_large() -> None:
    async with world(max_message_bytes=1000) as w:
        failure = await refusal(
            w.caller("p0").call("CreateTable", game_pb2.CreateTableRequest(request_id="r", name="x" * 1001))
        )
        assert (failure.code, failure.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE")
        huge = b"\x0a\x04" + b"x" * 5_000_000
        with pytest.raises(Failure) as found:
            await raw(w.address, "/daifugo.v1.GameService/Act", huge)
        assert found.value.code == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_bytes_that_are_no_message() -> None:
    async with world() as w:
        for data in (b"\xff\xff\xff", b"\x0a\x02\xc3\x28"):
            failure = await refusal(raw(w.address, "/daifugo.v1.GameService/Act", data))
            assert (failure.code, failure.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


async def test_a_method_that_there_is_not() -> None:
    async with world() as w:
        failure = await refusal(raw(w.address, "/daifugo.v1.GameService/Cheat", b""))
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNIMPLEMENTED, "NOT_IMPLEMENTED")


# --- deadlines and bugs ----------------------------------------------------------------------------------------------


async def test_a_call_that_takes_too_long_ends_and_can_be_sent_again() -> None:
    async with world() as w:
        table, who, view = await running(w)
        w.app.server.edge.limit = Limit(0.25)
        w.journal.open.clear()
        failure = await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        assert (failure.code, failure.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "TIMED_OUT")
        w.journal.open.set()
        assert (await who.act(table, view.decision.id, play(view.hand[0]))).repeated


async def test_a_bug_is_internal_and_logged_without_what_it_was_about(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        table, who, view = await running(w)

        def broken(*_: object) -> None:
            raise ValueError("hand S3 H4, token secret")

        with monkeypatch.context() as patch:
            patch.setattr("services.game.table.Table.act", broken)
            failure = await refusal(who.act(table, view.decision.id, play(view.hand[0])))
        w.mistakes = 1
        assert (failure.code, failure.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
        assert "hand" not in str(failure.status)
        (line,) = [line for line in map(json.loads, w.logs.getvalue().splitlines()) if line["event"] == "bug"]
        assert line["table_id"] == table
        assert line["version"] == 5
        assert line["ruleset_hash"]
        assert line["engine_version"]
        assert line["error_type"] == "ValueError"
        assert "S3" not in w.logs.getvalue()
        assert (await who.act(table, view.decision.id, play(view.hand[0]))).version == 6


# --- services --------------------------------------------------------------------------------------------------------


def test_every_rpc_is_implemented_and_there_is_no_other() -> None:
    for service, servicer, base in (
        (game_pb2.DESCRIPTOR.services_by_name["GameService"], GameServicer, game_pb2_grpc.GameServiceServicer),
        (drive_pb2.DESCRIPTOR.services_by_name["DriveService"], DriveServicer, drive_pb2_grpc.DriveServiceServicer),
        (rules_pb2.DESCRIPTOR.services_by_name["RulesService"], RulesServicer, rules_pb2_grpc.RulesServiceServicer),
    ):
        methods = {method.name for method in service.methods}
        assert methods == {name for name in vars(servicer) if name[0].isupper()}
        assert all(vars(servicer)[name] is not vars(base).get(name) for name in methods)


def test_clients_of_people_need_only_unary_calls_and_server_streams() -> None:
    """Driving many seats at once is for bots, and a service of its own."""
    for service in (game_pb2, rules_pb2):
        for described in service.DESCRIPTOR.services_by_name.values():
            assert not [method.name for method in described.methods if method.client_streaming]


async def test_health_is_told_for_each_service_without_an_identity() -> None:
    async with world() as w, grpc.aio.insecure_channel(w.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        for name in ("", *NAMES):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        await w.app.server.drain()
        for name in ("", *NAMES):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.mark.parametrize("on", [True, False])
async def test_reflection_can_be_switched_off(on: bool) -> None:
    async with world(reflection=on) as w, grpc.aio.insecure_channel(w.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[arg-type]
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        call: Any = stub.ServerReflectionInfo(iter([request]))
        if on:
            answer = await call.read()
            assert set(NAMES) <= {service.name for service in answer.list_services_response.service}
        else:
            assert await call.code() == grpc.StatusCode.UNIMPLEMENTED


async def test_a_server_that_stops_sends_watchers_away_and_takes_no_new_calls() -> None:
    async with world(grace_seconds=5) as w:
        table, who, view = await running(w)
        stream = w.caller("p1").watch(table)
        await stream.read()
        w.journal.open.clear()
        acting = asyncio.create_task(who.act(table, view.decision.id, play(view.hand[0])))
        await w.journal.asked.wait()
        await w.app.server.drain()
        w.app.tables.drain()
        failure = await refusal(who.view(table))
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        assert "RetryInfo" in failure.details
        going = (await stream.notice("going_away")).going_away
        assert going.reason == game_pb2.GOING_AWAY_REASON_DRAINING
        assert going.reconnect_after.ToMilliseconds() > 0
        with pytest.raises(EOFError):
            await stream.read()
        w.journal.open.set()
        assert (await acting).version == 6


async def test_whoever_watches_health_does_not_hold_the_stop() -> None:
    async with world(grace_seconds=60) as w, grpc.aio.insecure_channel(w.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        watching = stub.Watch(health_pb2.HealthCheckRequest(service=""))
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        async with asyncio.timeout(10):
            await w.app.stop()
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert await watching.read() is grpc.aio.EOF
        assert await watching.code() == grpc.StatusCode.OK


async def test_whoever_watches_health_and_does_not_read_does_not_hold_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world(grace_seconds=0.1) as w:

        async def held(*_: object) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(w.app.server.health, "set", held)
        async with asyncio.timeout(10):
            await w.app.stop()
