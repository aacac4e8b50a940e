"""The policy `greedy`, a rule of thumb: plan the hand, shed what is weak, keep what wins, never end on a foul."""

from __future__ import annotations

from typing import Final

from advice.answers import answer_to
from advice.candidates import named, owns_the_field
from advice.outlook import Outlook
from advice.turns import Judge, best, leads
from clients.bot.policy import Legal, answer
from daifugo.v1 import view_pb2

PASS: Final = view_pb2.Action()
getattr(PASS, "pass").SetInParent()
MOST_PAGES: Final = 8
"""How many pages of legal actions are fetched at most to find a lead."""


class Greedy:
    """Plays by its plan of the hand. It draws nothing by lot: the same view gets the same answer."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        """Rules that have asked something: they are on at this table."""

    async def decide(self, view: view_pb2.View, legal: Legal) -> view_pb2.Action:
        """Answer `view.decision`."""
        if view.decision.HasField("choice"):
            self.asked.add(view.decision.choice.rule_id)
            return answer(answer_to(view.decision.choice, Outlook(view, self.asked)))
        if owns_the_field(view):
            return PASS
        judge = Judge(Outlook(view, self.asked))
        if view.decision.turn.starter:
            return await lead(judge, legal)
        return best(judge, await legal())


async def lead(judge: Judge, legal: Legal) -> view_pb2.Action:
    """Open a trick with the best play of the plan; more pages are fetched only to find it."""
    wanted = leads(judge)
    actions: list[view_pb2.Action] = []
    for _ in range(MOST_PAGES):
        page = await legal()
        found = named(wanted[0], page) if wanted else None
        if found is not None:
            return found
        actions += page
        if not page:
            break
    for unit in wanted[1:]:
        found = named(unit, actions)
        if found is not None:
            return found
    return best(judge, actions)
