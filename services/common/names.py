"""What somebody may be called: short, readable, in one script, and nothing that passes for what it is not."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from services.common.errors import Refused, malformed

MOST_CHARACTERS: Final = 20
"""As people count them: é, が and a flag are one each."""
MOST_CODES: Final = 40
"""Of Unicode, so that nobody packs a hundred of them into one character."""

_EMOJI: Final = regex.compile(
    r"\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*"
    r"|\p{Emoji_Presentation}"
)
_UNSEEN: Final = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]")
"""Control, direction, private and unassigned characters, and those that take no place or are blank."""
_PILE: Final = regex.compile(r"\p{M}{4}")
"""More marks on one letter than any language needs."""
_READABLE: Final = regex.compile(r"[\p{L}\p{N}]")
_SCRIPTS: Final = {
    name: regex.compile(rf"\p{{Script={name}}}")
    for name in ("Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Cherokee", "Coptic", "Thai", "Georgian")
}
"""Scripts that are not written within one word of another; those of East Asia go with Latin and with each other."""

BOTS: Final = frozenset({"bot", "ボット", "cpu", "npc", "コンピュータ", "コンピューター"})
RESERVED: Final = BOTS | {
    *("admin", "administrator", "moderator", "official", "system", "staff"),
    *("運営", "管理者", "公式", "スタッフ"),
}
"""What nobody may be called who is none; bots may be called bots."""
_LOOKALIKES: Final = str.maketrans(
    {
        **dict(zip("авсеніјкмоорѕтухԁԛԝ", "abcehijkmoopstyxdqw")),
        **dict(zip("αβεηικνορτυχ", "abehiknoptyx")),
        **dict(zip("013457@$|ı", "oieastasii")),
    }
)
"""Letters and signs that are read as others."""
_BETWEEN_WORDS: Final = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
_BETWEEN_LETTERS: Final = regex.compile(r"[^\p{L}\p{M}]+")


def normal(name: str) -> str:
    """Return a name in the form in which it is kept: NFKC, and one space where there were several."""
    return str(regex.sub(" +", " ", unicodedata.normalize("NFKC", name)).strip(" "))


def proper_name(field: str, name: str, bot: bool, most: int = MOST_CODES) -> str:
    """Return a name in its normal form, or refuse it with what is wrong with it.

    `most` is how many characters it may have, as people count them.
    """
    kept = normal(name)
    plain = _EMOJI.sub("", kept)
    scripts = [script for script, found in _SCRIPTS.items() if found.search(plain)]
    if not kept:
        raise _not_allowed(field, "空にはできません。", "It is empty.")
    if len(regex.findall(r"\X", kept)) > most or len(kept) > MOST_CODES:
        raise _not_allowed(field, f"{most}文字までです。", f"It has more than {most} characters.")
    if _UNSEEN.search(plain):
        raise _not_allowed(field, "見えない文字は使えません。", "It has characters that cannot be seen.")
    if _PILE.search(kept):
        raise _not_allowed(field, "記号を重ねすぎています。", "Too many marks lie on one character.")
    if not _READABLE.search(plain) and plain == kept:
        raise _not_allowed(field, "文字か数字が必要です。", "It has no letter, number or picture.")
    if len(scripts) > 1:
        raise _not_allowed(
            field, "似た文字を持つ複数の文字体系は混ぜられません。", f"It mixes {scripts[0]} and {scripts[1]} letters."
        )
    if passes_for(kept) - (BOTS if bot else frozenset()):
        raise _not_allowed(field, "ボットや運営と紛らわしい名前です。", "It passes for a bot, or for an official.")
    return kept


def passes_for(name: str) -> frozenset[str]:
    """Return which of the reserved words a name, or a word of it, is read as."""
    words = (*_BETWEEN_WORDS.split(name), *_BETWEEN_LETTERS.split(name), name)
    return RESERVED & {form for word in words for form in _readings(word)}


def _readings(word: str) -> set[str]:
    """Return what a word may be read as: as it stands, and with lookalikes; without marks, and in katakana."""
    kana = "".join(chr(ord(c) + 0x60) if "ぁ" <= c <= "ゖ" else c for c in word.casefold())
    # marks make another letter in Japanese, and decorate one elsewhere
    bare = regex.sub(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}])\p{M}+", "", unicodedata.normalize("NFKD", kana))
    plain = unicodedata.normalize("NFC", bare)
    return {_BETWEEN_WORDS.sub("", form) for form in (plain, plain.translate(_LOOKALIKES))}


def _not_allowed(field: str, ja: str, en: str) -> Refused:
    return malformed(field, ja, en, "NAME_NOT_ALLOWED")
