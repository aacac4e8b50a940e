"""Write the files anew."""

from __future__ import annotations

from benchmarks.rulesets import FILES, FOLDER, every_rule

for name, without in FILES.items():
    (FOLDER / f"{name}.txt").write_text(every_rule(without).text())
