"""Measurements of background work: projector, audit and signer, webhooks, deadlines, and what plays for bots."""

from projections.watch import Watch
from service.observability.background_work import Work
from service.observability.families import Families

BOT_LATENESS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
DEADLINE_LATENESS_S = (*BOT_LATENESS_S, 600.0, 3600.0)


class ProjectorMetrics(Watch):
    """The projector's work, in the one process that leads."""

    def __init__(self, families: Families, work: Work) -> None:
        self._work = work
        self._leading = families.gauge(
            "codille_projector_leading", "1 where the projector holds the lease and applies events."
        )
        self._building = families.gauge("codille_projector_building", "1 where the projector builds read models anew.")
        self._set_aside = families.gauge(
            "codille_tables_set_aside",
            "Tables that are in no list, since this version cannot read what they have recorded.",
        )
        self._halts = families.counter("codille_projector_halts", "How often the projector halted with an error.")
        self._applied = families.counter("codille_projected_events", "Events that were applied to the read models.")
        self._position = families.gauge("codille_projected_position", "The position that the read models have come to.")
        self._seconds = families.histogram("codille_projection_seconds", "Time to apply a batch to the read models.")

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Measures events that the projector applied within `seconds`, up to this position."""
        self._applied.inc(events)
        self._position.set(position)
        self._seconds.observe(seconds)

    def leading(self, *, leads: bool) -> None:
        """Sets whether this process's projector applies events."""
        self._leading.set(leads)

    def building(self, *, builds: bool) -> None:
        """Sets whether this process's projector builds read models."""
        self._building.set(builds)

    def set_aside(self, tables: int) -> None:
        """Sets the number of tables that are set aside in the read models."""
        self._set_aside.set(tables)

    def interrupted(self) -> None:
        """Measures that the projector waits for the end of an outage."""
        self._work.halts()

    def goes_on(self) -> None:
        """Measures that it goes on."""
        self._work.goes_on()

    def halted(self, error: Exception) -> None:  # noqa: ARG002 (the projector logs it)
        """Counts a halt of the projector."""
        self._halts.inc()


class AuditMetrics:
    """The progress of the continuous audit and the signer, and how often they failed."""

    def __init__(self, families: Families) -> None:
        self.failures = families.counter("codille_audit_failures", "Differences between the log and its audit.")
        self.rounds = families.counter("codille_audit_rounds", "How often the audit went through the whole log.")
        self.audited = families.counter(
            "codille_audited_events", "Events that were audited, each as often as its table was."
        )
        # One process sets the gauges below; in the others they are 0.
        self.position = families.gauge("codille_audit_position", "The position that the audit of the log has come to.")
        self.not_judged = families.gauge(
            "codille_audit_tables_not_judged",
            "Tables whose rules or events the audit does not know, in the last round.",
        )
        self._lag = families.gauge("codille_audit_lag_events", "Events that the audit is behind the log.")
        self._lag_s = families.gauge(
            "codille_audit_lag_seconds",
            "Age of the oldest event that was appended and not audited since the audit began.",
        )
        self._alarm = families.gauge("codille_audit_lagging", "Whether the audit is too far behind the log: 1 or 0.")
        self.head = families.gauge("codille_signed_head_events", "Events that the newest checkpoint of the log covers.")
        self.unsigned = families.counter(
            "codille_unsigned_heads", "How often a checkpoint of the log could not be signed."
        )

    def lag(self, events: int, seconds: float, *, alarm: bool) -> None:
        """Sets how far the audit is behind the log; `alarm` says that this is too much."""
        self._lag.set(events)
        self._lag_s.set(seconds)
        self._alarm.set(alarm)


class WebhookMetrics:
    """The outcomes of webhook messages."""

    def __init__(self, families: Families) -> None:
        self._attempts = families.counter(
            "codille_webhook_attempts_total",
            "Attempts to deliver a message of a webhook, by what came of them.",
            ("result",),
        )
        self._seconds = families.histogram(
            "codille_webhook_attempt_seconds", "Time of an attempt to deliver a message."
        )
        self.disabled = families.counter(
            "codille_webhooks_disabled_total",
            "Webhooks disabled because their receivers were gone, or failed for days.",
        )
        self.waiting = families.gauge("codille_webhook_messages_waiting", "Messages that wait to be delivered.")
        self.lag = families.gauge("codille_webhook_lag_events", "Events whose messages are not queued yet.")
        # The projecting process checks this, so that it is measured even if no process sends.
        self.enabled = families.gauge(
            "codille_webhooks_enabled", "1 where webhooks are enabled that are to be sent to."
        )
        self.sending = families.gauge("codille_webhooks_sending", "1 where the process sends to webhooks.")

    def attempt(self, result: str, seconds: float) -> None:
        """Measures an attempt to deliver a message; `result` is `delivered` or why it failed."""
        self._attempts.labels(result).inc()
        self._seconds.observe(seconds)


class DeadlineMetrics:
    """The outcomes of deadlines."""

    def __init__(self, families: Families) -> None:
        self._met = families.counter(
            "codille_deadlines_met_total", "Deadlines whose command was recorded, by what ran out.", ("kind",)
        )
        self.failed = families.counter("codille_deadlines_failed_total", "Deadlines that met with an error.")
        self._lateness = families.histogram(
            "codille_deadline_lateness_seconds",
            "Time from a deadline to what was recorded of it.",
            buckets=DEADLINE_LATENESS_S,
        )
        # Every process that keeps time watches all tables.
        self.tables = families.gauge("codille_deadline_tables", "Tables at which something runs out, or may yet.")

    def met(self, kind: str, late_s: float) -> None:
        """Measures the lateness of a deadline's command; `kind` is `clock`, `limit` (of the game) or `expiry`."""
        self._met.labels(kind).inc()
        self._lateness.observe(late_s)


class BotMetrics:
    """The acts of bots."""

    def __init__(self, families: Families) -> None:
        self._acts = families.counter("codille_bot_acts_total", "Acts of bots, by their level.", ("level",))
        self._worlds = families.counter("codille_bot_worlds_total", "Worlds in which bots tried acts.")
        self._hurried = families.counter(
            "codille_bot_acts_hurried_total", "Acts for which bots tried fewer worlds than their level has."
        )
        self.lost = families.counter("codille_bot_acts_lost_total", "Acts of bots that came too late.")
        self.failed = families.counter(
            "codille_bot_failures_total", "Acts for which bots met with an error, and took the mildest act or none."
        )
        self._lateness = families.histogram(
            "codille_bot_lateness_seconds",
            "Time from when a bot was to act to its act, without its pause.",
            buckets=BOT_LATENESS_S,
        )
        # Every process that plays for bots watches all tables, and acts at its own.
        self.tables = families.gauge("codille_bot_tables", "Tables with bots that are not over.")
        self.waiting = families.gauge("codille_bot_tables_waiting", "Tables that wait for bots.", together="sum")
        # The projecting process checks this, so that it is measured even if no process plays.
        self.needed = families.gauge("codille_bots_needed", "1 where bots were seated.")
        self.playing = families.gauge("codille_bots_playing", "1 where the process plays for bots.")

    def acted(self, level: str, worlds: int, late_s: float, *, hurried: bool) -> None:
        """Counts an act that was chosen in so many worlds and recorded so late; `hurried` if they were fewer than its
        level has.
        """
        self._acts.labels(level).inc()
        self._worlds.inc(worlds)
        if hurried:
            self._hurried.inc()
        self._lateness.observe(max(0.0, late_s))
