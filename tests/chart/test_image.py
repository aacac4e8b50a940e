"""The image: the Dockerfile's own steps, run in an empty folder; then its command, away from the sources."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2

from services.game.app import NAMES
from tests.chart.binary import ROOT
from tests.chart.chart import defaults, render
from tests.chart.dockerfile import Stage, build, context, ignored, instructions

COMPILER = shutil.which("cc") or shutil.which("gcc")
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


def check_that_it_serves(image: Stage) -> None:
    """Start the image's command, ask for its health, and stop it."""
    before = sorted(str(path) for path in image.root.rglob("*"))
    process = start(image, image.command, DAIFUGO_PORT="0", DAIFUGO_GRACE_SECONDS="1")
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening 0.0.0.0:"), line or process.communicate()
        with grpc.insecure_channel(line.split()[1].replace("0.0.0.0", "127.0.0.1")) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            for name in ("", *NAMES):
                assert check(health_pb2.HealthCheckRequest(service=name), timeout=10).status == SERVING
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
    finally:
        process.kill()
        process.communicate()
    assert sorted(str(path) for path in image.root.rglob("*")) == before, "it writes where nothing can be written"


# One test, because each worker of pytest-xdist would build an image of its own.
def test_the_steps_of_the_dockerfile_make_a_service_that_starts_away_from_the_sources() -> None:
    with tempfile.TemporaryDirectory(prefix="daifugo-image-") as name:
        work = Path(name)
        work.chmod(0o755)
        image = built(work)
        # The last stage needs nothing of the others.
        shutil.rmtree(work / "stage-build")
        check_that_it_serves(image)
        engine = output(image, "import engine.game; print(engine.game.__file__)")
        assert engine.startswith(str(image.root))
        assert engine.rstrip().endswith(".so" if COMPILER else ".py")
        names = output(image, "import importlib.metadata as m; print(*(x.name for x in m.distributions()))").split()
        assert "daifugo" in names
        assert not {"mypy", "grpcio-tools", "setuptools", "wheel", "pip", "pytest"} & set(names)


@pytest.mark.usefixtures("helm_binary")
def test_it_runs_as_the_user_and_the_command_of_the_chart() -> None:
    (pod,) = [x["spec"]["template"]["spec"] for x in render() if x["kind"] == "StatefulSet"]
    said = dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))
    context_of_pod = pod["securityContext"]
    assert said["USER"] == f"{context_of_pod['runAsUser']}:{context_of_pod['runAsGroup']}"
    assert said["EXPOSE"] == str(defaults()["game"]["config"]["port"])
    assert said["CMD"].replace("'", '"') == str(pod["containers"][0]["command"]).replace("'", '"')


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
