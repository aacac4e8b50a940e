"""How fast random games are played, beside OpenSpiel on the same core.

    python -m benchmarks.playouts                      nine rounds, about half a minute
    python -m benchmarks.playouts --rounds 3 --preset jdf5
    python -m benchmarks.playouts --rulesets           this engine's other rulesets beside jdf4, without OpenSpiel

Both sides play whole games, the deal included, with moves drawn evenly among the legal ones. A ply is one decision of
a player, passes and answers included; chance moves count for neither side, their time for both. *Own loop*: games are
played inside the compiled code, one call a game or fewer (OpenSpiel: `evaluate_bots` with its uniformly random bots).
*Stepped*: a Python loop asks what is legal, draws, and makes the move. *By odds*: OpenSpiel stepped as its users do,
with a loop that any of its games can be played in: it asks for the odds of chance. The plain loop knows that both
games deal evenly, and does without. Each side is a process pinned to the same core that waits while the other plays;
sides take turns every round. Times are CPU times; a figure is the median over the rounds, a ratio the median of each
round's own ratio, with its range.

A second table has this engine's own loop alone: the rulesets of benchmarks/rulesets beside jdf4, in turns too.

OpenSpiel is installed from benchmarks/open_spiel.lock into an environment of its own under build/.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks import rulesets

ROOT: Final = Path(__file__).parent.parent
LOCK: Final = Path(__file__).with_name("open_spiel.lock")
PEERS: Final = ("crazy_eights", "dou_dizhu")
LOOPS: Final = {"own": "own loop", "stepped": "stepped from Python"}
PEER_LOOPS: Final = {**LOOPS, "by_odds": "stepped by odds"}
SECONDS: Final = 0.3
"""CPU time that a round of one side takes, about."""
FIRST_GAMES: Final = 50
"""Played once to warm up, and to see how many games a round takes."""


class NoPeer(Exception):
    """OpenSpiel cannot be had here."""


class Side:
    """A process that plays one kind of game in one kind of loop, a round at a time."""

    def __init__(self, command: Sequence[str], core: int, env: dict[str, str] | None = None) -> None:
        pinned = [
            sys.executable,
            "-c",
            f"import os, sys\n{pinning(core)}os.execvp(sys.argv[1], sys.argv[1:])",
            *command,
        ]
        self.process = subprocess.Popen(
            pinned, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, loop: str, game: str, count: int) -> dict[str, Any]:
        """Play a round and return what it took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{loop} {game} {count}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the side that plays {game} has died")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Let the process end."""
        self.process.communicate()


def pinning(core: int) -> str:
    """Return the line that pins a process, where the system can."""
    return f"os.sched_setaffinity(0, [{core}])\n" if hasattr(os, "sched_setaffinity") else ""


def last_core() -> int:
    """Return the core to play on: the last one, as the first has more interrupts."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0


def peer_python() -> str:
    """Return the Python of the environment that has OpenSpiel, made on first use."""
    folder = ROOT / "build" / f"open_spiel-{sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    python, ready = folder / "bin" / "python", folder / ".ready"
    if not ready.exists():
        print("installing OpenSpiel, once ...", file=sys.stderr)
        pip = ["-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        how = ["--require-hashes", "--only-binary", ":all:", "-r", str(LOCK)]
        try:
            venv.create(folder, with_pip=True, clear=True)
            subprocess.run([str(python), *pip, *how], check=True, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NoPeer(f"OpenSpiel cannot be installed here: {error}") from None
        ready.touch()
    return str(python)


def measured(arms: dict[tuple[str, str], Side], rounds: int) -> tuple[dict[tuple[str, str], list[float]], bool]:
    """Let all arms, each (game, loop), take turns; return for each its plies a second, round by round."""
    counts: dict[tuple[str, str], int] = {}
    compiled = True
    for (game, loop), side in arms.items():
        first = side.play(loop, game, FIRST_GAMES)
        counts[game, loop] = max(FIRST_GAMES, int(SECONDS / max(first["seconds"], 1e-4) * FIRST_GAMES))
        compiled = compiled and first.get("compiled", True)
    rates: dict[tuple[str, str], list[float]] = {arm: [] for arm in arms}
    for number in range(rounds):
        order = list(arms) if number % 2 == 0 else list(arms)[::-1]
        for game, loop in order:
            answer = arms[game, loop].play(loop, game, counts[game, loop])
            rates[game, loop].append(answer["plies"] / answer["seconds"])
    return rates, compiled


def our_side(core: int) -> Side:
    """Start this engine's side, compiled where it has been."""
    path = os.pathsep.join([str(ROOT / "build" / "compiled"), str(ROOT)])
    return Side((sys.executable, "-P", "-m", "benchmarks.daifugo_rounds"), core, os.environ | {"PYTHONPATH": path})


