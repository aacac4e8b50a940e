"""Whether the terminal can show the full screen."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Final

COLUMNS: Final = 80
ROWS: Final = 24


def can_show_screen() -> bool:
    """Whether in and out are one terminal that is large enough, knows more than lines, and has every character."""
    if os.environ.get("TERM", "dumb") == "dumb" or importlib.util.find_spec("textual") is None:
        return False
    try:
        if not all(os.isatty(file) for file in (0, 1, 2)):
            return False
        size = os.get_terminal_size(1)
    except OSError:
        return False
    is_unicode = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    return is_unicode and size.columns >= COLUMNS and size.lines >= ROWS
