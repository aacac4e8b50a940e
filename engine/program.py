"""A ruleset ready to run: flat tuples of steps. During a play nothing is looked up by name, sorted or tested."""

from __future__ import annotations

from typing import Final

from engine import core, track
from engine.cards import CLUB, DIAMOND, HEART, JOKER, JOKERS, OF_SUIT, PACK, REAL, SPADE, members
from engine.dealing import Dealing
from engine.field import Fields
from engine.finishing import BY_FIRST_PLACES, BY_LAST_GAME, SHARED
from engine.holdings import Holdings
from engine.native import i64
from engine.orders import NORMAL
from engine.plays import GROUP, NO_SEQUENCES, Play, Shapes
from engine.rules import pipeline
from engine.rules.base import ALL, ASK, END, FINISH, FLUSH, PAST_ROWS, TURN, WINDOW, Rule
from engine.ruleset import Ruleset
from engine.state import ADD_RUN, COUNTER, DEAL, DRAW_RUN, DUMP_RUN, NORMAL_PROGRAM, PASS_RUN, STOPPED_PROGRAM
from engine.track import Step, Track

USUAL_GAMES: Final = 4
"""Games of a match that nothing else gives a length."""

TIE_BREAKS: Final = {"shared": SHARED, "first_places_then_shared": BY_FIRST_PLACES, "last_round_rank": BY_LAST_GAME}

SUITS: Final = {"none": -1, "S": SPADE, "H": HEART, "D": DIAMOND, "C": CLUB}


RUNS: Final = DUMP_RUN + 1
SHAPES: Final = GROUP + 1
BELOW: Final = 2
RANKS: Final = JOKER + 1 + BELOW
"""How many kinds of runs there are, shapes of one rank or none, and ranks; no play is two below the lowest."""


class InForce:
    """The rules of one form of a program that refuse, offer and judge, in pipeline order."""

    def __init__(self, program: Program, number: int) -> None:
        self.offering: tuple[Rule, ...] = program.phase("offers", number)
        self.allowing: tuple[Rule, ...] = program.phase("allows", number)
        self.narrowing: tuple[Rule, ...] = program.phase("narrows", number)
        self.allowing_unlocked: tuple[Rule, ...] = tuple([rule for rule in self.allowing if not rule.of_locks])
        self.narrowing_unlocked: tuple[Rule, ...] = tuple([rule for rule in self.narrowing if not rule.of_locks])
        """The same while no lock stands."""
        self.silencing: tuple[Rule, ...] = program.phase("must_pass", number)
        self.allowing_pass: tuple[Rule, ...] = program.phase("allows_pass", number)
        self.counter_rules: tuple[Rule, ...] = program.phase("counters", number)
        self.foul_rules: tuple[Rule, ...] = program.phase("fouls", number)
        self.empty_fields = Fields()
        """What they have said of empty fields, see `field.py`."""


