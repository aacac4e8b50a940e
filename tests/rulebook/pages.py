"""The pages of the rule book under `docs/rules/`: everything from the catalogue, with examples from the rulings."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engine.available import PRESETS, can_be_played
from engine.catalogue import (
    Condition,
    Entry,
    Preset,
    Setting,
    Text,
    Value,
    entries,
    families,
    presets,
    settings,
    tables,
)
from engine.catalogue.types import SEATS, write_value
from engine.rules.pipeline import ORDER
from tests.rulebook.example import Speaker
from tests.rulings.notation import read_file

LANGUAGES: Final = ("ja", "en")
HERE: Final = Path(__file__).parent
RULINGS: Final = HERE.parent / "rulings"

TITLE: Final = Text("ルールブック", "Rule book")
INTRODUCTION: Final = Text(
    "カタログにあるすべてのルールと設定。このページはカタログと裁定から作られる。",
    "Every rule and setting of the catalogue. These pages are made from the catalogue and the rulings.",
)
DEFAULT: Final = Text("既定", "default")
IN_THIS_VERSION: Final = Text("今の版で遊べる", "Playable in this version")
NEEDS: Final = Text("必要なもの", "Needs")
EXCLUDES: Final = Text("一緒に使えないもの", "Excludes")
SOURCES: Final = Text(
    "出典の数字は文書を表す。L12は行、art.12は条。",
    "The number of a source is the document; L12 is a line of it, art.12 an article.",
)
MADE_BY: Final = "<!-- Made by `make rulebook`. Change the catalogue or the rulings instead. -->"
FEDERATION: Final = "jdf4"
"""The preset that the examples of the rules start from, unless a ruling says otherwise."""


def pages() -> dict[str, str]:
    """Return every page by its path below `docs/rules/`."""
    found = {}
    for language in LANGUAGES:
        book = Book(language)
        found[f"{language}/README.md"] = book.contents()
        found |= {f"{language}/{family}.md": book.chapter(family) for family in families()}
    return found


@lru_cache(maxsize=1)
def examples() -> Mapping[str, str]:
    """Return the id of the ruling that shows each rule at work."""
    found: dict[str, str] = tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def rulings() -> Mapping[str, Mapping[str, Any]]:
    """Return all rulings by id, as they stand in their files."""
    rows = [row for name in ("rulings", "extra") for row in read_file(RULINGS / f"{name}.yaml")]
    return {str(row["id"]): row for row in rows}


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Write a table in Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return [lines[0], "|---" * len(head) + "|", *lines[1:]]


def is_on(entry: Entry, preset: Preset) -> bool:
    """Say whether a preset uses a rule that can be switched off."""
    main = entry.settings[0] if entry.settings else None
    if main is None or main.id != entry.id or (main.type != "bool" and "none" not in main.words):
        return False
    return preset.settings.get(main.id, main.default) not in (False, "none")


class Book(Speaker):
    """The rule book in one language."""

    def contents(self) -> str:
        """Write the first page: chapters, presets, documents."""
        say = self.of
        lines = [MADE_BY, f"# {say(TITLE)}", "", self._other("README.md"), "", say(INTRODUCTION), ""]
        lines += table([say(Text("章", "chapter")), say(Text("項目", "entries"))], self._chapters())
        lines += ["", f"## {say(Text('プリセット', 'Presets'))}", ""]
        head = ["id", say(Text("名前", "name")), say(Text("内容", "what it is")), say(IN_THIS_VERSION)]
        lines += table(head, [self._preset(preset) for preset in presets().values()])
        lines += ["", f"## {say(Text('出典', 'Sources'))}", "", say(SOURCES), ""]
        lines += [f"* `{number}`: {say(name)}" for number, name in tables().documents.items()]
        return "\n".join(lines) + "\n"

    def _chapters(self) -> list[list[str]]:
        counts = Counter(entry.family for entry in entries().values())
        return [[f"[{self.of(tables().families[name])}]({name}.md)", str(counts[name])] for name in families()]

    def _preset(self, preset: Preset) -> list[str]:
        available = self._yes(preset.id in PRESETS)
        return [f"`{preset.id}`", self.of(preset.name), self.of(preset.text), available]

    def _other(self, page: str) -> str:
        language, name = ("en", "English") if self.language == "ja" else ("ja", "日本語")
        return f"[{name}](../{language}/{page})"

    def chapter(self, family: str) -> str:
        """Write the page of one chapter: an index and every rule of it."""
        say = self.of
        chosen = [entry for entry in entries().values() if entry.family == family]
        page = f"{family}.md"
        lines = [MADE_BY, f"# {say(tables().families[family])}", ""]
        lines += [f"[{say(TITLE)}](README.md) · {self._other(page)}", ""]
        head = [say(Text("名前", "name")), "id", say(DEFAULT), say(IN_THIS_VERSION)]
        lines += table(head, [self._index(entry) for entry in chosen])
        for entry in chosen:
            lines += ["", *self.rule(entry)]
        return "\n".join(lines) + "\n"

    def _index(self, entry: Entry) -> list[str]:
        default = self._default(entry.settings[0]) if entry.settings else ""
        available = self._yes(can_be_played(entry))
        return [f"[{self.of(entry.name)}](#{entry.id})", f"`{entry.id}`", default, available]

    def rule(self, entry: Entry) -> Iterator[str]:
        """Write one rule."""
        say = self.of
        yield f'<a id="{entry.id}"></a>'
        yield ""
        yield f"## {say(entry.name)}"
        yield ""
        yield say(entry.text)
        if entry.settings:
            yield ""
            head = [say(Text("設定", "setting")), say(Text("選べる値", "values")), say(DEFAULT)]
            yield from table(head, [self._setting(setting) for setting in entry.settings])
        yield ""
        for label, fact in self._facts(entry):
            yield f"* {say(label)}{say(Text('：', ': '))}{fact}"
        if entry.id in examples():
            yield ""
            yield from self.example(rulings()[examples()[entry.id]])

    def _setting(self, setting: Setting) -> list[str]:
        return [f"{self.of(setting.name)} `{setting.id}`", self._values(setting), self._default(setting)]

    def _facts(self, entry: Entry) -> Iterator[tuple[Text, str]]:
        if entry.kind in ("rule", "setting") and entry.settings:
            yield IN_THIS_VERSION, self._yes(can_be_played(entry))
        using = [self.of(preset.name) for preset in presets().values() if is_on(entry, preset)]
        if using:
            yield Text("使うプリセット", "Presets that use it"), self.listed(using)
        for label, conditions in ((NEEDS, entry.requires), (EXCLUDES, entry.excludes)):
            if conditions:
                yield label, self.listed([self._condition(entry, each) for each in conditions])
        if entry.discloses is not None:
            yield Text("わかってしまうこと", "Shows by design"), self.of(entry.discloses)
        if entry.stage is not None:
            yield Text("効く順番（0から100）", "Place in the order of effects (0 to 100)"), str(entry.stage)
        phases = [f"`{phase}`" for phase, ids in ORDER.items() if entry.id in ids]
        if phases:
            yield Text("処理の段階", "Phases"), self.listed(phases)
        yield Text("出典", "Source"), self.listed([f"`{source}`" for source in entry.sources])

    def _condition(self, entry: Entry, condition: Condition) -> str:
        if condition.setting == SEATS:
            name, of = self.of(Text("人数", "players")), None
        else:
            of = settings()[condition.setting]
            name = f"{self.of(of.name)} `{of.id}`"
        if condition.values:
            said = f"{name} = {' / '.join([self._value_of(of, value) for value in condition.values])}"
        else:
            said = f"{name} ≥ {condition.at_least}"
        if condition.when is None:
            return said
        when = self._value_of(entry.settings[0], condition.when)
        return said + self.of(Text(f"（{when}のとき）", f" (for: {when})"))

    def _values(self, setting: Setting) -> str:
        if setting.type == "word":
            return "<br>".join([f"`{word}` {self.of(text)}" for word, text in setting.words.items()])
        if setting.type == "bool":
            return "`true` / `false`"
        if setting.one_of:
            return " / ".join([f"`{number}`" for number in setting.one_of])
        span = self.of(Text(f"{setting.least}から{setting.most}", f"{setting.least} to {setting.most}"))
        return span + (self.of(Text("（いくつでも）", ", several")) if setting.type == "numbers" else "")

    def _default(self, setting: Setting) -> str:
        return self._value_of(setting, setting.default)

    def _value_of(self, setting: Setting | None, value: Value) -> str:
        if isinstance(value, bool):
            return self.of(Text("あり", "on") if value else Text("なし", "off"))
        if setting is not None and isinstance(value, str):
            return self.of(setting.words[value])
        return write_value(value) or self.of(Text("なし", "none"))

    def _yes(self, yes: bool) -> str:
        return self.of(Text("はい", "yes") if yes else Text("まだ", "not yet"))

    def example(self, ruling: Mapping[str, Any]) -> Iterator[str]:
        """Write a ruling as a worked example."""
        say = self.of
        under = [f"`{name} = {write_value(value)}`" for name, value in ruling["settings"].items()]
        preset = presets()[str(ruling["preset"])]
        if preset.id != FEDERATION:
            under.insert(0, say(preset.name))
        yield f"**{say(Text('例', 'Example'))}** ({ruling['id']})"
        yield ""
        parts = [
            (Text("ルール", "Rules"), under),
            (Text("場面", "Position"), self.state(str(ruling["state"]))),
            (Text("手", "Action"), self.action(str(ruling["action"]))),
            (Text("結果", "Outcome"), self.outcome(ruling["expect"])),
        ]
        for label, said in parts:
            if said:
                yield f"* {say(label)}{say(Text('：', ': '))}{say(Text('。', '. ')).join(said)}{say(Text('。', '.'))}"
