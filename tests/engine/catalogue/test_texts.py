"""Everything in the catalogue that players read is there in both languages, short, and well written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from engine.catalogue import Text, entries, families, presets, tables

ENTRIES = list(entries().values())
JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


def labels() -> Iterator[tuple[str, Text]]:
    """Names: of entries, parameters, words, presets, chapters and documents."""
    for entry in ENTRIES:
        yield entry.id, entry.name
        for setting in entry.settings:
            yield setting.id, setting.name
            yield from [(f"{setting.id} = {word}", text) for word, text in setting.words.items()]
    yield from [(preset.id, preset.name) for preset in presets().values()]
    yield from tables().families.items()
    yield from tables().documents.items()


def sentences() -> Iterator[tuple[str, Text]]:
    """What is said about entries and presets."""
    yield from [(entry.id, entry.text) for entry in ENTRIES]
    yield from [(preset.id, preset.text) for preset in presets().values()]


LABELS = [pytest.param(text, id=name) for name, text in labels()]
SENTENCES = [pytest.param(text, id=name) for name, text in sentences()]
DISCLOSED = [pytest.param(entry.discloses, id=entry.id) for entry in ENTRIES if entry.discloses]


@pytest.mark.parametrize("text", LABELS)
def test_a_label_is_short_and_in_both_languages(text: Text) -> None:
    assert 1 <= len(text.ja) <= 30
    assert 1 <= len(text.en) <= 60
    assert not text.ja.endswith("。")
    assert not text.en.endswith(".")


@pytest.mark.parametrize("text", SENTENCES)
def test_what_is_said_is_one_to_five_short_sentences(text: Text) -> None:
    assert text.ja.endswith("。")
    assert text.en.endswith(".")
    assert len(text.ja) <= 120
    assert len(text.en) <= 350
    assert 1 <= text.ja.count("。") <= 5
    assert 1 <= len(re.findall(r"\.(?: |$)", text.en)) <= 5


@pytest.mark.parametrize("text", [*SENTENCES, *DISCLOSED])
def test_the_japanese_is_japanese(text: Text) -> None:
    assert JAPANESE.search(text.ja)
    assert text.ja != text.en
    assert not re.search("です|ます|ません|ください", text.ja), "rule cards speak plainly"
    assert not re.search(f"{JAPANESE.pattern} {JAPANESE.pattern}|　", text.ja), "no spaces between words"


@pytest.mark.parametrize("text", [*LABELS, *SENTENCES, *DISCLOSED])
def test_english_has_no_japanese_letters(text: Text) -> None:
    assert not JAPANESE.search(text.en)
    assert text.en.replace("–", "-").replace("→", "-").isascii()


@pytest.mark.parametrize("text", [*LABELS, *SENTENCES, *DISCLOSED])
def test_japanese_is_set_with_japanese_signs(text: Text) -> None:
    assert not re.search(r"[,;!?()\[\]\"\'`]|\.(?!\d)", text.ja), "full-width signs"
    assert not re.search("[０-９Ａ-Ｚａ-ｚｦ-ﾟ]", text.ja), "digits and letters are half-width, kana are not"
    assert "。。" not in text.ja
    assert "、。" not in text.ja


@pytest.mark.parametrize("text", [*LABELS, *SENTENCES, *DISCLOSED])
def test_a_text_stands_on_one_line_without_marks_of_a_markup(text: Text) -> None:
    for each in text:
        assert each == each.strip()
        assert not re.search(r"[\n`*_|<>#]|  ", each)


def test_no_two_rules_share_a_name_or_what_is_said() -> None:
    for one, other in combinations(ENTRIES, 2):
        for ja, en in ((one.text, other.text), (one.name, other.name)):
            assert ja.ja != en.ja, (one.id, other.id)
            assert ja.en != en.en, (one.id, other.id)


def test_a_text_does_not_cite_its_source() -> None:
    """Documents stand in `sources`; players are told the rule."""
    for entry in ENTRIES:
        assert not re.search(r"\b00[0-5]\b|:L\d|art\.|[Aa]rticle", entry.text.en)
        assert not re.search(r"00[0-5]|条|L\d", entry.text.ja)


def test_the_chapters_have_names() -> None:
    assert list(tables().families) == list(families())
