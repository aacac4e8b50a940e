"""Positions in words: hands and field as text, then plays, passes and answers as text.

Seats are A, B, C … clockwise; cards are written S3 H10 DJ C2 JK1, separated by spaces.
"""

from __future__ import annotations

from engine import events as ev
from engine.actions import PASSING, Action, Meaning, answer, play_cards
from engine.cards import BEYOND, NO_SUIT, card_text, cards_text, members, parse_card, parse_cards
from engine.choices import CARD, RANK, SEAT, Choice
from engine.game import apply, new_match, start_game
from engine.orders import NORMAL, REVERSED
from engine.plays import ANY, ARITHMETIC, EMPEROR, GROUP, SEQUENCE, SINGLE, Play
from engine.program import Program
from engine.readings import readings
from engine.reasons import IllegalAction, Reason
from engine.state import SUIT_LOCK, Lock, Placed, State
from engine.steps import open_decision
from engine.strength import ends
from engine.view import open_choice
from tests.engine.tables import asked, moves_of

SEATS = "ABCDEFGHIJKL"
SHAPES = {"": ANY, "single": SINGLE, "group": GROUP, "sequence": SEQUENCE}
SHAPES |= {"emperor": EMPEROR, "arithmetic": ARITHMETIC}
RANKS = {"3": 0, "4": 1, "5": 2, "6": 3, "7": 4, "8": 5, "9": 6, "10": 7, "J": 8, "Q": 9, "K": 10, "A": 11, "2": 12}
RANKS |= {"JK": 13, "beyond": BEYOND}


