"""A second game of Daifugo, written from the rulebook alone: slow, plain, and sharing nothing with the engine.

Cards are (rank, suit, copy): ranks 3..15 (15 is the 2), suits S H D C; jokers are (0, "JK", copy). Moves come from all
subsets of a hand, each classified in every way and held against the field. Counts of `perft` come from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tests.reference import effects

Card = tuple[int, str, int]
Face = tuple[int, str]
JOKER = 0
TWO, ACE, KING, QUEEN, EIGHT, SEVEN, FOUR, THREE = 15, 14, 13, 12, 8, 7, 4, 3


class Play(NamedTuple):
    """Cards in one reading: kind, equal cards indistinguishable, and the rank (a stair's lowest) they stand for."""

    kind: str
    faces: tuple[Face, ...]
    low: int
    step: int = 1

    @property
    def jokers(self) -> int:
        return sum(rank == JOKER for rank, _ in self.faces)

    @property
    def suits(self) -> tuple[str, ...]:
        return tuple(sorted(suit for rank, suit in self.faces if rank != JOKER))

    @property
    def size(self) -> int:
        return len(self.faces)

    @property
    def stands_for(self) -> range:
        return range(self.low, self.low + (self.size * self.step if self.climbs else 1), self.step)

    @property
    def climbs(self) -> bool:
        """Whether the cards are of different ranks."""
        return self.kind not in ("single", "group")


class Move(NamedTuple):
    """What a seat does: `what` is a Play, nothing for a pass, or the cards or ranks of an answer."""

    kind: str
    what: Any = None


@dataclass
class Rules:
    """What differs between the tables that this game knows."""

    revolution_size: int = 4
    six_cards: bool = True
    lock_plays: int = 2
    pairs: tuple[tuple[int, int, int], ...] = ((0, 3, 2), (1, 2, 1))
    extras: frozenset[str] = frozenset()
    strong_seven: str = ""
    """The colour of the sevens that are above the 2: red in normal times, black in a revolution."""


@dataclass
class Game:
    """One game at a table. `pending` is the open question: a word and what belongs to it."""

    rules: Rules
    hands: list[list[Card]]
    previous: list[int] = field(default_factory=list)
    trick: list[tuple[int, Play]] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    on_field: list[Card] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)
    turn: int = -1
    upside_down: bool = False
    ways: list[bool] = field(default_factory=list)
    """Whether the order was upside down at each play of the trick."""
    locks: dict[str, Any] = field(default_factory=dict)
    row_start: int = 0
    """How many plays of the trick no longer count towards a lock."""
    finished: list[int] = field(default_factory=list)
    fouled: list[int] = field(default_factory=list)
    fallen: list[int] = field(default_factory=list)
    emptied: list[tuple[int, str, Play | None]] = field(default_factory=list)
    pending: tuple[str, Any] | None = None
    places: list[int] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)
    """What the running play has yet to set off, and who has played it."""
    acting: tuple[int, Play, bool] | None = None
    revolted: bool = False
    """Whether the running play has turned the order over."""
    discarded: bool = False
    """Whether it has let its player discard something."""
    seating: list[int] = field(default_factory=list)
    turned: set[str] = field(default_factory=set)
    """What has turned the direction."""
    rests: list[int] = field(default_factory=list)
    """Seats to be skipped, once for each time they stand here."""
    skipped: set[int] = field(default_factory=set)
    """Seats that have been skipped since the last play."""
    aces: list[int] = field(default_factory=list)
    """Who has played aces in this trick."""
    lots: list[list[Card]] = field(default_factory=list)
    """What the engine has drawn by lot."""


# --- plays (chapters 4 and 7) ----------------------------------------------------------------------------------------


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    """Forget which of several equal cards is which."""
    return tuple(sorted((rank, suit) for rank, suit, _ in cards))


