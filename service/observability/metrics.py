"""Measurements for Prometheus. Those of a service in several processes are added up when they are read."""

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

LATENCY_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH = (1, 2, 4, 8, 16, 32, 64, 128)

__all__ = ["CONTENT_TYPE_LATEST", "Metrics"]


class Metrics:
    """What one process measures, and where several measure for one service, what all of them do."""

    def __init__(self, worker: int | None = None) -> None:
        """`worker` is this process's number among several, which share the directory in PROMETHEUS_MULTIPROC_DIR.

        A process that is started again under the number counts on from where the one before it ended. The library
        keeps values for the whole process, so one with a number makes Metrics once. Raises ValueError where there is a
        number, and no directory.
        """
        self.registry = CollectorRegistry()
        self._exposed = self.registry
        if worker is not None:
            # Left to itself, the library names files by process id, and every restart would leave its own behind.
            values.ValueClass = values.MultiProcessValue(lambda: worker)
            self._exposed = CollectorRegistry()
            MultiProcessCollector(self._exposed)
        counter = partial(Counter, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        self._requests = counter("codille_requests_total", "Requests answered.", ("method", "route", "status"))
        self._latency = histogram(
            "codille_request_seconds", "Time to answer a request.", ("method", "route"), buckets=LATENCY_S
        )
        self._actions = counter("codille_actions_total", "Actions by type and result.", ("game", "type", "result"))
        self._batch = histogram("codille_append_commands", "Commands in a batch appended.", buckets=BATCH)
        self._append = histogram("codille_append_seconds", "Time to append a batch.", buckets=LATENCY_S)
        # Every process measures it when it is scraped.
        self._lag = gauge(
            "codille_projection_lag_events",
            "Events that the read models are behind the log.",
            multiprocess_mode="mostrecent",
        )
        self._audit_failures = counter("codille_audit_failures", "Differences between the log and its audit.")
        self._audit_rounds = counter("codille_audit_rounds", "How often the audit went through the whole log.")
        # One process sets the gauges below; in the others they are 0.
        self._audit_position = gauge(
            "codille_audit_position", "The position that the audit of the log has come to.", multiprocess_mode="max"
        )
        self._head = gauge(
            "codille_signed_head_events",
            "Events that the newest checkpoint of the log covers.",
            multiprocess_mode="max",
        )
        self._unsigned = counter("codille_unsigned_heads", "How often a checkpoint of the log could not be signed.")
        # Looking a child up by its labels costs more than counting does.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._histograms: dict[tuple[str, str], Histogram] = {}
        self._acted: dict[tuple[str, str, str], Counter] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered in so many seconds; `route` is the path's template."""
        key = (method, route, status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(method, route, str(status))
            self._histograms[key[:2]] = self._latency.labels(method, route)
        counter.inc()
        self._histograms[key[:2]].observe(seconds)

    def action(self, game: str, type: str, result: str) -> None:
        """An action was handled; `result` is `accepted`, `replayed`, or the code it was refused with."""
        key = (game, type, result)
        counter = self._acted.get(key)
        if counter is None:
            counter = self._acted[key] = self._actions.labels(*key)
        counter.inc()

    def appended(self, commands: int, seconds: float) -> None:
        """A batch was appended to the log."""
        self._batch.observe(commands)
        self._append.observe(seconds)

    def lag(self, events: int) -> None:
        """The read models are this many events behind the log."""
        self._lag.set(events)

    def audit_failed(self) -> None:
        """The audit reported a difference."""
        self._audit_failures.inc()

    def audit_round(self) -> None:
        """The audit has reached the end of the log, and begins again."""
        self._audit_rounds.inc()

    def audited(self, position: int) -> None:
        """The audit has reached this position of the log."""
        self._audit_position.set(position)

    def signed(self, size: int) -> None:
        """A checkpoint of the log was signed that covers `size` events."""
        self._head.set(size)

    def unsigned(self) -> None:
        """A checkpoint of the log could not be signed: there is no key, or the log was altered."""
        self._unsigned.inc()

    def exposition(self) -> bytes:
        """All measurements of the service, in Prometheus' text format."""
        return generate_latest(self._exposed)
