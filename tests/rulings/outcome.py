"""What came of a ruling, beside what it expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine import events as ev
from engine.cards import BIT, JOKER, JOKERS, RANK_TEXT, SUIT_TEXT, as_set, card_text, cards_text, members, parse_card
from engine.choices import DISCARD, HAND
from engine.finishing import match_ranks, standing
from engine.locks import BLACK, RED
from engine.orders import is_reversed
from engine.plays import ARITHMETIC, EMPEROR, GROUP, Play
from engine.rules.special_finishes import is_lucky
from engine.state import COLOR_LOCK, EVERYTHING_FROZEN, NUMBER_LOCK, PARTIAL_LOCK, REVOLUTIONS_FROZEN, SUIT_LOCK
from engine.steps import note_of
from tests.rulings.notation import SEATS, Locks, cards_of
from tests.rulings.position import CannotSetUp, Run, run


def differences(made: Run) -> list[str]:
    """List what came otherwise than the ruling expects, in words."""
    expect = made.ruling.expect
    found = []
    if "legal" in expect.given:
        steps = len(made.ruling.steps)
        if made.refusal is not None and made.taken < steps - 1:
            found.append(f"step {made.taken + 1} of {steps} was refused: {made.refusal}")
    for key in sorted(expect.given):
        wanted, got = compare(made, key)
        if wanted != got:
            found.append(f"{key}: expected {wanted}, got {got}")
    return found


def seat_text(seat: int | None) -> str:
    """Write a seat, or nobody."""
    return "nobody" if seat is None or seat < 0 else SEATS[seat]


def seats_text(seats: Iterable[int]) -> str:
    """Write seats, in the order of the seats."""
    return ",".join(SEATS[seat] for seat in sorted(seats)) or "nobody"


def compare(made: Run, key: str) -> tuple[object, object]:
    """Return what is expected under a key and what came, in the same form."""
    if key in _OUTCOMES:
        return _OUTCOMES[key](made)
    expect, s = made.ruling.expect, made.state
    if key in expect.flags:
        return _flag(made, key, expect.flags[key])
    raise CannotSetUp(f"expect {key} of {s.seats} seats")


def _flag(made: Run, key: str, wanted: int | None) -> tuple[object, object]:
    s = made.state
    if key == "choice":
        asked = [e.rule for e in made.events if isinstance(e, ev.DecisionOpened) and e.kind == ev.CHOICE]
        return "none", ", ".join(asked) or "none"
    if key in ("triggered", "tenpenchii"):
        rule = {"antitrust": "antitrust_law"}.get(made.ruling.steps[0].kind, "tenpenchii")
        return wanted, any(event.rule == rule for event in made.events)
    if key == "blind_joker":
        return bool(wanted), bool(s.blind & JOKERS)
    if key == "total":
        return wanted, s.program.deck.bit_count()
    if key == "unused":
        return wanted, s.blind_count
    if key == "stock":
        return wanted, s.stock_count
    if key == "reserved":
        return wanted, s.reserved_revolutions
    if key == "frozen":
        return wanted, int(s.freeze == EVERYTHING_FROZEN)
    if key == "frozen_revolution":
        return wanted, int(s.freeze == REVOLUTIONS_FROZEN)
    if key == "enhanced":
        return wanted, sum(back.rule == "enhanced_jack_back" for back in s.backs)
    if key == "damian":
        return wanted, int("triple_six_effect" in s.notes)
    if key == "lucky":
        lucky = s.program.rules.get("triple_seven") is not None and bool(s.trick) and is_lucky(s.trick[-1].play)
        return wanted, s.trick[-1].seat if lucky else None
    if key == "countdown":
        return wanted, sum(note_of(s, "countdown_of_doom"))
    if key == "retrieved":
        return wanted, sum(e.count for e in made.events if isinstance(e, ev.CardsMoved) and e.from_zone == DISCARD)
    raise CannotSetUp(f"expect {key}")


def _legal(made: Run) -> tuple[object, object]:
    got = "legal" if made.refusal is None else f"refused ({made.refusal})"
    return ("legal", got) if made.ruling.expect.legal else ("refused", got.partition(" ")[0])


OLDER_CODES: Final = {"must_contain_D3": "must_contain_card", "must_contain_S3": "must_contain_card"}
"""Words for reasons as the documents' files write them."""


