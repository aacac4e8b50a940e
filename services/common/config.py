"""Every setting of a service, with its default. Each has a flag and an environment variable DAIFUGO_<NAME>."""

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
    """Settings of a service."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 50051
    """The port to listen on; 0 takes a free one, which is printed."""
    port_file: str = ""
    """A file to write the bound address to, for a parent process. Empty: none."""
    admin_port: int = 0
    """The port for metrics, on the same address; 0 serves none."""
    reflection: bool = True
    """Whether clients may ask the server for its protos."""
    locale: str = "en"
    """The language of callers that ask for none: ja or en."""
    log_level: str = "info"
    """The least level of log lines: debug, info, warning or error."""

    max_message_bytes: int = 65536
    """The largest request that is taken."""
    call_seconds: float = 30.0
    """The longest that a call other than a stream may take."""
    keepalive_seconds: float = 60.0
    """How often a silent connection is probed."""
    grace_seconds: float = 5.0
    """How long calls may go on after the signal to stop."""

    max_tables: int = 10000
    """The most tables at a time."""
    table_idle_seconds: float = 3600.0
    """After how long a table that nobody watches or uses is closed."""
    closed_table_seconds: float = 600.0
    """How long a closed table can still be looked at."""
    between_games_seconds: float = 3.0
    """The pause between two games of a match; none where only bots sit."""
    vacant_seconds: float = 0.2
    """After how long the default is taken for a seat that nobody has, while a match is running."""
    request_id_seconds: float = 86400.0
    """How long a request_id is remembered."""
    store_retry_seconds: float = 1.0
    """How long to wait before a table is loaded again when that failed, and before a caller should try again."""

    recent_versions: int = 64
    """How many versions of each table are kept for streams that come back."""
    watcher_versions: int = 64
    """How many versions may wait for a stream before they are put together into a snapshot."""
    write_seconds: float = 10.0
    """How long a stream may go without reading before it is closed."""
    heartbeat_seconds: float = 20.0
    """After how long a silent stream is told that it is alive."""
    reconnect_seconds: float = 1.0
    """How long clients are asked to wait before they come back."""


class CannotStart(Exception):
    """The service cannot run with these settings; the message is one line that says why."""


CHOICES: Final = {"locale": ("ja", "en"), "log_level": ("debug", "info", "warning", "error")}
PORTS: Final = frozenset({"port", "admin_port"})
NONE_AT_ZERO: Final = frozenset({"grace_seconds", "between_games_seconds", "vacant_seconds", "reconnect_seconds"})
"""Times that may be 0. The others are how long something may take, and nothing could be done in no time."""
MOST: Final = 2_000_000_000


def wrong(name: str, value: Any) -> str:
    """Say what is wrong with the value of a setting; nothing if it is within its bounds."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "" if value.strip() or name != "host" else "must not be empty"
    if not math.isfinite(value) or value > MOST:
        return f"must be a number up to {MOST}"
    if name in PORTS:
        return "" if 0 <= value <= 65535 else "must be from 0 to 65535"
    if isinstance(value, int):
        return "" if value >= 1 else "must be 1 or more"
    if name in NONE_AT_ZERO:
        return "" if value >= 0 else "must be 0 or more"
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


def _help() -> dict[str, str]:
    """Read the docstring under each field."""
    (tree,) = ast.parse(inspect.getsource(Config)).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for node, following in zip(tree.body, tree.body[1:]):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(following, ast.Expr):
            found[node.target.id] = str(ast.literal_eval(following.value))
    return found


def options(command: Command) -> Command:
    """Give a click command a flag and an environment variable for every setting."""
    said = _help()
    for field in reversed(fields(Config)):
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


def _type(field: Field[Any]) -> Any:
    return click.Choice(CHOICES[field.name], case_sensitive=False) if field.name in CHOICES else type(field.default)


def _checked(_context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Refuse a value that is out of bounds, whether it comes from a flag or from the environment."""
    problem = wrong(option.name or "", value)
    if problem:
        raise click.BadParameter(f"{value!r} {problem}.")
    return value
