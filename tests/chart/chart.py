"""The chart, rendered by helm."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.chart.binary import ROOT, helm

CHART = ROOT / "helm" / "daifugo"
SNAPSHOT = Path(__file__).with_name("default.yaml")
KUBERNETES = "1.37.0"
"""The version to render for where a test does not care."""

Values = Mapping[str, Any]
Object = dict[str, Any]

EVERYTHING: Values = {
    "imagePullSecrets": [{"name": "registry"}],
    "serviceAccount": {"annotations": {"a": "b"}},
    "image": {"digest": "sha256:" + "0" * 64},
    "game": {
        "service": {"type": "LoadBalancer", "annotations": {"a": "b"}},
        "podAnnotations": {"a": "b"},
        "podLabels": {"team": "games"},
        "nodeSelector": {"kubernetes.io/arch": "amd64"},
        "tolerations": [{"key": "games", "operator": "Exists"}],
        "affinity": {"podAntiAffinity": {}},
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
        ],
        "priorityClassName": "games",
    },
    "matchmaker": {"enabled": True},
    "identity": {"enabled": True},
    "networkPolicy": {"enabled": True, "clients": [{"namespaceSelector": {}}]},
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
}
"""Values that switch on whatever there is."""


class Refused(Exception):
    """Helm does not take the chart with these values."""


def run(*arguments: str, values: Values | None = None) -> str:
    """Run helm with values, in no environment of anybody's; raise Refused when it fails."""
    options = [] if values is None else ["--values", "-"]
    done = subprocess.run(
        [helm(), *arguments, *options],
        input=json.dumps(values),
        capture_output=True,
        text=True,
        env={"PATH": os.defpath, "HOME": "/nonexistent"},
    )
    if done.returncode:
        raise Refused(done.stdout + done.stderr)
    return done.stdout


def template(
    values: Values | None = None, *options: str, release: str = "daifugo", kubernetes: str = KUBERNETES
) -> str:
    """Render the chart as text."""
    where = ["--namespace", "games", "--kube-version", kubernetes]
    return run("template", release, str(CHART), *where, *options, values=values)


def render(
    values: Values | None = None, *options: str, release: str = "daifugo", kubernetes: str = KUBERNETES
) -> list[Object]:
    """Render the chart as objects."""
    text = template(values, *options, release=release, kubernetes=kubernetes)
    return [document for document in yaml.safe_load_all(text) if document]


def one(objects: list[Object], kind: str, name: str = "") -> Object:
    """Return the only object of a kind whose name ends so."""
    (found,) = [x for x in objects if x["kind"] == kind and x["metadata"]["name"].endswith(name)]
    return found


@cache
def defaults() -> dict[str, Any]:
    """Return the chart's values."""
    read: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    return read