def _code(made: Run) -> tuple[object, object]:
    code = made.ruling.expect.code
    return OLDER_CODES.get(code, code), made.refusal.reason.value if made.refusal is not None else "nothing"


def _options(made: Run) -> tuple[object, object]:
    said = made.refusal.detail.split(" / ") if made.refusal is not None else []
    return sorted(made.ruling.expect.options), sorted(said)


def reading_text(play: Play) -> str:
    """Write what a play means as rulings do: 66, H3-4-5, DA-2-(JK), emperor 4-7, arithmetic +2."""
    if play.shape <= GROUP:
        return RANK_TEXT[play.low] * play.size
    if play.shape == EMPEROR:
        return f"emperor {RANK_TEXT[play.low]}-{RANK_TEXT[play.high]}"
    if play.shape == ARITHMETIC:
        return f"arithmetic +{play.step}"
    ranks = ["(JK)" if rank in (-1, JOKER) else RANK_TEXT[rank] for rank in range(play.low, play.high + 1)]
    suit = next(suit for suit in range(4) if play.suits >> 4 * suit & 15)
    return SUIT_TEXT[suit] + "-".join(ranks)


def _reading(made: Run) -> tuple[object, object]:
    play = made.last_play()
    return joker_last(made.ruling.expect.reading), joker_last(reading_text(play)) if play is not None else "no play"


def joker_last(reading: str) -> str:
    """Write the joker beyond the strongest rank last, whichever end of the sequence that is."""
    if "(JK)" not in reading:
        return reading
    ranks = [rank for rank in reading[1:].split("-") if rank != "(JK)"]
    return reading[0] + "-".join([*ranks, "(JK)"])


def _next(made: Run) -> tuple[object, object]:
    if is_by_lot(made):
        seats = {run(made.ruling, made.ruleset, filling).asked() for filling in range(20)}
        return "by lot", "by lot" if len(seats) > 1 else seats
    return seat_text(made.ruling.expect.next), seat_text(made.asked())


def is_by_lot(made: Run) -> bool:
    """Say whether a lot is to decide who is next."""
    return "next" in made.ruling.expect.given and made.ruling.expect.next < 0


def _flush(made: Run) -> tuple[object, object]:
    return made.ruling.expect.flush, any(isinstance(event, ev.FieldFlushed) for event in made.events)


def _flush_count(made: Run) -> tuple[object, object]:
    return made.ruling.expect.flush_count, sum(isinstance(event, ev.FieldFlushed) for event in made.events)


def _field(made: Run) -> tuple[object, object]:
    wanted = "empty" if made.ruling.expect.field_empty else "not empty"
    return wanted, "empty" if not made.state.trick else "not empty"


def _field_top(made: Run) -> tuple[object, object]:
    wanted, trick = made.ruling.expect.field_top, made.state.trick
    assert wanted is not None
    cards = f"{SEATS[wanted.seat]}:{cards_text(as_set([meant.card for meant in wanted.cards]))}"
    return cards, f"{SEATS[trick[-1].seat]}:{cards_text(trick[-1].play.cards)}" if trick else "empty"


def _rev(made: Run) -> tuple[object, object]:
    return made.ruling.expect.rev, made.state.revolution


def _back(made: Run) -> tuple[object, object]:
    if made.ruling.steps[0].kind == "antitrust":
        first = made.ruling.position.prev[0]
        given = [_given_by(made, seat) for _, seat in _given_by(made, first)]
        fair = [set(each.values()) == {1} for each in given]
        return made.ruling.expect.back, "one card each" if fair and all(fair) else f"{given}"
    return made.ruling.expect.back, len(made.state.backs)


def _dir(made: Run) -> tuple[object, object]:
    return ["ccw", "cw"][made.ruling.expect.clockwise], ["ccw", "cw"][made.state.is_clockwise()]


def _effective(made: Run) -> tuple[object, object]:
    return made.ruling.expect.effective, "reversed" if is_reversed(made.state.order) else "normal"


