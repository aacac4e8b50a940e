"""Small windows over the table: a list to choose from, and a text to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static


class Choose(ModalScreen[int | None]):
    """Lets the player choose one of several; answers with its number, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)"),
        Binding("space", "choose"),
    ]

    def __init__(self, title: str, options: Sequence[Text], foot: str) -> None:
        super().__init__()
        self.heading, self.options, self.foot = title, options, foot

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self.heading), classes="heading")
            yield OptionList(*self.options)
            yield Static(Text(self.foot), classes="foot")

    def action_choose(self) -> None:
        self.query_one(OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)


class Read(ModalScreen[None]):
    """Shows a text until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q", "dismiss"),
        Binding("up", "scroll(-1)"),
        Binding("down", "scroll(1)"),
        Binding("pageup", "scroll(-10)"),
        Binding("pagedown", "scroll(10)"),
    ]

    def __init__(self, title: str, lines: Sequence[Text], foot: str) -> None:
        super().__init__()
        self.heading, self.lines, self.foot = title, lines, foot

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self.heading), classes="heading")
            with VerticalScroll(can_focus=False):
                yield Static(Text("\n").join(self.lines))
            yield Static(Text(self.foot), classes="foot")

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)
