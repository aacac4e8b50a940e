"""What a seat may do, decided from its hand and what is public: nothing here can read another hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import ADD, ANSWER, DUMP, PASS, PLAY, Action
from engine.cards import BIT, JOKERS, PACK, alike, ranks_of
from engine.choices import CARD, HAND, Choice
from engine.moves import PASS_MOVE, Move, answering, playing
from engine.plays import ANY, GROUP, SEQUENCE, SHAPE_TEXT, SINGLE, Play, groups_of, sequences_of
from engine.readings import means, readings
from engine.reasons import IllegalAction, Reason
from engine.rows import rows_of
from engine.state import DEAL, Public
from engine.strength import ends, weakest

if TYPE_CHECKING:
    from engine.rules.base import Rule

# --- deciding one action ---------------------------------------------------------------------------------------------


def check(p: Public, seat: int, hand: int, choice: Choice | None, action: Action) -> Move:
    """Return the move that an action means, or raise IllegalAction; nothing is listed to decide it."""
    if not p.playing:
        raise IllegalAction(Reason.NO_GAME, "no game is being played")
    if not 0 <= seat < p.seats or not p.decisions[seat]:
        raise IllegalAction(not_asked(p, seat, action))
    if choice is not None:
        if action.kind != ANSWER:
            exchanging = p.run_kind == DEAL and action.kind == PLAY
            raise IllegalAction(Reason.EXCHANGE_PENDING if exchanging else Reason.WRONG_ACTION, choice.rule)
        rule = p.program.rules[p.asking_rule]
        try:
            return check_answer(choice, hand, action.values, rule.against(p, choice))
        except IllegalAction as illegal:
            instead = rule.instead(p, choice)
            if not instead:
                raise IllegalAction(illegal.reason, rules=(choice.rule,)) from None
            return answering(tuple([option for option in choice.options if option in instead]))
    if action.kind == PASS:
        return check_pass(p, seat, hand)
    if action.kind == PLAY:
        return check_counter(p, seat, hand, action) if p.window_seats else check_play(p, seat, hand, action)
    if action.kind == ANSWER or p.window_seats:
        raise IllegalAction(Reason.WRONG_ACTION)
    return check_offered(p, seat, hand, action)


def not_asked(p: Public, seat: int, action: Action) -> Reason:
    """Say why a seat that nobody has asked may not act."""
    if p.run_kind == DEAL and p.asking_rule:
        return Reason.EXCHANGE_PENDING
    if p.asking_rule:
        return Reason.CHOICE_PENDING
    if seat >= 0 and p.passed >> seat & 1 and p.program.passes_lock_out and action.kind == PLAY:
        return Reason.PASSED_OUT
    return Reason.NOT_YOUR_TURN


def check_pass(p: Public, seat: int, hand: int) -> Move:
    """Return a pass, or say why not; a counter may always be let go."""
    if not p.window_seats:
        for rule in p.in_force().allowing_pass:
            reason = rule.allows_pass(p, seat, hand)
            if reason is not None:
                raise IllegalAction(reason, rules=(rule.id,))
    return PASS_MOVE


def check_play(p: Public, seat: int, hand: int, action: Action) -> Move:
    """Return the play that cards mean, the field's shape and the strongest legal reading; or say why there is none."""
    cards = action.cards
    held_all(hand, cards)
    if p.passed >> seat & 1:
        raise IllegalAction(Reason.PASSED_OUT if p.program.passes_lock_out else Reason.NOT_YOUR_TURN)
    if cards.bit_count() == 1 and cards & JOKERS and action.meanings:
        raise IllegalAction(Reason.JOKER_CANNOT_BE_NAMED)
    every = [playing(play) for play in readings(p.program.shapes, cards, p.order)]
    for rule in p.in_force().offering:
        offered = [m for m in rule.offers(p, seat, hand) if m.kind == PLAY and alike(m.play.cards, cards)]
        every += [m.made_of(cards) for m in offered]
    meant = [m for m in every if action.shape in (ANY, m.play.shape)]
    if not meant:
        raise IllegalAction(Reason.NOT_A_SHAPE)
    fitting = [m for m in meant if means(m.play, action.meanings)]
    if not fitting:
        raise IllegalAction(Reason.WRONG_MEANING)
    legal = [m for m in fitting if refusal(p, seat, hand, m) is None]
    if not legal:
        raise best_refusal(p, seat, hand, fitting)
    shapes = {m.play.shape for m in legal}
    if len(shapes) > 1:
        raise IllegalAction(Reason.DECLARATION_NEEDED, " / ".join([SHAPE_TEXT[shape] for shape in sorted(shapes)]))
    return max(legal, key=lambda m: ends(p.order, m.play))


