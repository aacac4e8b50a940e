"""A ruling as a worked example in words: what there is, what is done, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from engine.catalogue import Text, tables
from services.common.texts import TEXTS
from tests.rulebook import words as w

SILENT: Final = {"phase", "turn", "choice", "exchange_done 1", "back 0", "rev 0"}
BLANK: Final = {"", "-"}
CARD: Final = re.compile(r"\b([SHDC])(10|[3-9JQKA2])(?:')?(?![0-9A-Za-z])")


class Speaker:
    """Says a ruling in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def of(self, text: Text) -> str:
        """Take a text in the speaker's language."""
        return text.ja if self.language == "ja" else text.en

    def listed(self, parts: list[str]) -> str:
        return ("、" if self.language == "ja" else ", ").join(parts)

    def cards(self, text: str) -> str:
        """Write cards as players do: suits as signs, jokers by name, `*2` as two further cards."""
        found = []
        for word in text.replace(",", " ").split():
            card, _, meaning = word.partition("=")
            if card.startswith("JK"):
                name = self.of(w.JOKER)
                means = self.of(Text("（{0}として）", " (as {0})")).format(CARD.sub(sign, meaning))
                found.append(name + means if meaning else name)
            elif card.startswith("?"):
                found.append(self.of(Text("好きな{0}枚", "any {0}")).format(card[1:]))
            elif card.startswith("*"):
                found.append(self.of(Text("ほか{0}枚", "{0} more")).format(card[1:]))
            else:
                found.append(CARD.sub(sign, card))
        return self.listed(found) or self.of(w.NO_CARDS)

    def state(self, text: str) -> list[str]:
        """Say what there is before the action."""
        pairs = dict([[part.strip() for part in pair.split("=", 1)] for pair in text.split(";")])
        said = [self.of(w.PHASES[pairs["phase"]])] if "phase" in pairs else []
        for key, value in pairs.items():
            if len(key) == 1:
                if value and not value.startswith("*"):
                    said.append(self.of(w.STATE["hand"]).format(self.cards(value), key))
            elif key not in SILENT and f"{key} {value}" not in SILENT and value not in BLANK:
                fixed = w.STATE.get(f"{key} {value}")
                said.append(self.of(fixed) if fixed else self.of(w.STATE[key]).format(self._value(key, value)))
        if "turn" in pairs:
            said.append(self.of(w.STATE["turn"]).format(pairs["turn"]))
        return said

    def _value(self, key: str, value: str) -> str:
        if key == "field":
            return self.listed([self._play(play) for play in value.split("|")])
        if key == "lock":
            return self.lock(value)
        if key in ("discard", "blind"):
            return self.cards(value)
        return self.listed(value.replace(":", " ").split(","))

    def _play(self, text: str) -> str:
        seat, _, cards = text.partition(":")
        return f"{seat} {'+'.join(self.cards(card) for card in cards.split(','))}"

    def lock(self, text: str) -> str:
        """Say what is locked."""
        found = []
        for part in text.split("+"):
            kind, _, rest = part.partition(":")
            if kind in ("suit", "partial"):
                found.append("".join(w.SUITS[suit] for suit in rest.split(",")))
            else:
                found.append(self.of(w.LOCKS[rest or kind]))
        return self.listed(found)

    def action(self, text: str) -> list[str]:
        """Say what is done."""
        if text in w.WHOLE:
            return [self.of(w.WHOLE[text])]
        return [self._step(step.strip()) for step in text.split(";")]

    def _step(self, text: str) -> str:
        who, _, rest = text.partition(": ")
        kind, _, what = rest.partition(" ")
        what, _, to = what.partition(" -> ")
        what, _, shape = what.partition(" as ")
        if kind == "seats":
            shown = self.listed(what.split(","))
        else:
            shown = self.of(w.CHOSEN[what]) if what in w.CHOSEN else self.cards(what.replace("any ", "?"))
        form = "give to" if kind == "give" and to else "as" if shape else kind
        name = self.of(w.SHAPES[shape]) if shape else ""
        return self.of(w.STEPS[form]).format(who=who, cards=shown, to=to, shape=name)

    def outcome(self, expect: Mapping[str, Any]) -> list[str]:
        """Say what comes of it."""
        said: list[str] = []
        for key, value in expect.items():
            if key == "code":
                said[-1] += self.of(Text("：", ": ")) + self.reason(value)
                continue
            fixed = w.OUTCOME.get(f"{key} {value}")
            said.append(self.of(fixed) if fixed else self.of(w.OUTCOME[key]).format(self._shown(key, value)))
        return said

    def reason(self, code: str) -> str:
        """Say why something is refused, without the full stop."""
        known = TEXTS.get(code.upper())
        text = known.said(self.language) if known else self.of(w.REASONS[code])
        return text.rstrip("。.")

    def _shown(self, key: str, value: Any) -> str:
        if key == "reading":
            return self.reading(str(value))
        if key == "lock":
            return self.lock(str(value))
        if key == "field_top":
            return self._play(str(value))
        if key in ("discard", "laid_away"):
            return self.cards(str(value))
        if key == "blind" and isinstance(value, str):
            return self.cards(value)
        if isinstance(value, dict):
            return self.listed([self._pair(key, str(who), each) for who, each in value.items()])
        if isinstance(value, list):
            return self.listed([str(each) for each in value])
        return self.listed([part.strip() for part in str(value).split(",")])

    def _pair(self, key: str, who: str, value: Any) -> str:
        who = who.replace("<->", "⇔").replace("->", "→")
        if key == "hands":
            cards = "+".join(self.cards(card) for card in str(value).split())
            return f"{who} {cards or self.of(w.NO_CARDS)}"
        if key == "moves":
            return f"{who} {self.cards(str(value).replace('any ', '?'))}"
        if isinstance(value, str) and self.language == "en":
            value = tables().titles_en.get(value, value)
        return f"{who} {value}"

    def reading(self, text: str) -> str:
        """Say what a play means: 66, H3-4-5, DA-2-(JK)."""
        kind, _, rest = text.partition(" ")
        if rest:
            return f"{self.of(w.SHAPES[kind])} {rest}"
        text = text.replace("(JK)", self.of(w.JOKER))
        return w.SUITS[text[0]] + text[1:] if text[0] in w.SUITS else text


def sign(match: re.Match[str]) -> str:
    """Write the suit of a card as its sign; a card of the second deck keeps its mark."""
    return w.SUITS[match[1]] + match[0][1:]
