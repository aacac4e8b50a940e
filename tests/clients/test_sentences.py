"""Everything that can happen and everything that can be asked has a sentence, in both languages."""

from __future__ import annotations

import string
from typing import Any, cast

import pytest

from clients.cli.rulebook import Rulebook
from clients.cli.sentences import SENTENCES, Teller
from clients.cli.situation import KINDS, Situation
from clients.cli.texts import AGREEMENT, BOT_NAMES, TEXTS, Words
from clients.common.cards import CardStyle
from clients.screen.texts import SCREEN
from daifugo.v1 import cards_pb2, rules_pb2, view_pb2

HAND, FIELD = cards_pb2.ZONE_HAND, cards_pb2.ZONE_FIELD
S3, S8, H8, JK = 0, 20, 21, 52
TURN, WINDOW, CHOICE = view_pb2.DECISION_KIND_TURN, view_pb2.DECISION_KIND_WINDOW, view_pb2.DECISION_KIND_CHOICE


def teller(language: str, verbose: bool = False, style: str = "letters") -> Teller:
    book = Rulebook(language)
    for rule_id, ja, en in (("eight_cut", "8切り", "eight cut"), ("seven_pass", "7渡し", "seven pass")):
        book.rules[rule_id] = rules_pb2.Rule(id=rule_id, name=rules_pb2.Text(ja=ja, en=en))
    return Teller(Words(language), book, CardStyle(language, style), verbose)


def result(seat: int, place: int, standing: Any) -> view_pb2.GameResult:
    return view_pb2.GameResult(seat=seat, place=place, title=place, points=6, total=6, standing=standing)  # type: ignore[arg-type]


EXAMPLES: dict[str, Any] = {
    "seat_changed": view_pb2.SeatChanged(seat=view_pb2.Seat(index=1, occupied=True, display_name="Nao")),
    "table_changed": view_pb2.TableChanged(state=view_pb2.TABLE_STATE_RUNNING, games=4),
    "games_changed": view_pb2.GamesChanged(games=3),
    "game_started": view_pb2.GameStarted(game=1, seating=range(4)),
    "dealt": view_pb2.Dealt(sizes=[13] * 4, blinds=2),
    "cards_moved": view_pb2.CardsMoved(
        from_zone=HAND,
        from_seat=1,
        to_zone=FIELD,
        count=1,
        cards=[S8],
        play=cards_pb2.Play(cards=[S8], shape=cards_pb2.SHAPE_SINGLE),
    ),
    "passed": view_pb2.Passed(seat=1),
    "passes_cleared": view_pb2.PassesCleared(),
    "field_flushed": view_pb2.FieldFlushed(),
    "strength_changed": view_pb2.StrengthChanged(strength=view_pb2.Strength(revolution=True, reversed=True)),
    "lock_changed": view_pb2.LockChanged(locks=[view_pb2.Lock(kind=view_pb2.LOCK_KIND_SUIT, suits=[1, 0, 0, 0])]),
    "direction_changed": view_pb2.DirectionChanged(clockwise=True),
    "seating_changed": view_pb2.SeatingChanged(seating=[1, 0, 2, 3]),
    "seats_rest": view_pb2.SeatsRest(rests=[view_pb2.Rest(seat=2, turns=1)]),
    "turn_changed": view_pb2.TurnChanged(seat=1),
    "decision_opened": view_pb2.DecisionOpened(asked=view_pb2.Asked(seat=1, decision_id=3, kind=TURN), hidden=True),
    "decision_closed": view_pb2.DecisionClosed(seat=1, decision_id=3),
    "finished": view_pb2.Finished(seat=1, place=1),
    "fell": view_pb2.Fell(seat=1, place=4),
    "place_moved": view_pb2.PlaceMoved(seat=1, place=3),
    "note_changed": view_pb2.NoteChanged(note=view_pb2.Note(name="eight_cut", values=[1])),
    "game_ended": view_pb2.GameEnded(results=[result(1, 1, view_pb2.STANDING_FINISHED)]),
    "match_ended": view_pb2.MatchEnded(results=[view_pb2.MatchResult(seat=1, rank=1, total=6)]),
    "revealed": view_pb2.Revealed(zone=HAND, seat=1, cards=[S8]),
}


def tell(t: Teller, view: view_pb2.View, kind: str, event: Any, rule_id: str = "") -> list[str]:
    return t.tell_one(view, view_pb2.Event(rule_id=rule_id, **{kind: event}))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", [*TEXTS, *SCREEN])
