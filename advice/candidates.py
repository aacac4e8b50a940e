"""What a seat might well do now, the best first, each with a reason that can be told to a player."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from advice.answers import answer_to
from advice.cards import as_set
from advice.outlook import Outlook, Unit, unit_of
from advice.turns import Judge, leads
from daifugo.v1 import cards_pb2, view_pb2

# why something is good
GOES_OUT: Final = 1
TAKES_LEAD: Final = 2
HARD_TO_BEAT: Final = 3
REVOLUTION_HELPS: Final = 4
SHEDS_MANY: Final = 5
SHEDS_WEAK: Final = 6
OWNS_FIELD: Final = 7
KEEPS_STRONG: Final = 8
NOTHING_ELSE: Final = 9
LEAST_NEEDED: Final = 10
MOST_USEFUL: Final = 11
HURTS_OTHERS: Final = 12
AIMS_AT_LEADER: Final = 13
SAFE: Final = 14
FOUL: Final = 15
DRAWS: Final = 16

MOST_JUDGED: Final = 60
"""How many actions are judged, however many more there are: each takes time."""
HARD: Final = 0.8
"""From which chance on a play is said to be hard to beat."""


class Candidate(NamedTuple):
    """Something that could be done, and why."""

    action: view_pb2.Action
    why: int


def candidates(view: view_pb2.View, actions: Sequence[view_pb2.Action], rules: Collection[str] = ()) -> list[Candidate]:
    """List what the seat of a view might do about its open decision, the best first.

    `actions` are legal actions, as many as are worth looking at; a choice needs none. `rules` are ids of rules that are
    on, as far as that is known.
    """
    outlook = Outlook(view, rules)
    if view.decision.HasField("choice"):
        return list(answers(view.decision.choice, outlook))
    judge = Judge(outlook)
    if len(actions) == 1 and actions[0].HasField("pass"):
        return [Candidate(actions[0], NOTHING_ELSE)]
    found = [(action, why(judge, action)) for action in in_order(judge, actions)]
    return [Candidate(action, reason) for action, reason in found]


def in_order(judge: Judge, actions: Sequence[view_pb2.Action]) -> list[view_pb2.Action]:
    """Sort actions, the best first: a lead by the plan of the hand, anything else by what it is worth."""
    first = planned(judge, actions) if judge.outlook.view.decision.turn.starter else []
    passes = [action for action in actions if action.HasField("pass")]
    rest = [action for action in actions if action not in first and not action.HasField("pass")]
    judged = [*rest[: max(0, MOST_JUDGED - len(first))], *passes]
    others = sorted(judged, key=judge.worth, reverse=True)
    if owns_the_field(judge.outlook.view):
        others.sort(key=lambda action: not action.HasField("pass"))
    return [*first, *others]


def planned(judge: Judge, actions: Sequence[view_pb2.Action]) -> list[view_pb2.Action]:
    """List the leads of the hand's plan that are among these actions, the best first."""
    found = [named(unit, actions) for unit in leads(judge)]
    return [action for action in found if action is not None]


def named(unit: Unit, actions: Sequence[view_pb2.Action]) -> view_pb2.Action | None:
    """Find the action that puts down these cards in this shape; the first one has the strongest meaning."""
    for action in actions:
        if action.play.shape == unit.shape and as_set(action.play.cards) == unit.cards:
            return action
    return None


def owns_the_field(view: view_pb2.View) -> bool:
    """Say whether the turn has come back to who has the play on top: a pass brings the lead, beating it costs cards."""
    return view.decision.HasField("turn") and bool(view.field) and view.HasField("owner") and view.owner == view.seat


# --- reasons ---------------------------------------------------------------------------------------------------------


def why(judge: Judge, action: view_pb2.Action) -> int:
    """Return what speaks for an action."""
    kind = action.WhichOneof("action")
    if kind == "play":
        return why_play(judge, unit_of(action.play))
    if kind in ("add", "dump"):
        cards = as_set(action.add.cards if kind == "add" else action.dump.cards)
        return SHEDS_MANY if judge.outlook.hand & ~cards else GOES_OUT
    if kind == "draw":
        return DRAWS
    return OWNS_FIELD if owns_the_field(judge.outlook.view) else KEEPS_STRONG


def why_play(judge: Judge, unit: Unit) -> int:
    """Return what speaks for a play: whatever a player would name first."""
    outlook = judge.outlook
    rest = outlook.hand & ~unit.cards
    if not rest:
        return GOES_OUT
    if outlook.cuts(unit) or outlook.answers_joker(unit) or judge.is_window:
        return TAKES_LEAD
    if outlook.is_revolution(unit) and judge.plans_after(unit).cost(rest) < judge.planner.cost(rest):
        return REVOLUTION_HELPS
    if judge.stays(unit) >= HARD:
        return HARD_TO_BEAT
    return SHEDS_MANY if unit.size > 1 else SHEDS_WEAK


WHY_ANSWER: Final = {
    view_pb2.Choice.OF_RANK: HURTS_OTHERS,
    view_pb2.Choice.OF_SEAT: AIMS_AT_LEADER,
    view_pb2.Choice.OF_NUMBER: SAFE,
    view_pb2.Choice.OF_YES_NO: SAFE,
}


def answers(choice: view_pb2.Choice, outlook: Outlook) -> Iterator[Candidate]:
    """Answer a choice; where one thing of few is to be named, in the order in which they would be."""
    gives = choice.of == view_pb2.Choice.OF_CARD and choice.zone in (cards_pb2.ZONE_UNSPECIFIED, cards_pb2.ZONE_HAND)
    gives = gives and all([outlook.hand >> card & 1 for card in choice.options])
    reason = LEAST_NEEDED if gives else WHY_ANSWER.get(choice.of, MOST_USEFUL)
    values = answer_to(choice, outlook)
    yield Candidate(answer(values), reason)
    left = view_pb2.Choice()
    left.CopyFrom(choice)
    while not gives and choice.most == choice.least == 1 and len(left.options) > 1:
        left.options.remove(values[0])
        values = answer_to(left, outlook)
        yield Candidate(answer(values), reason)


def answer(values: Sequence[int]) -> view_pb2.Action:
    """Return the action of answering a choice."""
    return view_pb2.Action(answer=view_pb2.Answer(values=values))
