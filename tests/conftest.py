"""What holds for every test: properties are tried on the same examples each time, and no test logs for another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("daifugo", deadline=None, derandomize=True, database=None)
settings.load_profile("daifugo")


@pytest.fixture(autouse=True)
def log_lines_of_one_test_go_to_no_other() -> Iterator[None]:
    """A stream that log lines went to may be closed by now."""
    yield
    structlog.reset_defaults()
