"""Measurements of webhooks."""

from service.observability.families import Families


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
        self._disabled = families.counter(
            "codille_webhooks_disabled_total",
            "Webhooks disabled because their receivers were gone, or failed for days.",
        )
        self._waiting = families.gauge(
            "codille_webhook_messages_waiting", "Messages that wait to be delivered.", together="max"
        )
        self._lag = families.gauge(
            "codille_webhook_lag_events", "Events whose messages are not queued yet.", together="max"
        )
        # The projecting process checks this, so that it is measured even if no process sends.
        self._enabled = families.gauge(
            "codille_webhooks_enabled", "1 where webhooks are enabled that are to be sent to.", together="max"
        )
        self._sending = families.gauge(
            "codille_webhooks_sending", "1 where the process sends to webhooks.", together="max"
        )

    def attempt(self, result: str, seconds: float) -> None:
        """Measures an attempt to deliver a message; `result` is `delivered` or why it failed."""
        self._attempts.labels(result).inc()
        self._seconds.observe(seconds)

    def disabled(self) -> None:
        """Counts a webhook that was disabled because of its receiver."""
        self._disabled.inc()

    def waiting(self, messages: int) -> None:
        """Sets the number of messages waiting to be delivered."""
        self._waiting.set(messages)

    def lag(self, events: int) -> None:
        """Sets the number of the log's last events whose messages are not queued yet."""
        self._lag.set(events)

    def enabled(self, *, enabled: bool) -> None:
        """Sets whether any webhook is enabled."""
        self._enabled.set(enabled)

    def sending(self, *, sends: bool) -> None:
        """Sets whether this process sends to webhooks."""
        self._sending.set(sends)
