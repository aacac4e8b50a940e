"""`make bench`: every comparison, one after the other, as tables in Markdown."""

from __future__ import annotations

import sys

import engine.game
from benchmarks import league, playouts, service


def main() -> int:
    """Run them all."""
    compiled = not engine.game.__file__.endswith(".py")
    print(f"engine: {'compiled' if compiled else 'interpreted'}, Python {sys.version.split()[0]}\n", flush=True)
    status = service.main(sys.argv[1:])
    print(flush=True)
    status = league.main([]) or status
    print(flush=True)
    return playouts.main([]) or status


if __name__ == "__main__":
    sys.exit(main())
