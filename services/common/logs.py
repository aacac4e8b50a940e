"""Log lines: JSON, one a line, with fields from a fixed list. Anything else, such as cards or tokens, is dropped.

Libraries that log for themselves are heard as well, but only that they did and where: what they say may hold anything.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

ALLOWED: Final = frozenset(
    {
        "address",
        "admin_address",
        "code",
        "engine_version",
        "epoch",
        "error_type",
        "event",
        "game",
        "games",
        "level",
        "method",
        "most",
        "pairing_id",
        "queue",
        "reason",
        "ruleset_hash",
        "running_matches",
        "seats",
        "seconds",
        "table_id",
        "tables",
        "timestamp",
        "version",
        "wanted",
        "where",
    }
)
"""Every field that a log line may have."""


_ABOUT: ContextVar[Callable[[], Mapping[str, Any]]] = ContextVar("about")


def with_call(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Add what the call that is being served is about."""
    fields = _ABOUT.get(None)
    return {**fields(), **event} if fields is not None else event


def only_allowed(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Drop every field that is not on the list."""
    return {key: value for key, value in event.items() if key in ALLOWED}


class Library(logging.Handler):
    """Takes what a library logs, such as asyncio of a task whose mistake nobody has noticed."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log that a library has logged, and where from."""
        error = record.exc_info[1] if record.exc_info else None
        places = [f"{record.name}:{record.lineno} {record.funcName}", *(where(error) if error is not None else [])]
        kind = type(error).__name__ if error is not None else None
        structlog.get_logger().log(record.levelno, "library", error_type=kind, where=places)


LIBRARY: Final = Library(logging.WARNING)


def configure(level: str = "info", stream: TextIO | None = None) -> None:
    """Let every log line of this process be JSON on standard error, or on `stream`."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.getLogger().addHandler(LIBRARY)
    structlog.configure(
        processors=[
            with_call,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_allowed,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=stream or sys.stderr),
        cache_logger_on_first_use=False,
    )


def log() -> FilteringBoundLogger:
    """Return the logger."""
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def about(fields: Callable[[], Mapping[str, Any]]) -> None:
    """Let the log lines of the call that is being served carry these fields, as they are by then."""
    _ABOUT.set(fields)


def where(error: BaseException) -> list[str]:
    """Say where an error came from: files, lines and functions only, because messages and values may hold cards."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames[-12:]]


def log_bug(what: str, error: BaseException, **fields: Any) -> None:
    """Log a mistake of the server."""
    log().error(what, error_type=type(error).__name__, where=where(error), **fields)