def _order(made: Run) -> tuple[object, object]:
    if made.ruling.position.phase == "match_end":
        ranks = match_ranks(made.state)
        best_first = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
        shared = len(set(ranks)) < len(ranks)
        return made.ruling.expect.order, "shared" if shared else ",".join(SEATS[seat] for seat in best_first)
    if made.ruling.expect.order.startswith(("A..", "K..")):
        s = made.state
        return made.ruling.expect.order, ("K..A" if s.revolution else "A..K") if s.from_ace else "3..2"
    dealt = [event for event in made.events if isinstance(event, ev.Dealt)]
    if not dealt:
        raise CannotSetUp("expect order")
    return made.ruling.expect.order, ",".join(SEATS[seat] for seat in dealt[-1].order)


def lock_text(lock: Locks) -> str:
    """Write locks as rulings do, suits in order."""
    parts = []
    if lock.suits:
        parts.append("suit:" + ",".join(SUIT_TEXT[suit] for suit in sorted(lock.suits)))
    if lock.partial:
        parts.append("partial:" + ",".join(SUIT_TEXT[suit] for suit in sorted(lock.partial)))
    parts += [f"color:{lock.color}"] * bool(lock.color) + ["number"] * lock.number
    return "+".join(parts) or "-"


def _lock(made: Run) -> tuple[object, object]:
    bound = {lock.kind: lock.suits for lock in made.state.locks}
    suits, partial = [
        frozenset({suit for suit in range(4) if bound.get(kind, 0) >> 4 * suit & 15})
        for kind in (SUIT_LOCK, PARTIAL_LOCK)
    ]
    color = {0: "", RED: "red", BLACK: "black"}[bound.get(COLOR_LOCK, 0)]
    return lock_text(made.ruling.expect.lock), lock_text(Locks(suits, partial, color, NUMBER_LOCK in bound))


def _passed(made: Run) -> tuple[object, object]:
    passed = [seat for seat in range(made.state.seats) if made.state.passed >> seat & 1]
    return seats_text(made.ruling.expect.passed), seats_text(passed)


def _finish(made: Run) -> tuple[object, object]:
    wanted, seats = made.ruling.expect.finish, [event.seat for event in made.finishes()]
    if wanted is not None and wanted in seats:
        return seat_text(wanted), seat_text(wanted)
    return seat_text(wanted), seats_text(seats)


def _foul(made: Run) -> tuple[object, object]:
    expect = made.ruling.expect
    of_them = [e.foul for e in made.finishes() if "finish" not in expect.given or e.seat == expect.finish]
    return expect.foul, any(of_them)


def _foul_stands(made: Run) -> tuple[object, object]:
    wanted = made.ruling.expect.foul_stands
    return seat_text(wanted), seat_text(wanted) if wanted in made.state.fouled else seats_text(made.state.fouled)


def _place(made: Run) -> tuple[object, object]:
    expect = made.ruling.expect
    seats = [expect.finish, expect.defeated, *[event.seat for event in made.finishes()]]
    seat = next((seat for seat in seats if seat is not None), None)
    return expect.place, made.place(seat) if seat is not None else "no finish"


def _fell(made: Run) -> tuple[object, object]:
    fell = [event.seat for event in made.events if isinstance(event, ev.Fell) and not event.defeated]
    return seat_text(made.ruling.expect.fell), seats_text(fell)


def _defeated(made: Run) -> tuple[object, object]:
    defeated = [event.seat for event in made.events if isinstance(event, ev.Fell) and event.defeated]
    return seat_text(made.ruling.expect.defeated), seats_text(defeated)


def _by(made: Run) -> tuple[object, object]:
    rules = [event.rule for event in made.events if isinstance(event, ev.Fell) and event.defeated]
    return made.ruling.expect.by, ", ".join({"triple_six_effect": "damian"}.get(rule, rule) for rule in rules)


def _ranks(made: Run) -> tuple[object, object]:
    wanted = {SEATS[seat]: place for seat, place in sorted(made.ruling.expect.ranks.items())}
    got: dict[str, int | str | None] = {}
    for seat, expected in sorted(made.ruling.expect.ranks.items()):
        place = match_ranks(made.state)[seat] if made.ruling.position.phase == "match_end" else made.place(seat)
        title = isinstance(expected, str) and place is not None
        got[SEATS[seat]] = made.ruleset.titles()[place - 1] if title and place is not None else place
    return wanted, got


def _game_over(made: Run) -> tuple[object, object]:
    return made.ruling.expect.game_over, not made.state.playing


