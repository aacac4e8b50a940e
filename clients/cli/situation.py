"""The table as lines: field, locks, the others, one's own hand, and what one is asked."""

from __future__ import annotations

from typing import Final

from clients.cli.people import People
from clients.cli.sentences import Teller, locked, locked_suits
from clients.common.cards import CardStyle, weakest_first
from daifugo.v1 import view_pb2

SHORT_OF_TIME_SECONDS: Final = 300
"""Time is told when no more than this is left."""


class Situation:
    """Writes a view as lines."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.words = teller.words
        self.people: People = teller.people
        self.style: CardStyle = teller.style

    def lines(self, view: view_pb2.View) -> list[str]:
        """Tell everything that lies open, and the own hand."""
        return [*self.field(view), self.others(view), *self.banks(view), *self.hand(view)]

    def asked(self, view: view_pb2.View, can_only_pass: bool = False) -> list[str]:
        """Tell what there is to know for an answer, and the question; a choice needs no look at the field."""
        before = self.hand(view) if view.decision.HasField("choice") else self.lines(view)
        return [*before, *self.question(view, can_only_pass)]

    def field(self, view: view_pb2.View) -> list[str]:
        if view.field:
            top = view.field[-1]
            who = self.people.object(view, top.seat)
            lines = [self.words("field", who=who, cards=self.teller.play(top.play))]
        else:
            lines = [self.words("field.empty")]
        for lock in view.locks:
            what = locked(self.words, lock, locked_suits(self.words, self.style, lock))
            if what:
                lines.append(self.words("lock", what=what))
        if view.strength.from_ace:
            lines.append(self.words("strength.is_from_king" if view.strength.reversed else "strength.is_from_ace"))
        elif view.strength.reversed:
            lines.append(self.words("strength.is_reversed"))
        return lines

    def others(self, view: view_pb2.View) -> str:
        """Tell how many cards the others hold, in the order in which they play."""
        seats = list(view.seating) or list(range(len(view.seats)))
        if not view.clockwise:
            seats.reverse()
        if view.HasField("seat") and view.seat in seats:
            at = seats.index(view.seat)
            seats = seats[at + 1 :] + seats[:at]
        return self.words("others", names=self.words.listed([self._other(view, seat) for seat in seats]))

    def _other(self, view: view_pb2.View, seat: int) -> str:
        other, who = view.seats[seat], self.people.name(view, seat)
        if other.HasField("place"):
            return self.words("other.out", who=who, place=other.place)
        return self.words("other.passed" if other.passed else "other.cards", who=who, count=other.hand_count)

    def banks(self, view: view_pb2.View) -> list[str]:
        """Tell what the time banks hold, where there are any."""
        held = [
            self.words("bank", who=self.people.name(view, number), seconds=seat.bank.ToSeconds())
            for number, seat in enumerate(view.seats)
            if seat.HasField("bank")
        ]
        return [self.words("banks", banks=self.words.listed(held))] if held else []

    def hand(self, view: view_pb2.View) -> list[str]:
        """Tell the own hand, weakest first; for a spectator, the hands that are shown."""
        if not view.HasField("seat"):
            return self.hands(view)
        if not view.hand:
            return [self.words("hand.empty")]
        cards = weakest_first(view.hand, view.strength.reversed)
        return [self.words("hand", count=len(cards), cards=self.style.cards(cards))]

    def hands(self, view: view_pb2.View) -> list[str]:
        """Tell every hand that is shown, by seat; none where hands are not."""
        lines = []
        for number, seat in enumerate(view.seats):
            if view.hands_shown and seat.hand:
                cards = self.style.cards(weakest_first(seat.hand, view.strength.reversed))
                lines.append(self.words("hand.of", who=self.people.name(view, number), cards=cards))
        return lines

    def waiting(self, view: view_pb2.View) -> list[str]:
        """Tell who is asked something, if it is not the viewer."""
        seats = [asked.seat for asked in view.asked]
        if not seats or (view.HasField("seat") and view.seat in seats):
            return []
        return [self.words("waiting", who=self.people.names(view, seats))]

    def question(self, view: view_pb2.View, can_only_pass: bool = False) -> list[str]:
        """Tell what the viewer is asked."""
        decision = view.decision
        kind = decision.WhichOneof("ask")
        if kind == "turn":
            lines = [self.words("ask.turn.starter" if decision.turn.starter else "ask.turn")]
        elif kind == "window":
            key = "ask.window.none" if can_only_pass else "ask.window"
            lines = [self.words(key, rules=self.teller.rules(decision.window.rule_ids))]
        else:
            lines = self.choice(view, decision.choice)
        if decision.HasField("remaining") and decision.remaining.seconds <= SHORT_OF_TIME_SECONDS:
            key = "ask.time.bank" if decision.bank.seconds else "ask.time"
            lines.append(self.words(key, seconds=decision.remaining.seconds, bank=decision.bank.seconds))
        return lines

    def choice(self, view: view_pb2.View, choice: view_pb2.Choice) -> list[str]:
        """Tell a rule's question, its options where they are not the own hand, and its conditions."""
        rule = self.teller.book.name(choice.rule_id, self.words)
        number = self.number(choice)
        key = KINDS.get(choice.of, "ask.number")
        taker = self.people.object(view, choice.to_seat) if choice.HasField("to_seat") else ""
        lines = [self.words(f"{key}.to" if taker and key == "ask.card" else key, rule=rule, number=number, taker=taker)]
        if choice.of != view_pb2.Choice.OF_YES_NO and set(choice.options) != set(view.hand):
            lines.append(self.words("ask.from", options=self.options(view, choice, list(choice.options))))
        if choice.required:
            lines.append(self.words("ask.required", options=self.options(view, choice, list(choice.required))))
        if choice.ordered:
            lines.append(self.words("ask.ordered"))
        return lines

    def number(self, choice: view_pb2.Choice) -> str:
        """Write how many options are to be chosen."""
        key = "number.exact" if choice.least == choice.most else "number.range"
        return self.words(key, least=choice.least, most=choice.most)

    def must_choose(self, choice: view_pb2.Choice) -> str:
        """Tell somebody who passes that an answer is needed."""
        key = KINDS.get(choice.of, "ask.number").replace("ask.", "must.")
        return self.words(key, number=self.number(choice), plural="" if choice.most == 1 else "s")

    def options(self, view: view_pb2.View, choice: view_pb2.Choice, values: list[int]) -> str:
        """Write options of a choice: cards, ranks, people, numbers, or yes and no."""
        if choice.of == view_pb2.Choice.OF_CARD:
            return self.style.cards(values)
        if choice.of == view_pb2.Choice.OF_RANK:
            return " ".join(map(self.style.rank, values))
        if choice.of == view_pb2.Choice.OF_SEAT:
            return self.people.names(view, values)
        if choice.of == view_pb2.Choice.OF_YES_NO:
            return self.words.listed([self.words("yes" if value else "no") for value in values])
        return " ".join(map(str, values))

    def action(self, view: view_pb2.View, action: view_pb2.Action) -> str:
        """Write an action as an entry of the list."""
        kind = action.WhichOneof("action")
        if kind == "play":
            return self.teller.play(action.play)
        if kind == "add":
            return self.words("action.add", cards=self.style.cards(action.add.cards))
        if kind == "dump":
            return self.words("action.dump", cards=self.style.cards(action.dump.cards))
        if kind == "answer":
            values = list(action.answer.values)
            return self.options(view, view.decision.choice, values) if values else self.words("action.nothing")
        if kind == "draw":
            return self.words("action.draw")
        return self.words("action.let_go" if view.decision.HasField("window") else "action.pass")


KINDS: Final = {
    view_pb2.Choice.OF_UNSPECIFIED: "ask.number",
    view_pb2.Choice.OF_CARD: "ask.card",
    view_pb2.Choice.OF_RANK: "ask.rank",
    view_pb2.Choice.OF_SEAT: "ask.seat",
    view_pb2.Choice.OF_NUMBER: "ask.number",
    view_pb2.Choice.OF_YES_NO: "ask.yes_no",
}
"""The sentence for each kind of choice."""