def classify(cards: tuple[Card, ...], upside_down: bool, extras: frozenset[str]) -> Iterator[Play]:
    """Every way to read some cards (articles 19 to 24, 33 to 38-2, and the local shapes)."""
    real = [card for card in cards if card[0] != JOKER]
    ranks = [rank for rank, _, _ in real]
    if len(set(ranks)) <= 1:
        yield Play("single" if len(cards) == 1 else "group", faces(cards), ranks[0] if ranks else JOKER)
    in_one_suit = len(cards) >= 3 and len(set(ranks)) == len(ranks) and len({suit for _, suit, _ in real}) == 1
    if "no stairs" not in extras and in_one_suit:
        ladder = list(range(2, 16)) if upside_down else list(range(3, 17))  # one step past the strong end
        for start in range(len(ladder) - len(cards) + 1):
            span = ladder[start : start + len(cards)]
            if all(rank in span for rank in ranks):
                yield Play("stair", faces(cards), span[0])
    of_each_suit = len(cards) == 4 and {suit for _, suit, _ in cards} == {"S", "H", "D", "C"}
    if "emperor" in extras and of_each_suit and sorted(ranks) == list(range(min(ranks), min(ranks) + 4)):
        yield Play("emperor", faces(cards), min(ranks))
    if "arithmetic" in extras and in_one_suit:
        for low in range(THREE, TWO + 1):
            for step in range(1, 13):
                span = [low + i * step for i in range(len(cards))]
                if span[-1] <= TWO and set(ranks) <= set(span):
                    yield Play("arithmetic", faces(cards), low, step)


def strength(play: Play, upside_down: bool) -> int:
    """How strong a play is (articles 7, 8, 23, 30)."""
    if play.low == JOKER:
        return 100
    return -max(play.stands_for) if upside_down else min(play.stands_for)


def beats(game: Game, play: Play) -> bool:
    """Whether a play may answer the field (chapters 5, 8 and 11)."""
    if not game.trick:
        return True
    top = game.trick[-1][1]
    if top.kind == "single" and top.low == JOKER and play.kind == "single" and play.faces == ((THREE, "S"),):
        return True
    if play.kind != top.kind or play.size != top.size:
        return False
    if play.step != top.step and "any difference" not in game.rules.extras:
        return False
    down = goes_down(game, play)
    if not down and worth_of(game, play) <= worth_of(game, top):
        return False
    if "follow suit" in game.rules.extras and play.climbs and set(play.suits) != set(top.suits):
        return False
    return obeys(game, play, down)


def worth_of(game: Game, play: Play) -> float:
    """How strong a play is, where sevens of one colour may be above the 2."""
    color = game.rules.strong_seven
    special = color and game.upside_down == (color == "black") and not play.climbs and play.low == SEVEN
    return 99 if special and colors(play.suits) == {color} else strength(play, game.upside_down)


def plays(game: Game, hand: list[Card]) -> set[Play]:
    """Every play that a hand could put down now: all its subsets, held against the field."""
    sizes = [game.trick[-1][1].size] if game.trick else range(1, len(hand) + 1)
    seen: set[tuple[Face, ...]] = set()
    found: set[Play] = set()
    for size in sizes:
        for cards in combinations(hand, size):
            look = faces(cards)
            if look not in seen:
                seen.add(look)
                found |= {play for play in classify(cards, game.upside_down, game.rules.extras) if beats(game, play)}
    return found


# --- locks (chapter 11, and the local rules) -------------------------------------------------------------------------


def colors(suits: Iterable[str]) -> set[str]:
    """The colours among some suits."""
    return {"red" if suit in "HD" else "black" for suit in suits}


def goes_down(game: Game, play: Play) -> bool:
    """Whether a play is one step below the field, in exactly its suits and without jokers."""
    top = game.trick[-1][1]
    if "down" not in game.rules.extras or play.kind != top.kind or play.climbs or play.jokers or top.jokers:
        return False
    if play.size > 1 and "down groups" not in game.rules.extras:
        return False
    return play.suits == top.suits and play.low - top.low == (1 if game.upside_down else -1)