def _still_playing(made: Run) -> tuple[object, object]:
    return seats_text(made.ruling.expect.still_playing), seats_text(standing(made.state))


def _hands(made: Run) -> tuple[object, object]:
    wanted = made.ruling.expect.hands
    return (
        {SEATS[seat]: cards_text(as_set(list(cards))) for seat, cards in sorted(wanted.items())},
        {SEATS[seat]: cards_text(made.state.hands[seat]) for seat in sorted(wanted)},
    )


def _sizes(made: Run) -> tuple[object, object]:
    wanted = made.ruling.expect.sizes
    return (
        {SEATS[seat]: size for seat, size in sorted(wanted.items())},
        {SEATS[seat]: made.state.size(seat) for seat in sorted(wanted)},
    )


def _lie(wanted: frozenset[int], pile: int) -> tuple[object, object]:
    cards = sorted(wanted)
    return [card_text(card) for card in cards], [card_text(card) for card in cards if pile & BIT[card]]


def _discard(made: Run) -> tuple[object, object]:
    return _lie(made.ruling.expect.discard, made.state.discard)


def _laid_away(made: Run) -> tuple[object, object]:
    return _lie(made.ruling.expect.laid_away, made.state.laid_away)


def _window(made: Run) -> tuple[object, object]:
    opened = [e for e in made.events if isinstance(e, ev.DecisionOpened) and e.kind == ev.WINDOW]
    return made.ruling.expect.window, bool(opened)


def _moves(made: Run) -> tuple[object, object]:
    if made.ruling.steps[0].kind == "antitrust":
        return _twos(made)
    got = {
        (event.from_seat, event.to_seat): cards_text(event.cards or 0)
        for event in made.dealt
        if isinstance(event, ev.CardsMoved) and event.from_zone == HAND
    }
    if got:
        got = {pair: cards for pair, cards in got.items() if pair in made.ruling.expect.moves}
        return _pairs_text(dict(_as_cards(made)), "->"), _pairs_text(got, "->")
    for choice in made.state.group.choices if made.state.group is not None else ():
        free = choice.least == choice.most and set(choice.options) == set(members(made.state.hands[choice.seat]))
        certain = choice.required if len(choice.required) == choice.least else choice.options
        got[choice.seat, choice.to_seat] = (
            f"any {choice.most}" if free and not choice.required else cards_text(as_set(list(certain)))
        )
    return _pairs_text(dict(_as_cards(made)), "->"), _pairs_text(got, "->")


def _as_cards(made: Run) -> Iterator[tuple[tuple[int, int], str]]:
    for pair, text in made.ruling.expect.moves.items():
        yield pair, text if text.startswith("any") else cards_text(as_set(list(cards_of(text))))


def _given_by(made: Run, seat: int) -> dict[tuple[int, int], int]:
    """Return how many cards the law has moved from a seat to each other."""
    return {
        (event.from_seat, event.to_seat): event.count
        for event in made.events
        if isinstance(event, ev.CardsMoved) and event.rule == "antitrust_law" and event.from_seat == seat
    }


def _twos(made: Run) -> tuple[object, object]:
    first = made.ruling.position.prev[0]
    wanted: dict[tuple[int, int], int] = {}
    for pair, text in made.ruling.expect.moves.items():
        usual, _, then = text.partition(", then ")
        wanted[pair] = wanted.get(pair, 0) + (int(usual.split()[0]) if usual[:1].isdigit() else 9)
        if then:
            lucky = (first, SEATS.index(then.split()[0]))
            wanted[lucky] = wanted.get(lucky, 0) + 1
    return _pairs_text(wanted, "->"), _pairs_text(_given_by(made, first), "->")


def _counts(made: Run) -> tuple[object, object]:
    got: dict[tuple[int, int], int] = {}
    for choice in made.state.group.choices if made.state.group is not None else ():
        if choice.rule != "capital_tax":
            got[min(choice.seat, choice.to_seat), max(choice.seat, choice.to_seat)] = choice.most
    wanted = {(min(pair), max(pair)): number for pair, number in made.ruling.expect.counts.items() if number}
    return _pairs_text(wanted, "<->"), _pairs_text(got, "<->")


