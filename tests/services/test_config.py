"""Settings come from flags and from the environment."""

from __future__ import annotations

from dataclasses import fields

import click
import pytest
from click.testing import CliRunner

from services.common.config import Config, options
from services.common.errors import Refused, status_of


@click.command()
@options
def show(**settings: object) -> None:
    print(Config(**settings))  # type: ignore[arg-type]


def test_every_setting_has_a_flag_and_says_what_it_is() -> None:
    said = CliRunner().invoke(show, ["--help"]).output
    for field in fields(Config):
        assert "--" + field.name.replace("_", "-") in said
    assert all(option.help for option in show.params if isinstance(option, click.Option))


def test_without_anything_the_defaults_hold() -> None:
    assert CliRunner().invoke(show, []).output.strip() == str(Config())


def test_flags_win_over_the_environment() -> None:
    environment = {"DAIFUGO_PORT": "1", "DAIFUGO_WRITE_SECONDS": "2.5", "DAIFUGO_REFLECTION": "false"}
    shown = CliRunner(env=environment).invoke(show, ["--port", "7"]).output
    assert "port=7" in shown
    assert "write_seconds=2.5" in shown
    assert "reflection=False" in shown


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_a_refusal_of_an_unpublished_reason_is_a_mistake(locale: str) -> None:
    with pytest.raises(KeyError):
        status_of(Refused("NONSENSE"), locale)
