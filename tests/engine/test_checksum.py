"""Three hundred fixed games have one checksum, on every machine and every build of the engine.

Game i is played at table i modulo 5 of TABLES, in matches of four games. Cards come from the match seed
"checksum i" through the engine's own randomness; moves from the stream "checksum i" of stream.py: first the seat
among those asked (lowest first), then one of its first 500 listed moves. What is hashed: for every move the seat, how
many moves were listed and the move itself; after every game the places, the totals, where every card lies and how many
words of randomness were drawn.

A change of the golden value means that recorded matches do not replay: raise ENGINE_VERSION with it.
"""

from __future__ import annotations

import hashlib
from itertools import islice

from engine.game import advance, begin_game, is_match_over, new_match
from engine.legal import legal_moves
from engine.program import Program
from engine.version import ENGINE_VERSION
from engine.view import open_choice
from tests.engine.stream import Stream
from tests.engine.tables import EXTRAS, asked, program

GOLDEN = {"1": "619fdd558ad34678a1924ed1edd89cdb973b0bee5ac8c5ce952392517f9d58e2"}
"""The checksum of each version of the engine."""

GAMES = 300
GAMES_IN_MATCH = 4


def tables() -> tuple[Program, ...]:
    """The tables that take turns."""
    return (
        program("jdf4"),
        program("jdf3"),
        program("jdf5"),
        program("jdf4", *EXTRAS, bomber_removal_order="weakest_first"),
        program("jdf4", *EXTRAS, deal_method="two_packs", hand_size=9, seats=7),
    )


def play_match(table: Program, name: str, digest: hashlib._Hash) -> None:
    """Play a match of four games and add it to the digest."""
    stream = Stream(name)
    s = new_match(table, GAMES_IN_MATCH)
    while not is_match_over(s):
        begin_game(s, name.encode(), (), 0, None)
        while s.playing:
            seat = stream.pick(asked(s))
            moves = list(islice(legal_moves(s, seat, s.hands[seat], open_choice(s, seat)), 500))
            move = stream.pick(moves)
            digest.update(repr((seat, len(moves), move.action().key())).encode())
            advance(s, seat, move)
        cards = (s.hands, s.discard, s.blind, s.laid_away)
        digest.update(repr((s.places, s.totals, cards, s.drawn_words)).encode())


def test_three_hundred_games_have_the_checksum_of_this_version() -> None:
    digest = hashlib.sha256()
    for i in range(GAMES // GAMES_IN_MATCH):
        play_match(tables()[i % 5], f"checksum {i}", digest)
    assert digest.hexdigest() == GOLDEN[ENGINE_VERSION]