def _extra(made: Run) -> tuple[object, object]:
    got: dict[tuple[int, int], int] = {}
    for choice in made.state.group.choices if made.state.group is not None else ():
        if choice.rule == "capital_tax":
            got[min(choice.seat, choice.to_seat), max(choice.seat, choice.to_seat)] = choice.most
    wanted = {(min(pair), max(pair)): number for pair, number in made.ruling.expect.extra.items() if number}
    return _pairs_text(wanted, "<->"), _pairs_text(got, "<->")


def _pairs_text(pairs: dict[tuple[int, int], str] | dict[tuple[int, int], int], arrow: str) -> dict[str, str]:
    return {f"{SEATS[a]}{arrow}{SEATS[b]}": str(what) for (a, b), what in sorted(pairs.items())}


def _hand_sizes(made: Run) -> tuple[object, object]:
    return list(made.ruling.expect.hand_sizes), [hand.bit_count() for hand in made.state.hands]


def _blind(made: Run) -> tuple[object, object]:
    wanted = made.ruling.expect.blind
    if isinstance(wanted, int):
        return wanted, made.state.blind.bit_count()
    return cards_text(as_set(list(wanted))), cards_text(made.state.blind)


def _swap(made: Run) -> tuple[object, object]:
    joker, _, partner = made.ruling.expect.swap.partition(" with ")
    wanted = BIT[parse_card(joker)]
    is_dealt = any(hand & wanted for hand in made.state.hands)
    seeds = {run(made.ruling, made.ruleset, filling).state.blind for filling in range(5)}
    by_lot = is_dealt and len(seeds) > 1 and not made.state.blind & JOKERS
    return partner, "a random dealt number card" if by_lot else cards_text(made.state.blind)


def _dealer(made: Run) -> tuple[object, object]:
    dealt = [event for event in made.events if isinstance(event, ev.Dealt)]
    return seat_text(made.ruling.expect.dealer), seat_text(dealt[-1].dealer if dealt else None)


def _points(made: Run) -> tuple[object, object]:
    wanted = made.ruling.expect.points
    gained = {seat: made.state.totals[seat] - made.totals_before[seat] for seat in wanted}
    return (
        {SEATS[seat]: number for seat, number in sorted(wanted.items())},
        {SEATS[seat]: number for seat, number in sorted(gained.items())},
    )


def _joker(made: Run) -> tuple[object, object]:
    return made.ruling.expect.joker, "between 10 and J" if made.state.joker_above_ten else "strongest"


_OUTCOMES: Final = {
    "legal": _legal,
    "code": _code,
    "options": _options,
    "reading": _reading,
    "next": _next,
    "flush": _flush,
    "flush_count": _flush_count,
    "field": _field,
    "field_top": _field_top,
    "rev": _rev,
    "back": _back,
    "dir": _dir,
    "effective": _effective,
    "order": _order,
    "lock": _lock,
    "passed": _passed,
    "finish": _finish,
    "foul": _foul,
    "foul_stands": _foul_stands,
    "place": _place,
    "fell": _fell,
    "defeated": _defeated,
    "by": _by,
    "ranks": _ranks,
    "game_over": _game_over,
    "still_playing": _still_playing,
    "hands": _hands,
    "sizes": _sizes,
    "discard": _discard,
    "laid_away": _laid_away,
    "window": _window,
    "moves": _moves,
    "counts": _counts,
    "extra": _extra,
    "swap": _swap,
    "hand_sizes": _hand_sizes,
    "blind": _blind,
    "dealer": _dealer,
    "points": _points,
    "joker": _joker,
}
"""For each key of an expectation, what is expected and what came."""


def summary(made: Run) -> tuple[object, ...]:
    """Return everything that anybody can see of the result, but for cards that the ruling does not name."""
    s = made.state
    return (
        made.refusal.reason if made.refusal is not None else None,
        None if made.ruling.steps[0].seat < 0 else made.asked(),
        [(placed.seat, placed.play.key()) for placed in s.trick],
        (
            s.revolution,
            [(back.rule, back.left) for back in s.backs],
            s.order,
            s.freeze,
            s.turned,
            [(lock.kind, lock.suits) for lock in s.locks],
        ),
        (s.passed, s.finished, s.fouled, s.fallen, s.defeated, s.places),
        (s.window_rules, s.window_seats, s.asking_rule),
        [type(event).__name__ for event in made.events],
    )