def check_offered(p: Public, seat: int, hand: int, action: Action) -> Move:
    """Return the draw, addition or dump that some rule offers; no ruleset has one of its own."""
    for rule in p.in_force().offering:
        for move in rule.offers(p, seat, hand):
            if move.kind == action.kind and alike(move.play.cards, action.cards):
                meant = move.made_of(action.cards) if action.cards else move
                if not is_possible(p, seat, hand, meant):
                    raise best_refusal(p, seat, hand, [meant])
                return meant
    for rule in p.in_force().offering:
        reason = rule.withholds(p, hand, action)
        if reason is not None:
            raise IllegalAction(reason, rules=(rule.id,))
    raise IllegalAction(Reason.NOT_OFFERED)


def held_all(hand: int, cards: int) -> None:
    """Refuse an empty set of cards, and cards that are not in the hand."""
    if not cards:
        raise IllegalAction(Reason.NO_CARDS)
    if cards & ~hand:
        raise IllegalAction(Reason.NOT_IN_HAND)


def refusal(p: Public, seat: int, hand: int, move: Move) -> Reason | None:
    """Return the first reason against a play in pipeline order, or None."""
    force = p.in_force()
    return refusal_of(force.allowing if p.locks else force.allowing_unlocked, p, seat, hand, move)


def refusal_of(rules: tuple[Rule, ...], p: Public, seat: int, hand: int, move: Move) -> Reason | None:
    """Return the first reason that some rules have against a play, or None."""
    for rule in rules:
        if not rule.waiver & move.waivers:
            reason = rule.allows(p, seat, hand, move)
            if reason is not None:
                return reason
    return None


def best_refusal(p: Public, seat: int, hand: int, moves: list[Move]) -> IllegalAction:
    """Return the refusal of the reading that came closest: the one whose first reason comes last in the order."""
    best: list[Reason] = []
    best_rules: list[str] = []
    latest = -1
    for move in moves:
        found: list[Reason] = []
        rules: list[str] = []
        first = -1
        for i, rule in enumerate(p.in_force().allowing):
            reason = None if rule.waiver & move.waivers else rule.allows(p, seat, hand, move)
            if reason is not None:
                first = i if first < 0 else first
                found.append(reason)
                rules.append(rule.id)
        if first > latest:
            best, best_rules, latest = found, rules, first
    return IllegalAction(best[0], "", tuple(best), tuple(best_rules))


def check_counter(p: Public, seat: int, hand: int, action: Action) -> Move:
    """Return the counter that cards are, or say why they are none."""
    held_all(hand, action.cards)
    reason, refusing = Reason.NOT_A_COUNTER, p.window_rules[0]
    for id in p.window_rules:
        rule = p.program.rules[id]
        for move in rule.counters(p, seat, hand):
            play = move.play
            if alike(play.cards, action.cards):
                if action.shape in (ANY, play.shape) and means(play, action.meanings):
                    return move.made_of(action.cards)
                reason, refusing = Reason.WRONG_SHAPE, id
        said = rule.refuses(p, seat, hand, action.cards)
        if said is not None and reason == Reason.NOT_A_COUNTER:
            reason, refusing = said, id
    raise IllegalAction(reason, rules=(refusing,))


