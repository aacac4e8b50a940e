"""Settings come from flags and from the environment."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from services.common.config import bracketed, options, wrong
from services.common.errors import Refused, status_of
from services.game.__main__ import main
from services.game.config import GameConfig


@click.command()
@options(GameConfig)
def show(**settings: object) -> None:
    print(GameConfig(**settings))  # type: ignore[arg-type]


def test_every_setting_has_a_flag_and_says_what_it_is() -> None:
    said = CliRunner().invoke(show, ["--help"]).output
    for field in fields(GameConfig):
        assert "--" + field.name.replace("_", "-") in said
    assert all(option.help for option in show.params if isinstance(option, click.Option))


def test_without_anything_the_defaults_hold() -> None:
    assert CliRunner().invoke(show, []).output.strip() == str(GameConfig())


def test_flags_win_over_the_environment() -> None:
    environment = {"DAIFUGO_PORT": "1", "DAIFUGO_WRITE_SECONDS": "2.5", "DAIFUGO_REFLECTION": "false"}
    shown = CliRunner(env=environment).invoke(show, ["--port", "7"]).output
    assert "port=7" in shown
    assert "write_seconds=2.5" in shown
    assert "reflection=False" in shown


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("port", ["70000", "-1", "abc"]),
        ("admin_port", ["65536"]),
        ("max_tables", ["0", "-5"]),
        ("bot_processes", ["-1", "1001"]),
        ("call_seconds", ["0", "-1", "nan", "inf"]),
        ("grace_seconds", ["-0.1", "nan"]),
        ("locale", ["fr"]),
        ("log_level", ["loud"]),
        ("host", [""]),
        ("store", ["", " "]),
    ],
)
def test_a_setting_out_of_bounds_is_refused_by_name(name: str, values: list[str]) -> None:
    flag = "--" + name.replace("_", "-")
    for value in values:
        assert flag in CliRunner().invoke(show, [f"{flag}={value}"]).stderr
        if value:
            assert flag in CliRunner(env={f"DAIFUGO_{name.upper()}": value}).invoke(show, []).stderr


def test_every_setting_has_bounds() -> None:
    for field in fields(GameConfig):
        assert wrong(field.name, field.default) == ""
        if isinstance(field.default, (int, float)) and not isinstance(field.default, bool):
            assert wrong(field.name, type(field.default)(-1))


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1:7"), ("::1", "[::1]:7"), ("[::1]", "[::1]:7"), ("localhost", "localhost:7")],
)
def test_an_ipv6_host_stands_in_brackets(host: str, address: str) -> None:
    assert bracketed(host, 7) == address


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--port", "TAKEN"], "cannot listen on 127.0.0.1:TAKEN: Address already in use"),
        (["--port", "0", "--admin-port", "TAKEN"], "cannot listen on 127.0.0.1:TAKEN (admin port): Address already"),
        (["--port", "0", "--host", "300.1.1.1"], "cannot listen on 300.1.1.1:0: "),
        (["--port", "0", "--host", "0.0.0.0"], "--host 0.0.0.0: say --issuer whose tokens to take, or --open-mode"),
        (["--port", "0", "--port-file", "/nowhere/at/all"], "--port-file /nowhere/at/all: there is no folder"),
        (["--port", "0", "--store", "/nowhere/at/all"], "--store /nowhere/at/all: there is no folder /nowhere/at"),
        (["--log-level", "loud"], "Invalid value for '--log-level'"),
        (["--port", "70000"], "Invalid value for '--port'"),
        (["--nonsense"], "'--nonsense'"),
    ],
)
def test_a_service_that_cannot_start_says_why_in_one_line(
    arguments: list[str],
    text: str,
    taken: int,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    filled = [argument.replace("TAKEN", str(taken)) for argument in arguments]
    assert main(filled) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert text.replace("TAKEN", str(taken)) in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_a_refusal_of_an_unpublished_reason_is_a_mistake(locale: str) -> None:
    with pytest.raises(KeyError):
        status_of(Refused("NONSENSE"), locale)
