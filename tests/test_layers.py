"""Who may import whom: clients → protos ← services → engine → the standard library.

What bots and the service's hints share, `advice`, knows messages only: clients and services → advice → protos.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

DISPATCHER = "clients/daifugo.py"
"""The command `daifugo`: a table of command → module, loaded on use."""
CODEC = "services/game/codec/"
"""The only modules that know both engine values and protobuf messages."""
ENGINE_FOR_CLIENTS = "clients/bot/search/"
"""A bot that searches may use the engine's pure functions as its simulator."""

FOR_THE_COMPILER = {"mypy_extensions"}
"""Types of machine numbers, imported under TYPE_CHECKING only."""


def modules(package: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / package).rglob("*.py"))


def imports(module: str) -> Iterator[str]:
    """Name every module that one imports, wherever in it that stands."""
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            yield node.module or ""


def top(name: str) -> str:
    return name.partition(".")[0]


def tops(module: str) -> set[str]:
    return {top(name) for name in imports(module)}


@pytest.mark.parametrize("module", modules("engine"))
def test_the_engine_imports_the_standard_library_only(module: str) -> None:
    allowed = {"engine", *sys.stdlib_module_names, *FOR_THE_COMPILER}
    assert tops(module) <= allowed


@pytest.mark.parametrize("module", modules("engine"))
def test_what_is_for_the_compiler_is_not_imported_when_the_engine_runs(module: str) -> None:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    for node in [*tree.body]:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            tree.body.remove(node)
    left = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not left & FOR_THE_COMPILER


@pytest.mark.parametrize("module", modules("advice"))
def test_advice_knows_messages_only(module: str) -> None:
    assert tops(module) <= {"advice", "daifugo", *sys.stdlib_module_names}


@pytest.mark.parametrize("module", modules("services"))
def test_services_import_no_clients(module: str) -> None:
    assert "clients" not in tops(module)


@pytest.mark.parametrize("module", [m for m in modules("services") if not m.startswith(CODEC)])
def test_only_the_codec_knows_engine_values_and_messages(module: str) -> None:
    assert not {"engine", "daifugo"} <= tops(module)


@pytest.mark.parametrize("module", modules("services/common"))
def test_what_services_share_knows_no_service_and_no_game(module: str) -> None:
    assert not {"engine", "daifugo"} & tops(module)
    assert not [name for name in imports(module) if name.startswith("services.") and name.split(".")[1] != "common"]


def test_game_and_matchmaker_know_nothing_of_each_other() -> None:
    for package, other in (("services/game", "services.matchmaker"), ("services/matchmaker", "services.game")):
        for module in modules(package):
            assert not [name for name in imports(module) if name.startswith(other)], module


@pytest.mark.parametrize("module", [m for m in modules("clients") if m != DISPATCHER])
def test_clients_know_neither_services_nor_engine(module: str) -> None:
    known = tops(module)
    assert "services" not in known
    assert "engine" not in known or module.startswith(ENGINE_FOR_CLIENTS)


def test_the_dispatcher_loads_commands_by_name() -> None:
    assert not {"services", "engine"} & tops(DISPATCHER)