def check_answer(choice: Choice, hand: int, values: tuple[int, ...], not_an_option: Reason) -> Move:
    """Return the answer to a choice, in the order of the options unless order matters; or say why it is none."""
    if len(set(values)) != len(values):
        raise IllegalAction(Reason.NAMED_TWICE)
    if choice.of == CARD and choice.zone == HAND and any([c < 0 or c > 107 or not hand & BIT[c] for c in values]):
        raise IllegalAction(Reason.NOT_IN_HAND)
    if len(values) < choice.least:
        raise IllegalAction(Reason.TOO_FEW_CARDS)
    if len(values) > choice.most:
        raise IllegalAction(Reason.TOO_MANY_CARDS)
    if any([v not in choice.options for v in values]) or any([v not in values for v in choice.required]):
        raise IllegalAction(not_an_option)
    if choice.ordered:
        return answering(values)
    return answering(tuple([v for v in choice.options if v in values]))


# --- listing ---------------------------------------------------------------------------------------------------------


def legal_moves(p: Public, seat: int, hand: int, choice: Choice | None, shape: int = ANY) -> Iterator[Move]:
    """Iterate over a seat's legal moves in a fixed order; of equal cards the lowest are listed; a pass comes last.

    Plays of `shape` only, if one is named. Answers to a choice are listed by its options, each card by itself.
    """
    if not p.playing or not 0 <= seat < p.seats or not p.decisions[seat]:
        return
    if choice is not None:
        yield from answers(choice)
        return
    if p.window_seats:
        for move in counters(p, seat, hand):
            if shape in (ANY, move.play.shape):
                yield move
        yield PASS_MOVE
        return
    if p.passed >> seat & 1:
        yield PASS_MOVE
        return
    yield from plain_plays(p, seat, hand, shape)
    for move in offers(p, seat, hand, p.in_force().offering):
        if move.kind != PLAY or shape in (ANY, move.play.shape):
            yield move
    for rule in p.in_force().allowing_pass:
        if rule.allows_pass(p, seat, hand) is not None:
            return
    yield PASS_MOVE


def plain_plays(p: Public, seat: int, hand: int, shape: int) -> Iterator[Move]:
    """Iterate over the legal plays of the ruleset's shapes, or of one shape."""
    if must_pass(p, seat, p.in_force().silencing):
        return
    for play in candidates(p, hand, shape):
        move = playing(play)
        if refusal(p, seat, hand, move) is None:
            yield move


def must_pass(p: Public, seat: int, rules: tuple[Rule, ...]) -> bool:
    """Say whether rules let a seat make no play, whatever it holds."""
    return not p.had_turn >> seat & 1 and any(rule.must_pass(p, seat) for rule in rules)


def candidates(p: Public, hand: int, shape: int) -> Iterator[Play]:
    """Iterate over the plays of a hand that have the field's shape and size; on an empty field over all.

    What no legal answer can hold is left out.
    """
    if p.trick:
        force = p.in_force()
        for rule in force.narrowing if p.locks else force.narrowing_unlocked:
            hand &= rule.narrows(p)
    return shaped(p, hand, shape)


def shaped(p: Public, hand: int, shape: int) -> Iterator[Play]:
    """Iterate over all plays of a hand that have the field's shape and size.

    Singles and groups come by rank, then the sequences by suit, then other rows of ranks.
    """
    top = p.top()
    size, wanted = top.size, top.shape
    if shape != ANY and wanted not in (ANY, shape):
        return
    shapes = p.program.shapes
    if wanted <= GROUP and shape <= GROUP:
        for rank in ranks_of(hand):
            for play in groups_of(shapes, hand, rank, size or (1 if shape == SINGLE else 0)):
                if shape != GROUP or play.size > 1:
                    yield play
    if wanted in (ANY, SEQUENCE) and shape in (ANY, SEQUENCE):
        for suit in range(4):
            yield from sequences_of(shapes, hand, suit, size, p.order)
    if shapes.rows and (wanted == ANY or wanted > SEQUENCE):
        yield from rows_of(shapes, hand, top, shape, p.order)


