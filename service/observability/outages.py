"""Reports outages of Postgres in the log and the metrics: each cause once, rather than for every request affected."""

import time
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from service.observability.metrics import Metrics
from service.observability.server_metrics import Cause

AGAIN_S = 60.0
"""Seconds after which a lasting cause is logged again."""

START_S = 30.0
"""Seconds in which Postgres may be awaited after the start of the process: it may be starting as well."""

AWAITED = frozenset({"timeout", "unreachable"})
"""The causes of failures by which Postgres may be starting."""

QUIET_S = 10.0
"""Seconds without a failure after which an outage is over. While a disk is full, most queries still succeed."""


class OutageLog:
    """Logs and counts outages. `clock` returns seconds since any fixed moment."""

    def __init__(
        self, metrics: Metrics, log: FilteringBoundLogger, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._logged: dict[Cause, float] = {}
        """When each cause of this outage was last logged."""
        self._began = 0.0
        self._last: float | None = None
        """The time of the last failure; None outside an outage."""
        self._failures = 0
        self._start: float | None = clock()
        """When the process started; None once Postgres was heard of."""
        self._waits = False

    def failed(self, cause: Cause, reason: str) -> None:
        """Counts a query that failed for this cause; `reason` is the server's or the system's own message.

        A start that waits for Postgres is no outage.
        """
        now = self._clock()
        if self._start is not None and cause in AWAITED and now - self._start < START_S:
            if not self._waits:
                self._log.info("waiting for Postgres", cause=cause, reason=reason.partition("\n")[0])
            self._waits = True
            return
        self._start = None
        self._metrics.servers.database_failed(cause)
        if self._last is None:
            self._began, self._failures = now, 0
        self._last = now
        self._failures += 1
        if cause not in self._logged or now - self._logged[cause] >= AGAIN_S:
            self._logged[cause] = now
            # Later lines are hints for the users of Postgres itself.
            self._log.error("Postgres fails", cause=cause, reason=reason.partition("\n")[0], failures=self._failures)

    def answered(self) -> None:
        """Notes a successful query. It ends the outage if none has failed for QUIET_S seconds."""
        if self._start is not None:
            if self._waits:
                self._log.info("Postgres answers", after_s=round(self._clock() - self._start, 1))
            self._start = None
        if self._last is None or self._clock() - self._last < QUIET_S:
            return
        self._log.info("Postgres answers again", failures=self._failures, after_s=round(self._last - self._began, 1))
        self._last = None
        self._logged.clear()
