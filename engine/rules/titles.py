"""What titles of the last game do in the next one, and what a game is worth beside its places."""

from __future__ import annotations

from engine import events as ev
from engine.finishing import fall, place_of
from engine.rules.base import END, GO_ON, Rule
from engine.ruleset import Ruleset
from engine.state import Public, State
from engine.steps import emit


class Gekokujo(Rule):
    """下克上: the last place of the last game finishes first: the game is over and all places turn round (000 L151).

    Whoever has fouled before stays at the bottom, and nobody falls.
    """

    id = "gekokujo"

    def finished(self, s: State, seat: int) -> int:
        if not s.previous or s.finished != [seat] or seat != s.previous[-1]:
            return GO_ON
        turned = [other for other in s.previous[::-1] if not s.gone >> other & 1]
        s.finished += turned
        s.gone = (1 << s.seats) - 1
        if s.sink is not None:
            for other in turned:
                emit(s, ev.PlaceMoved(self.id, s.because, other, place_of(s, other)))
        return END


class Fall(Rule):
    """都落ち: when somebody else makes the first valid finish, the last game's first place is out (JDF art. 65-2).

    It takes the lowest place that is left; under `miyako_ochi_mode` it may play on, its place settled.
    """

    id = "miyako_ochi"

    def __init__(self, plays_on: bool = False) -> None:
        self.plays_on = plays_on

    def on(self, ruleset: Ruleset) -> Rule | None:
        return Fall(ruleset.word("miyako_ochi_mode") == "play_on") if ruleset.bool(self.id) else None

    def finished(self, s: State, seat: int) -> int:
        if s.previous and s.finished == [seat] and seat != s.previous[0] and not s.gone >> s.previous[0] & 1:
            fall(s, s.previous[0], self.id, self.plays_on)
        return GO_ON


class SecondFall(Rule):
    """京落ち: at the first valid finish by somebody else, the last game's second place is out (000 L210).

    Together with 都落ち only when the last game's first place finishes first.
    """

    id = "kyo_ochi"

    def __init__(self, only_after_first: bool = False) -> None:
        self.only_after_first = only_after_first

    def on(self, ruleset: Ruleset) -> Rule | None:
        return SecondFall(ruleset.bool("miyako_ochi")) if ruleset.bool(self.id) else None

    def finished(self, s: State, seat: int) -> int:
        if not s.previous or s.finished != [seat] or (self.only_after_first and seat != s.previous[0]):
            return GO_ON
        if seat != s.previous[1] and not s.gone >> s.previous[1] & 1:
            fall(s, s.previous[1], self.id)
        return GO_ON


class FinalBonus(Rule):
    """最終戦ボーナス: points on top for the first place of a match's last game (001 L79)."""

    id = "final_game_bonus"

    def __init__(self, points: int = 0) -> None:
        self.points = points

    def on(self, ruleset: Ruleset) -> Rule | None:
        points = ruleset.number(self.id)
        return FinalBonus(points) if points else None

    def scores(self, p: Public, seat: int) -> int:
        return self.points if p.game == p.games and seat == p.places[0] else 0


class LatePenalty(Rule):
    """遅い上がりは減点: playing on after the fall costs a point for every seat that finished before (000 L202)."""

    id = "miyako_ochi_late_penalty"

    def scores(self, p: Public, seat: int) -> int:
        if seat not in p.fallen or seat != p.previous[0]:
            return 0
        return -(p.finished.index(seat) if seat in p.finished else len(p.finished))


RULES: tuple[Rule, ...] = (Gekokujo(), Fall(), SecondFall(), FinalBonus(), LatePenalty())
