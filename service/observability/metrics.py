"""Measurements for Prometheus. Each process counts for itself; what several of a service have counted is added up."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from service.observability.shared_metrics import SharedMetrics

LATENCY_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH = (1, 2, 4, 8, 16, 32, 64, 128)

__all__ = ["CONTENT_TYPE_LATEST", "Metrics"]


class Metrics:
    """What one process measures, in a registry of its own.

    `files` are those of all processes of a service that has several, see SharedMetrics.
    """

    def __init__(self, files: Sequence[int] = ()) -> None:
        self.registry = CollectorRegistry()
        self.shared = SharedMetrics(self.registry, files) if files else None
        # Found out whenever it is asked for, so that nobody else's is of interest.
        self._found = CollectorRegistry()
        self._requests = Counter(
            "codille_requests_total", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._latency = Histogram(
            "codille_request_seconds",
            "Time to answer a request.",
            ("method", "route"),
            buckets=LATENCY_S,
            registry=self.registry,
        )
        self._actions = Counter(
            "codille_actions_total", "Actions by type and result.", ("game", "type", "result"), registry=self.registry
        )
        self._batch = Histogram(
            "codille_append_commands", "Commands in a batch appended.", buckets=BATCH, registry=self.registry
        )
        self._append = Histogram(
            "codille_append_seconds", "Time to append a batch.", buckets=LATENCY_S, registry=self.registry
        )
        self._lag = Gauge(
            "codille_projection_lag_events", "Events that the read models are behind the log.", registry=self._found
        )
        self._audit_failures = Counter(
            "codille_audit_failures", "Differences that the audit of the log found.", registry=self.registry
        )
        self._audit_rounds = Counter(
            "codille_audit_rounds", "How often the audit went through the whole log.", registry=self.registry
        )
        self._audit_position = Gauge(
            "codille_audit_position", "The position that the audit of the log has come to.", registry=self.registry
        )
        self._head = Gauge(
            "codille_signed_head_events", "Events under the newest signed head of the log.", registry=self.registry
        )
        self._unsigned = Counter(
            "codille_unsigned_heads", "How often a head of the log could not be signed.", registry=self.registry
        )
        # Finding a child by its labels costs more than counting does.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._histograms: dict[tuple[str, str], Histogram] = {}
        self._acted: dict[tuple[str, str, str], Counter] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered; `route` is the path's template."""
        key = (method, route, status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(method, route, str(status))
            self._histograms[key[:2]] = self._latency.labels(method, route)
        counter.inc()
        self._histograms[key[:2]].observe(seconds)

    def action(self, game: str, type: str, result: str) -> None:
        """An action was `accepted`, `replayed`, or refused with a code."""
        key = (game, type, result)
        counter = self._acted.get(key)
        if counter is None:
            counter = self._acted[key] = self._actions.labels(*key)
        counter.inc()

    def appended(self, commands: int, seconds: float, position: int | None = None) -> None:  # noqa: ARG002 (what the writer tells)
        """A batch was written."""
        self._batch.observe(commands)
        self._append.observe(seconds)

    def lag(self, events: int) -> None:
        """The read models are this many events behind."""
        self._lag.set(events)

    def audit_failed(self) -> None:
        """The audit found a difference."""
        self._audit_failures.inc()

    def audit_round(self) -> None:
        """The audit has come to the end of the log, and begins anew."""
        self._audit_rounds.inc()

    def audited(self, position: int) -> None:
        """The audit has come to this position."""
        self._audit_position.set(position)

    def signed(self, size: int) -> None:
        """A head of so many events was signed."""
        self._head.set(size)

    def unsigned(self) -> None:
        """A head could not be signed, for want of a key or because the log was altered."""
        self._unsigned.inc()

    def exposition(self) -> bytes:
        """All of it, in Prometheus' text format."""
        return generate_latest(self.shared or self.registry) + generate_latest(self._found)
