"""Write the rule book: `python -m tests.rulebook` renews `docs/rules/`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.rulebook.pages import pages

BOOK: Final = Path(__file__).parent.parent.parent / "docs" / "rules"


def main() -> None:
    """Write every page, and remove those that are no longer made."""
    made = pages()
    for old in BOOK.rglob("*.md"):
        if old.relative_to(BOOK).as_posix() not in made:
            old.unlink()
    for name, text in made.items():
        path = BOOK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