def obeys(game: Game, play: Play, down: bool) -> bool:
    """Whether a play keeps to every lock."""
    for kind, bound in game.locks.items():
        if kind == "suit" and play.climbs and not set(play.suits) <= set(bound):
            return False
        if kind == "suit" and not play.climbs and Counter(play.suits) - Counter(bound):
            return False
        if kind == "partial" and sum((Counter(bound) - Counter(play.suits)).values()) > play.jokers:
            return False
        if kind == "color" and colors(play.suits) - {bound}:
            return False
        if kind == "number" and not is_joker(play) and not climbs(game.trick[-1][1], play, game.upside_down):
            return False
        if kind == "down" and not down:
            return False
    return True


def is_joker(play: Play) -> bool:
    """Whether there are only jokers."""
    return not play.climbs and play.low == JOKER


def climbs(below: Play, play: Play, upside_down: bool) -> bool:
    """Whether a play is one step above another."""
    if below.climbs or play.climbs or JOKER in (below.low, play.low):
        return False
    return play.low - below.low == (-1 if upside_down else 1)


def worn(game: Game) -> list[tuple[str, ...] | None]:
    """The suits of every play of the trick, where they are fixed; jokers may have those of the play before."""
    found: list[tuple[str, ...] | None] = []
    for _, play in game.trick:
        before = found[-1] if found else None
        suits: tuple[str, ...] | None = None
        if not play.jokers or ("joker lock" in game.rules.extras and play.climbs):
            suits = play.suits[:1] * play.size if play.kind in ("stair", "arithmetic") else play.suits
        elif "joker lock" in game.rules.extras and before is not None:
            left = Counter(before) - Counter(play.suits)
            if sum(left.values()) == play.jokers and not Counter(play.suits) - Counter(before):
                suits = before
        found.append(suits)
    return found


def bind(game: Game, play: Play, down: bool) -> None:
    """The locks that a play makes or lifts."""
    on, locks, number = game.rules.extras, game.locks, game.rules.lock_plays
    enough = len(game.trick) - game.row_start >= number
    row = worn(game)[-number:]
    fixed = enough and None not in row
    same = fixed and len(set(row)) == 1
    steps = [climbs(game.trick[i - 1][1], game.trick[i][1], game.ways[i]) for i in range(1, len(game.trick))]
    up = enough and all(steps[1 - number :])
    if "no suit lock" not in on and same and "suit" not in locks:
        locks["suit"] = row[0]
        locks.pop("partial", None)
    if "partial" in on and fixed and play.kind == "group" and "suit" not in locks:
        shared: Counter[str] = Counter(row[0])
        for suits in row:
            shared &= Counter(suits)
        if shared:
            shared |= Counter(locks.get("partial", ()))
            locks["partial"] = tuple(shared.elements())
    seen = {color for suits in row for color in colors(suits or ())}
    if "color" in on and fixed and "color" not in locks and len(seen) == 1:
        locks["color"] = seen.pop()
    if is_joker(play) and ("number" in on or "fierce" in on):
        locks.pop("number", None)
    if up and "number" in on:
        locks["number"] = ()
    if up and same and "fierce" in on:
        locks["number"] = ()
        locks.setdefault("suit", row[0])
        locks.pop("partial", None)
    if "keep down" in on and down:
        locks.setdefault("down", play.suits)
    if "unlock" in on and not play.climbs and play.low == QUEEN:
        game.locks = {kind: bound for kind, bound in locks.items() if kind == "down"}
        game.row_start = len(game.trick)
    if play.kind == "single" and play.low == 5:
        if "five color" in on:
            locks.setdefault("color", min(colors(play.suits)))
        if "five suit" in on:
            locks.setdefault("suit", play.suits)


def is_unanswerable(game: Game, seat: int) -> bool:
    """Whether nobody else could answer the field, with all their cards together or with the own ones."""
    on = game.rules.extras
    others = [t for t in around(game, seat)[:-1] if game.hands[t] and not is_out(game, t) and t not in game.passed]
    others = [t for t in others if t not in game.rests]
    if not others or not {"unanswerable", "unanswerable by one"} & on:
        return False
    together = [card for t in others for card in game.hands[t]]
    hands = [game.hands[t] for t in others] if "unanswerable by one" in on else [together]
    return not any(plays(game, sorted(hand)) for hand in hands)


