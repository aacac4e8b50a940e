"""Every RPC with every kind of token that is not the right one; and streams, which end when their token does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from daifugo.v1 import (
    cards_pb2,
    drive_pb2,
    game_pb2,
    identity_pb2,
    matchmaker_pb2,
    record_pb2,
    rules_pb2,
    view_pb2,
)
from services.common.access import ACCESS, OPEN, SCOPES, access_to
from services.common.clocks import SystemClock
from services.common.issuer import BOT_CLAIM, LEEWAY_SECONDS, NAME_CLAIM, SCOPES_CLAIM
from services.identity.accounts import Account
from services.identity.signing import signed
from tests.services.accounts import Accounts, accounts, secret
from tests.services.harness import Failure, refusal, world
from tests.services.office import Office, beside

FILES: Final = (game_pb2, drive_pb2, record_pb2, rules_pb2, matchmaker_pb2, identity_pb2)
METHODS: Final[dict[str, Any]] = {
    f"{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
CLOSED: Final = [path for path in METHODS if access_to(path) != OPEN]


class Everything:
    """All services of the game, as an operator runs them together."""

    def __init__(self, a: Accounts, o: Office, game: grpc.aio.Channel) -> None:
        self.a, self.o = a, o
        self.channels = {
            "GameService": game,
            "DriveService": game,
            "RecordService": game,
            "RulesService": game,
            "MatchmakerService": o.channel,
            "IdentityService": a.channel,
        }

    async def call(self, path: str, request: Message, *metadata: tuple[str, str]) -> Any:
        """Call a method; of a stream, return the first message."""
        method = METHODS[path]
        channel = self.channels[path.split("/")[0].rpartition(".")[2]]
        answer = GetMessageClass(method.output_type)
        try:
            if method.server_streaming:
                stream = await opened(channel, path, request, metadata, answer.FromString)
                if method.client_streaming:
                    await stream.done_writing()
                message = await stream.read()
                assert method.client_streaming or message is not grpc.aio.EOF
                stream.cancel()
                return message
            call: Any = channel.unary_unary(f"/{path}", response_deserializer=answer.FromString)
            return await call(request.SerializeToString(), metadata=metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Failure(error) from None

    async def called_by(self, token: str, path: str, request: Message | None = None) -> Any:
        made = request if request is not None else GetMessageClass(METHODS[path].input_type)()
        return await self.call(path, made, ("authorization", f"Bearer {token}"))

    def signed(self, **changes: Any) -> str:
        """Sign what the identity service itself would sign, but for some claims."""
        now = int(time.time())
        key = self.a.app.keyring.keys[0]
        claims = {"iss": "daifugo", "aud": "daifugo", "sub": "guest-1", "iat": now, "exp": now + 600, BOT_CLAIM: False}
        private = Ed25519PrivateKey.from_private_bytes(key.private)
        return jwt.encode({**claims, **changes}, private, "EdDSA", headers={"kid": key.id})


async def opened(
    channel: grpc.aio.Channel,
    path: str,
    request: Message,
    metadata: tuple[tuple[str, str], ...],
    read: Callable[[bytes], Any] | None = None,
) -> Any:
    """Open a stream with a first request."""
    data = request.SerializeToString()
    if not METHODS[path].client_streaming:
        watch: Any = channel.unary_stream(f"/{path}", response_deserializer=read)
        return watch(data, metadata=metadata)
    drive: Any = channel.stream_stream(f"/{path}", response_deserializer=read)
    stream = drive(metadata=metadata)
    with suppress(asyncio.InvalidStateError):  # it has been refused already
        await stream.write(data)
    return stream


@asynccontextmanager
async def everything(folder: Path) -> AsyncIterator[Everything]:
    clock = SystemClock()
    async with accounts(folder, clock) as a, world(**a.trust) as w, beside(w, **matchmaker(a, clock.now())) as o:
        yield Everything(a, o, w.caller("nobody").channel)


def matchmaker(a: Accounts, now: float) -> dict[str, Any]:
    """Settings of a matchmaker that is somebody at the game service."""
    account = Account("bot-matchmaker", "Matchmaker", now, True)
    token = signed(a.app.keyring.keys[0], account, "daifugo", "daifugo", now, now + 600, ("host",))
    return {**a.trust, "game_token": token}


BAD: Final[dict[str, Callable[[Everything], tuple[tuple[str, str], ...]]]] = {
    "no token": lambda e: (),
    "an empty one": lambda e: (("authorization", ""),),
    "another scheme": lambda e: (("authorization", f"Basic {e.signed()}"),),
    "one in another place": lambda e: (("token", e.signed()),),
    "any text": lambda e: (("authorization", "Bearer p0"),),
    "somebody's device secret": lambda e: (("authorization", f"Bearer {secret('Mio')}"),),
    "a signature that is not this one's": lambda e: (("authorization", f"Bearer {e.signed()[:-4]}AAAA"),),
    "another audience": lambda e: (("authorization", f"Bearer {e.signed(aud='poker')}"),),
    "another issuer": lambda e: (("authorization", f"Bearer {e.signed(iss='elsewhere')}"),),
    "a bot or not, perhaps": lambda e: (("authorization", f"Bearer {e.signed(**{BOT_CLAIM: 'no'})}"),),
    "scopes that are no list": lambda e: (("authorization", f"Bearer {e.signed(**{SCOPES_CLAIM: 'play'})}"),),
    "a name that is none": lambda e: (("authorization", f"Bearer {e.signed(**{NAME_CLAIM: 7})}"),),
    "expired": lambda e: (("authorization", f"Bearer {e.signed(exp=int(time.time()) - 60)}"),),
}


def test_somebody_has_decided_who_may_call_each_method_and_no_other() -> None:
    assert {f"{service}/{method}" for service, methods in ACCESS.items() for method in methods} == set(METHODS)


def test_what_is_open_to_all_is_how_one_comes_by_a_token() -> None:
    opened = {path.rpartition("/")[2] for path in METHODS if access_to(path) == OPEN}
    assert opened == {"SignInGuest", "SignInBot", "Refresh", "SignOut"}


def test_a_method_that_nobody_has_decided_about_cannot_be_served() -> None:
    with pytest.raises(KeyError):
        access_to("/daifugo.v1.GameService/TellEverything")


@pytest.mark.parametrize("scope", SCOPES)
def test_the_page_says_what_each_scope_is_for(scope: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "identity.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `BOT_SCOPE_{scope.upper()}` |")]
    methods = [method for service in ACCESS.values() for method, access in service.items() if access == scope]
    assert row.split("|")[2].strip() == ", ".join([f"`{method}`" for method in methods])


async def test_no_method_is_open_to_a_bad_token(tmp_path: Path) -> None:
    async with everything(tmp_path) as e:
        for what, metadata in BAD.items():
            reason = "TOKEN_EXPIRED" if what == "expired" else "NOT_SIGNED_IN"
            for path in CLOSED:
                request = GetMessageClass(METHODS[path].input_type)()
                failure = await refusal(e.call(path, request, *metadata(e)))
                assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason), (what, path)


async def test_the_refresh_token_and_the_key_of_a_bot_open_no_other_method(tmp_path: Path) -> None:
    async with everything(tmp_path) as e:
        tokens = (await e.a.sign_in("Mio")).tokens
        key = await e.a.bot(tokens.token, "Helper", identity_pb2.BOT_SCOPE_PLAY)
        for wrong in (tokens.refresh_token, key):
            for path in CLOSED:
                assert (await refusal(e.called_by(wrong, path))).reason == "NOT_SIGNED_IN", path


async def test_each_scope_of_a_bot_opens_its_methods_and_no_more(tmp_path: Path) -> None:
    async with everything(tmp_path) as e:
        for scope in ("play", "host", "queue"):
            token = e.signed(sub="bot-1", **{BOT_CLAIM: True, SCOPES_CLAIM: [scope]})
            for path in CLOSED:
                reason = await reason_of(e.called_by(token, path))
                is_open = access_to(path) in ("anybody", scope)
                assert (reason != "SCOPE_MISSING") == is_open, (scope, path, reason)


async def reason_of(call: Awaitable[Any]) -> str:
    try:
        await call
    except Failure as failure:
        return failure.reason
    return ""


async def test_nobody_does_anything_with_a_seat_a_ticket_or_a_key_of_somebody_else(tmp_path: Path) -> None:
    """What each method does for a caller who has no seat, beside what it does for the one whose it is."""
    async with everything(tmp_path) as e:
        game = "daifugo.v1.GameService"
        people = {name: (await e.a.sign_in(name)).tokens.token for name in ("Ann", "Bea", "Cho", "Dan", "Eve")}
        host, stranger = people["Ann"], people["Eve"]
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await e.called_by(host, f"{game}/CreateTable", create)).table.id
        for name in ("Ann", "Bea", "Cho", "Dan"):
            join = game_pb2.JoinTableRequest(request_id="j", table_id=table)
            await e.called_by(people[name], f"{game}/JoinTable", join)
        start = game_pb2.StartMatchRequest(request_id="s", table_id=table)
        records = "daifugo.v1.RecordService"
        match_id = (await e.called_by(host, f"{game}/StartMatch", start)).table.match_id
        views = {
            name: (await e.called_by(token, f"{game}/GetView", game_pb2.GetViewRequest(table_id=table))).view
            for name, token in people.items()
        }
        asked = next(name for name in people if views[name].HasField("decision"))
        idle = next(name for name in ("Ann", "Bea", "Cho", "Dan") if name != asked)
        decision = views[asked].decision.id
        play = view_pb2.Action(play=cards_pb2.Play(cards=[views[asked].hand[0]]))
        ticket = matchmaker_pb2.CreateTicketRequest(request_id="t", queue_id="federation")
        queue = "daifugo.v1.MatchmakerService"
        ticket_id = (await e.called_by(host, f"{queue}/CreateTicket", ticket)).ticket.id
        key = (await e.a.bot(host, "Helper", identity_pb2.BOT_SCOPE_PLAY)).split("_")[1]
        identity = "daifugo.v1.IdentityService"

        denied: list[tuple[str, Message, dict[str, str]]] = [
            (
                f"{game}/Act",
                game_pb2.ActRequest(table_id=table, decision_id=decision, action=play),
                {stranger: "NOT_SEATED", people[idle]: "NOT_YOUR_SEAT"},
            ),
            (
                f"{game}/GetLegalActions",
                game_pb2.GetLegalActionsRequest(table_id=table, decision_id=decision),
                {stranger: "NOT_SEATED", people[idle]: "NOT_YOUR_SEAT"},
            ),
            (
                f"{game}/CheckAction",
                game_pb2.CheckActionRequest(table_id=table, decision_id=decision, action=play),
                {stranger: "NOT_SEATED", people[idle]: "NOT_YOUR_SEAT"},
            ),
            (
                f"{game}/GetHint",
                game_pb2.GetHintRequest(table_id=table, decision_id=decision),
                {stranger: "NOT_SEATED", people[idle]: "NOT_YOUR_SEAT"},
            ),
            (
                f"{game}/SetSeat",
                game_pb2.SetSeatRequest(table_id=table, seat=0, kind=view_pb2.SEAT_KIND_BOT),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/KickSeat",
                game_pb2.KickSeatRequest(request_id="k", table_id=table, seat=0),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/MoveSeat",
                game_pb2.MoveSeatRequest(request_id="m", table_id=table, seat=0, to_seat=1),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/TransferHost",
                game_pb2.TransferHostRequest(request_id="t", table_id=table, seat=1),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/UpdateTable",
                game_pb2.UpdateTableRequest(request_id="u", table_id=table, name="mine"),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/EndMatch",
                game_pb2.EndMatchRequest(request_id="e", table_id=table),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/SetSeatOptions",
                game_pb2.SetSeatOptionsRequest(table_id=table, stand_in=True),
                {stranger: "NOT_SEATED"},
            ),
            (
                f"{game}/RenewInviteCode",
                game_pb2.RenewInviteCodeRequest(request_id="n", table_id=table),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{game}/StartMatch",
                game_pb2.StartMatchRequest(request_id="s2", table_id=table),
                {stranger: "NOT_HOST", people["Bea"]: "NOT_HOST"},
            ),
            (
                f"{records}/GetRecord",
                record_pb2.GetRecordRequest(match_id=match_id),
                {stranger: "RECORD_NOT_FOUND", people["Bea"]: "RECORD_NOT_FOUND"},
            ),
            (
                f"{records}/ExportRecords",
                record_pb2.ExportRecordsRequest(match_ids=[match_id], format=record_pb2.RECORD_FORMAT_KIFU),
                {stranger: "RECORD_NOT_FOUND", people["Bea"]: "RECORD_NOT_FOUND"},
            ),
            (
                f"{records}/StreamRecord",
                record_pb2.StreamRecordRequest(match_id=match_id, table_id=table, eyes=record_pb2.RECORD_EYES_SEAT),
                {stranger: "NOT_YOUR_SEAT", people["Bea"]: "NOT_YOUR_SEAT"},
            ),
            (
                f"{queue}/GetTicket",
                matchmaker_pb2.GetTicketRequest(ticket_id=ticket_id),
                {stranger: "TICKET_NOT_FOUND"},
            ),
            (
                f"{queue}/WatchTicket",
                matchmaker_pb2.WatchTicketRequest(ticket_id=ticket_id),
                {stranger: "TICKET_NOT_FOUND"},
            ),
            (
                f"{queue}/DeleteTicket",
                matchmaker_pb2.DeleteTicketRequest(ticket_id=ticket_id),
                {stranger: "TICKET_NOT_FOUND"},
            ),
            (
                f"{identity}/RevokeBotKey",
                identity_pb2.RevokeBotKeyRequest(bot_key_id=key),
                {stranger: "BOT_KEY_NOT_FOUND"},
            ),
        ]
        for path, request, reasons in denied:
            for token, reason in reasons.items():
                assert await reason_of(e.called_by(token, path, request)) == reason, path

        # who has no seat sees the table as spectators do, and nobody sees the hand of another
        for name, view in views.items():
            assert [len(each.hand) for each in view.seats] == [0] * 4
            assert bool(view.hand) == (name != "Eve")
        attach = drive_pb2.Attach(handle=3, table_id=table)
        driven = await e.called_by(stranger, "daifugo.v1.DriveService/Drive", drive_pb2.DriveRequest(attach=[attach]))
        assert [(each.handle, each.reason) for each in driven.problems] == [(3, rules_pb2.REASON_NOT_SEATED)]
        request = record_pb2.StreamRecordRequest(match_id=match_id, table_id=table)
        again = (await e.called_by(stranger, f"{records}/StreamRecord", request)).message
        assert not again.snapshot.view.hands_shown
        assert not again.snapshot.view.HasField("seat")
        watched = await e.called_by(stranger, f"{game}/Watch", game_pb2.WatchRequest(table_id=table))
        assert not watched.snapshot.view.hand
        assert not watched.snapshot.view.HasField("seat")
        listed = await e.called_by(stranger, f"{game}/ListEvents", game_pb2.ListEventsRequest(table_id=table))
        assert not listed.messages[0].snapshot.view.hand
        assert not listed.messages[0].snapshot.view.HasField("seat")
        shown = (await e.called_by(stranger, f"{game}/GetTable", game_pb2.GetTableRequest(table_id=table))).table
        assert not shown.HasField("your_seat")
        assert not shown.you_are_host

        told_the_same = {
            *(f"{game}/{name}" for name in ("CreateTable", "JoinTable", "LeaveTable")),
            *(f"{game}/{name}" for name in ("GetTable", "ListTables", "GetView", "Watch", "ListEvents")),
            *(path for path in CLOSED if "RulesService" in path),
            "daifugo.v1.DriveService/Drive",
            *(f"{records}/{name}" for name in ("ListRecords", "ImportRecords", "ForgetMe")),
            *(f"{queue}/{name}" for name in ("CreateTicket", "ListQueues")),
            *(f"{identity}/{name}" for name in ("GetAccount", "SetDisplayName", "DeleteAccount", "CreateBotKey")),
            f"{identity}/ListBotKeys",
        }
        """What acts for the caller alone, or tells what anybody may know."""
        assert {path for path, _, _ in denied} | told_the_same == set(CLOSED)
        await e.called_by(stranger, f"{game}/LeaveTable", game_pb2.LeaveTableRequest(table_id=table))
        # and nothing of all this has changed anything
        await e.called_by(people[asked], f"{game}/Act", denied[0][1])
        await e.called_by(host, f"{queue}/DeleteTicket", matchmaker_pb2.DeleteTicketRequest(ticket_id=ticket_id))
        await e.called_by(host, f"{identity}/RevokeBotKey", identity_pb2.RevokeBotKeyRequest(bot_key_id=key))


async def test_every_stream_ends_when_its_token_does(tmp_path: Path) -> None:
    async with everything(tmp_path) as e:
        host = e.signed()
        create = game_pb2.CreateTableRequest(request_id="c", ruleset=rules_pb2.Ruleset(preset="jdf4"))
        table = (await e.called_by(host, "daifugo.v1.GameService/CreateTable", create)).table.id
        ticket = matchmaker_pb2.CreateTicketRequest(request_id="t", queue_id="federation")
        await e.called_by(host, "daifugo.v1.MatchmakerService/CreateTicket", ticket)
        requests = {
            "daifugo.v1.GameService/Watch": game_pb2.WatchRequest(table_id=table),
            "daifugo.v1.DriveService/Drive": drive_pb2.DriveRequest(attach=[drive_pb2.Attach(table_id=table)]),
            "daifugo.v1.MatchmakerService/WatchTicket": matchmaker_pb2.WatchTicketRequest(),
        }
        # which end with their match or file, long before
        ends = {f"daifugo.v1.RecordService/{name}" for name in ("StreamRecord", "ExportRecords")}
        assert set(requests) == {path for path, method in METHODS.items() if method.server_streaming} - ends
        for path, request in requests.items():
            token = e.signed(exp=time.time() - LEEWAY_SECONDS + 2.0)
            channel = e.channels[path.split("/")[0].rpartition(".")[2]]
            stream = await opened(channel, path, request, (("authorization", f"Bearer {token}"),))
            assert await stream.read() is not grpc.aio.EOF
            end = await refusal(rest(stream))
            assert (end.code, end.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"), path


async def rest(stream: Any) -> None:
    """Read a stream to its end."""
    try:
        while await stream.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        raise Failure(error) from None
