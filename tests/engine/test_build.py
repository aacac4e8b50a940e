"""The engine under test is the one that was asked for."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

MODULES = ("cards", "plays", "legal", "game", "steps", "core", "rules.pipeline", "rules.fouls", "saving")


@pytest.mark.parametrize("name", MODULES)
def test_a_compiled_engine_is_compiled_and_an_interpreted_one_is_not(name: str) -> None:
    file = import_module(f"engine.{name}").__file__
    assert file is not None
    wanted = os.environ.get("DAIFUGO_ENGINE")
    if wanted is not None:
        assert file.endswith(".py") == (wanted == "interpreted")
