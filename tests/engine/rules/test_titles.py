"""What the places of the last game do in the next one, and what a game is worth."""

from __future__ import annotations

import pytest

from engine.catalogue import Value
from engine.finishing import close_game, match_ranks, place_of, score
from engine.game import default_action, new_match, start_game
from engine.ruleset import RulesetError, make_ruleset
from engine.state import State
from tests.engine.position import SEATS, Table
from tests.engine.tables import program

FOUR = ("S4 H4", "S5 H5", "S6 H6", "S7 H7")


def with_last(seat: str, cards: str) -> list[str]:
    """Four hands of which one has only its last cards."""
    return [cards if SEATS[i] == seat else hand for i, hand in enumerate(FOUR)]


def goes_out(seat: str, cards: str, *extras: str, previous: str = "ABCD", **settings: Value) -> Table:
    """Let a seat play its last cards in a second game."""
    before = SEATS[SEATS.index(seat) - 1] if seat != "A" else "D"
    table = Table(
        program("jdf4", *extras, **settings),
        *with_last(seat, cards),
        turn=seat,
        previous=previous,
        field=f"{before}:C3",
    )
    return table.play(cards)


# --- gekokujo --------------------------------------------------------------------------------------------------------


def test_the_last_place_that_finishes_first_turns_all_places_round() -> None:
    table = goes_out("D", "H9", "gekokujo")
    assert (table.places, table.fallen) == ("DCBA", "")


def test_whoever_had_fouled_stays_at_the_bottom() -> None:
    table = Table(program("jdf4", "gekokujo"), "S4", "S5 H5", "S2", "H9", turn="C", previous="ABCD", field="B:C3")
    table.play("S2")
    assert table.fouled == "C"
    assert table.passes(3).play("H9").places == "DBAC"


def test_a_foul_or_another_seat_or_a_first_game_brings_no_gekokujo() -> None:
    assert goes_out("D", "H2", "gekokujo").places == ""
    assert goes_out("C", "H9", "gekokujo").fallen == "A"
    table = Table(program("jdf4", "gekokujo"), *with_last("D", "H9"), turn="D", field="C:C3").play("H9")
    assert (table.finished, table.places) == ("D", "")
    later = Table(program("jdf4", "gekokujo"), "H9 H4", "S5 H5", "S6", "S9", turn="C", previous="BACD", field="B:C3")
    later.play("S6")
    assert (later.finished, later.fallen) == ("C", "B")
    assert later.play("S9").finished == "CD"
    assert later.places == "CDAB", "a second finish of the last place turns nothing round"


def test_two_players_turn_round_too() -> None:
    table = Table(program("jdf4", "gekokujo", seats=2), "S4 H4", "H9", turn="B", previous="AB", field="A:C3").play("H9")
    assert table.places == "BA"


# --- falls -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "extras", "miyako", "fell"),
    [
        ("A", ("kyo_ochi",), True, "B"),
        ("C", ("kyo_ochi",), True, "A"),
        ("C", ("kyo_ochi",), False, "B"),
        ("A", ("kyo_ochi",), False, "B"),
        ("B", ("kyo_ochi",), False, ""),
        ("D", ("kyo_ochi", "gekokujo"), True, ""),
        ("C", (), False, ""),
    ],
)
def test_the_second_place_falls_and_beside_the_first_only_if_that_one_wins(
    seat: str, extras: tuple[str, ...], miyako: bool, fell: str
) -> None:
    assert goes_out(seat, "H9", *extras, miyako_ochi=miyako).fallen == fell


def test_a_fall_of_the_second_place_needs_four_players() -> None:
    with pytest.raises(RulesetError, match="kyo_ochi = true needs seats >= 4, not 3"):
        make_ruleset("jdf3", {"kyo_ochi": True})


PLAY_ON = {"miyako_ochi_mode": "play_on"}


