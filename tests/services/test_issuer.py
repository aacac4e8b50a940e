"""Identities that an issuer vouches for: whose token is taken, and until when."""

from __future__ import annotations

import hmac
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from daifugo.v1 import game_pb2, rules_pb2
from services.common import issuer
from services.common.auth import OpenDoor
from services.common.config import CannotStart
from services.common.errors import Refused
from services.common.issuer import AGAIN_SECONDS, FRESH_SECONDS, LEEWAY_SECONDS, Issuer
from tests.services.harness import Caller, World, refusal, world

ISSUER = "https://accounts.example"
Private = Ed25519PrivateKey | RSAPrivateKey

ED = Ed25519PrivateKey.generate()
RSA = generate_private_key(65537, 2048)
STRANGER = Ed25519PrivateKey.generate()


def public(name: str, key: Private) -> dict[str, Any]:
    """Write a public key as an issuer publishes it."""
    algorithm = "EdDSA" if isinstance(key, Ed25519PrivateKey) else "RS256"
    kind: Any = jwt.get_algorithm_by_name(algorithm)
    return {**json.loads(kind.to_jwk(key.public_key())), "kid": name, "alg": algorithm, "use": "sig"}


def issued(subject: str = "mio", key: Private = ED, name: str = "ed", **changes: Any) -> str:
    """Sign a token; a claim or a header that is None is left out."""
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "daifugo", "sub": subject, "iat": now, "exp": now + 600, **changes}
    algorithm = "EdDSA" if isinstance(key, Ed25519PrivateKey) else "RS256"
    said = {claim: value for claim, value in claims.items() if value is not None}
    return jwt.encode(said, key, algorithm, headers={"kid": name} if name else {})


def encoded(part: dict[str, Any]) -> str:
    return urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def unsigned() -> str:
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "daifugo", "sub": "mio", "iat": now, "exp": now + 600}
    return f"{encoded({'alg': 'none', 'kid': 'ed'})}.{encoded(claims)}."


def signed_with_the_public_key() -> str:
    """The old confusion: a public key taken for a shared secret."""
    secret = RSA.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "daifugo", "sub": "mio", "iat": now, "exp": now + 600}
    text = f"{encoded({'alg': 'HS256', 'kid': 'rsa'})}.{encoded(claims)}"
    signature = hmac.digest(secret, text.encode(), "sha256")
    return f"{text}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


BAD: dict[str, Callable[[], str]] = {
    "no token": lambda: "",
    "any text": lambda: "p0",
    "three parts of nothing": lambda: "a.b.c",
    "unsigned": unsigned,
    "signed with the public key": signed_with_the_public_key,
    "signed by a stranger": lambda: issued(key=STRANGER),
    "signed with a key of another kind": lambda: issued(key=RSA),
    "a key that there is not": lambda: issued(name="other"),
    "no key named": lambda: issued(name=""),
    "for another audience": lambda: issued(aud="poker"),
    "for no audience": lambda: issued(aud=None),
    "of another issuer": lambda: issued(iss="https://elsewhere.example"),
    "of no issuer": lambda: issued(iss=None),
    "of nobody": lambda: issued(subject=""),
    "of nobody at all": lambda: issued(sub=None),
    "of a name without end": lambda: issued(subject="x" * 256),
    "without an end": lambda: issued(exp=None),
    "without a beginning": lambda: issued(iat=None),
    "from the future": lambda: issued(iat=int(time.time()) + 3600),
    "not yet": lambda: issued(nbf=int(time.time()) + 3600),
}
EXPIRED: dict[str, Callable[[], str]] = {"expired": lambda: issued(exp=int(time.time()) - 60)}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "jwks.json"
    publish(path, public("ed", ED), public("rsa", RSA))
    return path


def publish(path: Path, *published: dict[str, Any]) -> None:
    """Let an issuer publish other keys; none: it is away."""
    path.write_text(json.dumps({"keys": published}) if published else "")


@pytest.mark.parametrize("name", [*BAD, *EXPIRED])
async def test_a_bad_token_opens_no_method(name: str, keys: Path) -> None:
    reason = "TOKEN_EXPIRED" if name in EXPIRED else "NOT_SIGNED_IN"
    async with world(issuer=ISSUER, issuer_keys=str(keys)) as w:
        caller = w.caller({**BAD, **EXPIRED}[name]())
        for service in (game_pb2, rules_pb2):
            for described in service.DESCRIPTOR.services_by_name.values():
                for method in described.methods:
                    if method.server_streaming:
                        failure = await refusal(caller.watch("x").read())
                    else:
                        request: Any = getattr(service, method.input_type.name)()
                        failure = await refusal(caller.call(method.name, request))
                    assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason), method.name


async def table_of(w: World, host: Caller) -> str:
    request = game_pb2.CreateTableRequest(request_id="r", ruleset=rules_pb2.Ruleset(preset="jdf4"))
    table: str = (await host.call("CreateTable", request)).table.id
    return table


