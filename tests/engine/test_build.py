"""What is under test is what was asked for: the sources, or what was compiled of them."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

ENGINE = ("cards", "plays", "legal", "game", "steps", "core", "rules.pipeline", "rules.fouls", "saving")
SERVICES = (Path(__file__).parents[2] / "services" / "compiled.txt").read_text(encoding="utf-8").split()
MODULES = [*[f"engine.{name}" for name in ENGINE], *[path.removesuffix(".py").replace("/", ".") for path in SERVICES]]


@pytest.mark.parametrize("name", MODULES)
def test_what_is_compiled_is_compiled_and_what_is_interpreted_is_not(name: str) -> None:
    file = import_module(name).__file__
    assert file is not None
    wanted = os.environ.get("DAIFUGO_ENGINE")
    if wanted is not None:
        assert file.endswith(".py") == (wanted == "interpreted")
