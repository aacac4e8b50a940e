"""Who plays in transcripts: somebody who likes big plays, sometimes sleeps, and sometimes tries what is not allowed.

What is picked depends on the seed, the game and the number of the action alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import ANSWER, DRAW, PASS, PASSING, PLAY, Action, Meaning, play_cards
from engine.cards import JOKERS, NO_SUIT, OF_RANK, RANK, as_set, members
from engine.choices import CARD
from engine.game import default_action
from engine.legal import check
from engine.moves import Move
from engine.reasons import IllegalAction
from engine.state import State
from engine.view import open_choice
from tests.engine.stream import Stream
from tests.engine.tables import asked, moves_of

MOST_LISTED = 200


def pick(stream: Stream, s: State) -> tuple[int, Action, bool]:
    """Pick a seat that is asked, what it does, and whether it does so because its time is up."""
    seat = stream.pick(asked(s))
    if stream.below(25) == 0:
        return seat, default_action(s, seat), True
    moves = moves_of(s, seat, MOST_LISTED)
    plays = [move for move in moves if move.kind == PLAY]
    if open_choice(s, seat) is not None:
        return seat, stream.pick(moves).action(), False
    offered = [move for move in moves if move.kind not in (PLAY, PASS)]
    may_pass = len(plays) + len(offered) < len(moves)
    if offered and (not (plays or may_pass) or stream.below(2)):
        return seat, stream.pick(offered).action(), False
    if not plays or (may_pass and stream.below(4) == 0):
        return seat, PASSING, False
    if stream.below(2):
        most = max([move.play.size for move in plays])
        plays = [move for move in plays if move.play.size == most]
    return seat, declared(s, seat, stream.pick(plays), stream), False


def declared(s: State, seat: int, move: Move, stream: Stream) -> Action:
    """Return the action for a play, as often as not without declaring what needs no declaring."""
    bare = play_cards(move.play.cards)
    try:
        same = check(s, seat, s.hands[seat], None, bare).play == move.play
    except IllegalAction:
        same = False
    return bare if same and stream.below(2) else move.action()


def tries(stream: Stream, s: State) -> Iterator[tuple[int, Action]]:
    """Iterate over some things that the rules may refuse."""
    seat = stream.pick(asked(s))
    hand = members(s.hands[seat])
    choice = open_choice(s, seat)
    others = [t for t in range(s.seats) if not s.decisions[t] and s.hands[t]]
    if others:
        other = stream.pick(others)
        yield other, play_cards(1 << stream.pick(members(s.hands[other])))
    yield seat, play_cards(1 << stream.pick(hand)) if hand else PASSING
    if choice is not None:
        some = stream.shuffled(hand if choice.of == CARD else choice.options)
        for size in (choice.least - 1, choice.least, choice.most + 1):
            yield seat, Action(ANSWER, values=tuple(some[: max(0, size)]))
        yield seat, Action(ANSWER, values=tuple(some[:1] * 2))
        return
    yield seat, PASSING
    yield seat, Action(DRAW)
    yield seat, play_cards(0)
    yield seat, play_cards(1 << stream.below(52))
    for size in (2, 3):
        yield seat, play_cards(as_set(stream.shuffled(hand)[:size]))
    for rank in stream.shuffled(sorted({RANK[c] for c in hand})):
        jokers = s.hands[seat] & JOKERS
        yield seat, play_cards(s.hands[seat] & (OF_RANK[rank] | jokers))
        yield seat, play_cards(s.hands[seat] & OF_RANK[rank])
        for joker in members(jokers):
            named = (Meaning(joker, (rank + 1) % 13, NO_SUIT),)
            yield seat, play_cards(1 << joker, 0, named)
            yield seat, play_cards(s.hands[seat] & OF_RANK[rank] | 1 << joker, 0, named)