@pytest.mark.parametrize(("key", "name"), [(ED, "ed"), (RSA, "rsa")])
async def test_somebody_is_the_same_with_each_of_their_tokens_and_nobody_else(
    key: Private, name: str, keys: Path
) -> None:
    async with world(issuer=ISSUER, issuer_keys=str(keys)) as w:
        mio, later, other = (
            w.caller(issued("mio", key, name)),
            w.caller(issued("mio", ED, "ed", exp=int(time.time()) + 1200)),
            w.caller(issued("sora", key, name)),
        )
        table = await table_of(w, mio)
        join = game_pb2.JoinTableRequest(request_id="j", table_id=table, seat=2, display_name="Mio")
        assert (await mio.call("JoinTable", join)).seat == 2
        get = game_pb2.GetTableRequest(table_id=table)
        assert (await later.call("GetTable", get)).table.your_seat == 2
        seen = (await other.call("GetTable", get)).table
        assert not seen.HasField("your_seat")
        start = game_pb2.StartMatchRequest(request_id="s", table_id=table)
        assert (await refusal(other.call("StartMatch", start))).reason == "NOT_HOST"


async def test_a_stream_ends_when_its_token_does(keys: Path) -> None:
    async with world(issuer=ISSUER, issuer_keys=str(keys)) as w:
        table = await table_of(w, w.caller(issued()))
        soon = time.time() - LEEWAY_SECONDS + 1.0
        stream = w.caller(issued(exp=soon)).watch(table)
        assert (await stream.read()).HasField("snapshot")
        failure = await refusal(stream.read())
        assert (failure.code, failure.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")


async def test_a_token_that_was_taken_before_is_not_taken_after_its_end(keys: Path) -> None:
    now = time.time()
    door = Issuer(ISSUER, "daifugo", str(keys), lambda: now)
    await door.open()
    token = issued(exp=int(now) + 100)
    who = await door.identify(token)
    assert door.known(token) == who
    now += 100 + LEEWAY_SECONDS + 1
    assert door.known(token) is None
    with pytest.raises(Refused, match="TOKEN_EXPIRED"):
        await door.identify(token)


async def test_a_new_key_is_taken_and_one_that_was_withdrawn_is_not(keys: Path) -> None:
    now = time.time()
    door = Issuer(ISSUER, "daifugo", str(keys), lambda: now)
    await door.open()
    old, new = issued(exp=int(now) + 10_000), issued(key=STRANGER, name="new", exp=int(now) + 10_000)
    await door.identify(old)
    publish(keys, public("new", STRANGER))
    with pytest.raises(Refused, match="NOT_SIGNED_IN"):
        await door.identify(new)  # not asked again for every token that somebody makes up
    now += AGAIN_SECONDS
    await door.identify(new)
    now += FRESH_SECONDS
    assert door.known(old) is None
    with pytest.raises(Refused, match="NOT_SIGNED_IN"):
        await door.identify(old)


async def test_while_the_issuer_is_away_its_keys_hold(keys: Path) -> None:
    now = time.time()
    door = Issuer(ISSUER, "daifugo", str(keys), lambda: now)
    await door.open()
    publish(keys)
    now += FRESH_SECONDS + 1
    await door.identify(issued(exp=int(now) + 100))


async def test_tokens_that_somebody_makes_up_do_not_fill_the_memory(
    keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuer, "MOST_KNOWN", 10)
    door = Issuer(ISSUER, "daifugo", str(keys))
    await door.open()
    for number in range(30):
        await door.identify(issued(f"p{number}"))
    assert len(door._known) == 10


@pytest.fixture
def site() -> Iterator[str]:
    """An issuer that publishes its keys over HTTP."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/.well-known/jwks.json"
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(json.dumps({"keys": [public("ed", ED)]}).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join()


async def test_keys_are_read_from_where_issuers_publish_them(site: str) -> None:
    door = Issuer(site, "daifugo")
    await door.open()
    await door.identify(issued(iss=site))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no keys could be read from"),
        ("{}", "no keys could be read from"),
        ('{"keys": []}', "has no key for EdDSA or RS256"),
        (json.dumps({"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "ed", "alg": "HS256"}]}), "has no key for"),
        (json.dumps({"keys": [{**public("rsa", RSA), "use": "enc"}]}), "has no key for"),
    ],
)
async def test_a_service_without_the_keys_of_its_issuer_does_not_start(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(text)
    with pytest.raises(CannotStart, match=said):
        await Issuer(ISSUER, "daifugo", str(path)).open()


async def test_open_mode_is_told_of_at_the_start(keys: Path) -> None:
    async with world() as w:
        assert "open_mode" in w.logs.getvalue()
    async with world(issuer=ISSUER, issuer_keys=str(keys)) as w:
        assert "open_mode" not in w.logs.getvalue()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "games.example"])
async def test_where_others_reach_it_open_mode_is_to_be_said(host: str) -> None:
    with pytest.raises(CannotStart, match="say --issuer whose tokens to take, or --open-mode"):
        await OpenDoor(host, said=False).open()
    await OpenDoor(host, said=True).open()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
async def test_on_the_machine_itself_open_mode_goes_without_saying(host: str) -> None:
    await OpenDoor(host, said=False).open()


async def test_no_log_line_has_a_token_or_a_name(keys: Path) -> None:
    async with world(issuer=ISSUER, issuer_keys=str(keys)) as w:
        token = issued("somebody-real")
        await table_of(w, w.caller(token))
        await refusal(w.caller(token[:-3] + "abc").call("ListReasons", rules_pb2.ListReasonsRequest()))
        said = w.logs.getvalue()
        assert token.split(".")[1] not in said
        assert "somebody-real" not in said
