"""Situations at a table, each as the view and the events that lead to it: what pictures of the screen are taken of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from clients.cli.question import PASS
from clients.cli.rulebook import Rulebook
from clients.common.fold import fold
from clients.common.watch import Update
from clients.screen.player import Player
from daifugo.v1 import cards_pb2, game_pb2, rules_pb2, view_pb2

NAMES: Final = {"ja": ("ミオ", "アキ", "ハル", "ナオ"), "en": ("Mio", "Aki", "Haru", "Nao")}
RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
RULES: Final = (
    ("eight_cut", "8切り", "eight cut", "8を出すと場が流れます。", "An eight clears the field."),
    ("jack_back", "11バック", "J-back", "Jで強さが逆になります。", "A jack turns strength round until the flush."),
    ("four_stop", "4止め", "four stop", "8切りを4で止めます。", "A four stops an eight cut."),
    ("exchange", "カード交換", "exchange", "ゲームの前にカードを交換します。", "Cards change hands before a game."),
)
FIELD, HAND, DISCARD = cards_pb2.ZONE_FIELD, cards_pb2.ZONE_HAND, cards_pb2.ZONE_DISCARD_PILE
TURN, WINDOW, CHOICE = view_pb2.DECISION_KIND_TURN, view_pb2.DECISION_KIND_WINDOW, view_pb2.DECISION_KIND_CHOICE


def card(name: str) -> int:
    """Read S3, H10 or JK."""
    return 52 if name == "JK" else RANKS.index(name[1:]) * 4 + "SHDC".index(name[0])


def cards(names: str) -> list[int]:
    return [card(name) for name in names.split()]


def play(names: str, rank: int = 0) -> cards_pb2.Play:
    of = cards(names)
    shape = cards_pb2.SHAPE_SINGLE if len(of) == 1 else cards_pb2.SHAPE_GROUP
    jokers = [cards_pb2.Meaning(joker=52, rank=cards_pb2.Rank.Name(rank + 1))] if rank else []
    return cards_pb2.Play(cards=of, shape=shape, jokers=jokers)


def plays(names: str, rank: int = 0) -> view_pb2.Action:
    return view_pb2.Action(play=play(names, rank))


def book(language: str) -> Rulebook:
    """A rule book with a few rules, all of them on."""
    rules = Rulebook(language, preset_name=rules_pb2.Text(ja="公式ルール", en="official rules"))
    for rule_id, ja, en, says_ja, says_en in RULES:
        name, summary = rules_pb2.Text(ja=ja, en=en), rules_pb2.Text(ja=says_ja, en=says_en)
        rules.rules[rule_id] = rules_pb2.Rule(id=rule_id, name=name, summary=summary)
        rules.on.append(rule_id)
    return rules


class Told:
    """A view that events change, as a watch would tell them."""

    def __init__(self, player: Player, service: Any, language: str) -> None:
        self.player = player
        self.service = service
        self.view = view_pb2.View(seat=0, table_id="t", state=view_pb2.TABLE_STATE_RUNNING, games=4, game=2, set=1)
        self.view.playing, self.view.clockwise, self.view.blind_count = True, True, 2
        self.view.seating.extend(range(4))
        titles = (view_pb2.TITLE_FUGO, view_pb2.TITLE_DAIFUGO, view_pb2.TITLE_DAIHINMIN, view_pb2.TITLE_HINMIN)
        for index, name in enumerate(NAMES[language]):
            seat = view_pb2.Seat(index=index, occupied=True, display_name=name, connected=True)
            total = (4, 6, 0, 2)[index]
            added = self.view.seats.add(seat=seat, standing=view_pb2.STANDING_IN, hand_count=13, total=total)
            added.title = titles[index]
        self.view.previous.extend((1, 0, 3, 2))

    def holds(self, names: str) -> None:
        del self.view.hand[:]
        self.view.hand.extend(cards(names))
        self.view.seats[0].hand_count = len(self.view.hand)

    async def happens(self, *events: view_pb2.Event) -> None:
        before = view_pb2.View()
        before.CopyFrom(self.view)
        for event in events:
            fold(self.view, event)
        await self.player.hear(Update(self.view, before, list(events)))

    async def is_played(self, seat: int, names: str, *more: view_pb2.Event) -> None:
        moved = view_pb2.CardsMoved(from_zone=HAND, from_seat=seat, to_zone=FIELD, cards=cards(names), play=play(names))
        moved.count = len(moved.cards)
        await self.happens(view_pb2.Event(cards_moved=moved), *more)

    async def is_asked(
        self,
        decision: view_pb2.Decision,
        kind: view_pb2.DecisionKind,
        legal: Iterable[view_pb2.Action],
        seconds: int = 0,
    ) -> None:
        self.service.legal = list(legal)
        decision.id = 7
        if seconds:
            decision.remaining.seconds, decision.deadline.seconds = seconds, 1_800_000_000
        asked = view_pb2.Asked(seat=0, decision_id=7, kind=kind)
        if kind == TURN:
            self.view.turn = 0
        await self.happens(view_pb2.Event(decision_opened=view_pb2.DecisionOpened(asked=asked, decision=decision)))


async def own_turn(told: Told) -> None:
    """Own turn in a revolution, with a lock on spades."""
    strength = view_pb2.Strength(revolution=True, reversed=True)
    lock = view_pb2.Lock(kind=view_pb2.LOCK_KIND_SUIT, suits=[1, 0, 0, 0])
    told.holds("S3 H3 H5 S6 D7 S7 C9 SJ DQ JK")
    told.view.discard_pile.extend(cards("C4 D4 H4 S4"))
    await told.is_played(1, "C4 D4 H4 S4", view_pb2.Event(strength_changed=view_pb2.StrengthChanged(strength=strength)))
    await told.happens(view_pb2.Event(field_flushed=view_pb2.FieldFlushed()))
    await told.is_played(2, "SQ")
    await told.is_played(3, "S9", view_pb2.Event(lock_changed=view_pb2.LockChanged(locks=[lock])))
    await told.happens(view_pb2.Event(passed=view_pb2.Passed(seat=1)))
    legal = [plays("S3"), plays("S6"), plays("S7"), plays("JK"), PASS]
    await told.is_asked(view_pb2.Decision(turn=view_pb2.Turn()), TURN, legal, seconds=25)
    told.player.picking.toggle_rank(3)
    await told.player.check()


async def illegal(told: Told) -> None:
    """A picked card that cannot be played, and why."""
    await own_turn(told)
    violation = game_pb2.Violation(
        text="縛りに合いません。" if told.service.speaks == "ja" else "The lock wants a spade."
    )
    refused = game_pb2.CheckActionResponse(refusal=game_pb2.Refusal(violations=[violation]))
    told.service.verdicts = lambda action: refused
    told.player.picking.clear()
    told.player.picking.toggle_rank(2)
    await told.player.check()


async def exchange(told: Told) -> None:
    """The exchange before a game: a card for Nao, for one of hers."""
    told.holds("S3 H3 C5 H6 D7 C7 C8 C9 SJ DQ HK SA C2")
    told.view.game = 3
    await told.happens(
        view_pb2.Event(game_started=view_pb2.GameStarted(game=3, seating=range(4), previous=(1, 0, 3, 2)))
    )
    told.holds("S3 H3 C5 H6 D7 C7 C8 C9 SJ DQ HK SA C2")
    for seat in told.view.seats:
        seat.hand_count = 13
    choice = view_pb2.Choice(rule_id="exchange", of=view_pb2.Choice.OF_CARD, zone=HAND, least=1, most=1, to_seat=3)
    choice.options.extend(told.view.hand)
    await told.is_asked(view_pb2.Decision(choice=choice), CHOICE, [], seconds=60)
    told.player.picking.move(2)
    told.player.picking.toggle(card("C5"))
    await told.player.check()


async def counter(told: Told) -> None:
    """A chance to stop an eight with a four."""
    told.holds("S4 H4 H5 S6 D7 S7 C9 SJ DQ")
    await told.is_played(2, "C6")
    await told.is_played(3, "C8")
    window = view_pb2.Window(rule_ids=["four_stop"])
    await told.is_asked(view_pb2.Decision(window=window), WINDOW, [plays("S4 H4"), PASS], seconds=8)


async def choosing_a_seat(told: Told) -> None:
    """A choice whose options are not the hand."""
    told.holds("S4 H4 H5 S6")
    choice = view_pb2.Choice(rule_id="seven_pass", of=view_pb2.Choice.OF_SEAT, options=[1, 2, 3], least=1, most=1)
    await told.is_asked(view_pb2.Decision(choice=choice), CHOICE, [])
    told.player.picking.toggle(2)
    await told.player.check()


async def result(told: Told) -> None:
    """The end of a game: places, titles, points."""
    rows = [
        (0, view_pb2.TITLE_DAIFUGO, 6, 10, view_pb2.STANDING_FINISHED),
        (3, view_pb2.TITLE_FUGO, 4, 6, view_pb2.STANDING_FINISHED),
        (2, view_pb2.TITLE_HINMIN, 2, 2, view_pb2.STANDING_IN),
        (1, view_pb2.TITLE_DAIHINMIN, 0, 6, view_pb2.STANDING_FALLEN),
    ]
    results = [
        view_pb2.GameResult(seat=seat, place=place, title=title, points=points, total=total, standing=standing)
        for place, (seat, title, points, total, standing) in enumerate(rows, 1)
    ]
    told.view.seats[1].seat.connected = False
    await told.happens(
        view_pb2.Event(finished=view_pb2.Finished(seat=0, place=1)), view_pb2.Event(fell=view_pb2.Fell(seat=1, place=4))
    )
    await told.happens(view_pb2.Event(game_ended=view_pb2.GameEnded(results=results)))


async def lost(told: Told) -> None:
    """The connection is lost in the turn of somebody else."""
    told.holds("S4 H4 H5 S6 D7 S7 C9 SJ DQ")
    back = view_pb2.Back(rule_id="jack_back", flushes=1)
    changed = view_pb2.StrengthChanged(strength=view_pb2.Strength(backs=1, running=[back], reversed=True))
    await told.is_played(1, "SJ", view_pb2.Event(rule_id="jack_back", strength_changed=changed))
    told.view.clockwise = False
    told.view.asked.add(seat=2, decision_id=9, kind=TURN)
    await told.player.hear(Update(told.view, lost=True))


async def watching(told: Told) -> None:
    """A spectator's view of a turn."""
    told.view.ClearField("seat")
    await told.is_played(1, "SJ")
    told.view.asked.add(seat=2, decision_id=9, kind=TURN)
    await told.player.hear(Update(told.view))


Situation = Callable[[Told], Awaitable[None]]
SITUATIONS: Final[dict[str, Situation]] = {
    "own_turn": own_turn,
    "illegal": illegal,
    "exchange": exchange,
    "counter": counter,
    "choosing_a_seat": choosing_a_seat,
    "result": result,
    "lost": lost,
    "watching": watching,
}
