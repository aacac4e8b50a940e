"""Settings of a service, with their defaults. Each has a flag and an environment variable DAIFUGO_<NAME>."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Config:
    """Settings that every service has. A service adds its own in a subclass."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 50051
    """The port to listen on; 0 takes a free one, which is printed."""
    port_file: str = ""
    """A file to write the bound address to, for a parent process. Empty: none."""
    admin_port: int = 0
    """The port for metrics, on the same address; 0 serves none."""
    issuer: str = ""
    """Whose signed tokens (JWT) say who is calling: their `iss`. Empty: open mode, any token is its own identity."""
    issuer_keys: str = ""
    """The issuer's keys (JWKS), as an address or a file. Empty: /.well-known/jwks.json at the issuer."""
    open_mode: bool = False
    """Whether to run in open mode where others can reach it; on the loopback address that need not be said."""
    audience: str = "daifugo"
    """For whom the issuer's tokens must be: their `aud`."""
    reflection: bool = True
    """Whether clients may ask the server for its protos."""
    locale: str = "en"
    """The language of callers that ask for none: ja or en."""
    log_level: str = "info"
    """The least level of log lines: debug, info, warning or error."""

    max_message_bytes: int = 65536
    """The largest request that is taken."""
    max_metadata_bytes: int = 8192
    """The most metadata that may come with a call: names, values, and 32 bytes for each."""
    max_connections: int = 10000
    """The most connections at a time; others are closed at once."""
    max_waiting_calls: int = 4000
    """How many calls may wait until the service gets to them; beyond that, new ones are dropped by lot."""
    streams_per_connection: int = 500
    """The most calls and streams at a time on one connection; what is above that waits in the client."""
    streams_per_identity: int = 1000
    """The most streams at a time of one identity."""
    calls_per_second: float = 500.0
    """How many calls an identity may make in the long run; one with a long answer counts once for each 4 KiB of it."""
    calls_burst: int = 1000
    """How many calls an identity may make at once."""
    call_seconds: float = 30.0
    """The longest that a call other than a stream may take."""
    keepalive_seconds: float = 60.0
    """How often a silent connection is probed."""
    keepalive_timeout_seconds: float = 20.0
    """After how long without an answer to that a connection is closed."""
    ping_seconds: float = 10.0
    """How often clients may ping while nothing is said; whoever pings more often is disconnected."""
    handshake_seconds: float = 20.0
    """How long a client may take to begin with HTTP/2 on a new connection."""
    grace_seconds: float = 5.0
    """How long calls may go on after the signal to stop."""
    request_id_seconds: float = 86400.0
    """How long a request_id is remembered."""
    store_retry_seconds: float = 1.0
    """How long to wait before what could not be stored or read is tried again, by the service and by callers."""
    write_seconds: float = 10.0
    """How long a stream may go without reading before it is closed."""
    heartbeat_seconds: float = 20.0
    """After how long a silent stream is told that it is alive."""
    connection_seconds: float = 3600.0
    """How long a connection is used; streams on it end by themselves before, and calls go on over another one."""
    reconnect_seconds: float = 1.0
    """How long clients are asked to wait before they come back."""


class CannotStart(Exception):
    """The service cannot run with these settings; the message is one line that says why."""


CHOICES: Final = {"locale": ("ja", "en"), "log_level": ("debug", "info", "warning", "error")}
NEVER_EMPTY: Final = frozenset({"host", "store", "audience"})
MEMORY: Final = "memory"
"""As a store: nothing is kept."""
PORTS: Final = frozenset({"port", "admin_port"})
NONE_AT_ZERO: Final = frozenset(
    {
        *("grace_seconds", "between_games_seconds", "stand_in_seconds", "return_seconds", "reconnect_seconds"),
        "record_days",
        "bot_processes",
    }
)
"""Times that may be 0. The others are how long something may take, and nothing could be done in no time."""
MOST: Final = 2_000_000_000
MOST_OF: Final = {"bot_processes": 1000}
"""Where no machine has room for that many."""


def wrong(name: str, value: Any) -> str:
    """Say what is wrong with the value of a setting; nothing if it is within its bounds."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "" if value.strip() or name not in NEVER_EMPTY else "must not be empty"
    most = MOST_OF.get(name, MOST)
    if not math.isfinite(value) or value > most:
        return f"must be a number up to {most}"
    if name in PORTS:
        return "" if 0 <= value <= 65535 else "must be from 0 to 65535"
    if name in NONE_AT_ZERO:
        return "" if value >= 0 else "must be 0 or more"
    if isinstance(value, int):
        return "" if value >= 1 else "must be 1 or more"
    return "" if value > 0 else "must be above 0"


def bracketed(host: str, port: int) -> str:
    """Write an address; an IPv6 host stands in brackets."""
    bare = unbracketed(host)
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def unbracketed(host: str) -> str:
    """Write a host without brackets."""
    return host.strip().removeprefix("[").removesuffix("]")


def check_port_file(config: Config) -> None:
    """Raise CannotStart if the port file could not be written."""
    if config.port_file:
        path = Path(config.port_file)
        if not path.parent.is_dir():
            raise CannotStart(f"--port-file {path}: there is no folder {path.parent}")
        if path.is_dir():
            raise CannotStart(f"--port-file {path} is a folder")


def _help(config: type[Config]) -> dict[str, str]:
    """Read the docstring under each field, also of those that are inherited."""
    said: dict[str, str] = {}
    for each in config.__mro__[:-1]:
        (tree,) = ast.parse(inspect.getsource(each)).body
        assert isinstance(tree, ast.ClassDef)
        for node, under in zip(tree.body, tree.body[1:]):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(under, ast.Expr):
                said.setdefault(node.target.id, str(ast.literal_eval(under.value)))
    return said


def options(config: type[Config]) -> Callable[[Command], Command]:
    """Return what gives a click command a flag and an environment variable for every setting."""

    def add(command: Command) -> Command:
        said = _help(config)
        for field in reversed(fields(config)):
            flag = "--" + field.name.replace("_", "-")
            command = click.option(
                f"{flag}/--no-{flag[2:]}" if isinstance(field.default, bool) else flag,
                field.name,
                default=field.default,
                envvar=f"DAIFUGO_{field.name.upper()}",
                type=_type(field),
                callback=_checked,
                show_default=True,
                show_envvar=True,
                help=said.get(field.name),
            )(command)
        return command

    return add


def _type(field: Field[Any]) -> Any:
    return click.Choice(CHOICES[field.name], case_sensitive=False) if field.name in CHOICES else type(field.default)


def _checked(_context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Refuse a value that is out of bounds, whether it comes from a flag or from the environment."""
    problem = wrong(option.name or "", value)
    if problem:
        raise click.BadParameter(f"{value!r} {problem}.")
    return value
