"""Measurements of the continuous audit and of the signer."""

from service.observability.families import Families


class AuditMetrics:
    """The progress of the continuous audit and the signer, and how often they failed."""

    def __init__(self, families: Families) -> None:
        self._failures = families.counter("codille_audit_failures", "Differences between the log and its audit.")
        self._rounds = families.counter("codille_audit_rounds", "How often the audit went through the whole log.")
        self._audited = families.counter(
            "codille_audited_events", "Events that were audited, each as often as its table was."
        )
        # One process sets the gauges below; in the others they are 0.
        self._position = families.gauge(
            "codille_audit_position", "The position that the audit of the log has come to.", together="max"
        )
        self._not_judged = families.gauge(
            "codille_audit_tables_not_judged",
            "Tables whose rules or events the audit does not know, in the last round.",
            together="max",
        )
        self._lag = families.gauge(
            "codille_audit_lag_events", "Events that the audit is behind the log.", together="max"
        )
        self._lag_s = families.gauge(
            "codille_audit_lag_seconds",
            "Age of the oldest event that was appended and not audited since the audit began.",
            together="max",
        )
        self._alarm = families.gauge(
            "codille_audit_lagging", "Whether the audit is too far behind the log: 1 or 0.", together="max"
        )
        self._head = families.gauge(
            "codille_signed_head_events",
            "Events that the newest checkpoint of the log covers.",
            together="max",
        )
        self._unsigned = families.counter(
            "codille_unsigned_heads", "How often a checkpoint of the log could not be signed."
        )

    def failed(self) -> None:
        """Counts a difference reported by the audit."""
        self._failures.inc()

    def round_over(self) -> None:
        """Counts a round of the audit, which has reached the end of the log and begins again."""
        self._rounds.inc()

    def reached(self, position: int) -> None:
        """Sets the position of the log that the audit has reached."""
        self._position.set(position)

    def audited(self, events: int) -> None:
        """Counts the events of a table that was audited."""
        self._audited.inc(events)

    def not_judged(self, tables: int) -> None:
        """Sets the number of tables that a round of the audit could not judge."""
        self._not_judged.set(tables)

    def lag(self, events: int, seconds: float, *, alarm: bool) -> None:
        """Sets how far the audit is behind the log; `alarm` says that this is too much."""
        self._lag.set(events)
        self._lag_s.set(seconds)
        self._alarm.set(alarm)

    def signed(self, size: int) -> None:
        """Sets the number of events covered by the newest checkpoint."""
        self._head.set(size)

    def unsigned(self) -> None:
        """Counts a checkpoint of the log that could not be signed: there is no key, or the log was altered."""
        self._unsigned.inc()