def offers(p: Public, seat: int, hand: int, rules: tuple[Rule, ...]) -> list[Move]:
    """List what rules offer a seat beyond its plain plays."""
    found: list[Move] = []
    for rule in rules:
        for move in rule.offers(p, seat, hand):
            if is_new(p, seat, hand, move) if move.kind == PLAY else is_possible(p, seat, hand, move):
                found.append(move)
    return found


def counters(p: Public, seat: int, hand: int) -> list[Move]:
    """List the counters that a seat may make while it is asked in a window."""
    found: list[Move] = []
    for id in p.window_rules:
        for move in p.program.rules[id].counters(p, seat, hand):
            found.append(move)
    return found


def is_possible(p: Public, seat: int, hand: int, move: Move) -> bool:
    """Say whether nothing refuses an offered draw, addition or dump: what a play must not do, an addition must not."""
    if move.kind == DUMP:
        return not must_pass(p, seat, p.in_force().silencing)
    return move.kind != ADD or refusal(p, seat, hand, move) is None


def is_new(p: Public, seat: int, hand: int, move: Move) -> bool:
    """Say whether an offered play is legal and would not be so without the offer."""
    if refusal(p, seat, hand, move) is not None:
        return False
    if refusal(p, seat, hand, playing(move.play)) is not None:
        return True
    return move.play not in readings(p.program.shapes, move.play.cards, p.order)


def answers(choice: Choice) -> Iterator[Move]:
    """Iterate over the answers to a choice, short ones first."""
    free = [o for o in choice.options if o not in choice.required]
    for size in range(choice.least, choice.most + 1):
        for some in picks(free, size - len(choice.required), choice.ordered):
            if choice.required:
                chosen = (*choice.required, *some)
                yield answering(tuple([o for o in choice.options if o in chosen]))
            else:
                yield answering(some)


def picks(options: list[int], number: int, ordered: bool) -> Iterator[tuple[int, ...]]:
    """Iterate over the ways to name `number` options; every order of them when order matters."""
    if number <= 0:
        if number == 0:
            yield ()
        return
    for i, option in enumerate(options):
        rest = options[:i] + options[i + 1 :] if ordered else options[i + 1 :]
        for more in picks(rest, number - 1, ordered):
            yield (option, *more)


# --- acting for somebody ---------------------------------------------------------------------------------------------


def default_move(p: Public, seat: int, hand: int, choice: Choice | None) -> Move:
    """Return what is done for a seat whose time is up: a pass over the field, a lead of the weakest single; an answer.

    Of a hand's own cards the weakest in normal order are named first, of cards that lie elsewhere the strongest; of
    everything else the first options.
    """
    if choice is None:
        may_pass = all([rule.allows_pass(p, seat, hand) is None for rule in p.in_force().allowing_pass])
        if p.window_seats or (p.trick and may_pass):
            return PASS_MOVE
        # seats that all passed on an empty field would never come to an end
        plays = [m for m in legal_moves(p, seat, hand, None, SINGLE) if m.kind == PLAY]
        plays = plays or [m for m in legal_moves(p, seat, hand, None) if m.kind == PLAY]
        return min(plays, key=lambda m: weakest(p.order, m.play)) if plays else PASS_MOVE
    instead = p.program.rules[p.asking_rule].instead(p, choice)
    if instead:
        return answering(tuple([option for option in choice.options if option in instead]))
    free = [o for o in choice.options if o not in choice.required]
    if choice.of == CARD:
        free.sort(key=lambda c: (c % PACK, c), reverse=choice.zone != HAND)
    chosen = [*choice.required, *free[: choice.least - len(choice.required)]]
    if choice.ordered:
        return answering(tuple(chosen))
    return answering(tuple([o for o in choice.options if o in chosen]))