def test_a_seat_may_play_on_after_its_fall_and_keeps_the_last_place() -> None:
    table = goes_out("B", "H9", **PLAY_ON)
    assert (table.fallen, table.turn) == ("A", "C")
    assert table.seats([seat for seat in range(4) if table.state.is_in(seat)]) == "ACD"
    assert place_of(table.state, 0) == 4
    table.passes(1)
    table.passes(1)
    assert table.turn == "A", "the fallen seat is asked like any other, and may win the trick"
    table.passes(1)
    assert table.turn == "C"
    end(table)
    assert table.places[0] == "B"
    assert table.places[3] == "A"


def end(table: Table) -> None:
    """Play a game to its end as time runs out."""
    while table.state.playing:
        seat = next(seat for seat in range(table.state.seats) if table.state.decisions[seat])
        table.act(default_action(table.state, seat), SEATS[seat])


def test_playing_on_does_not_move_the_places_of_the_others() -> None:
    table = Table(program("jdf4", **PLAY_ON), "SK", "H9", "S6 H6", "S7 H7", turn="B", previous="ABCD", field="A:C3")
    table.play("H9").passes(2).play("SK")
    assert (table.finished, table.fallen) == ("BA", "A")
    assert (place_of(table.state, 1), place_of(table.state, 0)) == (1, 4)
    end(table)
    assert table.places in ("BCDA", "BDCA")


def test_a_foul_after_the_fall_goes_below_it_or_above_as_the_ruleset_says() -> None:
    hands = ("SK H4", "H9", "S2", "S7 H7")
    for word, places in (("fouls_first", (3, 4)), ("miyako_first", (4, 3))):
        table = Table(program("jdf4", miyako_vs_foul_order=word), *hands, turn="B", previous="ABCD", field="A:C3").play(
            "H9"
        )
        table.play("S2")
        assert (place_of(table.state, 0), place_of(table.state, 2)) == places
        assert table.places == ("BDAC" if word == "fouls_first" else "BDCA")


def test_a_fallen_seat_that_plays_on_keeps_its_place_even_after_a_foul() -> None:
    table = Table(
        program("jdf4", **PLAY_ON), "S2", "H9", "S6 H6", "S7 H7", turn="B", previous="ABCD", field="A:C3"
    ).play("H9")
    table.passes(2).play("S2")
    assert (table.fouled, table.fallen, place_of(table.state, 0)) == ("A", "A", 4)
    end(table)
    assert table.places[3] == "A"


def test_a_fallen_seat_that_plays_on_keeps_its_place_even_after_a_defeat() -> None:
    on = program("jdf4", "countdown_of_doom", **PLAY_ON)
    table = Table(on, "SK H4", "H9", "C10 CJ CQ", "S4 D5 D8 DJ", turn="D", field="C:C3", previous="ABCD")
    table.play("S4").answer("5").passes(1).play("H9").passes(2).play("C10").passes(2)
    assert (table.fallen, table.seats(table.state.defeated), place_of(table.state, 0)) == ("A", "A", 4)
    end(table)
    assert table.places in ("BCDA", "BDCA")


# --- points ----------------------------------------------------------------------------------------------------------


def scored(seats: int, **settings: Value) -> list[int]:
    """The points of a game that ends in the order of the seats."""
    s = new_match(program("jdf4", seats=seats, **settings))
    s.game = 1
    s.finished = list(range(seats - 1))
    s.gone = (1 << seats - 1) - 1
    close_game(s)
    score(s)
    return s.totals


@pytest.mark.parametrize("seats", range(2, 13))
def test_points_follow_the_places_for_any_number_of_players(seats: int) -> None:
    assert scored(seats) == [2 * (seats - 1 - place) for place in range(seats)]
    assert scored(seats, points="descending") == [seats - 1 - place for place in range(seats)]
    assert scored(seats, points="none") == [0] * seats
    ends = [2] if seats < 4 else [2, 1]
    middle = [0] * (seats - 2 * len(ends))
    assert scored(seats, points="standard") == [*ends, *middle, *[-point for point in ends[::-1]]]


def test_a_list_of_points_is_the_tables_own() -> None:
    assert scored(4, points="custom", points__by_place=(7, 3, -1, -9)) == [7, 3, -1, -9]


