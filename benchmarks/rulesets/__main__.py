"""Write every_rule.txt anew."""

from __future__ import annotations

from benchmarks.rulesets import FOLDER, every_rule

(FOLDER / "every_rule.txt").write_text(every_rule().text())
