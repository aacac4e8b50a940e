"""The rule book in `docs/rules/` says what the catalogue and the rulings say, in both languages."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.catalogue import Text, entries, presets
from tests.rulebook.__main__ import BOOK
from tests.rulebook.example import Speaker
from tests.rulebook.pages import LANGUAGES, Book, examples, is_on, pages, rulings

PAGES = pages()
CHOSEN = sorted(set(examples().values()))
WITHOUT_A_RULING = 34
"""Entries that no ruling is about: services, hints for clients, texts, and rules that the documents only name."""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_not_stale(name: str) -> None:
    path = BOOK / name
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    assert written == PAGES[name], "run: make rulebook"


def test_there_is_no_page_too_many() -> None:
    assert {path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.md")} == set(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_its_place_with_text_and_source(language: str) -> None:
    everything = "".join(text for name, text in PAGES.items() if name.startswith(language))
    for entry in entries().values():
        assert everything.count(f'<a id="{entry.id}"></a>') == 1
        assert (entry.text.ja if language == "ja" else entry.text.en) in everything
        assert f"`{entry.sources[0]}`" in everything
        for setting in entry.settings:
            assert f"`{setting.id}`" in everything


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("en")])
def test_an_english_page_has_no_japanese(name: str) -> None:
    assert not re.search("[ぁ-んァ-ヶ一-龠]", PAGES[name].replace("[日本語]", ""))


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("ja")])
def test_a_japanese_page_has_no_english_sentence(name: str) -> None:
    without_ids = re.sub(r"`[^`]*`|<[^>]*>|\(#?[^)]*\)|\bid\b|English|README", "", PAGES[name])
    words = set(re.findall("[A-Za-z]{3,}", without_ids))
    assert words <= {"CPU", "DEATH", "FAQ", "JDF", "Qdan", "Joker", "UECda", "art"}


def test_an_example_is_a_ruling_and_is_about_a_rule() -> None:
    assert set(examples()) <= set(entries())
    assert set(examples().values()) <= set(rulings())
    assert len(entries()) - len(examples()) == WITHOUT_A_RULING


@pytest.mark.parametrize("ruling", CHOSEN)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_says_everything_that_the_ruling_expects(ruling: str, language: str) -> None:
    speaker, row = Speaker(language), rulings()[ruling]
    said = speaker.outcome(row["expect"])
    assert len(said) == len(row["expect"]) - ("code" in row["expect"])
    for text in (*said, *speaker.state(row["state"]), *speaker.action(row["action"])):
        assert "{" not in text
        assert "JK" not in text
        assert "*" not in text


def test_an_example_in_words() -> None:
    japanese, english = Speaker("ja"), Speaker("en")
    state = "turn=A; A=S3 JK1 *2; B=*3; field=C:H4|D:JK2=H5; lock=suit:H; rev=1"
    assert japanese.state(state) == [
        "Aの手札: ♠3、ジョーカー、ほか2枚",
        "場（古い順）: C ♥4、D ジョーカー（♥5として）",
        "縛り: ♥",
        "革命中",
        "Aの番",
    ]
    assert english.action("A: play S3; B: pass; C: give H10 -> D; D: name JK 5") == [
        "A plays ♠3",
        "B passes",
        "C gives ♥10 to D",
        "D names joker, 5",
    ]
    assert english.outcome({"legal": False, "code": "lock_suit"}) == ["It is refused: A lock demands other suits"]
    assert japanese.outcome({"legal": True, "ranks": {"A": 1, "B": 4}, "next": "B"}) == [
        "できる",
        "順位: A 1、B 4",
        "次はBの番",
    ]


def test_a_preset_uses_what_it_switches_on() -> None:
    eight, classic = entries()["eight_cut"], presets()["classic"]
    assert is_on(eight, presets()["jdf4"])
    assert not is_on(eight, classic)
    assert not is_on(entries()["player_count"], classic)


def test_another_text_makes_another_page() -> None:
    entry = entries()["eight_cut"]
    other = replace(entry, text=Text("別の文。", "Another sentence."))
    assert list(Book("ja").rule(other)) != list(Book("ja").rule(entry))