def among_rulesets(rounds: int) -> str:
    """Measure this engine's rulesets beside its base, and lay them out as a table in Markdown."""
    side = our_side(last_core())
    try:
        rates, compiled = measured({(name, "own"): side for name in rulesets.names()}, rounds)
    finally:
        side.close()
    engine = "compiled" if compiled else "interpreted"
    lines = [f"Random games of other rulesets, {engine} engine, own loop, medians of {rounds} rounds", ""]
    lines += [f"| ruleset | plies/s | beside {rulesets.BASE} | range |", "|---|--:|--:|---|"]
    base = rates[rulesets.BASE, "own"]
    for (name, _), own in rates.items():
        ratios = sorted([mine / other for mine, other in zip(own, base)])
        lines.append(f"| {name} | {median(own):,.0f} | {median(ratios):.2f} | {ratios[0]:.2f}–{ratios[-1]:.2f} |")
    return "\n".join(lines) + "\n"


def figures(preset: str, rounds: int) -> str:
    """Measure, and lay out the comparison as a table in Markdown."""
    core = last_core()
    ours = our_side(core)
    arms = {(preset, loop): ours for loop in LOOPS}
    note = ""
    try:
        theirs = Side((peer_python(), str(Path(__file__).with_name("spiel_rounds.py"))), core)
        arms |= {(game, loop): theirs for game in PEERS for loop in PEER_LOOPS}
    except NoPeer as reason:
        note = f"\n{reason}\n"
    try:
        rates, compiled = measured(arms, rounds)
    finally:
        for side in set(arms.values()):
            side.close()
    engine = "compiled" if compiled else "interpreted"
    lines = [f"Random games of {preset}, {engine} engine, plies a second, medians of {rounds} rounds", ""]
    lines += ["| game | loop | plies/s | plies/s of the peer | ratio | range |", "|---|---|--:|--:|--:|---|"]
    for loop, text in LOOPS.items():
        own = rates[preset, loop]
        for game, their_loop in arms:
            if game in PEERS and their_loop in (loop, "stepped", "by_odds"):
                peer = rates[game, their_loop]
                ratios = sorted([mine / other for mine, other in zip(own, peer)])
                spread = f"{ratios[0]:.2f}–{ratios[-1]:.2f}"
                cells = (f"{median(own):,.0f}", f"{median(peer):,.0f}", f"{median(ratios):.2f}", spread)
                name = f"{preset} / OpenSpiel {game}"
                lines.append(f"| {name} | {text} / {PEER_LOOPS[their_loop]} | {' | '.join(cells)} |")
        if note:
            lines.append(f"| {preset} | {text} | {median(own):,.0f} | | | |")
    return "\n".join(lines) + "\n" + note


def main(argv: list[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.playouts", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often the sides take turns (default: %(default)s)")
    parser.add_argument("--preset", default="jdf4", help="what this engine plays (default: %(default)s)")
    parser.add_argument("--rulesets", action="store_true", help="only compare this engine's rulesets")
    options = parser.parse_args(argv)
    if not options.rulesets:
        print(figures(options.preset, options.rounds), flush=True)
    print(among_rulesets(options.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
