"""What the guides say is so: the session of the client guide works as printed, and what else can be compared."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from services.game.app import App
from services.game.config import GameConfig
from tests.docs.pages import ROOT, blocks, commands, levels, links, page

FOLDERS = ("", "docs", "docs/decisions", "clients/typescript", "helm/daifugo")
PAGES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md"))
TWINS = [path for path in PAGES if path.name.endswith(".ja.md")]
MARK = "=== next ==="


def values(text: str) -> list[Any]:
    """Read the JSON values that stand one after the other in a text."""
    found, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def assert_has(printed: Any, said: Any) -> None:
    """Show that what was printed has at least the fields that the page shows; ids and cards differ every time."""
    assert type(printed) is type(said)
    if isinstance(said, dict):
        assert printed.keys() >= said.keys()
        for key, value in said.items():
            assert_has(printed[key], value)
    if isinstance(said, list) and said:
        assert_has(printed[0], said[0])
    if isinstance(said, str) and (said.isupper() or said.isdigit() or said.islower()) and "…" not in said:
        assert printed == said


async def test_the_session_of_the_client_guide_works_as_printed(tmp_path: Path) -> None:
    found = blocks(page("client-guide.md"), "sh", "json")
    script = "".join(f"{text}\necho '{MARK}'\n" for kind, text in found if kind == "sh")
    expected = [
        values(next_text) if next_kind == "json" else None
        for (kind, _), (next_kind, next_text) in zip(found, [*found[1:], ("", "")])
        if kind == "sh"
    ]
    app = App(GameConfig(port=0, grace_seconds=0.2))
    address = await app.start()
    try:
        path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", script),
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "ADDRESS": address},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        printed, problems = await process.communicate()
    finally:
        await app.stop()
    assert process.returncode == 0, problems.decode()
    outputs = printed.decode().split(f"{MARK}\n")[:-1]
    assert len(outputs) == len(expected) >= 7
    for output, said in zip(outputs, expected):
        if said is not None:
            for one, other in zip(values(output), said, strict=False):
                assert_has(one, other)
            assert len(values(output)) >= len(said)


@pytest.mark.parametrize(
    ("name", "text", "setting"),
    [
        ("mobile.md", r"last (\d+) versions of a table\n\(`recent_versions`\)", "recent_versions"),
        ("mobile.md", r"after (\d+) seconds of silence\n  \(`heartbeat_seconds`\)", "heartbeat_seconds"),
    ],
)
def test_numbers_are_the_defaults_of_the_settings(name: str, text: str, setting: str) -> None:
    found = re.search(text, page(name))
    assert found is not None
    assert float(found[1]) == getattr(GameConfig(), setting)


@pytest.mark.parametrize("twin", TWINS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_in_japanese_has_the_commands_and_headings_of_the_english_one(twin: Path) -> None:
    japanese = twin.read_text(encoding="utf-8")
    english = twin.with_name(twin.name.replace(".ja.md", ".md")).read_text(encoding="utf-8")
    assert commands(japanese) == commands(english)
    assert levels(japanese) == levels(english)
    assert blocks(japanese, "json") == blocks(english, "json")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    missing = [link for link in links(path.read_text(encoding="utf-8")) if not (path.parent / link).exists()]
    assert not missing


def test_the_rule_that_is_shown_to_be_added_is_as_the_page_shows_it() -> None:
    places = ("rules/skips.py", "rules/pipeline.py", "catalogue/rules/rank_effect.toml")
    files = [ROOT / "engine" / place for place in places] + [ROOT / "tests/engine/rules/test_skips.py"]
    lines = {line for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    shown = re.findall(
        r"^```(?:python|toml|text)\n(.*?)^```$", (ROOT / "docs/add-a-rule.md").read_text(encoding="utf-8"), re.M | re.S
    )
    assert len(shown) == 4
    assert not [line for block in shown for line in block.splitlines() if line not in lines]
    assert files[0].read_text(encoding="utf-8") in shown


def test_every_mistake_of_others_is_held_right_by_tests_that_there_are() -> None:
    rows = [line.split(" | ") for line in page("mistakes-of-others.md").splitlines() if line.startswith("| ")]
    named = {name: row[0] for row in rows for name in re.findall(r"`(test_\w+)`", row[-1])}
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for text in files for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)}
    assert len(named) > 50
    assert {name: mistake for name, mistake in named.items() if name not in there} == {}
    assert [row[0] for row in rows[1:] if "`test_" not in row[-1] and "does not arise" not in row[-1]] == ["| mistake"]
