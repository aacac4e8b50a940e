"""What the parts of the screen show: pure functions of what a player has before them, as rich text."""

from __future__ import annotations

from typing import Final

from rich.style import Style
from rich.text import Text

from clients.cli.sentences import Teller, locked, locked_suits
from clients.cli.situation import SHORT_OF_TIME_SECONDS, Situation
from clients.common.cards import weakest_first
from clients.screen import paint
from clients.screen.badges import of_strength
from clients.screen.player import Player
from daifugo.v1 import cards_pb2, view_pb2

NAME: Final = 11
TITLE: Final = 9
STATE: Final = 11
MOST_FACES: Final = 5
URGENT_SECONDS: Final = 10

OUT: Final = {
    view_pb2.STANDING_FOULED: "state.4",
    view_pb2.STANDING_FALLEN: "state.5",
    view_pb2.STANDING_DEFEATED: "state.6",
}
ASKED: Final = {
    view_pb2.DECISION_KIND_WINDOW: "state.counter",
    view_pb2.DECISION_KIND_CHOICE: "state.choosing",
}


class Panels:
    """Paints for one player in one language."""

    def __init__(self, player: Player, teller: Teller) -> None:
        self.player = player
        self.teller = teller
        self.words = teller.words
        self.style = teller.style
        self.people = teller.people
        self.situation = Situation(teller)

    @property
    def view(self) -> view_pb2.View:
        return self.player.view

    # --- the line at the top ---------------------------------------------------------------------------------------

    def header(self, width: int) -> Text:
        """The game, what is turned round or locked, the connection, and at the right the time left."""
        left = Text.assemble(" ", self._game())
        for badge, style in self._badges():
            left.append("  ")
            left.append(f" {badge} ", style)
        clock = self.clock()
        gap = width - left.cell_len - clock.cell_len - 1
        if gap < 1:
            left.truncate(max(0, width - clock.cell_len - 2))
            gap = width - left.cell_len - clock.cell_len - 1
        return Text.assemble(left, " " * max(1, gap), clock)

    def _game(self) -> str:
        view, preset = self.view, self.teller.book.preset
        if not view.game:
            return f"{self.words('title')} {preset}"
        header = "header.game" if view.games else "header.game.open"
        return f"{self.words(header, game=view.game, games=view.games)} {preset}"

    def _badges(self) -> list[tuple[str, Style]]:
        view, badges = self.view, []
        if self.player.is_lost:
            badges.append((self.words("badge.lost"), paint.ALARM))
        for badge in of_strength(view.strength, self.teller.book, self.words):
            badges.append((badge, paint.BADGE))
        for lock in view.locks:
            badges.append((self.words("badge.lock", what=self._lock(lock)), paint.BADGE))
        return badges

    def _lock(self, lock: view_pb2.Lock) -> str:
        suits = [suit for suit, number in enumerate(lock.suits) for _ in range(number)]
        if self.style.style == "words":
            return locked(self.words, lock, locked_suits(self.words, self.style, lock))
        return locked(self.words, lock, "".join([self.style.suited(suit, 0)[0] for suit in suits]))

    def clock(self) -> Text:
        """The time left, if a clock runs and it is not far away."""
        left = self.player.clock.left(self.view)
        if left is None or left > SHORT_OF_TIME_SECONDS:
            return Text("")
        style = paint.ALARM if left <= URGENT_SECONDS and self.view.HasField("decision") else paint.NOW
        bank = self.player.clock.bank(self.view)
        if not bank:
            return Text(f" {self.words('time.left', left=paint.clock(left))} ", style)
        if left <= bank:
            return Text(f" {self.words('time.bank', left=paint.clock(left))} ", style)
        own = self.words("time.left", left=paint.clock(left - bank))
        return Text(f" {own} {self.words('time.and_bank', left=paint.clock(bank))} ", style)

    # --- seats -----------------------------------------------------------------------------------------------------

    def seats(self) -> Text:
        """Everybody, the viewer first, in the order in which they sit; play goes down or up this list."""
        view = self.view
        order = list(view.seating) or list(range(len(view.seats)))
        if view.HasField("seat") and view.seat in order:
            at = order.index(view.seat)
            order = order[at:] + order[:at]
        way = self.words("seats.clockwise" if view.clockwise else "seats.anticlockwise") if view.playing else ""
        head = Text.assemble(
            paint.cell(self.words("seats.head"), NAME + 2, paint.HEAD),
            " ",
            paint.cell(self.words("seats.cards") if view.playing else "", 2, paint.DIM, right=True),
            " ",
            paint.cell(self.words("seats.title") if view.game > 1 else "", TITLE, paint.DIM),
            " ",
            paint.cell(self.words("seats.points") if view.game else "", 3, paint.DIM, right=True),
            " ",
            paint.cell(way, STATE, paint.DIM),
        )
        return Text("\n").join([head, *[self._seat(seat) for seat in order]])

    def _seat(self, index: int) -> Text:
        view, seat = self.view, self.view.seats[index]
        is_asked = index in [asked.seat for asked in view.asked]
        style = paint.NOW if is_asked else paint.OWN if self.people.is_you(view, index) else None
        title = self.words.numbered("title", seat.title) if seat.title else ""
        return Text.assemble(
            ("> " if is_asked else "  ", paint.NOW),
            paint.cell(self.people.name(view, index), NAME, style),
            " ",
            paint.cell(str(seat.hand_count) if view.playing else "", 2, style, right=True),
            " ",
            paint.cell(title, TITLE),
            " ",
            paint.cell(str(seat.total) if view.game else "", 3, right=True),
            " ",
            paint.cell(self._state(index), STATE, paint.DIM),
        )

    def _state(self, index: int) -> str:
        seat = self.view.seats[index]
        if not seat.seat.occupied:
            return self.words("state.free")
        if seat.HasField("place"):
            return self.words(OUT.get(seat.standing, "state.place"), place=seat.place)
        if seat.seat.stand_in:
            return self.words("state.stand_in")
        if not seat.seat.connected:
            return self.words("state.away")
        for asked in self.view.asked:
            if asked.seat == index and asked.kind in ASKED:
                return self.words(ASKED[asked.kind])
        if seat.passed:
            return self.words("state.passed")
        if seat.rests:
            return self.words("state.rests", turns=seat.rests)
        return self.words("state.bank", left=paint.clock(seat.bank.ToSeconds())) if seat.HasField("bank") else ""

    # --- field -----------------------------------------------------------------------------------------------------

    def field(self) -> Text:
        """The play to beat, what it has beaten, locks and notes; before a game's first play, how the last one ended."""
        view = self.view
        counts = {"discarded": len(view.discard_pile), "blinds": view.blind_count, "stock": view.stock_count}
        told = [self.words(f"field.{name}", count=count) for name, count in counts.items() if count]
        head = Text.assemble((self.words("field.head"), paint.HEAD), "  ", ("  ".join(told), paint.DIM))
        return Text("\n").join([head, *self._plays(), *self._conditions(), *self._last_game()])

    def _plays(self) -> list[Text]:
        view = self.view
        if not view.playing:
            return []
        if not view.field:
            lead = self.words("field.leads", **self.people.subject(view, view.turn)) if view.HasField("turn") else ""
            return [Text.assemble((f"  {self.words('field.nothing')} ", paint.DIM), lead)]
        rows: list[Text] = []
        for placed in reversed(view.field):
            is_top = not rows
            rows.append(
                Text.assemble(
                    "> " if is_top else "  ",
                    paint.cell(self.people.name(view, placed.seat), NAME, paint.OWN if is_top else paint.DIM),
                    " ",
                    self._faces(placed.play) if is_top else self._beaten(placed.play),
                )
            )
        return rows

    def _faces(self, play: cards_pb2.Play) -> Text:
        """The play to beat as cards, or as text where they would not fit."""
        if len(play.cards) > MOST_FACES or self.style.style == "words":
            return paint.sentence(self.teller.play(play), self.style)
        meanings = {meaning.joker: self.style.meaning(meaning) for meaning in play.jokers}
        cards = [paint.face(card, self.style, meaning=meanings.get(card, "")) for card in weakest_first(play.cards)]
        return Text.assemble(Text(" ").join(cards), self.words.numbered("shape", play.shape))

    def _beaten(self, play: cards_pb2.Play) -> Text:
        return paint.sentence(f" {self.teller.play(play)}", self.style, paint.DIM)

    def _conditions(self) -> list[Text]:
        rows = [
            paint.sentence(self.words("field.lock", what=what), self.style)
            for lock in self.view.locks
            if (what := locked(self.words, lock, locked_suits(self.words, self.style, lock)))
        ]
        for note in self.view.notes:
            changed = view_pb2.Event(note_changed=view_pb2.NoteChanged(note=note))
            rows += [paint.sentence(line, self.style) for line in self.teller.tell_one(self.view, changed)]
        return rows

    def _last_game(self) -> list[Text]:
        view = self.view
        places = list(view.previous) if view.playing else list(view.places)
        if not places or view.field or view.discard_pile:
            return []
        rows = [Text(self.words("results.before"), paint.DIM)] if view.playing else []
        for place, seat in enumerate(places, 1):
            name, title = self.people.name(view, seat), self.words.numbered("title", view.seats[seat].title)
            rows.append(Text("  " + self.words("results.row", place=place, name=name, title=title)))
        return rows

    # --- the question ----------------------------------------------------------------------------------------------

    def message(self) -> Text:
        """What is asked, or whom everybody waits for; below it what would become of the picks."""
        view, player = self.view, self.player
        if player.open_id and view.HasField("decision"):
            told = self.situation.question(self.without_time(), player.can_only_pass)
        else:
            told = [] if view.HasField("seat") else [self.words("watching.only")]
            told += self.situation.waiting(view) if view.playing else []
            told += [self.words("waiting.table")] if view.state == view_pb2.TABLE_STATE_OPEN else []
        style = paint.NOW if player.open_id else paint.DIM
        rows = [paint.sentence(" ".join(told), self.style, style)]
        rows += [paint.sentence(line, self.style) for line in self._verdict()]
        return Text("\n").join(rows)

    def without_time(self) -> view_pb2.View:
        """The view as its question is told: the time stands at the top, where it runs."""
        view = view_pb2.View()
        view.CopyFrom(self.view)
        view.decision.ClearField("remaining")
        return view

    def _verdict(self) -> list[str]:
        player = self.player
        if player.verdict is not None:
            return player.verdict(self.teller)
        if not player.open_id:
            return []
        if player.can_only_pass:
            is_window = self.view.decision.HasField("window")
            return [self.words("offers.let_go_only" if is_window else "offers.pass_only")]
        choice = player.picking.choice
        if choice is None:
            return [self.words("pick")]
        return [self.words("pick.answer" if choice.least else "pick.or_nothing")]

    # --- the tray --------------------------------------------------------------------------------------------------

    def tray(self, width: int) -> tuple[Text, list[tuple[int, int, int]]]:
        """The hand, or the options of a choice, in rows of items over rows of marks; or the hands a spectator is shown.

        Also returns where each item stands: its row of the text, its first column, and the column after it.
        """
        picking = self.player.picking
        if self.view.hands_shown:
            return paint.sentence("\n".join(self.situation.hands(self.view)), self.style), []
        rows: list[tuple[Text, Text]] = [(Text(" "), Text(" "))]
        places: list[tuple[int, int, int]] = []
        for at, item in enumerate(picking.items):
            shown = self._item(item)
            if rows[-1][0].cell_len + shown.cell_len > width - 1 and rows[-1][0].cell_len > 1:
                rows.append((Text(" "), Text(" ")))
            items, marks = rows[-1]
            places.append((2 * len(rows) - 2, items.cell_len, items.cell_len + shown.cell_len))
            items.append_text(shown).append(" ")
            marks.append(self._mark(at, item).center(shown.cell_len), paint.NOW).append(" ")
        return Text("\n").join([line for row in rows for line in row]), places

    def _item(self, item: int) -> Text:
        picking = self.player.picking
        is_picked = item in picking.picked
        is_bright = not self.player.open_id or picking.is_offered(item)
        if not picking.is_of_numbers:
            return paint.face(item, self.style, is_bright, is_picked)
        assert picking.choice is not None
        option = self.situation.options(self.view, picking.choice, [item])
        text = f"[{option}]" if is_picked else f" {option} "
        return Text(text, paint.NOW if is_picked else "")

    def _mark(self, at: int, item: int) -> str:
        picking = self.player.picking
        if at == picking.at:
            return "^^"
        choice = picking.choice
        if choice is not None and choice.ordered and item in picking.picked:
            return str(picking.picked.index(item) + 1)
        return "--" if self.player.open_id and picking.is_offered(item) else "  "

    def hand_line(self) -> Text:
        """The hand as one line, where the tray shows something else."""
        picking = self.player.picking
        lines = self.situation.hand(self.view) if picking.has_options else []
        return paint.sentence(" ".join(lines), self.style)
