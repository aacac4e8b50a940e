"""Which of two policies plays better: duplicate deals, every seat rotation, titles and points with error bars.

    python -m benchmarks.duel                          greedy against three random, and two against two
    python -m benchmarks.duel --deals 200 --preset jdf5 --rule seven_pass=true

Each deal is played once for every rotation of the policies over the seats, so that nobody is dealt better cards; every
second deal begins with an exchange from places drawn by lot. A deal counts as one observation: its games are averaged,
and the 95 % intervals are normal ones over deals.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Final

from benchmarks.arena import deal, play
from clients.bot.policies import POLICIES
from engine.cli import add_ruleset, ruleset_of
from engine.program import Program

Z: Final = NormalDist().inv_cdf(0.975)


class Tally:
    """What a policy reached, a row for each deal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shares: list[list[float]] = []
        """For each deal, how often each place was reached, as shares."""

    def add(self, places: Sequence[int], seats: int) -> None:
        """Add the places that were reached on one deal."""
        self.shares.append([places.count(place) / len(places) for place in range(seats)])

    def beaten(self) -> list[float]:
        """Return for each deal the share of the other seats that came in below: 0.5 is even."""
        return [1 - sum([share * place for place, share in enumerate(row)]) / (len(row) - 1) for row in self.shares]


def with_error(values: Sequence[float]) -> tuple[float, float]:
    """Return a mean and the half width of its 95 % interval."""
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return fmean(values), half


def lineups(one: str, other: str, seats: int, number: int) -> list[list[str]]:
    """List who sits where: `number` seats of one policy, spread evenly, in every rotation that differs."""
    base = [other] * seats
    for i in range(number):
        base[i * seats // number] = one
    rotations = [base[-turn:] + base[:-turn] for turn in range(seats)]
    return [line for at, line in enumerate(rotations) if line not in rotations[:at]]


def duel(program: Program, one: str, other: str, number: int, deals: int, seed: int) -> tuple[Tally, Tally]:
    """Play duplicate deals with `number` seats of one policy and the other policy in the rest."""
    tallies = Tally(one), Tally(other)
    for at in range(deals):
        chance = random.Random(f"{seed} {at}")
        cards = chance.randbytes(32)
        previous = chance.sample(range(program.seats), program.seats) if at % 2 else []
        reached: tuple[list[int], list[int]] = ([], [])
        for lineup in lineups(one, other, program.seats, number):
            policies = [POLICIES[name](random.Random(f"{seed} {at} {seat}")) for seat, name in enumerate(lineup)]
            places = play(deal(program, cards, previous), policies)
            for place, seat in enumerate(places):
                reached[lineup[seat] != one].append(place)
        for tally, places in zip(tallies, reached):
            tally.add(places, program.seats)
    return tallies


def table(program: Program, tallies: Sequence[Tally], head: str) -> str:
    """Lay a duel out as a table in Markdown."""
    titles = program.ruleset.titles()
    lines = [f"| {head} | " + " | ".join(titles) + " | seats beaten |", "|---" * (len(titles) + 2) + "|"]
    for tally in tallies:
        cells = [with_error([row[place] for row in tally.shares]) for place in range(len(titles))]
        cells.append(with_error(tally.beaten()))
        lines.append(f"| {tally.name} | " + " | ".join([f"{100 * m:.1f} ± {100 * h:.1f} %" for m, h in cells]) + " |")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="python -m benchmarks.duel", description="Compare two policies on equal deals.")
    add_ruleset(p)
    p.add_argument("--one", choices=sorted(POLICIES), default="greedy", help="the policy (default: %(default)s)")
    p.add_argument("--other", choices=sorted(POLICIES), default="random", help="its opponent (default: %(default)s)")
    p.add_argument("--number", type=int, action="append", help="seats of the first policy (default: 1, and then half)")
    p.add_argument("--deals", type=int, default=1000, help="deals (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1, help="the same seed deals the same cards (default: %(default)s)")
    return p


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    ruleset = ruleset_of(options)
    if ruleset is None:
        return 2
    program = Program(ruleset)
    for number in options.number or sorted({1, ruleset.seats // 2}):
        started = time.perf_counter()
        tallies = duel(program, options.one, options.other, number, options.deals, options.seed)
        games = options.deals * len(lineups(options.one, options.other, ruleset.seats, number))
        print(table(program, tallies, f"{number} × {options.one}, {ruleset.seats - number} × {options.other}"))
        seconds = time.perf_counter() - started
        print(f"\n{options.deals} deals of {ruleset.preset}, {games} games, seed {options.seed}, {seconds:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
