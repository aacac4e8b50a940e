"""docs/table-life.md, made from the life cycle the service goes by: `python -m tests.docs.table_life` writes it."""

from __future__ import annotations

from collections.abc import Iterator

from services.game.cycle import BEGINS, CLOSED, EVENTS, STATES, TABLE
from tests.docs.pages import DOCS

PAGE = DOCS / "table-life.md"
SAME = "–"


def page() -> str:
    """Write the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The life of a table"
    yield ""
    yield "What may happen at a table, when, and who may do it. The service goes by the same data"
    yield "(`services/game/cycle.py`), and this page is made from it: `.venv/bin/python -m tests.docs.table_life`."
    yield ""
    yield "```mermaid"
    yield "stateDiagram-v2"
    for state in STATES:
        if _id(state) != state:
            yield f'    state "{state}" as {_id(state)}'
    yield f"    [*] --> {_id(BEGINS[1])}: {BEGINS[0]}"
    for (before, after), names in _moves().items():
        yield f"    {_id(before)} --> {_id(after)}: {'<br/>'.join(names)}"
    yield f"    {_id(CLOSED)} --> [*]"
    yield "```"
    yield ""
    yield "| state | |"
    yield "|---|---|"
    yield from [f"| {state} | {text} |" for state, text in STATES.items()]
    yield ""
    yield "To clients `playing` and `between games` are both `TABLE_STATE_RUNNING`; whether a game is being played is"
    yield "`View.playing`."
    yield ""
    yield "## What may be done"
    yield ""
    yield "Where something may be done, the states that it can lead to; otherwise the reason with which it is refused."
    yield "Each call can be refused for reasons of its own besides, such as a seat that is taken. Who may not do it at"
    yield "all is refused with `NOT_HOST` or `NOT_SEATED`, before anything is said of the state."
    yield ""
    yield from _table([name for name, event in EVENTS.items() if event.who != TABLE], "call")
    yield ""
    yield "## What happens by itself"
    yield ""
    yield from _table([name for name, event in EVENTS.items() if event.who == TABLE], "event")


def _moves() -> dict[tuple[str, str], list[str]]:
    """List what leads from one state to another."""
    moves: dict[tuple[str, str], list[str]] = {}
    for name, event in EVENTS.items():
        for before, after in event.leads.items():
            for state in after:
                if state != before:
                    moves.setdefault((before, state), []).append(name)
    return moves


def _table(names: list[str], head: str) -> Iterator[str]:
    yield f"| {head} | who | {' | '.join(STATES)} |"
    yield "|---" * (2 + len(STATES)) + "|"
    for name in names:
        cells = [_cell(name, state) for state in STATES]
        shown = name if EVENTS[name].who == TABLE else f"`{name}`"
        yield f"| {shown} | {EVENTS[name].who} | {' | '.join(cells)} |"


def _cell(name: str, state: str) -> str:
    event = EVENTS[name]
    if state in event.leads:
        return ", ".join(event.leads[state])
    return f"`{event.refused[state]}`" if state in event.refused else SAME


def _id(state: str) -> str:
    return state.replace(" ", "_")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