class Program:
    """A compiled ruleset. It holds no state; tables share it."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.seats: int = ruleset.seats
        self.rules: dict[str, Rule] = {}
        for prototype in pipeline.RULES:
            rule = prototype.on(ruleset)
            if rule is not None:
                self.rules[rule.id] = rule

        # what plays are made of
        jokers = ruleset.number("joker_count")
        packs = 2 if ruleset.word("deal_method") == "two_packs" else 1
        self.deck: int = deck(jokers, packs, SUITS[ruleset.word("deck_composition")])
        self.number_cards: list[int] = members(self.deck & REAL)
        self.jokers: list[int] = members(self.deck & JOKERS)
        self.shapes = Shapes(
            4 * packs + jokers if ruleset.bool("group4plus") else 3,
            (2 if ruleset.bool("two_card_sequence") else 3) if ruleset.bool("sequence") else NO_SEQUENCES,
            ruleset.number("sequence.max_length") or 14,
            ruleset.bool("joker_in_group"),
            ruleset.bool("joker_in_sequence"),
            ruleset.bool("joker_above_top"),
            ruleset.bool("emperor"),
            ruleset.bool("arithmetic_sequence"),
            ruleset.bool("arithmetic_sequence.same_difference_required"),
            ruleset.bool("joker_above_top.both_ends"),
            ruleset.bool("joker_takes_suit"),
        )
        self.base_order: int = NORMAL
        self.dealing = Dealing(ruleset)
        self.passes_lock_out: bool = ruleset.bool("pass_out")
        self.all_must_pass: bool = ruleset.bool("all_must_pass")
        self.effects_in_sequences: bool = ruleset.bool("sequence_card_effects")
        self.revolutions_return: bool = ruleset.bool("counter_revolution")
        self.revolutions_wait: bool = ruleset.bool("delayed_revolution")
        self.revolution_weakens_jokers: bool = ruleset.bool("weak_joker_in_revolution")
        self.games_in_set: int = ruleset.number("set_and_round.games_per_set")
        self.games_in_round: int = self.games_in_set * ruleset.number("set_and_round.sets_per_round")
        """0: the whole match is one round."""
        self.games_in_match: int = ruleset.number("fixed_round_count") or self.games_in_round or USUAL_GAMES
        self.starts_clockwise: bool = ruleset.word("seat_order") == "clockwise"
        self.falls_first: bool = ruleset.word("miyako_vs_foul_order") == "miyako_first"
        self.tie_break: int = TIE_BREAKS[ruleset.word("tie_break")]
        self.plays_in_row: int = ruleset.number("lock_plays_required")
        """How many plays alike start a lock."""
        self.most_actions: int = 2000
        self.lots_score: bool = ruleset.number("pass_limit") > 0
        """Whether a place got by lot scores as such."""
        self.spade_seat: int = ruleset.numbers("seat_suits.order").index(SPADE)
        self.points: tuple[int, ...] = ruleset.points()

        self.in_force: tuple[InForce, ...] = (InForce(self, NORMAL_PROGRAM), InForce(self, STOPPED_PROGRAM))
        self.exchanging_rules: tuple[Rule, ...] = self.phase("exchanges")
        self.finished_rules: tuple[Rule, ...] = self.phase("finished")
        self.scoring_rules: tuple[Rule, ...] = self.phase("scores")
        self.held: Holdings | None = None
        self.tracks: list[Track | None] = [None] * (2 * RUNS * SHAPES * RANKS)
        self.other_tracks: dict[int, Track] = {}

    def phase(self, name: str, number: int = NORMAL_PROGRAM) -> tuple[Rule, ...]:
        """List the rules that are on in a phase, in pipeline order."""
        absent = pipeline.STOPPED if number == STOPPED_PROGRAM else ()
        return tuple([self.rules[id] for id in pipeline.ORDER[name] if id in self.rules and id not in absent])

    def holdings(self) -> Holdings:
        """Return what cards form under this ruleset, for simulations."""
        if self.held is None:
            everything = self.in_force[NORMAL_PROGRAM].allowing
            self.held = Holdings(self.shapes, tuple([rule for rule in everything if rule.of_sequences]))
        return self.held

    def begins_round(self, game: int) -> bool:
        """Say whether a game (from 1) is the first of its round."""
        return game == 1 or (self.games_in_round > 0 and (game - 1) % self.games_in_round == 0)

    def begins_set(self, game: int) -> bool:
        """Say whether a game (from 1) is the first of its set."""
        return self.begins_round(game) or (self.games_in_set > 0 and (game - 1) % self.games_in_set == 0)

    def set_and_round(self, game: int) -> tuple[int, int]:
        """Return the set within its round and the round within the match of a game, all from 1."""
        in_round = self.games_in_round or game
        return (game - 1) % in_round // (self.games_in_set or game) + 1, (game - 1) // in_round + 1

    def track(self, number: i64, kind: i64, play: Play) -> Track:
        """Return the steps of a run; plays and counters have one track for each shape and set of ranks."""
        if play.shape > GROUP:
            key: i64 = ((play.ranks << 4 | play.shape) << 4 | kind) << 1 | number
            known = self.other_tracks.get(key)
            if known is None:
                known = self.compile(number, kind, play)
                self.other_tracks[key] = known
            return known
        at: i64 = ((number * RUNS + kind) * SHAPES + play.shape) * RANKS + play.low + BELOW
        found = self.tracks[at]
        if found is None:
            found = self.compile(number, kind, play)
            self.tracks[at] = found
        return found

    def compile(self, number: int, kind: int, play: Play) -> Track:
        """Lay out the steps of one kind of run in pipeline order, without those that do nothing in it."""
        at = [0] * (PAST_ROWS + 1)
        steps = self.opening(number, kind, play)
        at[PAST_ROWS] = max([i + 1 for i, step in enumerate(steps) if isinstance(step, track.PlayedInRow)], default=0)
        if kind != DEAL:
            at[WINDOW] = len(steps)
            counters = self.phase("counters")
            if counters:
                steps.append(core.OpenWindow(not any([rule.acts_on(play) for rule in counters])))
            at[FLUSH] = len(steps)
            steps.append(core.Flush())
            steps += [track.Flushed(rule) for rule in self.phase("flushed", number)]
            at[FINISH] = len(steps)
            steps.append(core.Finish())
            steps += [track.Leading(rule) for rule in self.phase("leading", number)]
            at[TURN] = len(steps)
            steps.append(core.Turn())
            steps += [track.Turned(rule) for rule in self.phase("turned", number)]
        at[ASK] = len(steps)
        steps.append(core.AskTurn())
        at[END] = len(steps)
        steps.append(core.End())
        steps += [track.Titled(rule) for rule in self.phase("titled")]
        steps.append(core.Close())
        return Track(steps, at)

    def opening(self, number: int, kind: int, play: Play) -> list[Step]:
        """Return the steps of a run up to its window, which depend on its kind."""
        if kind == DEAL:
            dealt = [track.Dealt(rule) for rule in self.phase("dealt")]
            seated = [track.Seated(rule) for rule in self.phase("seated")]
            exchanged = [track.Exchanged(rule) for rule in self.phase("exchanged")]
            return [*seated, core.Deal(), *dealt, *exchanged, core.Lead()]
        if kind == PASS_RUN:
            return [core.MarkPass(), *[track.Passed(rule) for rule in self.phase("passed", number)]]
        if kind in (DRAW_RUN, DUMP_RUN):
            return [core.OfferEffect()]
        rules = [rule for rule in self.phase("played", number) if concerns(rule, kind, play)]
        effects = [self.effect(rule, not rule.acts_on(play)) for rule in rules]
        if kind == ADD_RUN:
            return [core.OfferEffect(), *effects]
        return [core.Place(), core.OfferEffect(), *effects] if kind == COUNTER else [core.Place(), *effects]

    def effect(self, rule: Rule, idle: bool) -> Step:
        """Return the step of a rule that acts on plays."""
        return track.PlayedInRow(rule, idle, self.plays_in_row) if rule.of_rows else track.Played(rule, idle)


def concerns(rule: Rule, kind: int, play: Play) -> bool:
    """Say whether a rule of the phase `played` acts in such a run."""
    if kind == COUNTER and rule.id not in pipeline.IN_COUNTERS:
        return False
    return bool(rule.shapes >> play.shape & 1) and (rule.ranks == ALL or bool(rule.ranks & play.ranks))


def deck(jokers: int, packs: int, removed_suit: int) -> int:
    """Return the set of cards in play; `jokers` is the number in all packs together."""
    cards = 0
    for pack in range(packs):
        for suit in range(4):
            if suit != removed_suit:
                cards |= OF_SUIT[suit] & ((1 << PACK) - 1) << pack * PACK
    left = jokers
    for pack in range(packs):
        for joker in (52, 53):
            if left:
                cards |= 1 << pack * PACK + joker
                left -= 1
    return cards
