"""RulesService answers from the catalogue."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import grpc
import pytest

from daifugo.v1 import cards_pb2, game_pb2, rules_pb2
from engine.catalogue import entries, presets, settings
from engine.reasons import Reason
from engine.ruleset import check_ruleset
from services.common.errors import shortened
from services.common.texts import TEXTS
from tests.services.harness import Failure, World, refusal, world


def test_every_published_reason_has_its_own_sentence_in_both_languages() -> None:
    published = {name.removeprefix("REASON_") for name in rules_pb2.Reason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    assert set(TEXTS) == published
    for language in ("ja", "en"):
        sentences = [text.said(language) for text in TEXTS.values()]
        assert len(set(sentences)) == len(sentences)
        assert all(sentence.endswith("。" if language == "ja" else ".") for sentence in sentences)
    assert all(any(ord(letter) > 0x3000 for letter in text.ja) for text in TEXTS.values())


def test_every_reason_of_the_engine_is_published() -> None:
    assert {reason.name for reason in Reason} <= set(TEXTS)


async def test_the_code_and_advice_of_a_reason_are_those_of_its_comment() -> None:
    codes = {code.value[0]: code.name for code in grpc.StatusCode}
    advices = {
        rules_pb2.RETRY_ADVICE_SAME: "SAME",
        rules_pb2.RETRY_ADVICE_REFETCH: "REFETCH",
        rules_pb2.RETRY_ADVICE_GIVE_UP: "GIVE UP",
    }
    comments = reason_comments()
    async with world() as w:
        reasons = (await w.caller("p0").call("ListReasons", rules_pb2.ListReasonsRequest())).reasons
    assert len(reasons) == len(comments)
    for reason in reasons:
        comment = comments["REASON_" + reason.name]
        assert f" {codes[reason.code]}." in comment, reason.name
        assert f" {advices[reason.advice]}" in comment, reason.name


def reason_comments() -> dict[str, str]:
    """Read the comment of each reason from the proto."""
    proto = Path(__file__).parent.parent.parent / "protos" / "daifugo" / "v1" / "rules.proto"
    lines = [line.strip() for line in proto.read_text(encoding="utf-8").splitlines()]
    found, comment = {}, ""
    for line in lines:
        if line.startswith("//"):
            comment += " " + line[2:].strip()
        else:
            if line.startswith("REASON_") and "UNSPECIFIED" not in line:
                found[line.split()[0]] = comment
            comment = ""
    return found


async def listed(w: World, method: str, request: type, field: str) -> list[object]:
    found: list[object] = []
    token = ""
    while True:
        page = await w.caller("p0").call(method, request(page_size=70, page_token=token))
        found += getattr(page, field)
        token = page.next_page_token
        if not token:
            return found


async def test_all_rules_and_presets_are_listed_by_page() -> None:
    async with world() as w:
        rules = await listed(w, "ListRules", rules_pb2.ListRulesRequest, "rules")
        assert [rule.id for rule in rules] == list(entries())  # type: ignore[attr-defined]
        found = await listed(w, "ListPresets", rules_pb2.ListPresetsRequest, "presets")
        assert [preset.id for preset in found] == list(presets())  # type: ignore[attr-defined]
        eight = next(rule for rule in rules if rule.id == "eight_cut")  # type: ignore[attr-defined]
        assert eight.name.ja == "8切り"  # type: ignore[attr-defined]
        assert eight.available  # type: ignore[attr-defined]
        assert eight.places[0].phase == "played"  # type: ignore[attr-defined]
        for token in ("x", "W10", "WyJ0YWJsZXMiLDBd"):
            bad = rules_pb2.ListRulesRequest(page_token=token)
            assert (await refusal(w.caller("p0").call("ListRules", bad))).reason == "BAD_PAGE_TOKEN"


async def test_rules_speak_both_languages() -> None:
    async with world() as w:
        rules = (await w.caller("p0").call("ListRules", rules_pb2.ListRulesRequest(page_size=200))).rules
        found = (await w.caller("p0").call("ListPresets", rules_pb2.ListPresetsRequest())).presets
    texts = [text for rule in rules for text in (rule.name, rule.summary, rule.family_name)]
    texts += [rule.discloses for rule in rules if rule.HasField("discloses")]
    texts += [text for rule in rules for each in rule.parameters for text in (each.name, *each.word_names)]
    texts += [text for preset in found for text in (preset.name, preset.summary)]
    for text in texts:
        assert text.ja
        assert text.en
        assert text.ja != text.en
    for rule in rules:
        assert all(len(each.words) == len(each.word_names) for each in rule.parameters)
    deal = next(rule for rule in rules if rule.id == "blind_scope").parameters[0]
    assert [(word, text.en) for word, text in zip(deal.words, deal.word_names)] == [
        ("game", "new every game"),
        ("set", "the same for the whole set"),
    ]


async def check(w: World, **more: object) -> rules_pb2.CheckRulesetResponse:
    request = rules_pb2.CheckRulesetRequest(ruleset=rules_pb2.Ruleset(**more))  # type: ignore[arg-type]
    answer: rules_pb2.CheckRulesetResponse = await w.caller("p0").call("CheckRuleset", request)
    return answer


async def test_a_ruleset_that_can_be_played_is_pinned_and_spelled_out() -> None:
    async with world() as w:
        plain = await check(w, preset="jdf4")
        assert not plain.problems
        assert plain.pinned.ruleset.seats == 4
        assert not plain.pinned.ruleset.settings
        same = await check(w, preset="jdf4", settings=[rules_pb2.Setting(id="eight_cut", flag=True)])
        assert same.pinned.hash == plain.pinned.hash
        again = rules_pb2.CheckRulesetRequest(
            ruleset=rules_pb2.Ruleset(preset="jdf4", settings=plain.settings, seats=4)
        )
        spelled = await w.caller("p0").call("CheckRuleset", again)
        assert spelled.pinned == plain.pinned


async def test_what_nothing_comes_of_is_named() -> None:
    async with world() as w:
        assert not (await check(w, preset="jdf4")).without_effect
        named = (await check(w, preset="qdan")).without_effect
        assert "tutorial" in named
        rules = await listed(w, "ListRules", rules_pb2.ListRulesRequest, "rules")
        marked = {rule.id: rule.available for rule in rules if isinstance(rule, rules_pb2.Rule)}
        assert not any(marked[setting] for setting in named)
        off = await check(w, preset="qdan", settings=[rules_pb2.Setting(id=setting, flag=False) for setting in named])
        assert not off.without_effect
        assert off.pinned.ruleset.settings


async def test_everything_that_is_wrong_with_a_ruleset_is_said() -> None:
    async with world() as w:
        several = [
            rules_pb2.Setting(id="nonsense", flag=True),
            rules_pb2.Setting(id="eight_cut", number=3),
            rules_pb2.Setting(id="joker_count", number=99),
            rules_pb2.Setting(id="revolution"),
            rules_pb2.Setting(id="seven_pass", flag=True),
            rules_pb2.Setting(id="seven_pass", flag=False),
        ]
        answer = await check(w, preset="jdf4", settings=several, seats=40)
        assert not answer.HasField("pinned")
        reasons = [rules_pb2.Reason.Name(problem.reason) for problem in answer.problems]
        assert set(reasons) == {
            "REASON_UNKNOWN_SETTING",
            "REASON_WRONG_VALUE_TYPE",
            "REASON_VALUE_OUT_OF_BOUNDS",
            "REASON_SETTING_TWICE",
            "REASON_WRONG_SEAT_COUNT",
        }
        assert all(problem.text.ja and problem.text.en for problem in answer.problems)
        nothing = await check(w, preset="nonsense")
        assert nothing.problems[0].reason == rules_pb2.REASON_UNKNOWN_PRESET


async def test_the_deck_is_described() -> None:
    async with world() as w:
        deck = await w.caller("p0").call(
            "DescribeDeck", rules_pb2.DescribeDeckRequest(ruleset=rules_pb2.Ruleset(preset="jdf4"))
        )
        assert [card.id for card in deck.cards] == list(range(54))
        assert deck.blinds == 2
        assert deck.cards[0] == rules_pb2.Card(id=0, rank=cards_pb2.RANK_THREE, suit=cards_pb2.SUIT_SPADE, text="S3")
        assert deck.cards[53].rank == cards_pb2.RANK_JOKER
        assert deck.cards[53].suit == cards_pb2.SUIT_NONE
        bad = rules_pb2.DescribeDeckRequest(ruleset=rules_pb2.Ruleset(preset="x"))
        assert (await refusal(w.caller("p0").call("DescribeDeck", bad))).reason == "UNKNOWN_PRESET"


# --- rulesets that are far too large ---------------------------------------------------------------------------------


def unknown(number: int, letters: int = 20) -> list[rules_pb2.Setting]:
    """Settings that there are not, whose ids have so many letters."""
    return [rules_pb2.Setting(id=f"nonsense{at}".ljust(letters, "x"), flag=True) for at in range(number)]


def wrong() -> list[rules_pb2.Setting]:
    """Every setting, with a word that it cannot be."""
    return [rules_pb2.Setting(id=id, word="語" * 64) for id in settings()]


async def test_what_is_too_large_to_be_a_ruleset_is_malformed() -> None:
    too_large = {
        "ruleset.preset": rules_pb2.Ruleset(preset="z" * 65),
        "There are only": rules_pb2.Ruleset(preset="jdf4", settings=unknown(len(settings()) + 1)),
        "An id or a word": rules_pb2.Ruleset(preset="jdf4", settings=unknown(1, 65)),
        "than 64 characters": rules_pb2.Ruleset(preset="jdf4", settings=[rules_pb2.Setting(id="x", word="w" * 65)]),
        "than 64 numbers": rules_pb2.Ruleset(
            preset="jdf4",
            settings=[rules_pb2.Setting(id="points.by_place", numbers=rules_pb2.Numbers(values=range(65)))],
        ),
    }
    async with world() as w:
        for said, ruleset in too_large.items():
            failure = await refusal(w.caller("p0").call("CheckRuleset", rules_pb2.CheckRulesetRequest(ruleset=ruleset)))
            assert failure.reason == "MALFORMED"
            assert said in failure.message


async def test_only_the_first_problems_are_told_and_similar_names_looked_for_only_for_a_few() -> None:
    async with world() as w:
        answer = await check(w, preset="jdf4", settings=[rules_pb2.Setting(id=f"eight_cuts{n}") for n in range(200)])
        assert len(answer.problems) == 16
        few = [rules_pb2.Setting(id=f"eight_cuts{n}", flag=True) for n in range(10)]
        answer = await check(w, preset="jdf4", settings=few)
        assert [problem.text.en.endswith("did you mean eight_cut?") for problem in answer.problems].count(True) == 4
        assert len(answer.problems) == 10


@pytest.mark.parametrize("language", ["ja", "en"])
async def test_the_reason_arrives_however_much_is_wrong_with_a_ruleset(language: str) -> None:
    async with world() as w:
        for ruleset in (
            rules_pb2.Ruleset(preset="jdf4", settings=unknown(len(settings()), 64)),
            rules_pb2.Ruleset(preset="jdf4", settings=wrong()),
            rules_pb2.Ruleset(preset="x" * 64, settings=wrong()),
            *[rules_pb2.Ruleset(preset=preset) for preset in presets() if check_ruleset(preset)[1]],
        ):
            request = game_pb2.CreateTableRequest(request_id=w.request_id(), ruleset=ruleset)
            failure = await refusal(w.caller("p0", language).call("CreateTable", request))
            assert failure.reason in TEXTS
            assert failure.details["BadRequest"].field_violations
            assert failure.details["LocalizedMessage"].message == failure.message
            assert trailer_size(failure) < 8192


def trailer_size(failure: Failure) -> int:
    """How many bytes the message takes as percent-encoded text, and the details in base64."""
    return len(quote(failure.message)) + 4 * (failure.status.ByteSize() + 2) // 3


def test_a_text_is_cut_between_letters() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("あいう", 8) == "あ…"
    assert len(shortened("語" * 999, 100).encode()) <= 100
