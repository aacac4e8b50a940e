"""What pyproject.toml cannot say: the stubs are generated, and what is slow otherwise may be compiled.

    python setup.py stubs     protos/daifugo/v1/*.proto -> *_pb2.py, *_pb2_grpc.py and their .pyi, next to them
    python setup.py compile --part engine     engine/ -> build/compiled/engine/, where mypyc has turned the modules
                                              into extensions
    python setup.py compile --part services   the same for what every action goes through: services/compiled.txt
    pip wheel .               generates the stubs; with DAIFUGO_COMPILE=1 in the environment also compiles both

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


INTERPRETED = {Path(f"engine/{name}.py") for name in ("cli", "events", "explain", "native", "record")}
"""Not worth compiling, or to be subclassed: services have events of their own."""


def engine_modules(root: Path) -> list[str]:
    """The modules worth compiling: also without package markers and the catalogue's tables."""
    paths = sorted(path.relative_to(root) for path in (root / "engine").rglob("*.py"))
    return [
        str(path)
        for path in paths
        if path.name != "__init__.py" and path not in INTERPRETED and path.parts[1] != "catalogue"
    ]


def service_modules(root: Path) -> list[str]:
    """The modules that every action goes through. Whatever else is compiled with them, nobody inherits from it."""
    return (root / "services" / "compiled.txt").read_text(encoding="utf-8").split()


PARTS = {"engine": engine_modules, "services": service_modules}
"""What is compiled, each by itself: one may fail without the other."""


CLOSED = ["-fno-semantic-interposition"] if sys.platform == "linux" else []
"""Nobody puts functions of their own in the place of these, so they may call each other directly.

Random games are an eighth faster. Elsewhere compilers take it for granted."""


def extensions(part: str) -> list[Extension]:
    from mypyc.build import mypycify

    try:
        modules = PARTS[part](Path.cwd())
        made = mypycify(modules, opt_level="3", debug_level="0", group_name=f"daifugo_{part}")
    except SystemExit as reason:
        raise RuntimeError(f"mypyc refused the {part}: {reason}") from None
    for extension in made:
        extension.extra_compile_args = [*extension.extra_compile_args, *CLOSED]
    return cast(list[Extension], made)


class Stubs(Command):
    """Generate the Python stubs from the protos."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None: ...
    def finalize_options(self) -> None: ...
    def run(self) -> None:
        generate_stubs()


NEEDED = {"engine": ["engine"], "services": ["engine", "advice", "services", "protos", "pyproject.toml"]}
"""What the compiler reads."""


class Compile(Command):
    """Compile a part of a copy of the sources into build/compiled; on failure leave nothing of it behind."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = [("part=", None, "engine or services")]

    def initialize_options(self) -> None:
        self.part = ""

    def finalize_options(self) -> None:
        if self.part not in PARTS:
            raise ValueError(f"--part is one of: {', '.join(PARTS)}")

    def run(self) -> None:
        work = COMPILED.with_name(f"compiling-{self.part}")
        library = f"daifugo_{self.part}__mypyc"
        for old in (work, COMPILED / self.part):
            shutil.rmtree(old, ignore_errors=True)
        for lost in COMPILED.glob(f"{library}.*"):
            lost.unlink()
        work.mkdir(parents=True)
        for name in NEEDED[self.part]:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
            else:
                shutil.copy(ROOT / name, work)
        shutil.copy(__file__, work / "setup.py")
        log = COMPILED.with_name(f"compile-{self.part}.log")
        print(f"compiling the {self.part}, about a minute ...", flush=True)
        with log.open("w") as out:
            done = subprocess.run(
                [sys.executable, "setup.py", "build_ext", "--inplace"],
                cwd=work,
                env=os.environ | {"DAIFUGO_COMPILE": "strict", "DAIFUGO_PARTS": self.part},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        if done.returncode:
            shutil.rmtree(work)
            print(f"{self.part}: not compiled, interpreted (why: {log.relative_to(ROOT)})")
            return
        COMPILED.mkdir(exist_ok=True)
        for built in work.glob(f"{library}.*"):
            built.rename(COMPILED / built.name)
        if self.part == "engine":
            (work / self.part).rename(COMPILED / self.part)
        else:
            beside_sources(work / self.part)
        shutil.rmtree(work)
        print(f"{self.part}: compiled with mypyc into {COMPILED.relative_to(ROOT)}")


def beside_sources(built: Path) -> None:
    """Move extensions into packages of their own, which have everything else from the sources."""
    for extension in built.rglob("*.so"):
        name = extension.relative_to(built.parent)
        for package in [*name.parents][:-1]:
            (COMPILED / package).mkdir(parents=True, exist_ok=True)
            said = (ROOT / package / "__init__.py").read_text(encoding="utf-8")
            path = f"__path__.append({str(ROOT / package)!r})"
            (COMPILED / package / "__init__.py").write_text(f"{said}\n{path}\n", encoding="utf-8")
        extension.rename(COMPILED / name)


class BuildWithStubs(build_py):
    def run(self) -> None:
        generate_stubs()
        super().run()


class BuildOrInterpret(build_ext):
    """All extensions or none: half of a part would not import."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as reason:
            if os.environ.get("DAIFUGO_COMPILE") == "strict":
                raise
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            print(f"nothing is compiled, all runs interpreted ({reason})")


def wanted_extensions() -> list[Extension]:
    wanted = os.environ.get("DAIFUGO_COMPILE", "")
    if wanted not in ("1", "strict"):
        return []
    parts, found = os.environ.get("DAIFUGO_PARTS", " ".join(PARTS)).split(), []
    if "services" in parts and not [*PROTOS.glob("daifugo/v1/*_pb2.pyi")]:
        generate_stubs()  # the compiler reads them
    for part in parts:
        try:
            found += extensions(part)
        except Exception as reason:
            if wanted == "strict":
                raise
            print(f"{part}: not compiled, interpreted ({reason})")
    return found


setup(
    ext_modules=wanted_extensions(),
    cmdclass={"stubs": Stubs, "compile": Compile, "build_py": BuildWithStubs, "build_ext": BuildOrInterpret},
)
