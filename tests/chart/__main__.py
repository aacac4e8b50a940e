"""`python -m tests.chart`: write the snapshot of the default rendering anew."""

from __future__ import annotations

from tests.chart.chart import SNAPSHOT, template

SNAPSHOT.write_text(template(), encoding="utf-8")
print(f"written: {SNAPSHOT}")
