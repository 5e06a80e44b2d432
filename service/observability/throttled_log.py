"""Warnings that strangers can cause at will: a few lines in the log, however often they occur."""

import time

from structlog.typing import FilteringBoundLogger

PERIOD_S = 60.0
"""The least number of seconds between two of the same warning."""


class ThrottledLog:
    """Writes each warning at most once a minute, with the number of those omitted since the last."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        self._log = log
        self._written: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def warning(self, event: str, **values: object) -> None:
        """Writes the warning, unless the same event was written less than a minute ago."""
        now = time.monotonic()
        if now - self._written.get(event, -PERIOD_S) < PERIOD_S:
            self._left_out[event] = self._left_out.get(event, 0) + 1
            return
        self._written[event] = now
        self._log.warning(event, **values, left_out=self._left_out.pop(event, 0))
