"""The image: the Dockerfile's own steps, run in an empty folder; then its command, away from the sources."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2

from services.game.app import NAMES as GAME
from services.matchmaker.app import NAMES as MATCHMAKER
from tests.chart.binary import ROOT
from tests.chart.chart import defaults, render
from tests.chart.dockerfile import Stage, build, context, ignored, instructions

COMPILER = shutil.which("cc") or shutil.which("gcc")
MATCHMAKER_COMMAND = ["python", "-m", "services.matchmaker"]
SERVING = health_pb2.HealthCheckResponse.SERVING

pytestmark = pytest.mark.timeout(600)


def built(work: Path) -> Stage:
    """Build the image. The compiler does not optimise here, which would take most of the time."""
    environment = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "HTTP", "http", "SSL"))}
    if COMPILER is None:
        return build(work, {"DAIFUGO_COMPILE": "1"}, environment)
    quick = work / "quick-cc"
    quick.write_text(f'#!/bin/sh\nexec {COMPILER} "$@" -O0\n')
    quick.chmod(0o755)
    return build(work, {}, environment | {"CC": str(quick)})


def start(image: Stage, command: list[str], **environment: str) -> subprocess.Popen[str]:
    """Run a command as a container would: its environment, its working directory and, where it can, its user."""
    program = shutil.which(command[0], path=image.environment["PATH"])
    assert program is not None
    user, _, group = image.user.partition(":")
    # Only root may, and only where that user can run the Python that the tests run on.
    can = os.geteuid() == 0 and not subprocess.run(["/usr/bin/test", "-x", program], user=int(user)).returncode
    return subprocess.Popen(
        command,
        executable=program,
        cwd=image.path("."),
        env={key: value for key, value in image.environment.items() if key != "CC"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        user=int(user) if can else None,
        group=int(group) if can else None,
        extra_groups=[] if can else None,
    )


def output(image: Stage, script: str) -> str:
    """Return what a Python script prints in a container."""
    process = start(image, ["python", "-c", script])
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return said


@contextmanager
def serving(image: Stage, command: list[str], names: tuple[str, ...], **environment: str) -> Iterator[str]:
    """Run a service of the image, give its address when its health is fine, and stop it."""
    process = start(
        image, command, DAIFUGO_PORT="0", DAIFUGO_GRACE_SECONDS="1", DAIFUGO_OPEN_MODE="true", **environment
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening 0.0.0.0:"), line or process.communicate()
        address = line.split()[1].replace("0.0.0.0", "127.0.0.1")
        with grpc.insecure_channel(address) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            for name in ("", *names):
                assert check(health_pb2.HealthCheckRequest(service=name), timeout=10).status == SERVING
        yield address
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
    finally:
        process.kill()
        process.communicate()


def check_that_it_serves(image: Stage) -> None:
    """Run the image's command, and the matchmaker beside it; leave no trace."""
    before = traces(image)
    with (
        serving(image, image.command, GAME) as address,
        serving(image, MATCHMAKER_COMMAND, MATCHMAKER, DAIFUGO_GAME_ADDRESS=address),
    ):
        pass
    assert traces(image) == before, "it writes where nothing can be written"


def traces(image: Stage) -> list[str]:
    """List every path of an image, but for those in the folder where anybody may write."""
    return sorted(str(path) for path in image.root.rglob("*") if path.relative_to(image.root).parts[0] != "tmp")


# One test, because each worker of pytest-xdist would build an image of its own.
def test_the_steps_of_the_dockerfile_make_a_service_that_starts_away_from_the_sources() -> None:
    with tempfile.TemporaryDirectory(prefix="daifugo-image-") as name:
        work = Path(name)
        work.chmod(0o755)
        image = built(work)
        # The last stage needs nothing of the others.
        shutil.rmtree(work / "stage-build")
        check_that_it_serves(image)
        for module in ("engine.game", "services.game.history"):
            file = output(image, f"import {module} as module; print(module.__file__)")
            assert file.startswith(str(image.root))
            assert file.rstrip().endswith(".so" if COMPILER else ".py")
        names = output(image, "import importlib.metadata as m; print(*(x.name for x in m.distributions()))").split()
        assert "daifugo" in names
        assert not {"mypy", "grpcio-tools", "setuptools", "wheel", "pip", "pytest"} & set(names)


@pytest.mark.usefixtures("helm_binary")
def test_it_runs_as_the_user_and_the_command_of_the_chart() -> None:
    manifests = render({"matchmaker": {"enabled": True}})
    (pod,) = [x["spec"]["template"]["spec"] for x in manifests if x["kind"] == "StatefulSet"]
    (other,) = [x["spec"]["template"]["spec"] for x in manifests if x["kind"] == "Deployment"]
    said = dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))
    context_of_pod = pod["securityContext"]
    assert said["USER"] == f"{context_of_pod['runAsUser']}:{context_of_pod['runAsGroup']}"
    assert said["EXPOSE"].split() == [
        str(defaults()[name]["config"]["port"]) for name in ("game", "matchmaker", "identity")
    ]
    assert said["CMD"].replace("'", '"') == str(pod["containers"][0]["command"]).replace("'", '"')
    assert other["containers"][0]["command"] == MATCHMAKER_COMMAND
    assert {**other["securityContext"], "fsGroup": context_of_pod["fsGroup"]} == context_of_pod, "it has no volume"


def test_the_build_sees_sources_only() -> None:
    names = context()
    assert "engine/game.py" in names
    assert "requirements.lock" in names
    unwanted = ("tests/", "build/", ".git", ".venv/", "helm/")
    assert not [name for name in names if name.startswith(unwanted) or name.endswith((".so", ".pyc", "_pb2.py"))]


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("setup.py", False),
        ("engine/game.py", False),
        ("engine/__pycache__/game.cpython-311.pyc", True),
        ("protos/daifugo/v1/game_pb2.py", True),
        ("tests/setup.py", True),
        (".git/config", True),
    ],
)
def test_patterns_of_dockerignore(path: str, out: bool) -> None:
    assert ignored(path, ["*", "!engine", "!protos", "!setup.py", "**/__pycache__", "**/*_pb2.py"]) is out
