"""Playing a transcript: again, action by action, and on from where its actions end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine import events as ev
from engine.actions import Action
from engine.game import ENGINE_VERSION, apply, default_action, is_match_over, new_match, start_game
from engine.program import Program
from engine.reasons import IllegalAction
from engine.ruleset import parse_ruleset
from engine.view import open_choice, view
from tests.engine.stream import Stream
from tests.transcripts import words
from tests.transcripts.player import pick, tries
from tests.transcripts.script import Fields, Step, Told, Transcript
from tests.transcripts.words import SEATS

BEGINS = "begins"
LATE = "time is up"
REFUSED = "refused"
DONE = re.compile(r"([A-L]) ([^|]*[^| ])(?: \| (.*))?")
OFTEN_ENOUGH = 2
"""How often a transcript has an attempt that is refused for one reason."""


class Game:
    """The match of a transcript as far as it has been played."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.program = Program(parse_ruleset(transcript.ruleset))
        self.state = new_match(self.program, transcript.games)
        self.usual = view(self.state, -1)
        self.usual.playing = True
        """A view in which nothing has happened yet."""

    def begin(self) -> Step:
        """Begin the next game."""
        self.state, events = start_game(self.state, self.transcript.seed.encode())
        self.state.actions = self.transcript.counted
        return self._step(BEGINS, events)

    def act(self, seat: int, action: Action, mark: str = "") -> Step:
        """Let a seat act; raise IllegalAction if it may not."""
        text = self._text(seat, action, mark)
        self.state, events = apply(self.state, seat, action)
        return self._step(text, events)

    def attempt(self, seat: int, action: Action) -> Step:
        """Let a seat try what it may not do. If it may, the step says so, and nothing is done."""
        said = REFUSED
        try:
            apply(self.state, seat, action)
        except IllegalAction as refusal:
            said = " ".join([REFUSED, *[reason.value for reason in refusal.reasons]])
            return Step(self.state.game, self._number() + 1, self._text(seat, action, said))
        return Step(self.state.game, self._number() + 1, self._text(seat, action, "not refused"))

    def again(self, step: Step) -> Step:
        """Do what a step says; raise ValueError or IllegalAction if that cannot be done."""
        if step.text == BEGINS:
            return self.begin()
        done = DONE.fullmatch(step.text)
        if done is None:
            raise ValueError(f"not an action: {step.text}")
        seat, mark = SEATS.index(done[1]), done[3] or ""
        action = words.read_action(done[2], open_choice(self.state, seat) if self.state.playing else None)
        if mark.startswith(REFUSED):
            return self.attempt(seat, action)
        late = mark == LATE and bool(self.state.decisions[seat]) and default_action(self.state, seat) == action
        return self.act(seat, action, LATE if late else "")

    def _text(self, seat: int, action: Action, mark: str) -> str:
        said = f"{SEATS[seat]} {words.action(action, open_choice(self.state, seat))}"
        return f"{said} | {mark}" if mark else said

    def _number(self) -> int:
        return self.state.actions - self.transcript.counted

    def _step(self, text: str, events: list[ev.Event]) -> Step:
        step = Step(self.state.game, self._number(), text, [self._told(event) for event in events])
        if any([is_worth_a_view(event) for event in events]):
            step.views = self._views()
        return step

    def _told(self, event: ev.Event) -> Told:
        public = words.event(ev.redact(event, -1))
        told = Told(type(event).__name__, event.rule, event.because, public)
        for seat in range(self.state.seats):
            seen = differing(words.event(ev.redact(event, seat)), public)
            if seen:
                told.seen[SEATS[seat]] = seen
        return told

    def _views(self) -> dict[str, Fields]:
        public = words.view(view(self.state, -1), self.usual)
        found = {"all": public}
        for seat in range(self.state.seats):
            found[SEATS[seat]] = differing(words.view(view(self.state, seat), self.usual), public)
        return found


def differing(seen: Fields, public: Fields) -> Fields:
    """Return what of the fields is not as in the public ones."""
    gone = {name: "unset" for name in public if name not in seen}
    return {name: value for name, value in seen.items() if public.get(name) != value} | gone


def is_worth_a_view(event: ev.Event) -> bool:
    """Say whether views are written after an event: the deal, each flush, each question but a turn, the end."""
    if isinstance(event, ev.DecisionOpened):
        return event.kind != ev.TURN
    return isinstance(event, ev.GameStarted | ev.FieldFlushed | ev.GameEnded)


def replay(transcript: Transcript) -> Iterator[tuple[Step, Step, Game]]:
    """Do again what a transcript says: yield each step as it is there, as it is now, and the game after it.

    It ends after a step that cannot be done any more.
    """
    game = Game(transcript)
    for step in transcript.steps:
        try:
            got = game.again(step)
        except (IllegalAction, ValueError) as problem:
            yield step, Step(step.game, step.action, f"{step.text} | impossible now: {problem}"), game
            return
        yield step, got, game


def record(transcript: Transcript) -> Transcript:
    """Write a transcript anew: its actions as long as they can be done, and from there on what the player picks."""
    game = Game(transcript)
    steps: list[Step] = []
    for step in transcript.steps:
        try:
            steps.append(game.again(step))
        except (IllegalAction, ValueError):
            break
    refusals = Counter([step.text.partition(f"| {REFUSED} ")[2] for step in steps])
    while not is_match_over(game.state):
        if not game.state.playing:
            steps.append(game.begin())
            continue
        steps += go_on(game, refusals)
    return replace(transcript, engine=ENGINE_VERSION, steps=steps)


def go_on(game: Game, refusals: Counter[str]) -> Iterator[Step]:
    """Let the player act, and before that perhaps try something that is refused."""
    name = f"{game.transcript.seed}/{game.state.game}/{game.state.actions}"
    for seat, action in tries(Stream(f"{name}/try"), game.state):
        step = game.attempt(seat, action)
        why = step.text.partition(f"| {REFUSED} ")[2]
        if why and refusals[why] < OFTEN_ENOUGH:
            refusals[why] += 1
            yield step
            break
    seat, action, late = pick(Stream(name), game.state)
    yield game.act(seat, action, LATE if late else "")
