"""What is different about a step of a transcript, event by event."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from tests.transcripts.script import Fields, Step, Told


def differences(expected: Step, got: Step) -> list[str]:
    """Say what is different between a step as recorded and as it is now, a line for each field; nothing if equal."""
    found: list[str] = []
    if expected.text != got.text:
        found.append(f"the action: expected {expected.text!r}, got {got.text!r}")
    found += of_events(expected.events, got.events)
    for who in {**expected.views, **got.views}:
        if who not in expected.views or who not in got.views:
            found.append(f"view of {who}: {'not written any more' if who in expected.views else 'unexpected'}")
        else:
            found += of_fields(f"view of {who}", expected.views[who], got.views[who])
    return [f"{expected.where}\n", *[f"  {line}\n" for line in found]] if found else []


def of_events(expected: list[Told], got: list[Told]) -> Iterator[str]:
    """Match the events of a step with each other, and say which are missing, unexpected, or not as they were.

    A cause is compared as the event that it is, so an event more or less does not make all later ones differ.
    """
    now: dict[int, int] = {-1: -1}
    pairs = list(matched(expected, got))
    now.update({i: j for i, j in pairs if i is not None and j is not None})
    for i, j in pairs:
        if i is None and j is not None:
            yield f"event {j}: unexpected {summary(got[j], j)}"
        elif j is None and i is not None:
            yield f"event {i}: missing {summary(expected[i], i)}"
        elif i is not None and j is not None:
            old, new = expected[i], got[j]
            title = f"event {i} {old.name}" + (f" by {old.rule}" if old.rule else "")
            if old.rule != new.rule:
                yield f"{title}, rule: expected {old.rule or 'none'}, got {new.rule or 'none'}"
            if now.get(old.because) != new.because:
                yield f"{title}, cause: expected {cause(expected, old)}, got {cause(got, new)}"
            yield from of_fields(title, old.fields, new.fields)
            for seat in sorted({*old.seen, *new.seen}):
                yield from of_fields(f"{title}, as {seat} sees it", old.seen.get(seat, {}), new.seen.get(seat, {}))


def matched(expected: list[Told], got: list[Told]) -> Iterator[tuple[int | None, int | None]]:
    """Pair events of the same kind in order; those that are alike in everything first of all."""
    keys = [[(told.name, told.rule, str(told.fields)) for told in each] for each in (expected, got)]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(range(i1, i2), range(j1, j2))
            continue
        names = [told.name for told in expected[i1:i2]], [told.name for told in got[j1:j2]]
        for inner, a1, a2, b1, b2 in SequenceMatcher(None, names[0], names[1], autojunk=False).get_opcodes():
            if inner == "equal":
                yield from zip(range(i1 + a1, i1 + a2), range(j1 + b1, j1 + b2))
            else:
                yield from [(i1 + a, None) for a in range(a1, a2)]
                yield from [(None, j1 + b) for b in range(b1, b2)]


def of_fields(title: str, expected: Fields, got: Fields) -> Iterator[str]:
    """Say which fields differ."""
    for name in {**expected, **got}:
        old, new = expected.get(name), got.get(name)
        if old != new:
            yield f"{title}, {name}: expected {said(old)}, got {said(new)}"


def said(value: str | None) -> str:
    """Write the value of a field; a flag has none, and what is not there is as usual."""
    return "nothing" if value is None else value or "yes"


def summary(told: Told, index: int) -> str:
    """Write an event in one line."""
    return told.lines(index)[0].strip().partition(" ")[2]


def cause(events: list[Told], told: Told) -> str:
    """Name the cause of an event."""
    return f"event {told.because} {events[told.because].name}" if told.because >= 0 else "none"
