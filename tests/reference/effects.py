"""What a play sets off, and in which order: written from the document's sentences (000) alone.

The order is the general one, 渡し→自分の捨て→12ボンバー→逆順→スキップ→場流し (L124), with what single rules say of
themselves: 札の効果より先 (どかん, L233); 全手札交換→キング牧師→飛ばし (L230, L240); 再配布→渡し→飛ばし→場流し (L220);
4切りはその後 (DEATH, L219); 12ボンバーは後 (three queens, L229); 渡し・追加捨ての後、場を流す前 (黒7, L226);
新順→逆順→9戻し→場流し (L228, L247); 闇市の交換と上がり判定を先 (次期エース, L241).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.reference.naive import Card, Game, Play

JOKER, ACE, KING, QUEEN, JACK = 0, 14, 13, 12, 11
ORDER: tuple[tuple[str, int], ...] = (
    ("dokan", -1),
    ("red_five", 5),
    ("kings_privilege", KING),
    ("black_market", ACE),
    ("king", KING),
    ("five_pass", 5),
    ("seven", 7),
    ("ten_pass", 10),
    ("seven_discard", 7),
    ("seven_attach", 7),
    ("ten_discard", 10),
    ("queen_discard", QUEEN),
    ("death", 4),
    ("bloody_mary_1", QUEEN),
    ("jeanne_darc_1", QUEEN),
    ("black_seven", 7),
    ("bomber", QUEEN),
    ("nine_shuffle", 9),
    ("seven_reverse", 7),
    ("nine_reverse", 9),
    ("ten_reverse", 10),
    ("queen_reverse", QUEEN),
    ("nine_return", 9),
    ("five_skip", 5),
    ("six_skip", 6),
    ("ten_skip", 10),
    ("king_skip", KING),
)
"""What may happen before the flush, first things first, and the rank that sets it off (-1: any)."""
CUTS = {"four_cut": 4, "six_cut": 6, "ten_cut": 10, "jack_cut": JACK, "queen_cut": QUEEN}
CUTS_IN_REVOLUTION = {"five_cut_in_revolution": 5, "seven_cut_in_revolution": 7, "six_cut only then": 6}
EXACTLY_TWO = {"ambulance": 9, "rokurokubi": 6}


def owed(game: Game, play: Play) -> list[str]:
    """What a play sets off: nothing by a sequence, but どかん."""
    on = game.rules.extras
    return [name for name, rank in ORDER if name in on and (rank < 0 or (not play.climbs and play.low == rank))]


def cuts(game: Game, play: Play) -> bool:
    """Whether a play other than 8s ends the trick by its rank."""
    on, rank = game.rules.extras, play.low
    if play.climbs:
        return False
    if any(name in on and rank == of for name, of in CUTS.items()):
        return True
    if any(name in on and rank == of for name, of in CUTS_IN_REVOLUTION.items()):
        return game.upside_down and not game.revolted
    return is_real(play, 2) and any(name in on and rank == of for name, of in EXACTLY_TWO.items())


def is_real(play: Play, size: int) -> bool:
    """Whether a play is exactly so many cards of a rank, without a joker (実札)."""
    return play.kind == "group" and play.size == size and not play.jokers


# --- who -------------------------------------------------------------------------------------------------------------


def around(game: Game, seat: int) -> list[int]:
    """The seats after a seat as they sit and as the direction goes, ending with itself."""
    seats = game.seating or list(range(len(game.hands)))
    if len(game.turned) % 2:
        seats = seats[::-1]
    at = seats.index(seat)
    return seats[at + 1 :] + seats[: at + 1]


def holders(game: Game, seat: int) -> list[int]:
    """The others who hold cards, the next one first."""
    gone = {*game.finished, *game.fouled, *game.fallen}
    return [t for t in around(game, seat) if t != seat and game.hands[t] and t not in gone]


# --- what happens ----------------------------------------------------------------------------------------------------


def give(name: str, back: bool = False) -> Callable[[Game, int, Play], None]:
    """Up to as many cards as were played may go to the next (渡せます); with 9戻し just as many to the one before."""

    def effect(game: Game, seat: int, play: Play) -> None:
        others, most = holders(game, seat), min(play.size, len(game.hands[seat]))
        if others and most:
            game.pending = (name, (seat, others[-1] if back else others[0], most if back else 0, most))

    return effect


def discard(name: str, must: bool = False) -> Callable[[Game, int, Play], None]:
    """Up to as many cards as were played may be thrown away; with 7付け just as many, once."""

    def effect(game: Game, seat: int, play: Play) -> None:
        most = min(play.size, len(game.hands[seat]))
        if most and not (must and game.discarded):
            game.pending = (name, (seat, None, most if must else 0, most))

    return effect


def force(name: str, number: int, everybody: bool = True) -> Callable[[Game, int, Play], None]:
    """Three real cards make others throw away their strongest; of equal ones they choose."""

    def effect(game: Game, seat: int, play: Play) -> None:
        others = holders(game, seat) if everybody else holders(game, seat)[:1]
        if is_real(play, 3) and others:
            game.pending = (name, {t: [number, None] for t in others})

    return effect


def reverse(cause: str, least: int) -> Callable[[Game, int, Play], None]:
    """The direction turns while at least so many hold cards (3人以上残っているとき)."""

    def effect(game: Game, seat: int, play: Play) -> None:
        if len(holders(game, seat)) + bool(game.hands[seat]) >= least:
            game.turned ^= {cause}

    return effect


def skip(game: Game, seat: int, play: Play) -> None:
    """As many of the next as cards were played are skipped; who is out is not counted."""
    for t in holders(game, seat)[: play.size]:
        game.rests.append(t)


def ask_king(game: Game, seat: int, play: Play) -> None:
    """Everybody who holds cards chooses one, and then all pass theirs on."""
    everybody = [*holders(game, seat), *([seat] if game.hands[seat] else [])]
    if len(everybody) > 1:
        game.pending = ("king", {t: [None] for t in everybody})


def ask_bomber(game: Game, seat: int, play: Play) -> None:
    """As many ranks as queens are named; not by a queen that goes out."""
    if game.hands[seat]:
        game.pending = ("bomber", (seat, play.size))


def ask_seating(game: Game, seat: int, play: Play) -> None:
    """Two real 9s let their player seat everybody."""
    if is_real(play, 2) and game.hands[seat]:
        game.pending = ("nine_shuffle", (seat,))


def ask_partner(name: str) -> Callable[[Game, int, Play], None]:
    """Three real cards (a red 5 alone) and a seat of choice; 王の特権 only with a neighbour (左右どちらか)."""

    def effect(game: Game, seat: int, play: Play) -> None:
        others = holders(game, seat)
        red_five = play.kind == "single" and play.suits in (("H",), ("D",))
        happens = red_five if name == "red_five" else is_real(play, 3)
        if happens and others and game.hands[seat]:
            game.pending = (name, (seat, {others[0], others[-1]} if name == "kings_privilege" else set(others)))

    return effect


def retrieve(game: Game, seat: int, play: Play) -> None:
    """A play with a black 7 brings back as many cards as it has, by lot: `lots` says which."""
    gone = seat in game.finished or seat in game.fouled or seat in game.fallen
    if gone or not any(face in play.faces for face in ((7, "S"), (7, "C"))):
        return
    number = min(play.size, len(game.pile))
    if number:
        cards = game.lots.pop(0)
        assert len(cards) == number
        for card in cards:
            game.pile.remove(card)
        receive(game, seat, cards)


def receive(game: Game, seat: int, cards: list[Card]) -> None:
    """Put cards into a hand; who holds cards again has not lost the last one."""
    if cards:
        game.hands[seat] = sorted([*game.hands[seat], *cards])
        game.emptied = [note for note in game.emptied if note[0] != seat]


def say_dokan(game: Game, seat: int, play: Play) -> None:
    """Whose hand has the total of the whole field goes out before everything else, the nearest to the turn first."""
    from tests.reference.naive import settle

    here = [t for t in [seat, *holders(game, seat)] if game.hands[t] and total(game.hands[t]) == total(game.on_field)]
    waiting, game.emptied = game.emptied, [(t, "dokan", None) for t in here]
    for t in here:
        game.hands[t] = []
    over = bool(here) and settle(game, seat)
    game.emptied = waiting
    if over and waiting:  # the play itself was a last one: that counts as well
        settle(game, seat)


def total(cards: list[Card]) -> int:
    """The printed numbers: A is 1, 2 is 2, a joker nothing."""
    return sum({ACE: 1, 15: 2}.get(rank, rank) for rank, _, _ in cards)


def strongest(game: Game, hand: list[Card], number: int) -> list[frozenset[Card]]:
    """Every set of the strongest cards of a hand: among equal ones any."""

    def worth(card: Card) -> int:
        return 100 if card[0] == JOKER else -card[0] if game.upside_down else card[0]

    number = min(number, len(hand))
    best = sorted(map(worth, hand), reverse=True)[:number]
    return [frozenset(some) for some in combinations(hand, number) if sorted(map(worth, some), reverse=True) == best]


EFFECTS: dict[str, Callable[[Any, int, Any], None]] = {
    "dokan": say_dokan,
    "red_five": ask_partner("red_five"),
    "kings_privilege": ask_partner("kings_privilege"),
    "black_market": ask_partner("black_market"),
    "king": ask_king,
    "five_pass": give("five_pass"),
    "seven": give("seven"),
    "ten_pass": give("ten_pass"),
    "seven_discard": discard("seven_discard"),
    "seven_attach": discard("seven_attach", must=True),
    "ten_discard": discard("ten_discard"),
    "queen_discard": discard("queen_discard"),
    "death": force("death", 1),
    "bloody_mary_1": force("bloody_mary_1", 2),
    "jeanne_darc_1": force("jeanne_darc_1", 2, everybody=False),
    "black_seven": retrieve,
    "bomber": ask_bomber,
    "nine_shuffle": ask_seating,
    "seven_reverse": reverse("7", 3),
    "nine_reverse": reverse("9", 3),
    "ten_reverse": reverse("10", 3),
    "queen_reverse": reverse("Q", 0),
    "nine_return": give("nine_return", back=True),
    "five_skip": skip,
    "six_skip": skip,
    "ten_skip": skip,
    "king_skip": skip,
}
"""What each of them does."""