# --- moves -----------------------------------------------------------------------------------------------------------


def asked(game: Game) -> list[int]:
    """The seats that have something to decide."""
    if game.places:
        return []
    if game.pending is None:
        return [game.turn]
    word, about = game.pending
    if isinstance(about, dict):
        return sorted(seat for seat, answer in about.items() if answer[-1] is None)
    return [about[0]] if word != "window" else about[:1]


def moves(game: Game, seat: int) -> set[Move]:
    """Everything that an asked seat may do."""
    if game.pending is None:
        found = {Move("play", play) for play in plays(game, game.hands[seat])}
        return found | {Move("pass")} if game.trick else found
    word, about = game.pending
    hand = game.hands[seat]
    if word == "window":
        need = 2 * game.trick[-1][1].size
        fours = [card for card in hand if card[0] == FOUR]
        return {Move("pass")} | {Move("play", Play("group", faces(cards), FOUR)) for cards in combinations(fours, need)}
    if word == "exchange":
        return set(gifts(hand, about[seat][1], about[seat][2]))
    if word == "king":
        return {Move("answer", frozenset({card})) for card in hand}
    if word in PICKS:
        _, _, least, most = about
        return {Move("answer", frozenset(some)) for n in range(least, most + 1) for some in combinations(hand, n)}
    if word in FORCED:
        return {Move("answer", cards) for cards in effects.strongest(game, hand, about[seat][0])}
    if word == "exchange for strongest":
        _, number, is_free, _ = about[seat]
        every = combinations(hand, number) if is_free else effects.strongest(game, hand, number)
        return {Move("answer", frozenset(cards)) for cards in every}
    if word == "nine_shuffle":
        return {Move("answer", order) for order in permutations(range(len(game.hands)))}
    if word in ("red_five", "kings_privilege", "black_market"):
        return {Move("answer", (partner,)) for partner in about[1]}
    if word == "salvage":
        return {Move("answer", frozenset({card})) for card in game.pile}
    assert word == "bomber"
    if "named_order" in game.rules.extras:
        return {Move("answer", ranks) for ranks in permutations([*range(3, 16), JOKER], about[1])}
    return {Move("answer", tuple(sorted(ranks))) for ranks in combinations([JOKER, *range(3, 16)], about[1])}


def gifts(hand: list[Card], number: int, is_tribute: bool) -> Iterator[Move]:
    """The cards a seat may hand over: any, or only the strongest (articles 68, 69)."""
    for cards in combinations(hand, number):
        worths = sorted((worth(card) for card in cards), reverse=True)
        best = sorted((worth(card) for card in hand), reverse=True)[:number]
        if not is_tribute or worths == best:
            yield Move("answer", frozenset(cards))


def worth(card: Card) -> int:
    """A card's worth as tribute: joker above 2 above A."""
    return 100 if card[0] == JOKER else card[0]


# --- what happens ----------------------------------------------------------------------------------------------------


def begin(rules: Rules, hands: list[list[Card]], previous: list[int], spade_seat: int = 0) -> Game:
    """A game just dealt: the exchange if there was a game before, then the first turn (articles 13, 66, 67)."""
    game = Game(rules, [sorted(hand) for hand in hands], list(previous))
    game.turn = previous[-1] if previous else spade_seat
    if previous:
        owed: dict[int, list[Any]] = {}
        for upper, lower, number in rules.pairs:
            first, last = previous[upper], previous[lower]
            number = min(number, len(hands[first]) - 1, len(hands[last]) - 1)
            if number > 0:
                owed[first] = [last, number, False, None]
                owed[last] = [first, number, True, None]
        if owed:
            game.pending = ("exchange", owed)
    return game


def after(game: Game, seat: int, move: Move) -> Game:
    """The game after a move."""
    game = deepcopy(game)
    if move.kind == "answer":
        answer(game, seat, move.what)
    elif move.kind == "pass":
        if game.pending is not None:
            let_go(game)
        else:
            game.passed.add(seat)
            to_next(game, seat)
    elif game.pending is not None:
        stop(game, seat, move.what)
    else:
        put(game, seat, move.what)
    return game


