"""A machine that helm.lock has no binary for, and that has no helm either, skips these tests and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chart.binary import NoHelm, helm


@pytest.fixture(scope="session")
def helm_binary() -> Path:
    """The helm to run."""
    try:
        return helm()
    except NoHelm as reason:
        pytest.skip(str(reason))  # no helm for this kind of machine, as the reason says
