"""Measurements of the projector."""

from service.observability.families import Families
from service.observability.work import Work


class ProjectorMetrics:
    """The projector's work, in the one process that leads."""

    def __init__(self, families: Families, work: Work) -> None:
        self.interrupted, self.goes_on = work.halts, work.goes_on
        self._leading = families.gauge(
            "codille_projector_leading",
            "1 where the projector holds the lease and applies events.",
            together="max",
        )
        self._set_aside = families.gauge(
            "codille_tables_set_aside",
            "Tables that are in no list, since this version cannot read what they have recorded.",
            together="max",
        )
        self._halts = families.counter("codille_projector_halts", "How often the projector halted with an error.")
        self._applied = families.counter("codille_projected_events", "Events that were applied to the read models.")
        self._position = families.gauge(
            "codille_projected_position", "The position that the read models have come to.", together="max"
        )
        self._seconds = families.histogram("codille_projection_seconds", "Time to apply a batch to the read models.")

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Measures events that the projector applied within `seconds`, up to this position."""
        self._applied.inc(events)
        self._position.set(position)
        self._seconds.observe(seconds)

    def leading(self, *, leads: bool) -> None:
        """Sets whether this process's projector applies events."""
        self._leading.set(leads)

    def set_aside(self, tables: int) -> None:
        """Sets the number of tables that are set aside in the read models."""
        self._set_aside.set(tables)

    def halted(self, error: Exception) -> None:  # noqa: ARG002 (the projector logs it)
        """Counts a halt of the projector."""
        self._halts.inc()
