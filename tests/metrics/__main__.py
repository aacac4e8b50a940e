"""`python -m tests.metrics`: write docs/metrics.md anew."""

from __future__ import annotations

from tests.metrics.page import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
