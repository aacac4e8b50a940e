"""Starts game services in no time: everything is imported once, and each service is a fork.

    python -m tests.faults.nursery MODULE ARGUMENTS-OF-THE-SERVICE...

Each line of stdin asks for one; whoever asks has killed the one before.
"""

from __future__ import annotations

import importlib
import os
import sys

from services.game.codec import catalogue

if __name__ == "__main__":
    main = importlib.import_module(sys.argv[1]).main
    catalogue.read()
    child = 0
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if not child:
            os._exit(main(sys.argv[2:]))
        print(f"pid {child}", flush=True)
