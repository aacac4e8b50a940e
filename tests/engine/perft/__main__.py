"""Write the counts anew, all of them from the naive game: `python -m tests.engine.perft`."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.perft.perft import Line, files, position, read
from tests.reference import naive
from tests.reference.translate import naive_begin

for path in files():
    file = read(path)
    lines = []
    for line in file.lines:
        game = naive_begin(position(file, line.seed))
        lines.append(Line(line.seed, line.depth, naive.perft(game, line.depth)))
        print(path.name, lines[-1])
    path.write_text(replace(file, lines=tuple(lines)).text())
