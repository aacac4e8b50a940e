"""What pyproject.toml cannot say: the stubs are generated, and the engine may be compiled.

    python setup.py stubs     protos/daifugo/v1/*.proto -> *_pb2.py, *_pb2_grpc.py and their .pyi, next to them
    python setup.py compile   engine/ -> build/compiled/engine/, where mypyc has turned the modules into extensions
    pip wheel .               generates the stubs; with DAIFUGO_COMPILE=1 in the environment also compiles the engine

The source tree itself always runs interpreted. A compiler that is missing or fails is never an error: what
is wanted then runs interpreted too, only slower.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar, cast

from setuptools import Command, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.extension import Extension

ROOT = Path(__file__).resolve().parent
PROTOS = ROOT / "protos"
COMPILED = ROOT / "build" / "compiled"


def generate_stubs() -> None:
    protoc = [sys.executable, "-m", "grpc_tools.protoc", "-I", "protos"]
    kinds = ["--python_out=protos", "--pyi_out=protos", "--grpc_python_out=protos", "--mypy_grpc_out=quiet:protos"]
    sources = sorted(str(path.relative_to(ROOT)) for path in PROTOS.glob("daifugo/**/*.proto"))
    # protoc finds its mypy plugin on the path, and an environment need not be activated
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    subprocess.run([*protoc, *kinds, *sources], cwd=ROOT, env=os.environ | {"PATH": path}, check=True)


INTERPRETED = {Path(f"engine/{name}.py") for name in ("cli", "events", "explain", "record")}
"""Not worth compiling, or to be subclassed: services have events of their own."""


def engine_modules(root: Path) -> list[str]:
    """The modules worth compiling: also without package markers and the catalogue's tables."""
    paths = sorted(path.relative_to(root) for path in (root / "engine").rglob("*.py"))
    return [
        str(path)
        for path in paths
        if path.name != "__init__.py" and path not in INTERPRETED and path.parts[1] != "catalogue"
    ]


def engine_extensions() -> list[Extension]:
    from mypyc.build import mypycify

    try:
        return cast(list[Extension], mypycify(engine_modules(Path.cwd()), opt_level="3", debug_level="0"))
    except SystemExit as reason:
        raise RuntimeError(f"mypyc refused the engine: {reason}") from None


class Stubs(Command):
    """Generate the Python stubs from the protos."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None: ...
    def finalize_options(self) -> None: ...
    def run(self) -> None:
        generate_stubs()


class Compile(Command):
    """Compile a copy of the engine into build/compiled; on failure leave no such folder behind."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None: ...
    def finalize_options(self) -> None: ...
    def run(self) -> None:
        work = COMPILED.with_name("compiling")
        for old in (work, COMPILED):
            shutil.rmtree(old, ignore_errors=True)
        work.mkdir(parents=True)
        shutil.copytree(ROOT / "engine", work / "engine", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        shutil.copy(__file__, work / "setup.py")
        log = COMPILED.with_name("compile.log")
        print("compiling the engine, about a minute ...", flush=True)
        with log.open("w") as out:
            done = subprocess.run(
                [sys.executable, "setup.py", "build_ext", "--inplace"],
                cwd=work,
                env=os.environ | {"DAIFUGO_COMPILE": "strict"},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        if done.returncode:
            shutil.rmtree(work)
            print(f"engine: not compiled, runs interpreted (why: {log.relative_to(ROOT)})")
            return
        shutil.rmtree(work / "build", ignore_errors=True)
        shutil.rmtree(work / ".mypy_cache", ignore_errors=True)
        (work / "setup.py").unlink()
        work.rename(COMPILED)
        print(f"engine: compiled with mypyc into {COMPILED.relative_to(ROOT)}")


class BuildWithStubs(build_py):
    def run(self) -> None:
        generate_stubs()
        super().run()


class BuildOrInterpret(build_ext):
    """All extensions or none: half a compiled engine would not import."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as reason:
            if os.environ.get("DAIFUGO_COMPILE") == "strict":
                raise
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            print(f"engine: not compiled, runs interpreted ({reason})")


def wanted_extensions() -> list[Extension]:
    wanted = os.environ.get("DAIFUGO_COMPILE", "")
    if wanted not in ("1", "strict"):
        return []
    try:
        return engine_extensions()
    except Exception as reason:
        if wanted == "strict":
            raise
        print(f"engine: not compiled, runs interpreted ({reason})")
        return []


setup(
    ext_modules=wanted_extensions(),
    cmdclass={"stubs": Stubs, "compile": Compile, "build_py": BuildWithStubs, "build_ext": BuildOrInterpret},
)