def take(hand: list[Card], look: tuple[Face, ...]) -> list[Card]:
    """Take cards of these faces out of a hand."""
    taken = []
    for face in look:
        card = next(card for card in hand if card[:2] == face)
        hand.remove(card)
        taken.append(card)
    return taken


def lay(game: Game, seat: int, play: Play) -> None:
    """Put a play on the field; note who has no cards left."""
    game.on_field += take(game.hands[seat], play.faces)
    game.trick.append((seat, play))
    if not game.hands[seat]:
        game.emptied.append((seat, "play", play))


def put(game: Game, seat: int, play: Play) -> None:
    """A play on one's turn, and what it brings about."""
    covers_joker = bool(game.trick) and game.trick[-1][1].kind == "single" and game.trick[-1][1].low == JOKER
    down = bool(game.trick) and goes_down(game, play) and worth_of(game, play) <= worth_of(game, game.trick[-1][1])
    down = down or "down" in game.locks
    game.ways = [*game.ways, game.upside_down] if game.trick else [game.upside_down]
    lay(game, seat, play)
    game.skipped, game.discarded = set(), False
    if not play.climbs and play.low == ACE:
        game.aces.append(seat)
    bind_first, order = "dokan" not in game.rules.extras, effects.owed(game, play)
    game.acting = (seat, play, covers_joker)
    if not bind_first:
        effects.say_dokan(game, seat, play)
        if game.places:
            return
        order.remove("dokan")
    bind(game, play, down)
    revolt(game, play)
    game.todo = order
    set_off(game)


def set_off(game: Game) -> None:
    """What the running play sets off, one thing after the other, and then the flush."""
    assert game.acting is not None
    seat, play, covers_joker = game.acting
    while game.todo and game.pending is None and not game.places:
        effects.EFFECTS[game.todo.pop(0)](game, seat, play)
    if game.pending is None and not game.places:
        go_on(game, seat, play, covers_joker)


def revolt(game: Game, play: Play) -> None:
    """Chapter 10, and emperors."""
    game.revolted = play.kind == "group" and play.low != JOKER and play.size >= game.rules.revolution_size
    if play.kind == "emperor":
        game.upside_down = not game.upside_down
    if play.kind == "group" and play.low != JOKER and play.size >= game.rules.revolution_size:
        game.upside_down = not game.upside_down


def go_on(game: Game, seat: int, play: Play, covers_joker: bool = False) -> None:
    """From the flush on."""
    cuts = play.low == EIGHT and not play.climbs
    if cuts and "stop" in game.rules.extras and play.size <= 2:
        others = [t for t in around(game, seat) if t != seat and game.hands[t]]
        waiting = [t for t in others if not is_out(game, t) and t not in game.passed]
        if waiting:
            game.pending = ("window", waiting)
            return
    if (
        cuts
        or effects.cuts(game, play)
        or (covers_joker and play.faces == ((THREE, "S"),))
        or (play.kind == "group" and play.size == 6 and play.jokers == 2 and game.rules.six_cards)
        or (play.kind == "stair" and play.size == 3 and (2 in play.stands_for or 16 in play.stands_for))
        or is_unanswerable(game, seat)
    ):
        flush(game)
    else:
        close_play(game, seat)


def close_play(game: Game, seat: int) -> None:
    """Settle who is out, then the next seat's turn."""
    if not settle(game, seat):
        to_next(game, seat)


def let_go(game: Game) -> None:
    """A counter is not played."""
    assert game.pending is not None
    waiting = game.pending[1][1:]
    game.pending = ("window", waiting) if waiting else None
    if not waiting:
        flush(game)


def stop(game: Game, seat: int, play: Play) -> None:
    """Four stop: the 4s flush, and four of them revolt."""
    game.pending = None
    lay(game, seat, play)
    revolt(game, play)
    flush(game)