@pytest.mark.parametrize("seats", range(6, 13))
def test_extra_classes_are_worth_three_points_up_and_down(seats: int) -> None:
    assert scored(seats, points="standard", extra_classes=True) == [3, 2, 1, *[0] * (seats - 6), -1, -2, -3]


def test_extra_classes_need_six_players() -> None:
    with pytest.raises(RulesetError, match="extra_classes = true needs seats >= 6, not 5"):
        make_ruleset("jdf5", {"extra_classes": True})


def ended(s: State, *finished: int) -> State:
    """End a game with these seats finished in order."""
    s.game += 1
    s.playing, s.gone = True, sum([1 << seat for seat in finished])
    s.finished, s.fallen, s.fouled, s.drawn_places = list(finished), [], [], []
    close_game(s)
    score(s)
    s.previous = s.places[:]
    return s


def test_the_bonus_is_for_the_first_place_of_the_last_game_only() -> None:
    s = new_match(program("jdf4", final_game_bonus=2), 2)
    assert ended(s, 0, 1, 2).totals == [6, 4, 2, 0]
    assert ended(s, 0, 1, 2).totals == [14, 8, 4, 0]


def test_playing_on_late_costs_a_point_for_everybody_before() -> None:
    table = Table(
        program("jdf4", "miyako_ochi_late_penalty", points="standard", **PLAY_ON), "SK", "H9", "S6 H6", "S7 H7",
        turn="B", previous="ABCD", field="A:C3",
    )  # fmt: skip
    table.play("H9").passes(2).play("SK")
    end(table)
    assert table.state.totals[0] == -2 - 1
    assert table.state.totals[1] == 2


# --- the match -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "ranks"),
    [("shared", [1, 1, 3, 3]), ("first_places_then_shared", [1, 2, 3, 3]), ("last_round_rank", [2, 1, 4, 3])],
)
def test_equal_totals_are_told_apart_as_the_ruleset_says(word: str, ranks: list[int]) -> None:
    s = new_match(program("jdf4", tie_break=word))
    s.totals, s.firsts, s.previous = [9, 9, 6, 6], [2, 1, 1, 1], [1, 0, 3, 2]
    assert match_ranks(s) == ranks


def test_first_places_are_counted_over_the_match_but_not_when_a_lot_gave_them() -> None:
    s = ended(new_match(program("jdf4"), 3), 2, 0, 1)
    s = ended(s, 2, 1, 0)
    assert s.firsts == [0, 0, 2, 0]
    s.playing, s.gone, s.finished, s.drawn_places = True, 15, [0, 1, 2, 3], [0, 1]
    close_game(s)
    score(s)
    assert s.firsts == [0, 0, 2, 0]


@pytest.mark.parametrize(
    ("settings", "games"),
    [
        ({}, 12),
        ({"set_and_round__games_per_set": 0, "set_and_round__sets_per_round": 0}, 4),
        ({"set_and_round__games_per_set": 0, "set_and_round__sets_per_round": 0, "fixed_round_count": 5}, 5),
        ({"set_and_round__games_per_set": 2, "set_and_round__sets_per_round": 2}, 4),
    ],
)
def test_a_match_is_as_long_as_its_ruleset_says(settings: dict[str, Value], games: int) -> None:
    assert new_match(program("jdf4", **settings)).games == games


def test_a_match_without_rounds_is_one_row_of_games() -> None:
    table = program("jdf4", set_and_round__games_per_set=0, set_and_round__sets_per_round=0)
    assert [table.set_and_round(game) for game in (1, 5, 99)] == [(1, 1)] * 3
    assert [game for game in range(1, 30) if table.begins_round(game)] == [1]
    usual = program("jdf4")
    assert [usual.set_and_round(game) for game in (4, 5, 12, 13)] == [(1, 1), (2, 1), (3, 1), (1, 2)]
    assert [game for game in range(1, 15) if usual.begins_set(game)] == [1, 5, 9, 13]
    s, events = start_game(new_match(table), b"row")
    assert s.playing
    assert events
