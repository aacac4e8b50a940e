"""Runs the steps of a Dockerfile without docker: each stage is a folder, and its absolute paths are in that folder.

Only what this repository's Dockerfile uses is understood; anything else is an error. Steps that start with apt-get
are left out, so what they install must be there.
"""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from tests.chart.binary import ROOT


@dataclass
class Stage:
    """One FROM and what follows it."""

    root: Path
    workdir: str = "/"
    environment: dict[str, str] = field(default_factory=dict)
    user: str = ""
    command: list[str] = field(default_factory=list)

    def path(self, inside: str) -> Path:
        """Return where a path of the image lies here."""
        return self.root / (Path("/") / self.workdir / inside).relative_to("/")


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Read a Dockerfile."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def ignored(path: str, patterns: list[str]) -> bool:
    """Whether .dockerignore leaves a file out: the last pattern that matches it or a folder above it decides."""
    out = False
    parents = ["/".join(path.split("/")[: n + 1]) for n in range(path.count("/") + 1)]
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        if bare.startswith("**/"):
            matches = any(fnmatch.fnmatch(parent.rpartition("/")[2], bare[3:]) for parent in parents)
        else:
            assert "/" not in bare, pattern
            matches = fnmatch.fnmatch(parents[0], bare)
        if matches:
            out = not pattern.startswith("!")
    return out


def context() -> list[str]:
    """Return the files that a build sees."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    tops = [path for path in ROOT.iterdir() if not ignored(path.name, patterns)]
    paths = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    names = [str(path.relative_to(ROOT)) for path in paths]
    return sorted(name for name in names if not ignored(name, patterns))


def build(work: Path, arguments: Mapping[str, str], environment: Mapping[str, str]) -> Stage:
    """Run every step below `work`, with build arguments, and return the last stage."""
    bin_folder = work / "bin"
    bin_folder.mkdir()
    # The base image's Python.
    python = bin_folder / "python"
    python.write_text(f'#!/bin/sh\nexec {Path(sys.base_prefix) / "bin" / Path(sys.executable).resolve().name} "$@"\n')
    python.chmod(0o755)
    stages: dict[str, Stage] = {}
    stage = Stage(work)
    given: dict[str, str] = {}
    base = {"PATH": f"{bin_folder}:/usr/local/bin:/usr/bin:/bin", **environment}

    for name, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        match name:
            case "ARG":
                key, _, default = rest.partition("=")
                given[key] = arguments.get(key, default)
            case "FROM":
                label = rest.partition(" AS ")[2] or str(len(stages))
                stage = stages[label] = Stage(work / f"stage-{label}", environment=dict(base))
                stage.root.mkdir()
                # as every base image has it
                (stage.root / "tmp").mkdir()
                (stage.root / "tmp").chmod(0o1777)
            case "WORKDIR":
                stage.workdir = rest
                stage.path(".").mkdir(parents=True, exist_ok=True)
            case "ENV":
                for pair in rest.split():
                    key, _, value = pair.partition("=")
                    if value.startswith("/"):
                        value = f"{stage.root}{value}"
                    stage.environment[key] = Template(value).substitute(stage.environment)
            case "COPY":
                _copy(stage, stages, rest.split())
            case "RUN" if rest.startswith("apt-get "):
                pass
            case "RUN":
                assert not re.search(r"(^|[\s=])/", rest), f"an absolute path in: {rest}"
                subprocess.run(
                    ["/bin/sh", "-ec", rest],
                    cwd=stage.path("."),
                    env=stage.environment | given,
                    stdin=subprocess.DEVNULL,
                    check=True,
                )
            case "USER":
                stage.user = rest
            case "CMD":
                stage.command = json.loads(rest)
            case "EXPOSE":
                pass
            case _:
                raise AssertionError(f"not understood: {name} {rest}")
    return stage


def _copy(stage: Stage, stages: Mapping[str, Stage], words: list[str]) -> None:
    if words[0].startswith("--from="):
        other, source, target = stages[words[0].removeprefix("--from=")], words[1], words[2]
        shutil.copytree(other.path(source), stage.path(target), symlinks=True)
        return
    source, target = words
    names = [name for name in context() if source in (".", name)]
    assert names, f"nothing to copy: {source}"
    for name in names:
        to = stage.path(target) / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to)
