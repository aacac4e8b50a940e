"""What is typed becomes the answer that was meant, and what stands against it is said."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2

from clients.cli.console import Console
from clients.cli.dialogue import Dialogue
from clients.cli.offers import fitted
from clients.cli.question import PASS
from clients.cli.rulebook import Rulebook
from clients.cli.sentences import Teller
from clients.cli.texts import Words
from clients.common.cards import CardStyle
from clients.common.session import Session
from clients.common.watch import Update
from daifugo.v1 import cards_pb2, game_pb2, rules_pb2, view_pb2

S3, H3, D3, S8, H8, D8, JK = 0, 1, 2, 20, 21, 22, 52


class Typist(io.StringIO):
    """A keyboard at which a person sits, or a pipe."""

    def __init__(self, text: str = "", is_person: bool = True) -> None:
        super().__init__(text)
        self.is_person = is_person

    def isatty(self) -> bool:
        return self.is_person


def plays(*cards: int) -> view_pb2.Action:
    return view_pb2.Action(play=cards_pb2.Play(cards=cards))


@pytest.fixture
def dialogue(service: Any) -> Dialogue:
    words, book = Words("en"), Rulebook("en")
    teller = Teller(words, book, CardStyle("en"))
    console = Console(Typist(), io.StringIO())
    return Dialogue(Session(service.address, "me"), "t", console, teller, book)


def said(dialogue: Dialogue) -> str:
    assert isinstance(dialogue.console.target, io.StringIO)
    return dialogue.console.target.getvalue()


async def ask(dialogue: Dialogue, service: Any, view: view_pb2.View, *offers: view_pb2.Action) -> None:
    """Put the question that the view has."""
    view.decision.id = 7
    service.legal = list(offers)
    await dialogue.hear(Update(view))


@pytest.fixture
def turn(view: view_pb2.View) -> view_pb2.View:
    """The viewer holds two eights and more, and it is their turn."""
    view.hand.extend([S3, H3, S8, H8, JK])
    view.decision.turn.SetInParent()
    return view


async def test_a_question_is_put_once(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    await dialogue.hear(Update(turn))
    assert said(dialogue).count("You can: 1 S8, p pass") == 1


@pytest.mark.parametrize(
    ("line", "cards"),
    [("2", [H8]), ("#2", [H8]), ("S3", [S3]), ("3 3", [S3, H3]), ("jk", [JK]), ("8 8 jk", [S8, H8, JK])],
)
async def test_lines_become_plays(
    line: str, cards: list[int], dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), plays(H8))
    await dialogue.question.answer(line, is_pass=False)
    (request,) = service.acted
    assert (request.decision_id, list(request.action.play.cards)) == (7, cards)


async def test_p_passes(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    await dialogue.question.answer("p", is_pass=True)
    assert service.acted[0].action == PASS


async def test_an_empty_line_passes_only_where_nothing_else_is_possible(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    assert not dialogue.question.can_only_pass
    dialogue.question.open_id = 0
    await ask(dialogue, service, turn, PASS)
    assert dialogue.question.can_only_pass


async def test_one_of_several_cards_of_a_rank_is_asked_for(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), plays(H8))
    service.checks = lambda action: True
    await dialogue.question.answer("8 jk", is_pass=False)
    assert not service.acted
    assert "Which one? 1 S8 JK, 2 H8 JK" in said(dialogue)
    await dialogue.question.answer("2", is_pass=False)
    assert list(service.acted[0].action.play.cards) == [H8, JK]


async def test_the_only_legal_one_of_several_is_played(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(S8), plays(H8))
    service.checks = lambda action: H8 in action.play.cards
    await dialogue.question.answer("8 jk", is_pass=False)
    assert list(service.acted[0].action.play.cards) == [H8, JK]


async def test_a_number_that_is_also_a_card_is_not_guessed(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), plays(H8), plays(S8, H8))
    service.checks = lambda action: True
    await dialogue.question.answer("3", is_pass=False)
    assert not service.acted
    assert "Type #3" in said(dialogue)


async def test_a_number_whose_card_cannot_be_played_is_one_of_the_list(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), plays(H8), plays(S8, H8))
    service.checks = lambda action: False
    await dialogue.question.answer("3", is_pass=False)
    assert list(service.acted[0].action.play.cards) == [S8, H8]


async def test_why_not_is_said_in_the_words_of_the_service(
    dialogue: Dialogue, service: Any, turn: view_pb2.View, refusal: Callable[..., status_pb2.Status]
) -> None:
    against = game_pb2.Refusal(
        violations=[
            game_pb2.Violation(reason=rules_pb2.REASON_NOT_STRONGER, text="Too weak."),
            game_pb2.Violation(reason=rules_pb2.REASON_LOCK_SUIT, text="A lock demands spades."),
        ]
    )
    service.act_answers = [refusal("NOT_STRONGER", "Too weak.", grpc.StatusCode.FAILED_PRECONDITION, against)]
    await ask(dialogue, service, turn, plays(S8))
    await dialogue.question.answer("S3", is_pass=False)
    assert said(dialogue).endswith("Not possible: Too weak.\nNot possible: A lock demands spades.\n")
    await dialogue.question.answer("S8", is_pass=False)
    assert len(service.acted) == 2


async def test_cards_that_fit_two_shapes_are_asked_back(
    dialogue: Dialogue, service: Any, turn: view_pb2.View, refusal: Callable[..., status_pb2.Status]
) -> None:
    readings = [view_pb2.Action(play=cards_pb2.Play(cards=[S3, H3], shape=shape)) for shape in (2, 3)]  # type: ignore[arg-type]
    needed = game_pb2.Refusal(readings=readings)
    status = refusal("DECLARATION_NEEDED", "Declare.", grpc.StatusCode.FAILED_PRECONDITION, needed)
    service.act_answers = [status]
    await ask(dialogue, service, turn, plays(S8))
    await dialogue.question.answer("3 3", is_pass=False)
    assert "Which one? 1 S3 H3, 2 S3 H3 (sequence)" in said(dialogue)
    await dialogue.question.answer("2", is_pass=False)
    assert service.acted[1].action == readings[1]


async def test_ranks_can_be_named_in_order(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    choice = view_pb2.Choice(of=view_pb2.Choice.OF_RANK, options=range(14), least=2, most=2, ordered=True)
    turn.decision.choice.CopyFrom(choice)
    await ask(dialogue, service, turn)
    await dialogue.question.answer("jk 10", is_pass=False)
    assert list(service.acted[0].action.answer.values) == [13, 7]


async def test_cards_to_give_are_named_as_cards(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    turn.decision.choice.CopyFrom(view_pb2.Choice(of=view_pb2.Choice.OF_CARD, options=turn.hand, least=0, most=2))
    await ask(dialogue, service, turn)
    await dialogue.question.answer("S8 h3", is_pass=False)
    assert sorted(service.acted[0].action.answer.values) == [H3, S8]


async def test_nothing_can_be_chosen(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    turn.decision.choice.CopyFrom(view_pb2.Choice(of=view_pb2.Choice.OF_CARD, options=turn.hand, least=0, most=2))
    await ask(dialogue, service, turn)
    await dialogue.question.answer("none", is_pass=False)
    assert service.acted[0].action.HasField("answer")
    assert not service.acted[0].action.answer.values


@pytest.mark.parametrize(
    ("of", "line", "values"),
    [
        (view_pb2.Choice.OF_SEAT, "haru", [2]),
        (view_pb2.Choice.OF_YES_NO, "はい", [1]),
        (view_pb2.Choice.OF_NUMBER, "2", [2]),
    ],
)
async def test_people_numbers_and_yes_and_no(
    of: Any, line: str, values: list[int], dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    turn.decision.choice.CopyFrom(view_pb2.Choice(of=of, options=[0, 1, 2], least=1, most=1))
    await ask(dialogue, service, turn, PASS, PASS)
    await dialogue.question.answer(line, is_pass=False)
    assert list(service.acted[0].action.answer.values) == values


def give(view: view_pb2.View, least: int, most: int) -> None:
    """Ask for cards of the hand."""
    options = list(view.hand)
    view.decision.choice.CopyFrom(view_pb2.Choice(of=view_pb2.Choice.OF_CARD, options=options, least=least, most=most))


def answer(*cards: int) -> view_pb2.Action:
    return view_pb2.Action(answer=view_pb2.Answer(values=cards))


@pytest.mark.parametrize("count", [1, 2])
async def test_a_rank_of_the_hand_is_no_number_of_the_list_when_cards_are_given_away(
    count: int, dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    give(turn, count, count)
    service.checks = lambda action: len(action.answer.values) == count
    cards = [S8, H8, JK] if count == 1 else [S8, H8, S3]
    await ask(dialogue, service, turn, *[answer(card, *[D8] * (count - 1)) for card in cards])
    await dialogue.question.answer("3", is_pass=False)
    assert not service.acted
    assert "Type #3" in said(dialogue)
    await dialogue.question.answer("#3", is_pass=False)
    assert service.acted[0].action.answer.values[0] == cards[2]


async def test_a_number_that_is_the_only_card_of_its_rank_is_not_asked_for(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    turn.hand.remove(H3)
    give(turn, 1, 1)
    await ask(dialogue, service, turn, answer(S8), answer(H8), answer(S3))
    await dialogue.question.answer("3", is_pass=False)
    assert list(service.acted[0].action.answer.values) == [S3]


async def test_a_number_answers_which_one(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    turn.hand.append(D3)
    give(turn, 1, 1)
    await ask(dialogue, service, turn, answer(S8), answer(H8))
    await dialogue.question.answer("3", is_pass=False)
    assert "Which one? 1 S3, 2 H3, 3 D3" in said(dialogue)
    await dialogue.question.answer("3", is_pass=False)
    assert list(service.acted[0].action.answer.values) == [D3]


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [(2, 2, "Choose 2 cards; you cannot pass."), (1, 1, "Choose 1 card; you"), (1, 2, "Choose 1 to 2 cards; you")],
)
async def test_what_must_be_chosen_cannot_be_passed(
    least: int, most: int, text: str, dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    give(turn, least, most)
    await ask(dialogue, service, turn)
    await dialogue.question.answer("p", is_pass=True)
    assert not service.acted
    assert text in said(dialogue)


async def test_p_chooses_nothing_where_that_can_be(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    give(turn, 0, 2)
    await ask(dialogue, service, turn)
    await dialogue.question.answer("p", is_pass=True)
    assert service.acted[0].action == answer()


async def test_a_chance_to_counter_without_a_card_for_it(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    turn.decision.window.SetInParent()
    await ask(dialogue, service, turn, PASS)
    assert "A chance to counter (), but you hold nothing for it.\nEnter or p lets it go by.\n" in said(dialogue)


async def test_what_is_repeated_is_short(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(S8))
    await dialogue.question.answer("x" * 500, is_pass=False)
    await dialogue.question.answer("9" * 5000, is_pass=False)
    await dialogue.question.answer("jk jk", is_pass=False)
    await dialogue.question.answer("9 9", is_pass=False)
    lines = said(dialogue).splitlines()[-4:]
    assert lines[0] == f"I do not understand {'X' * 30}…. ? for help."
    assert lines[1].startswith("I do not understand 999")
    assert lines[2:] == ["You have only 1 of JK.", "You have no 9."]


async def test_a_person_is_told_that_nothing_is_asked(dialogue: Dialogue) -> None:
    await dialogue.question.answer("S8", is_pass=False)
    assert "Nothing is asked" in said(dialogue)


async def test_a_line_from_a_pipe_waits_for_the_question(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    dialogue.console.is_person = False
    async with asyncio.TaskGroup() as group:
        group.create_task(dialogue.question.answer("S8", is_pass=False))
        await asyncio.sleep(0)
        assert not service.acted
        await ask(dialogue, service, turn, plays(S8))
    assert len(service.acted) == 1


async def test_an_own_question_that_closes_by_itself_was_a_time_out(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8))
    before, after = view_pb2.View(), view_pb2.View()
    before.CopyFrom(turn)
    after.CopyFrom(turn)
    after.ClearField("decision")
    closed = view_pb2.Event(decision_closed=view_pb2.DecisionClosed(seat=0, decision_id=7))
    await dialogue.hear(Update(after, before, [closed]))
    assert "Your time was up" in said(dialogue)


async def test_what_a_stand_in_answers_is_no_time_out_and_a_line_takes_the_seat_back(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8))
    before, after = view_pb2.View(), view_pb2.View()
    before.CopyFrom(turn)
    after.CopyFrom(turn)
    after.ClearField("decision")
    after.seats[0].seat.stand_in = view_pb2.STAND_IN_IDLE
    closed = view_pb2.DecisionClosed(seat=0, decision_id=7, by=view_pb2.ANSWERED_BY_STAND_IN)
    await dialogue.hear(Update(after, before, [view_pb2.Event(decision_closed=closed)]))
    assert "Your time was up" not in said(dialogue)
    await dialogue.come_back()
    assert [request.stand_in for request in service.options] == [False]
    after.seats[0].seat.ClearField("stand_in")
    await dialogue.hear(Update(after))
    await dialogue.come_back()
    assert len(service.options) == 1


async def test_lines_come_one_by_one_and_then_the_end() -> None:
    console = Console(Typist("p\nS8\n"), io.StringIO())
    console.start()
    assert [await console.line() for _ in range(3)] == ["p", "S8", None]


async def test_nothing_is_told_after_goodbye(dialogue: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    async def follow() -> None:
        while True:
            dialogue.console.say(["told"])
            await asyncio.sleep(0)

    monkeypatch.setattr(dialogue, "follow", follow)
    dialogue.console.start()
    await dialogue.play()
    assert said(dialogue).endswith("told\nGoodbye.\n")


async def test_what_happens_does_not_stand_on_the_line_of_the_prompt() -> None:
    screen = io.StringIO()
    console = Console(Typist(), screen)
    console.prompt()
    console.say(["Aki passes."])
    assert screen.getvalue() == "> \nAki passes.\n"


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("ルール: " + "x" * 8 + " yy", ["ルール: xxxxxxxx", "  yy"]),
        ("あいうえおかきくけこ", ["あいうえおかきくけこ"]),
        ("  a b", ["  a b"]),
        ("", [""]),
        ("a " * 8 + "bb", ["a a a a a a a a", "  bb"]),
    ],
)
def test_long_lines_are_broken_at_spaces_in_both_languages(line: str, rows: list[str]) -> None:
    assert fitted(line, 16) == rows


@pytest.mark.parametrize(("rows", "fit"), [("24", 21), ("10", 7), ("1", 2)])
def test_a_page_is_what_fits_on_the_screen(rows: str, fit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", rows)
    monkeypatch.setenv("COLUMNS", "80")
    console = Console(Typist(), io.StringIO())
    assert console.page(["A rule."] * 50) == fit
    assert console.page(["word " * 17] * 50) == max(1, fit // 2)
    assert console.page(["あ" * 41] * 50) == max(1, fit // 2)
    assert console.page(["A rule."]) == 1


async def test_plays_without_a_joker_are_listed_first(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(JK), plays(S8), plays(S3, JK), PASS)
    assert "You can: 1 S8, 2 JK, 3 S3 JK, p pass" in said(dialogue)


# --- asking about it -------------------------------------------------------------------------------------------------

CUT = game_pb2.Effect(rule_id="eight_cut", kind=game_pb2.EFFECT_KIND_FLUSH, text="Eight cut: the field is cleared")
LEAD = game_pb2.Effect(kind=game_pb2.EFFECT_KIND_LEAD, seat=0, text="your seat leads")


async def test_hints_are_told_one_after_another_with_their_reasons(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    service.hints = [
        game_pb2.Hint(action=plays(S8), text="It ends the trick.", would_fire=[CUT, LEAD]),
        game_pb2.Hint(action=PASS, text="Wait."),
    ]
    for _ in range(3):
        await dialogue.serve("hint", "")
    first = "Hint: S8. It ends the trick.\nThis would come of it: Eight cut: the field is cleared → your seat leads\n"
    assert said(dialogue).endswith(f"{first}Hint: p pass. Wait.\n{first}")
    assert not service.acted


async def test_a_table_without_hints_has_none_to_tell(dialogue: Dialogue, service: Any, turn: view_pb2.View) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    await dialogue.serve("hint", "")
    assert said(dialogue).endswith("There is no hint.\n")


async def test_what_would_come_of_a_play_is_asked_without_playing(
    dialogue: Dialogue, service: Any, turn: view_pb2.View
) -> None:
    await ask(dialogue, service, turn, plays(S8), PASS)
    maybe = game_pb2.Effect(rule_id="dokan", kind=game_pb2.EFFECT_KIND_FINISH, text="Dokan: seat 2 goes out")
    service.verdicts = lambda action: game_pb2.CheckActionResponse(legal=True, would_fire=[CUT], may_fire=[maybe])
    await dialogue.serve("check", "S8")
    assert said(dialogue).endswith(
        "This would come of it: Eight cut: the field is cleared\nThis may come of it: Dokan: seat 2 goes out\n"
    )
    service.verdicts = lambda action: game_pb2.CheckActionResponse(legal=True)
    await dialogue.serve("check", "S3")
    assert said(dialogue).endswith("Possible, and nothing else comes of it.\n")
    violation = game_pb2.Violation(text="Too weak.")
    service.verdicts = lambda action: game_pb2.CheckActionResponse(refusal=game_pb2.Refusal(violations=[violation]))
    await dialogue.serve("check", "S3")
    assert said(dialogue).endswith("Not possible: Too weak.\n")
    assert not service.acted
