"""Outages of Postgres in the log and the metrics: each cause at once, and not once for every request that meets it."""

import time
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from service.observability.metrics import Cause, Metrics

AGAIN_S = 60.0
"""The time after which a cause that lasts is logged again."""


class OutageLog:
    """Logs and counts outages. `clock` returns seconds, of any beginning."""

    def __init__(
        self, metrics: Metrics, log: FilteringBoundLogger, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._logged: dict[str, float] = {}
        """When each cause of this outage was last logged."""
        self._began = 0.0
        self._failures = 0

    def failed(self, cause: Cause, reason: str) -> None:
        """A query failed for this cause; `reason` is the server's or the system's own sentence."""
        self._metrics.database_failed(cause)
        now = self._clock()
        if not self._logged:
            self._began, self._failures = now, 0
        self._failures += 1
        if now - self._logged.get(cause, -AGAIN_S) >= AGAIN_S:
            self._logged[cause] = now
            # What follows the first line are hints for the users of Postgres itself.
            self._log.error("Postgres fails", cause=cause, reason=reason.partition("\n")[0], failures=self._failures)

    def recovered(self) -> None:
        """A query was answered again."""
        self._log.info("Postgres answers again", failures=self._failures, after_s=round(self._clock() - self._began, 1))
        self._logged.clear()
