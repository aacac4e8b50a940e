"""What players may be called."""

from __future__ import annotations

import pytest

from services.common.errors import Refused
from services.common.names import MOST_CHARACTERS, proper_name


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Mio", "Mio"),
        ("  Mio   Sora ", "Mio Sora"),
        ("ｍｉｏ", "mio"),
        ("ﾐｵ", "ミオ"),
        ("美緒", "美緒"),
        ("みお Mio 美緒 ミオ", "みお Mio 美緒 ミオ"),
        ("민수", "민수"),
        ("Žofie", "Žofie"),
        ("Иван", "Иван"),
        ("Νίκος", "Νίκος"),
        ("สมชาย", "สมชาย"),
        ("(゜Д゜)", "( ゚Д ゚)"),
        ("🐶", "🐶"),
        ("Mio ❤️", "Mio ❤️"),
        ("👨‍👩‍👧‍👦 家", "👨‍👩‍👧‍👦 家"),
        ("Robot", "Robot"),
        ("牡丹 Botan", "牡丹 Botan"),
        ("Ai", "Ai"),
        ("42", "42"),
        ("é" * MOST_CHARACTERS, "é" * MOST_CHARACTERS),
        ("が" * MOST_CHARACTERS, "が" * MOST_CHARACTERS),
    ],
)
def test_names_that_people_have_are_kept_in_one_form(name: str, kept: str) -> None:
    assert proper_name("name", name, False, MOST_CHARACTERS) == kept


WRONG = {
    "empty": ["", " ", "\u3000"],
    "more than": ["x" * 21, "家" * 21, "👨‍👩‍👧‍👦" * 6],
    "cannot be seen": [
        *("a\nb", "a\0b", "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb", "a\u3164b", "a\u115fb"),
        *("a\u2800b", "a\ufe0fb", "\ue000", "a\u00adb", "a\u034fb", "a\u2028b", "a\U000e0041b", "a\uffffb"),
    ],
    "marks": ["a\u0301\u0302\u0303\u0304\u0305", "x\u0335\u0336\u0337\u0338"],
    "no letter": ["...", "- -", "!?"],
    "mixes": ["Mіo", "Αnna", "аdam"],
    "passes for": [
        *(
            "bot",
            "BOT",
            "Bot 1",
            "[bot]",
            "mio (bot)",
            "ｂｏｔ",
            "b0t",
            "bоt".replace("о", "0"),
            "b.o.t",
            "bot7",
            "böt",
        ),
        *("вот", "ВОТ", "βοτ", "ボット", "ﾎﾞｯﾄ", "ぼっと", "ボット3号", "CPU", "NPC", "コンピュータ1", "コンピューター"),
        *("admin", "Admin 2", "4dmin", "moderator", "公式", "運営", "Official", "system"),
    ],
}


@pytest.mark.parametrize(("said", "name"), [(said, name) for said, names in WRONG.items() for name in names])
def test_a_name_that_breaks_a_rule_is_refused_with_the_rule(said: str, name: str) -> None:
    with pytest.raises(Refused) as caught:
        proper_name("name", name, False, MOST_CHARACTERS)
    assert caught.value.reason == "NAME_NOT_ALLOWED"
    (problem,) = caught.value.fields
    assert said in problem.en
    assert problem.ja != problem.en


def test_a_bot_may_be_called_one_but_no_official() -> None:
    for name in ("Bot", "Bot 12", "ボット3号", "CPU", "Mio (bot)"):
        assert proper_name("name", name, True) == name
    with pytest.raises(Refused):
        proper_name("name", "admin bot", True)


@pytest.mark.parametrize("name", ["Mio", "ﾐｵ", "é", "👨‍👩‍👧‍👦 家", "( ゚Д ゚)"])
def test_a_name_that_was_kept_stays_as_it_is(name: str) -> None:
    kept = proper_name("name", name, False)
    assert proper_name("name", kept, False) == kept
