"""Logging: one line an entry, as JSON or for a terminal, with nothing in it that players must not know.

Entries of the standard library's logging (uvicorn, asyncio and the rest) take the same way.
"""

import asyncio
import atexit
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import PurePath
from select import PIPE_BUF
from threading import Lock
from types import NoneType
from typing import Any, BinaryIO, cast
from uuid import UUID

import msgspec
import structlog
from structlog.types import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from service.commands.clock import now
from service.config import LogFormat

SECRETS = frozenset(
    {"authorization", "cards", "hand", "hands", "password", "salt", "sealed", "seed", "signing_key", "talon", "token"}
)
"""Keys that never reach the log, whatever the caller passed and however deep."""


def set_up(log_format: LogFormat | None, stream: BinaryIO, *, terminal: bool) -> FilteringBoundLogger:
    """Sends this process's log to `stream`, and answers its logger.

    Without `log_format` the entries are for reading on a `terminal`, and JSON elsewhere. structlog and logging both
    keep such settings for the process as a whole, so this is called once, where the process begins.
    """
    console = (log_format or ("console" if terminal else "json")) == "console"
    lines = Lines(stream)
    structlog.configure(
        processors=[*CHAIN, *_console(colors=terminal)] if console else [as_json],
        wrapper_class=_Bound if console else _Direct,
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    logger: FilteringBoundLogger = structlog.get_logger()
    logging.captureWarnings(capture=True)
    logging.basicConfig(handlers=[_Forward(logger)], level=logging.WARNING, force=True)
    return logger


def clean(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    """The entry without secrets, in a fixed order, and of plain values only.

    Of other values only the type is told: an event or a state passed whole would tell everything.
    """
    first = {key: entry.pop(key) for key in ("timestamp", "level", "event") if key in entry}
    return first | _plain_mapping(entry)


CHAIN: Sequence[Processor] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    # Not the formatters that print local variables: those hold hands and tokens.
    structlog.processors.format_exc_info,
    clean,
)
"""What becomes of every entry before it is written."""


def as_json(logger: WrappedLogger, method: str, entry: EventDict) -> bytes:
    """What the chain makes of an entry, as JSON."""
    for processor in CHAIN:
        entry = cast("EventDict", processor(logger, method, entry))
    try:
        return msgspec.json.encode(entry)
    except UnicodeEncodeError:
        # A lone surrogate, from a client; here it is escaped.
        return json.dumps(entry).encode()


class Lines:
    """Writes lines to a stream: what is only told, with all else that is told in one turn of the event loop.

    At most as much at once as a pipe takes in one piece, since processes write to the same one. Anything but `info` is
    written at once; so is all where no event loop runs.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = Lock()
        self._waiting: list[bytes] = []
        self._size = 0
        atexit.register(self.flush)

    def info(self, line: bytes) -> None:
        """Writes the line before the next turn."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.at_once(line)
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
        """Writes the lines that wait."""
        with self._lock:
            self._write()

    def at_once(self, line: bytes) -> None:
        """Writes the line, after those that wait."""
        with self._lock:
            self._waiting.append(line)
            self._write()

    def _write(self) -> None:
        lines, self._waiting, self._size = self._waiting, [], 0
        if lines:
            self._stream.write(b"\n".join((*lines, b"")))
            self._stream.flush()

    debug = warning = error = critical = msg = at_once


_Bound = structlog.make_filtering_bound_logger(logging.INFO)


class _Direct(_Bound):  # type: ignore[misc, valid-type]  # a class that structlog makes
    """A logger that takes one step where the chain would leave an entry as it is.

    Every request and every action writes such an entry, and the chain would take as long as deciding an action.
    """

    def info(self, event: str, *args: Any, **values: Any) -> Any:
        line = None if args or self._context else _of_plain(event, values)
        if line is None:
            return super().info(event, *args, **values)
        return self._logger.info(line)


def _of_plain(event: str, values: EventDict) -> bytes | None:
    """The line of an entry that the chain would leave as it is; None for any other."""
    entry = structlog.contextvars.merge_contextvars(None, "info", values)
    if not (_PLAIN.issuperset(map(type, entry.values())) and _kept(tuple(entry))):
        return None
    try:
        return msgspec.json.encode({"timestamp": now(), "level": "info", "event": event, **entry})
    except UnicodeEncodeError:
        return None


@lru_cache(maxsize=256)
def _kept(keys: Sequence[str]) -> bool:
    """Whether the chain leaves entries of these keys as they are. Remembered: there are few kinds of entries."""
    return all(key.islower() and key not in _CHANGED for key in keys)


_PLAIN = frozenset({NoneType, bool, int, float, str})

_CHANGED = SECRETS | {"timestamp", "level", "event", "exc_info"}
"""Keys that the chain drops or sets."""


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


def _console(*, colors: bool) -> list[Processor]:
    renderer = structlog.dev.ConsoleRenderer(
        colors=colors, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
    )

    def render(logger: WrappedLogger, method: str, entry: EventDict) -> bytes:
        text = renderer(logger, method, {key: _printable(key, value) for key, value in entry.items()})
        return text.encode(errors="backslashreplace")

    return [render]


def _printable(key: str, value: object) -> object:
    """Text without line breaks and terminal controls; a traceback keeps its lines."""
    if key == "exception" or not isinstance(value, str) or value.isprintable():
        return value
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in value)


class _Forward(logging.Handler):
    """Hands the standard library's records to structlog."""

    def __init__(self, logger: FilteringBoundLogger) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._logger.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
        except Exception:  # as every handler: a log entry that cannot be written must not fail what it tells of
            self.handleError(record)
