"""The log: one line an entry, as JSON or for a terminal, without anything that players must not know.

Entries of the standard library's logging (uvicorn, asyncio and others) have the same form.
"""

import asyncio
import atexit
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import date
from functools import lru_cache
from pathlib import PurePath
from select import PIPE_BUF
from threading import Lock
from types import NoneType
from typing import BinaryIO
from uuid import UUID

import msgspec
import structlog
from structlog.types import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from service.config import LogFormat, LogLevel

SECRETS = frozenset(
    {"authorization", "cards", "hand", "hands", "password", "salt", "sealed", "seed", "signing_key", "talon", "token"}
)
"""Keys that are dropped from every entry, at any depth and in any case."""

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Added to every log entry while the request is handled. Setting it takes a tenth of the time of structlog's own
binding, which looks through all variables.
"""


def set_up(
    log_format: LogFormat | None,
    stream: BinaryIO,
    *,
    terminal: bool,
    clock: Callable[[], str],
    level: LogLevel = "info",
) -> FilteringBoundLogger:
    """Sends this process's log of this `level` and above to `stream`, and returns its logger.

    Without `log_format` the log is readable text on a `terminal`, and JSON elsewhere. `clock` returns the current time
    in the log's format. structlog and logging keep these settings for the whole process, so this is called once, at its
    start.
    """
    console = (log_format or ("console" if terminal else "json")) == "console"
    lines = LineWriter(stream)
    structlog.configure(
        processors=[*processors(clock), _console(colors=terminal) if console else as_json],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    logger: FilteringBoundLogger = structlog.get_logger()
    logging.captureWarnings(capture=True)
    logging.basicConfig(handlers=[_Forward(logger)], level=logging.WARNING, force=True)
    return logger


def processors(clock: Callable[[], str]) -> Sequence[Processor]:
    """The steps that process every entry before it is rendered."""

    def stamp(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
        """Adds the time, first, before level and event, and the request's id. By hand: see deploy/decisions/0008."""
        entry["timestamp"], request = clock(), REQUEST_ID.get()
        return {**_FIRST, **entry} if request is None else {**_FIRST, "request_id": request, **entry}

    return (
        structlog.processors.add_log_level,
        # Not one of the formatters that print local variables: those hold hands and tokens.
        structlog.processors.format_exc_info,
        stamp,
        clean,
    )


_FIRST = dict.fromkeys(("timestamp", "level", "event"))


def clean(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    """The entry without secrets, and with plain values only.

    Any other value is replaced by the name of its type: a state or an event logged whole would reveal everything.
    """
    if _PLAIN.issuperset(map(type, entry.values())) and _none_secret(tuple(entry)):
        # Most entries. Without this shortcut an action's two lines take 3 % more of it.
        return entry
    return _plain_mapping(entry)


_PLAIN = frozenset({NoneType, bool, int, float, str})


@lru_cache(maxsize=256)
def _none_secret(keys: Sequence[str]) -> bool:
    """Whether none of these keys is secret. Cached: there are few kinds of entries."""
    return SECRETS.isdisjoint(map(str.lower, keys))


def _plain_mapping(values: Mapping[str, object]) -> dict[str, object]:
    return {str(key): _plain(value) for key, value in values.items() if str(key).lower() not in SECRETS}


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return _plain_mapping(value)
        case list() | tuple() | set() | frozenset():
            return [_plain(item) for item in value]
        case UUID() | PurePath() | date() | BaseException():
            return str(value)
        case _:
            return f"<{type(value).__name__}>"


def as_json(_logger: WrappedLogger, _method: str, entry: EventDict) -> bytes:
    """Renders a cleaned entry as JSON, without the line break."""
    try:
        return msgspec.json.encode(entry)
    except UnicodeEncodeError:
        # A client sent a lone surrogate. The standard library escapes it.
        return json.dumps(entry).encode()


def _console(*, colors: bool) -> Processor:
    renderer = structlog.dev.ConsoleRenderer(
        colors=colors, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
    )

    def render(logger: WrappedLogger, method: str, entry: EventDict) -> bytes:
        text = renderer(logger, method, {key: _printable(key, value) for key, value in entry.items()})
        return text.encode(errors="backslashreplace")

    return render


def _printable(key: str, value: object) -> object:
    """Text without line breaks and terminal controls; a traceback keeps its lines."""
    if key == "exception" or not isinstance(value, str) or value.isprintable():
        return value
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in value)


class LineWriter:
    """Writes rendered entries to a stream, as the last of structlog's steps.

    Entries of level `info` are collected during one turn of the event loop and written in one call. No write is larger
    than what a pipe takes atomically, since several processes write to the same one. Entries of other levels, and all
    entries outside an event loop, are written at once. By hand: see deploy/decisions/0008.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = Lock()
        self._waiting: list[bytes] = []
        self._size = 0
        atexit.register(self.flush)

    def info(self, line: bytes) -> None:
        """Writes the line before the next turn of the event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.write(line)
            return
        with self._lock:
            first = not self._waiting
            if self._size + len(line) >= PIPE_BUF:
                self._write()
            self._waiting.append(line)
            self._size += len(line) + 1
        if first:
            loop.call_soon(self.flush)

    def flush(self) -> None:
        """Writes the waiting lines."""
        with self._lock:
            self._write()

    def write(self, line: bytes) -> None:
        """Writes the line now, after the waiting ones."""
        with self._lock:
            self._waiting.append(line)
            self._write()

    def _write(self) -> None:
        lines, self._waiting, self._size = self._waiting, [], 0
        if lines:
            self._stream.write(b"\n".join((*lines, b"")))
            self._stream.flush()

    debug = warning = error = critical = msg = write


class _Forward(logging.Handler):
    """Passes entries of the standard library's logging to structlog."""

    def __init__(self, logger: FilteringBoundLogger) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
        except Exception:  # as in every handler, an entry that cannot be written must not fail the work it describes
            self.handleError(record)