def test_every_text_has_both_languages_with_the_same_places(key: str) -> None:
    text = {**TEXTS, **SCREEN}[key]
    assert places(text.ja) - AGREEMENT == places(text.en) - AGREEMENT
    if key != "shape.0":
        assert text.ja
        assert text.en


def test_there_are_names_for_the_bots_of_the_largest_table() -> None:
    assert len(BOT_NAMES.ja.split()) == len(BOT_NAMES.en.split()) == 11


def test_every_kind_of_event_has_a_sentence_and_an_example() -> None:
    kinds = {f.name for f in view_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields}
    assert set(SENTENCES) == kinds == set(EXAMPLES)


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_every_kind_of_event_is_told(kind: str, language: str, view: view_pb2.View) -> None:
    lines = tell(teller(language, verbose=True), view, kind, EXAMPLES[kind])
    assert lines
    assert all(lines)


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", ["OPEN", "RUNNING", "ENDED", "CLOSED"])
def test_every_state_of_a_table_is_told(name: str, language: str, view: view_pb2.View) -> None:
    changed = view_pb2.TableChanged(state=f"TABLE_STATE_{name}", games=4)
    assert tell(teller(language), view, "table_changed", changed)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_cards_on_every_way_are_told(language: str, view: view_pb2.View) -> None:
    zones = [name for name, number in cards_pb2.Zone.items() if number]
    for from_zone in zones:
        for to_zone in zones:
            move = view_pb2.CardsMoved(from_zone=from_zone, to_zone=to_zone, count=1, cards=[S8])
            move.from_seat, move.to_seat = 1, 2
            assert tell(teller(language, verbose=True), view, "cards_moved", move, "seven_pass")


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("of", list(KINDS))
def test_every_kind_of_choice_is_asked(of: Any, language: str, view: view_pb2.View) -> None:
    choice = view_pb2.Choice(rule_id="seven_pass", of=of, options=[0, 1], least=0, most=1, ordered=True, required=[1])
    view.decision.id = 5
    view.decision.choice.CopyFrom(choice)
    assert set(KINDS) == set(view_pb2.Choice.Of.values())
    assert all(Situation(teller(language)).question(view))


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("seat", [0, 1])
def test_it_is_told_for_whom_a_stand_in_plays_and_when_it_goes(seat: int, language: str, view: view_pb2.View) -> None:
    told, unknown = set(), 99
    for number in [*view_pb2.StandIn.values(), unknown]:
        before = view.seats[seat].seat
        before.occupied, before.stand_in = True, cast(view_pb2.StandIn, int(not number))
        after = view_pb2.SeatChanged(seat=before)
        after.seat.stand_in = cast(view_pb2.StandIn, number)
        told.update(tell(teller(language), view, "seat_changed", after))
    assert len(told) == (2 if seat == 0 else len(view_pb2.StandIn.values()))


def test_results_say_who_was_not_there(view: view_pb2.View) -> None:
    ended = view_pb2.MatchEnded(results=[view_pb2.MatchResult(seat=seat, rank=1) for seat in range(2)])
    ended.results[1].conduct.time_outs, ended.results[1].conduct.stood_in = 2, 5
    rows = tell(teller("en"), view, "match_ended", ended)
    assert rows[1:] == [
        "1. You, 0 points",
        "1. Aki, 0 points (time-outs: 2, answers of a stand-in: 5)",
    ]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_time_banks_are_told_where_there_are_any(language: str, view: view_pb2.View) -> None:
    situation = Situation(teller(language))
    assert not situation.banks(view)
    view.decision.turn.starter = True
    view.decision.remaining.seconds, view.decision.bank.seconds = 80, 63
    for seat in view.seats:
        seat.bank.seconds = 63
    assert "63" in situation.question(view)[-1]
    assert situation.banks(view)[0].count("63") == len(view.seats)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_turns_and_windows_are_asked(language: str, view: view_pb2.View) -> None:
    situation = Situation(teller(language))
    kinds = {f.name for f in view_pb2.Decision.DESCRIPTOR.oneofs_by_name["ask"].fields}
    assert kinds == {"turn", "window", "choice"}
    view.decision.turn.starter = True
    assert situation.question(view) == [Words(language)("ask.turn.starter")]
    view.decision.window.rule_ids.append("eight_cut")
    assert {"ja": "8切り", "en": "eight cut"}[language] in situation.question(view)[0]


