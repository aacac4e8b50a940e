"""How many connections the machine lets a service have."""

from __future__ import annotations

from typing import Final

from services.common.logs import log

BESIDES: Final = 200
"""Files and sockets that are no connections of callers."""


def allow_connections(wanted: int) -> None:
    """Let the process have as many open files as connections it may have, so far as the machine allows it.

    Each connection is an open file. Systems commonly give a process 1024, of more that it may ask for; above that gRPC
    takes no connection, and whoever wants one waits without being told.
    """
    try:
        import resource
    except ImportError:  # not a Unix
        return
    least = wanted + BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= least:
        return
    most = least if hard == resource.RLIM_INFINITY else min(least, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < least:
        log().warning("few_open_files", most=most, wanted=least)
