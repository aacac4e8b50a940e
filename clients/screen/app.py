"""The full screen: keys become what a player does, and what a player sees is painted. Nothing is decided here."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.driver import Driver
from textual.message import Message
from textual.widgets import RichLog, Static

from clients.cli.rulebook import Rulebook
from clients.cli.sentences import Teller
from clients.common.cards import JOKER_RANK, RANKS, CardStyle
from clients.screen import paint
from clients.screen.dialogs import Choose, Read
from clients.screen.output import outliving
from clients.screen.panels import Panels
from clients.screen.player import Player
from clients.screen.texts import words
from clients.screen.tray import Tray
from daifugo.v1 import view_pb2

WIDE: Final = 110
"""Columns from which seats and field share the width evenly."""
TICK_SECONDS: Final = 0.25
OTHER: Final = {"ja": "en", "en": "ja"}
RANK_KEYS: Final = {
    **{str(number): str(number) for number in range(2, 10)},
    "0": "10",
    **{key: key.upper() for key in "aAjJQkK"},
    "1": "A",
}


class FullScreen(App[None]):
    """One match on the whole terminal."""

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  # so it is declared in textual
        (0, "-narrow"),
        (WIDE, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)"),
        Binding("right", "move(1)"),
        Binding("up", "move_row(-1)"),
        Binding("down", "move_row(1)"),
        Binding("home", "move(-1000)"),
        Binding("end", "move(1000)"),
        Binding("space", "pick"),
        Binding("enter", "enter"),
        Binding("escape,backspace", "clear"),
        Binding("p", "let_go"),
        Binding("h", "hint(1)"),
        Binding("b,H", "hint(-1)"),
        Binding("r", "rules"),
        Binding("question_mark,f1", "help"),
        Binding("l", "language"),
        Binding("q,ctrl+q", "leave", priority=False),
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("pageup", "scroll(-1)"),
        Binding("pagedown", "scroll(1)"),
    ]

    class Changed(Message):
        """There is something new to see."""

    def __init__(
        self, player: Player, book: Rulebook, style: str, language: str, opened: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self.player = player
        self.book = book
        self.card_style = style
        self.opened = opened
        """Called as soon as there is a screen."""
        self.panels = self.in_language(language)
        self.header, self.seats, self.field = Static(id="header"), Static(id="seats"), Static(id="field")
        self.log_of_events = RichLog(id="log", wrap=True, min_width=0)
        self.log_of_events.can_focus = False
        self.message, self.hand, self.tray, self.keys = (
            Static(id="message"),
            Static(id="hand"),
            Tray("tray"),
            Static(id="keys"),
        )
        self.written = 0
        """How many things that happened are in the log."""
        self.asking: tuple[int, Choose] | None = None
        """The list of readings that the player chooses from, and the decision that it is for."""

    def in_language(self, language: str) -> Panels:
        book = self.book.in_language(language)
        return Panels(self.player, Teller(words(language), book, CardStyle(language, self.card_style)))

    @property
    def words(self) -> Callable[..., str]:
        return self.panels.words

    def get_driver_class(self) -> type[Driver]:
        return outliving(super().get_driver_class())

    # --- painting --------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield self.header
        with Container(id="table"):
            yield self.seats
            yield self.field
            yield self.log_of_events
        yield self.message
        yield self.hand
        with VerticalScroll(id="rack", can_focus=False):
            yield self.tray
        yield self.keys

    def on_mount(self) -> None:
        self.paint()
        self.set_interval(TICK_SECONDS, self.paint_clock)
        self.call_after_refresh(self.opened)

    def on_resize(self, event: events.Resize) -> None:
        self.written = 0
        self.call_after_refresh(self.paint)

    def changed(self) -> None:
        """Paint soon: there is something new to see."""
        if self.is_running:
            self.post_message(self.Changed())

    def on_full_screen_changed(self, event: FullScreen.Changed) -> None:
        self.paint()

    def paint(self) -> None:
        """Show how things are."""
        if not self.is_running:
            return
        panels = self.panels
        self.header.update(panels.header(self.size.width))
        self.seats.update(panels.seats())
        self.field.update(panels.field())
        self.message.update(panels.message())
        self.hand.update(panels.hand_line())
        self.hand.display = self.player.picking.has_options
        self.tray.show(*panels.tray(self.size.width - 1))
        self.keys.update(Text(self.words("keys")))
        self._write()
        if self.asking is not None and self.asking[0] != self.player.open_id:
            self.asking[1].dismiss(None)

    def paint_clock(self) -> None:
        self.header.update(self.panels.header(self.size.width))

    def _write(self) -> None:
        """Bring the log up to date; from its beginning after a change of language or width."""
        if self.written == 0:
            self.log_of_events.clear()
        new = min(self.player.told - self.written, len(self.player.story))
        for telling in list(self.player.story)[len(self.player.story) - new :]:
            for line in telling(self.panels.teller):
                self.log_of_events.write(paint.sentence(line, self.panels.style))
        self.written = self.player.told

    # --- keys ------------------------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        key = event.character or ""
        if len(self.screen_stack) > 1:
            return
        if key in RANK_KEYS:
            self.player.picking.toggle_rank(RANKS.index(RANK_KEYS[key]))
        elif key in ("*", "x"):
            self.player.picking.toggle_rank(JOKER_RANK)
        else:
            return
        self.do(self.player.check())

    def do(self, work: Awaitable[Any]) -> None:
        """Do something that may have to wait for the service, one thing at a time."""

        async def worker() -> None:
            await work

        self.paint()
        self.run_worker(worker(), exclusive=False)

    def action_move(self, steps: int) -> None:
        self.player.picking.move(steps)
        self.paint()

    def action_move_row(self, rows: int) -> None:
        """Move to the item above or below, or by one where there is a single row."""
        places = self.tray.places
        at = self.player.picking.at
        if not places or at >= len(places):
            return
        row, column, _ = places[at]
        there = [n for n, (other, first, _) in enumerate(places) if other == row + 2 * rows]
        if there:
            at = min(there, key=lambda n: abs(places[n][1] - column))
            self.player.picking.move(at - self.player.picking.at)
        self.paint()

    def on_tray_clicked(self, event: Tray.Clicked) -> None:
        self.player.picking.at = event.number
        self.action_pick()

    def action_pick(self) -> None:
        picking = self.player.picking
        if picking.items:
            picking.toggle(picking.items[picking.at])
            self.do(self.player.check())

    def action_clear(self) -> None:
        self.player.picking.clear()
        self.do(self.player.check())

    def action_let_go(self) -> None:
        self.do(self.player.let_go())

    def action_hint(self, steps: int) -> None:
        self.do(self.player.hint(steps))

    def action_enter(self) -> None:
        self.do(self.answer())

    async def answer(self) -> None:
        """Answer with the picks; where they can mean several things the player chooses one."""
        decision_id = self.player.open_id
        readings = await self.player.enter()
        while readings and decision_id == self.player.open_id:
            reading = await self.choose_reading(decision_id, readings)
            if reading is None or decision_id != self.player.open_id:
                return
            readings = await self.player.act(reading)

    async def choose_reading(self, decision_id: int, readings: Sequence[view_pb2.Action]) -> view_pb2.Action | None:
        view, panels = self.player.view, self.panels
        options = [paint.sentence(panels.situation.action(view, reading), panels.style) for reading in readings]
        dialog = Choose(self.words("which.title"), options, self.words("choose"))
        self.asking = (decision_id, dialog)
        try:
            number = await self.push_screen_wait(dialog)
        finally:
            self.asking = None
        return readings[number] if number is not None else None

    # --- other windows ---------------------------------------------------------------------------------------------

    def action_rules(self) -> None:
        card = self.panels.teller.book.card("", self.panels.words)
        self.read(self.words("rules.all", count=len(card)), card)

    def action_help(self) -> None:
        keys = ("move", "pick", "ranks", "pass", "more", "leave", "marks")
        self.read(self.words("help.title"), [self.words(f"help.{key}") for key in keys])

    def read(self, title: str, lines: Sequence[str]) -> None:
        texts = [paint.sentence(line, self.panels.style) for line in lines]
        self.push_screen(Read(title, texts, self.words("close")))

    async def show_end(self) -> None:
        """Show how it ended until the player closes that."""
        lines = self.player.ending(self.panels.teller) if self.player.ending is not None else []
        texts = [paint.sentence(line, self.panels.style) for line in lines]
        await self.push_screen_wait(Read(self.words("end.title"), texts, self.words("close.end")))
        self.exit()

    def action_language(self) -> None:
        """Say everything in the other language, what has happened too."""
        language = OTHER[self.panels.words.language]
        self.player.session.speak(language)
        self.panels = self.in_language(language)
        self.written = 0
        self.do(self.player.check())

    def action_leave(self) -> None:
        options = [Text(self.words("quit.yes")), Text(self.words("quit.no"))]

        def leave(number: int | None) -> None:
            if number == 0:
                self.exit()

        self.push_screen(Choose(self.words("quit.title"), options, self.words("choose")), leave)

    def action_interrupt(self) -> None:
        """End as Ctrl-C ends any program."""
        signal.raise_signal(signal.SIGINT)

    def action_scroll(self, pages: int) -> None:
        log = self.log_of_events
        (log.scroll_page_down if pages > 0 else log.scroll_page_up)(animate=False)
