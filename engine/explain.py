"""What the catalogue says about one rule, in both languages, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from engine.available import can_be_played
from engine.catalogue import Entry, Setting, Text, entries, tables
from engine.catalogue.types import write_value
from engine.rules.pipeline import ORDER


def find_entry(word: str) -> tuple[Entry | None, list[str]]:
    """Find an entry by its id or its name in either language; if there is none, return the ids that come near."""
    for entry in entries().values():
        if word.casefold() in (entry.id, entry.name.ja.casefold(), entry.name.en.casefold()):
            return entry, []
    within = [e.id for e in entries().values() if word in e.id or any(word.casefold() in n.casefold() for n in e.name)]
    return None, (within or get_close_matches(word, entries()))[:5]


def explain(entry: Entry) -> Iterator[str]:
    """Say what a rule is, how it can be set, what it goes together with, and when it acts."""
    yield f"{_both(entry.name)} ({entry.id})" + ("" if can_be_played(entry) else "  (not in this version)")
    yield ""
    yield entry.text.ja
    yield entry.text.en
    for setting in entry.settings:
        yield ""
        yield from _setting(setting)
    yield ""
    for label, conditions in (("needs", entry.requires), ("excludes", entry.excludes)):
        for condition in conditions:
            when = "" if condition.when is None else f"  (for {write_value(condition.when)})"
            yield f"{label:<9} {condition.text()}{when}"
    if entry.discloses is not None:
        yield f"shows     {_both(entry.discloses)}"
    phases = " ".join([phase for phase, ids in ORDER.items() if entry.id in ids])
    if entry.stage is not None:
        yield f"stage     {entry.stage} of 0 to 100" + (f", phases: {phases}" if phases else "")
    yield f"chapter   {_both(tables().families[entry.family])}"
    yield f"sources   {' '.join(entry.sources)}"


def _setting(setting: Setting) -> Iterator[str]:
    default = write_value(setting.default) or "none"
    yield f"{setting.id} = {setting.allowed_text()}  (default {default})"
    if not setting.is_main:
        yield f"  {_both(setting.name)}"
    for word, text in setting.words.items():
        yield f"  {word}: {_both(text)}"


def _both(text: Text) -> str:
    return f"{text.ja} / {text.en}"
