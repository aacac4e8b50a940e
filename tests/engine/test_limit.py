"""A game that has gone on too long ends by lot."""

from __future__ import annotations

from engine.events import GameEnded
from engine.game import start_game
from tests.engine.position import Table, play_action
from tests.engine.tables import program

JDF4 = program("jdf4")


def too_long(key: bytes = b"lot") -> Table:
    """A game in which B has gone out, one action before the limit."""
    table = Table(JDF4, "S5 H9", "H6", "S7 HJ", "H8 CK", turn="B").play("H6")
    table.state.actions, table.state.key = JDF4.most_actions - 1, key
    return table.passes()


def test_the_seats_still_in_are_placed_by_lot_after_those_who_went_out() -> None:
    table = too_long()
    assert not table.state.playing
    assert table.places[0] == "B"
    assert table.state.drawn_places == [0, 2, 3]
    assert sorted(table.places) == list("ABCD")
    assert {too_long(b"%d" % key).places for key in range(60)} == {"BACD", "BADC", "BCAD", "BCDA", "BDAC", "BDCA"}


def test_they_share_the_points_of_their_places() -> None:
    table = too_long()
    assert table.state.totals == [2, 6, 2, 2]
    (ended,) = [event for event in table.events if isinstance(event, GameEnded)]
    assert ended.drawn == (0, 2, 3)


def test_one_action_earlier_the_game_goes_on() -> None:
    table = Table(JDF4, "S5 H9", "H6 HQ", "S7 HJ", "H8 CK")
    table.state.actions = JDF4.most_actions - 2
    assert table.play("S5").state.playing
    assert not table.play("H6").state.playing


def test_an_action_that_ends_the_game_anyway_is_no_lot() -> None:
    table = Table(program("jdf4", seats=2), "S5", "H6 HQ")
    table.state.actions = JDF4.most_actions - 1
    table.act(play_action("S5"))
    assert (table.places, table.state.drawn_places) == ("AB", [])


def test_the_next_game_begins_as_usual() -> None:
    after, _ = start_game(too_long().state, b"next")
    assert (after.actions, after.drawn_places) == (0, [])
    assert after.previous == too_long().state.places
    assert after.group is not None
