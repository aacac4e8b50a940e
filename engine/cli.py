"""`daifugo simulate` and `daifugo rules`: the bare engine on the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any, Final

from engine.available import PRESETS, can_be_played
from engine.cards import RANK_TEXT
from engine.catalogue import entries, presets, tables
from engine.explain import explain, find_entry
from engine.game import advance
from engine.playout import Simulator
from engine.program import Program
from engine.rules import pipeline
from engine.ruleset import Ruleset, RulesetError, make_ruleset, read_value

NOT_YET: Final = "  (not in this version)"


def simulate(argv: list[str]) -> int:
    """Play random games on the bare engine and report who got which title, and how fast."""
    parser = argparse.ArgumentParser(prog="daifugo simulate", description=simulate.__doc__)
    add_ruleset(parser)
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="games to play (default 1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed plays the same games")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args(argv)
    ruleset = ruleset_of(wanted)
    if ruleset is None:
        return 2
    started = time.perf_counter()
    counts, actions = play_games(Program(ruleset), wanted.games, wanted.seed)
    seconds = time.perf_counter() - started
    report: dict[str, Any] = {
        "preset": ruleset.preset,
        "ruleset": ruleset.hash,
        "seats": ruleset.seats,
        "games": wanted.games,
        "seed": wanted.seed,
        "actions": actions,
        "actions_per_game": round(actions / wanted.games, 2),
        "seconds": round(seconds, 3),
        "games_per_second": round(wanted.games / seconds, 1),
        "actions_per_second": round(actions / seconds),
        "compiled": is_compiled(),
        "titles": titles_by_seat(ruleset, counts),
    }
    print(json.dumps(report, ensure_ascii=False) if wanted.json else as_text(report))
    return 0


def rules(argv: list[str]) -> int:
    """List the presets and rules, explain a rule in both languages, or show what a ruleset compiles to."""
    parser = argparse.ArgumentParser(prog="daifugo rules", description=rules.__doc__)
    parser.add_argument("what", nargs="?", choices=("list", "presets", "show", "explain"), default="list")
    parser.add_argument("name", nargs="?", help="for show: a preset; for explain: a rule, by its id or its name")
    add_ruleset(parser)
    wanted = parser.parse_args(argv)
    if wanted.what == "explain":
        return explain_rule(wanted.name or "")
    if wanted.what == "presets":
        for preset in presets().values():
            missing = "" if preset.id in PRESETS else NOT_YET
            print(f"{preset.id:<16} {preset.name.ja}  {preset.name.en}{missing}")
        return 0
    if wanted.what == "list":
        for entry in entries().values():
            missing = "" if can_be_played(entry) else NOT_YET
            print(f"{entry.id:<28} {entry.kind:<8} {entry.name.ja}  {entry.name.en}{missing}")
        return 0
    wanted.preset = wanted.name or wanted.preset
    ruleset = ruleset_of(wanted)
    if ruleset is None:
        return 2
    print(f"{ruleset.text()}hash {ruleset.hash}\n")
    print(program_text(Program(ruleset)))
    return 0


def explain_rule(word: str) -> int:
    """Explain one rule, or name those that come near."""
    entry, near = find_entry(word)
    if entry is not None:
        print("\n".join(explain(entry)))
        return 0
    if is_japanese():
        print(f"ルール {word!r} はありません" + (f"（{'、'.join(near)} ですか）" if near else ""), file=sys.stderr)
    else:
        print(f"there is no rule {word!r}" + (f"; did you mean {', '.join(near)}?" if near else ""), file=sys.stderr)
    return 2


def play_games(program: Program, games: int, seed: int) -> tuple[list[list[int]], int]:
    """Play games with random legal moves; return how often each seat got each place, and the number of actions."""
    counts = [[0] * program.seats for _ in range(program.seats)]
    actions = 0
    simulator = Simulator(program, seed)
    for _ in range(games):
        simulator.begin()
        actions += simulator.play_out()
        for place, seat in enumerate(simulator.state.places):
            counts[seat][place] += 1
    return counts, actions


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    """Let a command take a ruleset."""
    parser.add_argument("--preset", default="jdf4", help="the preset to start from (default jdf4)")
    parser.add_argument(
        "--rule", action="append", default=[], metavar="ID=VALUE", help="change a setting; may be given several times"
    )
    parser.add_argument("--seats", type=positive, metavar="N", help="players, where the preset leaves a choice")


def ruleset_of(wanted: argparse.Namespace) -> Ruleset | None:
    """Return the ruleset that was asked for, or say what is wrong with it in the language of the locale."""
    try:
        settings = dict([rule.partition("=")[::2] for rule in wanted.rule])
        values = {name.strip(): read_value(name.strip(), text) for name, text in settings.items()}
        return make_ruleset(wanted.preset, values, wanted.seats)
    except RulesetError as error:
        for problem in error.problems:
            print(problem.text_ja if is_japanese() else problem.text_en, file=sys.stderr)
        return None


def is_japanese() -> bool:
    """Say whether the locale is Japanese."""
    set_ones = [os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)]
    return bool(set_ones) and set_ones[0].startswith("ja")


def positive(text: str) -> int:
    """Read a number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def is_compiled() -> bool:
    """Say whether the engine runs compiled."""
    return not str(advance.__code__.co_filename if hasattr(advance, "__code__") else "").endswith(".py")


def titles_by_seat(ruleset: Ruleset, counts: list[list[int]]) -> list[dict[str, int]]:
    """Name the places of each seat by their titles; equal titles are added up."""
    rows: list[dict[str, int]] = []
    for seat_counts in counts:
        row: dict[str, int] = {}
        for title, count in zip(ruleset.titles(), seat_counts):
            row[title] = row.get(title, 0) + count
        rows.append(row)
    return rows


def as_text(report: dict[str, Any]) -> str:
    """Lay out a simulation's report for people."""
    titles = list(report["titles"][0])
    english = tables().titles_en
    engine = "compiled" if report["compiled"] else "interpreted"
    plural = "" if report["games"] == 1 else "s"
    header = "{games} game{plural} of {preset} with {seats} seats, seed {seed}, ".format(plural=plural, **report)
    speed = "{actions_per_game} actions a game, {actions_per_second:,} actions and {games_per_second:,} games a second"
    names = "  ".join([f"{title} {english[title]:<10}" for title in titles])
    lines = [f"{header}{engine} engine", speed.format(**report), f"seat  {names}"]
    for seat, row in enumerate(report["titles"]):
        cells = [f"{row[title]:>{len(title) * 2 + 11}}" for title in titles]
        lines.append(f"{seat + 1:>4}  " + "  ".join(cells))
    return "\n".join(lines)


def program_text(program: Program) -> str:
    """Write a compiled program: for each phase the rules in force, in order, with the ranks they look at."""
    lines: list[str] = []
    for phase in pipeline.ORDER:
        on = program.phase(phase)
        if on:
            lines.append(f"{phase}:")
        for rule in on:
            entry = entries().get(rule.id.partition(".")[0])
            name = f"  {entry.name.ja}" if entry is not None else ""
            only = (
                ""
                if rule.ranks < 0
                else " [" + " ".join([RANK_TEXT[r] for r in range(14) if rule.ranks >> r & 1]) + "]"
            )
            lines.append(f"  {rule.id}{only}{name}")
    return "\n".join(lines)