def flush(game: Game) -> None:
    """The field is cleared and its last player leads (articles 17, 18, 58)."""
    actor = game.trick[-1][0]
    threes = [seat for seat, play in game.trick if not play.climbs and play.low == THREE]
    owed = list(dict.fromkeys(seat for seat in threes if not is_out(game, seat)))
    game.pile += game.on_field
    game.trick, game.on_field, game.locks, game.row_start = [], [], {}, 0
    game.passed, game.rests, game.skipped = set(), [], set()
    game.turned -= {"Q"}
    game.turn = actor
    if "salvage" in game.rules.extras and owed:
        game.pending = ("salvage", (owed[0], owed[1:]))
    else:
        lead(game)


def lead(game: Game) -> None:
    """Settle who is out; the last player of the field leads, or the next who still can."""
    actor = game.turn
    if not settle(game, actor) and is_out(game, actor):
        game.turn = next(seat for seat in around(game, actor) if not is_out(game, seat))
    if "next_ace" in game.rules.extras and not game.places and game.aces and not is_out(game, game.aces[-1]):
        game.turn = game.aces[-1]
    game.aces = []


def to_next(game: Game, seat: int) -> None:
    """The turn goes round until somebody may act; at the owner of the field everybody else has passed."""
    for other in around(game, seat):
        if other == game.trick[-1][0]:
            flush(game)
            return
        if not is_out(game, other) and other not in game.passed | game.skipped:
            if other not in game.rests:
                game.turn = other
                return
            game.rests.remove(other)
            game.skipped.add(other)


def around(game: Game, seat: int) -> list[int]:
    """The seats after a seat, ending with itself."""
    return effects.around(game, seat)


def is_out(game: Game, seat: int) -> bool:
    return seat in game.finished or seat in game.fouled or seat in game.fallen


def settle(game: Game, actor: int) -> bool:
    """Chapters 12 and 13: fouls, finishes and the fall; True when the game is over."""
    played = [note for note in game.emptied if note[1] == "play"]
    others = [note for note in game.emptied if note[1] != "play"]
    order = [actor, *around(game, actor)]
    for seat, cause, play in played + sorted(others, key=lambda note: order.index(note[0])):
        if is_out(game, seat):
            continue
        if cause == "play" and play is not None and is_foul(play, game.upside_down):
            game.fouled.append(seat)
            continue
        game.finished.append(seat)
        first = game.previous[0] if game.previous else seat
        if len(game.finished) == 1 and seat != first and not is_out(game, first):
            game.fallen.append(first)
            game.hands[first] = []
    game.emptied = []
    left = [seat for seat in range(len(game.hands)) if not is_out(game, seat)]
    if len(left) > 1:
        return False
    game.places = [*game.finished, *left, *game.fallen[::-1], *game.fouled[::-1]]
    game.pending = None
    return True


def is_foul(play: Play, upside_down: bool) -> bool:
    """Articles 60 and 61, judged after the play."""
    if play.jokers or (not play.climbs and play.low == EIGHT) or play.faces == ((THREE, "S"),):
        return True
    return (THREE if upside_down else TWO) in play.stands_for


def answer(game: Game, seat: int, what: Any) -> None:
    """An answer to a question, settled when it was the last of several at once."""
    assert game.pending is not None
    word, about = game.pending
    if isinstance(about, dict):
        about[seat][-1] = what
        if any(owed[-1] is None for owed in about.values()):
            return
        game.pending = None
        if word in FORCED:
            for t, (_, cards) in about.items():
                throw(game, t, cards, "forced")
            set_off(game)
            return
        if word == "exchange for strongest":
            word = "exchange"
            swap(game, {t: (owed[0], owed[-1]) for t, owed in about.items()})
            set_off(game)
            return
        swap(game, {t: (about[t][0] if word == "exchange" else None, about[t][-1]) for t in about})
        if word == "king":
            set_off(game)
        return
    game.pending = None
    if word in PICKS and about[1] is not None:
        move_cards(game, seat, about[1], what)
        if not game.hands[seat] and what:
            game.emptied.append((seat, "given", None))
        set_off(game)
    elif word in PICKS:
        game.discarded = bool(what)
        throw(game, seat, what, "discarded")
        set_off(game)
    elif word == "nine_shuffle":
        game.seating = list(what)
        set_off(game)
    elif word in ("red_five", "kings_privilege", "black_market"):
        with_partner(game, word, seat, what[0])
    elif word == "salvage":
        for card in what:
            game.pile.remove(card)
            game.hands[seat] = sorted([*game.hands[seat], card])
        game.emptied = [note for note in game.emptied if note[0] != seat]
        if about[1]:
            game.pending = ("salvage", (about[1][0], about[1][1:]))
        else:
            lead(game)
    else:
        bomb(game, seat, what)


