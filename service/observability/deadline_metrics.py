"""Measurements of deadlines."""

from service.observability.families import Families

LATENESS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0, 3600.0)


class DeadlineMetrics:
    """The outcomes of deadlines."""

    def __init__(self, families: Families) -> None:
        self._met = families.counter(
            "codille_deadlines_met_total", "Deadlines whose command was recorded, by what ran out.", ("kind",)
        )
        self._failed = families.counter("codille_deadlines_failed_total", "Deadlines that met with an error.")
        self._lateness = families.histogram(
            "codille_deadline_lateness_seconds",
            "Time from a deadline to what was recorded of it.",
            buckets=LATENESS_S,
        )
        # Every process that keeps time watches all tables.
        self._tables = families.gauge(
            "codille_deadline_tables", "Tables at which something runs out, or may yet.", together="max"
        )

    def met(self, kind: str, late_s: float) -> None:
        """Measures the lateness of a deadline's command; `kind` is `clock`, `limit` (of the game) or `expiry`."""
        self._met.labels(kind).inc()
        self._lateness.observe(late_s)

    def failed(self) -> None:
        """Counts a deadline that failed with an error, and is retried later."""
        self._failed.inc()

    def watched(self, tables: int) -> None:
        """Sets the number of tables with a deadline, or that may get one."""
        self._tables.set(tables)