class Table:
    """A table in the middle of a game, set up as told and changed by `play`, `passes` and `answer`."""

    def __init__(
        self,
        program: Program,
        *hands: str,
        turn: str = "A",
        field: str = "",
        previous: str = "",
        upside_down: bool = False,
        passed: str = "",
        lock: str = "",
        discard: str = "",
    ) -> None:
        """`field` is "D:H5 | B:C9", `previous` the last game's seats, best first, `lock` the suits that bind.

        With `previous` the game begins with its exchange, unless a field or a turn has been set up.
        """
        s = new_match(program)
        if previous:
            s.previous, s.game = [SEATS.index(seat) for seat in previous], 1
        exchanging = bool(previous) and not field
        s, self.events = start_game(s, b"position", tuple([parse_cards(hand) for hand in hands]))
        if not exchanging:
            s.group, s.held, s.asking_rule = None, [], ""
            s.revolution, s.order = upside_down, REVERSED if upside_down else NORMAL
            s.decisions, s.turn, s.run_kind = [0] * s.seats, SEATS.index(turn), 2
            for words in field.split("|") if field else []:
                seat, cards = words.strip().split(":")
                play = strongest_reading(s, parse_cards(cards), s.trick[-1].play.shape if s.trick else ANY)
                s.trick.append(Placed(SEATS.index(seat), play, s.order))
                s.owner = SEATS.index(seat)
            s.passed = sum([1 << SEATS.index(seat) for seat in passed])
            if lock:
                s.locks = [Lock(SUIT_LOCK, sum([1 << 4 * "SHDC".index(suit) for suit in lock]))]
            s.discard = parse_cards(discard)
            open_decision(s, s.turn, ev.TURN)
        self.state = s

    # --- doing ---

    def act(self, action: Action, seat: str = "") -> Table:
        """Let a seat act, or the first that is asked."""
        number = SEATS.index(seat) if seat else asked(self.state)[0]
        self.state, self.events = apply(self.state, number, action)
        return self

    def play(self, cards: str, shape: str = "", **meant: str) -> Table:
        """Let the seat on turn play cards; `JK1="6"` declares a joker."""
        return self.act(play_action(cards, shape, **meant))

    def passes(self, times: int = 1) -> Table:
        """Let the next seats pass."""
        for _ in range(times):
            self.act(PASSING)
        return self

    def answer(self, words: str, seat: str = "") -> Table:
        """Answer the open choice of a seat with cards or ranks."""
        number = SEATS.index(seat) if seat else asked(self.state)[0]
        choice = open_choice(self.state, number)
        assert choice is not None
        return self.act(answer(*values(choice, words)), SEATS[number])

    def says(self, yes: bool) -> Table:
        """Answer a question of yes or no."""
        return self.act(answer(int(yes)))

    def refusal(self, cards: str, shape: str = "", **meant: str) -> Reason:
        """Return why the seat on turn may not play cards."""
        return self.refused(play_action(cards, shape, **meant))

    def refused(self, action: Action, seat: str = "") -> Reason:
        """Return why a seat, or the first that is asked, may not act so."""
        try:
            self.act(action, seat)
        except IllegalAction as refusal:
            return refusal.reason
        raise AssertionError("this was legal")

    def reasons(self, cards: str) -> list[Reason]:
        """Return everything that speaks against playing cards."""
        try:
            self.play(cards)
        except IllegalAction as refusal:
            return list(refusal.reasons)
        raise AssertionError("this was legal")

    def refused_answer(self, words: str, seat: str = "") -> Reason:
        """Return why an answer is refused."""
        try:
            self.answer(words, seat)
        except IllegalAction as refusal:
            return refusal.reason
        raise AssertionError("this was legal")

    # --- seeing ---

    @property
    def turn(self) -> str:
        """Whose turn it is, or nothing."""
        return SEATS[self.state.turn] if self.state.turn >= 0 else ""

    @property
    def asked(self) -> str:
        """The seats that are asked."""
        return "".join([SEATS[seat] for seat in asked(self.state)])

    @property
    def question(self) -> str:
        """The rule whose choices are open, or whose window."""
        return self.state.asking_rule or " ".join(self.state.window_rules)

    @property
    def flushed(self) -> bool:
        """Whether the field is empty."""
        return not self.state.trick

    @property
    def top(self) -> Play:
        """The play on top."""
        return self.state.trick[-1].play

    @property
    def locked(self) -> str:
        """The suits that bind."""
        locks = self.state.locks
        return "".join([suit * (locks[0].suits >> 4 * i & 15) for i, suit in enumerate("SHDC")]) if locks else ""

    @property
    def locks(self) -> str:
        """All locks, such as "suit H, number"."""
        kinds = ("", "suit", "partial", "color", "number", "down")
        bound = [
            (lock.kind, "".join([suit * (lock.suits >> 4 * i & 15) for i, suit in enumerate("SHDC")]))
            for lock in self.state.locks
        ]
        return ", ".join([f"{kinds[kind]} {suits}".strip() for kind, suits in sorted(bound)])

    def seats(self, numbers: list[int]) -> str:
        """Write seats as letters."""
        return "".join([SEATS[seat] for seat in numbers])

    @property
    def finished(self) -> str:
        return self.seats(self.state.finished)

    @property
    def fouled(self) -> str:
        return self.seats(self.state.fouled)

    @property
    def fallen(self) -> str:
        return self.seats(self.state.fallen)

    @property
    def places(self) -> str:
        """All seats, best first, once the game is over."""
        return self.seats(self.state.places)

    def hand(self, seat: str) -> str:
        """A seat's hand, lowest card first."""
        return cards_text(self.state.hands[SEATS.index(seat)])

    @property
    def plays(self) -> set[str]:
        """The cards of every play that the first asked seat may make, with "pass" for a pass."""
        return {cards_text(move.play.cards) or "pass" for move in moves_of(self.state, asked(self.state)[0])}

    @property
    def options(self) -> str:
        """The cards that the first asked seat may name."""
        choice = open_choice(self.state, asked(self.state)[0])
        assert choice is not None
        return " ".join([cards_text(1 << c) for c in sorted(choice.options)])


def play_action(cards: str, shape: str = "", **meant: str) -> Action:
    """Return the action of playing cards, perhaps declared."""
    meanings = tuple([Meaning(parse_card(joker), RANKS[rank], NO_SUIT) for joker, rank in meant.items()])
    return play_cards(parse_cards(cards), SHAPES[shape], meanings)


def strongest_reading(s: State, cards: int, shape: int) -> Play:
    """Return what cards mean on the field when nothing is declared."""
    possible = [play for play in readings(s.program.shapes, cards, s.order) if shape in (ANY, play.shape)]
    return max(possible, key=lambda play: ends(s.order, play))


def values(choice: Choice, words: str) -> tuple[int, ...]:
    """Read an answer."""
    if choice.of == CARD:
        return tuple(members(parse_cards(words)))
    if choice.of == SEAT:
        return tuple([SEATS.index(letter) for letter in words.replace(" ", "")])
    return tuple([RANKS[word] if choice.of == RANK else int(word) for word in words.split()])


def spare_hands(*used: str) -> tuple[str, str, str]:
    """Return hands for three further seats, of two cards each that stand nowhere in some texts."""
    words = " ".join(used).replace(":", " ").split()
    free = [word for word in map(card_text, range(52)) if word not in words]
    return " ".join(free[:2]), " ".join(free[2:4]), " ".join(free[4:6])