def swap(game: Game, gives: dict[int, tuple[int | None, frozenset[Card]]]) -> None:
    """Everybody hands over at once; without a receiver named, to the next of those who give."""
    receivers = {}
    for seat, (to, _) in gives.items():
        receivers[seat] = to if to is not None else next(t for t in around(game, seat) if t in gives and t != seat)
    for seat, (_, cards) in gives.items():
        game.hands[seat] = [card for card in game.hands[seat] if card not in cards]
    for seat, (_, cards) in gives.items():
        game.hands[receivers[seat]] = sorted([*game.hands[receivers[seat]], *cards])


def move_cards(game: Game, giver: int, taker: int, cards: frozenset[Card]) -> None:
    game.hands[giver] = [card for card in game.hands[giver] if card not in cards]
    game.hands[taker] = sorted([*game.hands[taker], *cards])


def bomb(game: Game, actor: int, ranks: tuple[int, ...]) -> None:
    """Queen bomber: everybody discards all cards of the named ranks, at once or one rank after the other."""
    stages = [(rank,) for rank in ranks] if "named_order" in game.rules.extras else [ranks]
    for stage in stages:
        for seat in [actor, *around(game, actor)[:-1]]:
            gone = [card for card in game.hands[seat] if card[0] in stage]
            if gone and not is_out(game, seat):
                game.hands[seat] = [card for card in game.hands[seat] if card not in gone]
                game.pile += gone
                if not game.hands[seat]:
                    game.emptied.append((seat, "bomb", None))
        if settle(game, actor):
            return
    set_off(game)


PICKS = (
    "five_pass",
    "seven",
    "ten_pass",
    "nine_return",
    "seven_discard",
    "seven_attach",
    "ten_discard",
    "queen_discard",
)
FORCED = ("death", "bloody_mary_1", "jeanne_darc_1")


def throw(game: Game, seat: int, cards: frozenset[Card], cause: str) -> None:
    """Cards go from a hand to the pile."""
    if cards:
        game.hands[seat] = [card for card in game.hands[seat] if card not in cards]
        game.pile += cards
        if not game.hands[seat]:
            game.emptied.append((seat, cause, None))


def with_partner(game: Game, word: str, seat: int, partner: int) -> None:
    """Hands change places whole, are mixed and dealt in halves, or give two for the two strongest."""
    mine, theirs = game.hands[seat], game.hands[partner]
    if word == "black_market":
        number = min(2, len(mine), len(theirs))
        asked = {seat: [partner, number, True, None], partner: [seat, number, False, None]}
        game.pending = ("exchange for strongest", asked)
        return
    if word == "kings_privilege":
        game.hands[seat], game.hands[partner] = theirs, mine
    else:
        both = [*mine, *theirs]
        dealt = game.lots.pop(0)
        assert len(dealt) == (len(both) + (len(mine) > len(theirs))) // 2
        assert set(dealt) <= set(both)
        game.hands[seat], game.hands[partner] = sorted(dealt), sorted(card for card in both if card not in dealt)
    set_off(game)


# --- counting --------------------------------------------------------------------------------------------------------


def perft(game: Game, depth: int) -> int:
    """How many ways there are to make `depth` moves; of several seats asked at once the lowest moves first."""
    seats = asked(game)
    if depth == 0 or not seats:
        return int(depth == 0)
    found = moves(game, seats[0])
    return len(found) if depth == 1 else sum(perft(after(game, seats[0], move), depth - 1) for move in found)
