"""What three real 6s do beside an omen: ダミアン and サタン."""

from __future__ import annotations

from engine.cards import SIX, as_set
from engine.choices import DISCARD, NUMBER, Group, of_cards
from engine.finishing import defeat, standing
from engine.plays import GROUP, Play
from engine.rules.base import GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import TRICK, State
from engine.steps import ask, flush_later, forget, note_of, retrieve, set_note


class Damian(Rule):
    """ダミアン: after exactly three real 6s whoever passes before the flush is defeated (000 L211).

    Of those defeated so, later ones stand below earlier ones.
    """

    id = "triple_six_effect"
    ranks = 1 << SIX

    def on(self, ruleset: Ruleset) -> Rule | None:
        effect = ruleset.word(self.id)
        if not ruleset.bool("omen") or effect == "omen":
            return None
        return Damian() if effect == "damian" else Satan()

    def played(self, s: State) -> int:
        if is_three_sixes(s.cause):
            set_note(s, self.id, TRICK, NUMBER, (len(s.defeated),))
        return GO_ON

    def passed(self, s: State) -> int:
        for before in note_of(s, self.id):
            defeat(s, s.actor, self.id, before)
            if len(standing(s)) < 2:
                flush_later(s, "flush_by_passes")
        return GO_ON

    def flushed(self, s: State) -> int:
        forget(s, self.id)
        return GO_ON


class Satan(Rule):
    """サタン: the player of exactly three real 6s takes a card of choice from the discard pile (000 L211)."""

    id = "triple_six_effect"
    ranks = 1 << SIX

    def played(self, s: State) -> int:
        if not is_three_sixes(s.cause) or not s.discard:
            return GO_ON
        return ask(s, self.id, [of_cards(self.id, s.actor, s.discard, 1, 1, DISCARD)])

    def settled(self, s: State, group: Group, answers: tuple[tuple[int, ...], ...]) -> int:
        retrieve(s, s.actor, as_set(answers[0]), self.id)
        return GO_ON


def is_three_sixes(play: Play) -> bool:
    """Say whether a play is exactly three real 6s."""
    return play.shape == GROUP and play.low == SIX and play.size == 3 and not play.jokers


RULES: tuple[Rule, ...] = (Damian(),)