@pytest.mark.parametrize("kind", [TURN, WINDOW, CHOICE])
def test_other_people_are_seen_thinking(kind: Any, view: view_pb2.View) -> None:
    asked = view_pb2.Asked(seat=2, decision_id=3, kind=kind, rule_ids=["seven_pass"])
    assert tell(teller("en", verbose=True), view, "decision_opened", view_pb2.DecisionOpened(asked=asked))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_title_and_every_way_to_end_has_a_word(language: str, view: view_pb2.View) -> None:
    for title in view_pb2.Title.values():
        assert Words(language)(f"title.{title}")
    for standing in view_pb2.Standing.values():
        ended = view_pb2.GameEnded(results=[result(1, 1, standing)])
        assert tell(teller(language), view, "game_ended", ended)


def test_english_verbs_agree_with_you(view: view_pb2.View) -> None:
    you, aki = (tell(teller("en"), view, "passed", view_pb2.Passed(seat=seat)) for seat in (0, 1))
    assert (you, aki) == (["You pass."], ["Aki passes."])


def test_a_play_tells_who_what_and_how_many_are_left(view: view_pb2.View) -> None:
    view.seats[1].hand_count = 5
    assert tell(teller("en"), view, "cards_moved", EXAMPLES["cards_moved"]) == ["Aki plays S8. 4 left."]
    assert tell(teller("ja"), view, "cards_moved", EXAMPLES["cards_moved"]) == ["Aki: S8を出しました。残り4枚。"]


@pytest.mark.parametrize(("language", "words"), [("ja", "H8を足してS8 H8にしました"), ("en", "adds H8: S8 H8 now")])
def test_cards_that_join_a_play_are_told_with_what_they_make(language: str, words: str, view: view_pb2.View) -> None:
    pair = cards_pb2.Play(cards=[S8, H8], shape=cards_pb2.SHAPE_GROUP)
    moved = view_pb2.CardsMoved(from_zone=HAND, from_seat=1, to_zone=FIELD, to_seat=2, count=1, cards=[H8], play=pair)
    assert words in tell(teller(language), view, "cards_moved", moved)[0]


def test_a_flush_names_its_rule(view: view_pb2.View) -> None:
    assert tell(teller("ja"), view, "field_flushed", view_pb2.FieldFlushed(), "eight_cut") == [
        "場が流れました（8切り）。"
    ]


def test_a_joker_says_what_it_stands_for() -> None:
    nine = cards_pb2.Meaning(joker=JK, rank=cards_pb2.RANK_NINE, suit=cards_pb2.SUIT_HEART)
    play = cards_pb2.Play(cards=[H8, JK], shape=cards_pb2.SHAPE_SEQUENCE, jokers=[nine])
    assert teller("en").play(play) == "H8 JK=H9 (sequence)"
    assert teller("ja", style="words").play(play) == "ハート8 ジョーカー=ハート9（階段）"


def test_cards_of_others_that_change_hands_unseen_are_counted_only(view: view_pb2.View) -> None:
    given = view_pb2.CardsMoved(from_zone=HAND, from_seat=1, to_zone=HAND, to_seat=2, count=2, hidden=True)
    assert tell(teller("en"), view, "cards_moved", given, "seven_pass") == ["Aki gives Haru cards: 2 (seven pass)."]


def test_what_goes_without_saying_is_told_only_on_request(view: view_pb2.View) -> None:
    assert tell(teller("en"), view, "turn_changed", view_pb2.TurnChanged(seat=1)) == []
    assert tell(teller("en"), view, "turn_changed", view_pb2.TurnChanged(seat=1, starter=True)) == ["Aki leads."]


def test_a_fall_is_told_once_and_then_only_its_place(view: view_pb2.View) -> None:
    fall = view_pb2.Event(fell=view_pb2.Fell(seat=1, place=4))
    lower = view_pb2.Event(place_moved=view_pb2.PlaceMoved(seat=1, place=3))
    assert teller("en").tell(view, [fall, lower]) == [
        "Aki falls from the top, to place 4 so far.",
        "Aki is in place 3 now.",
    ]


CHOOSING = view_pb2.Asked(seat=2, decision_id=3, kind=CHOICE, rule_ids=["seven_pass"])
OPENED = view_pb2.Event(decision_opened=view_pb2.DecisionOpened(asked=CHOOSING))
CHOSEN = view_pb2.Event(rule_id="seven_pass", decision_closed=view_pb2.DecisionClosed(seat=2, decision_id=3))
GIVEN = view_pb2.Event(
    rule_id="seven_pass",
    cards_moved=view_pb2.CardsMoved(from_zone=HAND, from_seat=2, to_zone=HAND, to_seat=3, count=1, hidden=True),
)


def test_a_choice_of_nothing_is_told(view: view_pb2.View) -> None:
    turn = view_pb2.Event(turn_changed=view_pb2.TurnChanged(seat=3))
    assert teller("en").tell(view, [OPENED, CHOSEN, turn]) == [
        "Haru is choosing (seven pass).",
        "Haru chooses nothing (seven pass).",
    ]
    assert teller("ja").tell(view, [OPENED, CHOSEN])[1] == "Haruは何も選びませんでした（7渡し）。"


def test_a_choice_that_something_comes_of_is_told_by_that(view: view_pb2.View) -> None:
    assert teller("en").tell(view, [OPENED, CHOSEN, GIVEN]) == [
        "Haru is choosing (seven pass).",
        "Haru gives Nao cards: 1 (seven pass).",
    ]


def test_one_of_several_who_still_choose_has_chosen_nothing_yet(view: view_pb2.View) -> None:
    other = view_pb2.Asked(seat=1, decision_id=4, kind=CHOICE, rule_ids=["seven_pass"])
    view.asked.extend([CHOOSING, other])
    assert teller("en").tell(view, [CHOSEN]) == []


def test_ones_own_choice_of_nothing_goes_without_saying(view: view_pb2.View) -> None:
    view.seat = 2
    view.asked.append(CHOOSING)
    assert teller("en").tell(view, [CHOSEN]) == []


@pytest.mark.parametrize(
    ("language", "row"), [("ja", "8切り（なし）: 場が流れる。"), ("en", "eight cut (off): It flushes.")]
)
def test_a_rule_is_explained_in_the_language_of_the_player(language: str, row: str) -> None:
    book = teller(language).book
    book.rules["eight_cut"].summary.CopyFrom(rules_pb2.Text(ja="場が流れる。", en="It flushes."))
    book.values["eight_cut"] = rules_pb2.Setting(id="eight_cut", flag=False)
    assert book.card("切り", Words(language)) == [row]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("ja", ["8切り返し: 返せる。", "  返す札: 4を2枚", "  何度でも: いいえ"]),
        ("en", ["Return: An answer.", "  what answers: two 4s", "  again: no"]),
    ],
)
def test_what_is_set_about_a_rule_is_said_in_words(language: str, lines: list[str]) -> None:
    book = Rulebook(language, on=["answer"])
    by = rules_pb2.Parameter(
        id="answer.by",
        name=rules_pb2.Text(ja="返す札", en="what answers"),
        type=rules_pb2.VALUE_TYPE_WORD,
        words=["8", "two_4s"],
        word_names=[rules_pb2.Text(ja="8", en="an 8"), rules_pb2.Text(ja="4を2枚", en="two 4s")],
    )
    again = rules_pb2.Parameter(
        id="answer.again", name=rules_pb2.Text(ja="何度でも", en="again"), type=rules_pb2.VALUE_TYPE_FLAG
    )
    book.rules["answer"] = rules_pb2.Rule(
        id="answer",
        name=rules_pb2.Text(ja="8切り返し", en="Return"),
        summary=rules_pb2.Text(ja="返せる。", en="An answer."),
        parameters=[rules_pb2.Parameter(id="answer", type=rules_pb2.VALUE_TYPE_FLAG), by, again],
    )
    book.values = {
        "answer": rules_pb2.Setting(id="answer", flag=True),
        "answer.by": rules_pb2.Setting(id="answer.by", word="two_4s"),
        "answer.again": rules_pb2.Setting(id="answer.again", flag=False),
    }
    assert book.card("answer", Words(language)) == lines
    assert book.card("", Words(language)) == lines[:1]


def test_what_a_rule_has_made_of_a_play_stands_below_it_with_the_rule(view: view_pb2.View) -> None:
    played = view_pb2.Event(cards_moved=EXAMPLES["cards_moved"])
    flushed = view_pb2.Event(rule_id="eight_cut", because=0, field_flushed=view_pb2.FieldFlushed())
    turned = view_pb2.Event(
        rule_id="seven_pass", because=0, direction_changed=view_pb2.DirectionChanged(clockwise=True)
    )
    lead = view_pb2.Event(because=1, turn_changed=view_pb2.TurnChanged(seat=1, starter=True))
    lines = teller("ja").tell(view, [played, flushed, turned, lead])
    assert lines[1:3] == ["  → 場が流れました（8切り）。", "  → 7渡し: 時計回りになりました。"]
    assert not lines[0].startswith(" ")
    assert not lines[3].startswith(" ")
