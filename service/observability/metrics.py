"""Metrics for Prometheus. Those of a service's several processes are added up when they are read."""

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest, values
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.samples import Sample

LATENCY_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LATENESS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0, 3600.0)
BATCH = (1, 2, 4, 8, 16, 32, 64, 128)

__all__ = ["CONTENT_TYPE_LATEST", "Cause", "Metrics", "ProcessSample", "RedisSample", "StreamKind"]


Cause = Literal["disk-full", "read-only", "too-many-connections", "timeout", "unreachable", "failing"]
"""Why Postgres cannot be used, as a code."""


StreamKind = Literal["table", "player", "lobby"]
"""The subject of a stream."""


Mode = Literal["sum", "max", "min", "mostrecent"]
"""How a gauge's values from several processes are combined."""

Join: TypeAlias = Callable[[float, float], float]

# `own` is the scraped process, which has measured last.
_TOGETHER: Mapping[Mode, Join] = {
    "sum": lambda own, other: own + other,
    "max": max,
    "min": min,
    "mostrecent": lambda own, _: own,
}


class RedisSample(Struct, frozen=True):
    """What Redis reports about itself."""

    seconds: float
    """The time of one round trip."""
    memory_bytes: int
    memory_limit_bytes: int
    """0 for no limit."""


class ProcessSample(Struct, frozen=True):
    """The state of a process, which is sampled at intervals rather than at events."""

    database_connections: tuple[int, int, int]
    """The pool's number of connections, how many of them are idle, and the maximum."""
    commands_waiting: int
    """Commands waiting to be appended."""
    redis: RedisSample | None
    """None while Redis does not answer."""


class _Together:
    """The measurements of this process combined with those in a directory, as if one process had made them."""

    def __init__(
        self,
        own: CollectorRegistry,
        others: MultiProcessCollector,
        gauges: Mapping[str, Join],
    ) -> None:
        self._own = own
        self._others = others
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        families = {family.name: family for family in self._own.collect()}
        for other in self._others.collect():
            family = families.setdefault(other.name, other)
            if family is not other:
                family.samples = self._taken_together(family, other)
        return families.values()

    def _taken_together(self, one: Metric, other: Metric) -> list[Sample]:
        how = self._gauges.get(one.name, _TOGETHER["sum"])
        samples = {(sample.name, frozenset(sample.labels.items())): sample for sample in one.samples}
        for sample in other.samples:
            key = (sample.name, frozenset(sample.labels.items()))
            before = samples.get(key)
            samples[key] = sample if before is None else before._replace(value=how(before.value, sample.value))
        return list(samples.values())


class Metrics:
    """The measurements of one process and, if several share a service, of all of them."""

    def __init__(self, worker: int | None = None) -> None:
        """`worker` is this process's number among several, which share the directory in PROMETHEUS_MULTIPROC_DIR.

        A process that is restarted under the number continues the counts of its predecessor. The library keeps values
        for the whole process, so a process with a number makes Metrics once. Raises ValueError if there is a number but
        no directory.
        """
        self.registry = CollectorRegistry()
        self._exposed = self.registry
        if worker is not None:
            # By default the library names files by process id, so every restart would leave its own behind.
            values.ValueClass = values.MultiProcessValue(lambda: worker)
            self._exposed = CollectorRegistry()
            MultiProcessCollector(self._exposed)
        counter = partial(Counter, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self._together: dict[str, Join] = {}
        gauge = partial(self._gauge, registry=self.registry)
        self._requests = counter("codille_requests_total", "Requests answered.", ("method", "route", "status"))
        self._latency = histogram(
            "codille_request_seconds", "Time to answer a request.", ("method", "route"), buckets=LATENCY_S
        )
        self._clients = gauge(
            "codille_connections", "Connections that are open.", ("listener",), multiprocess_mode="sum"
        )
        self._refused = counter(
            "codille_connections_refused_total", "Connections refused, by the limit.", ("listener", "limit")
        )
        self._ended = counter(
            "codille_connections_ended_total",
            "Connections that the service ended, by what it waited for.",
            ("listener", "reason"),
        )
        self._actions = counter("codille_actions_total", "Actions by type and result.", ("game", "type", "result"))
        self._limited = counter("codille_limited_total", "Requests refused because a quota was used up.", ("quota",))
        self._jobs = counter("codille_jobs_total", "Jobs of heavy reads, by what came of them.", ("result",))
        self._job_cpu = counter("codille_job_cpu_seconds_total", "CPU time of jobs of heavy reads.")
        self._batch = histogram("codille_append_commands", "Commands in a batch appended.", buckets=BATCH)
        self._append = histogram("codille_append_seconds", "Time to append a batch.", buckets=LATENCY_S)
        # Every process measures it when it is scraped.
        self._lag = gauge(
            "codille_projection_lag_events",
            "Events that the read models are behind the log.",
            multiprocess_mode="mostrecent",
        )
        self._add_streams(gauge, counter)
        self._add_audit(gauge, counter)
        self._add_processes_and_servers(gauge, counter)
        self._add_projector(gauge, counter, histogram)
        self._add_webhooks(gauge, counter, histogram)
        self._add_deadlines(gauge, counter, histogram)
        build = gauge(
            "codille_build_info", "1, with the program's version.", ("version", "python"), multiprocess_mode="max"
        )
        build.labels(version("codille"), platform.python_version()).set(1)
        # Looking up a child by its labels costs more than counting.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._histograms: dict[tuple[str, str], Histogram] = {}
        self._acted: dict[tuple[str, str, str], Counter] = {}

    def join(self, directory: Path) -> None:
        """From now on exposes what other processes measure in a directory, combined with this process's own
        measurements.
        """
        self._exposed = CollectorRegistry()
        self._exposed.register(_Together(self.registry, MultiProcessCollector(None, str(directory)), self._together))

    def _gauge(
        self,
        name: str,
        documentation: str,
        labels: Sequence[str] = (),
        *,
        multiprocess_mode: Mode,
        registry: CollectorRegistry,
    ) -> Gauge:
        """A gauge; notes how its values from several processes are combined."""
        self._together[name] = _TOGETHER[multiprocess_mode]
        return Gauge(name, documentation, labels, registry=registry, multiprocess_mode=multiprocess_mode)

    def _add_streams(self, gauge: "partial[Gauge]", counter: "partial[Counter]") -> None:
        """Streams and waiting reads."""
        self._waiting_subscribers = gauge(
            "codille_waiting", "Streams and reads that wait for events.", multiprocess_mode="sum"
        )
        self._streams = gauge("codille_streams", "Streams that are open.", ("kind",), multiprocess_mode="sum")
        self._connected = gauge(
            "codille_connected",
            "Players who hold a stream or a read that waits, each once for each table, and once for the own stream.",
            multiprocess_mode="sum",
        )
        self._stream_ends = counter("codille_streams_ended", "Streams that have ended.", ("kind", "reason"))
        self._stream_bytes = counter("codille_stream_bytes", "Bytes of frames written to streams.", ("kind",))

    def _add_audit(self, gauge: "partial[Gauge]", counter: "partial[Counter]") -> None:
        """The progress of the continuous audit and the signer, and how often they failed."""
        self._audit_failures = counter("codille_audit_failures", "Differences between the log and its audit.")
        self._audit_rounds = counter("codille_audit_rounds", "How often the audit went through the whole log.")
        self._audited_events = counter(
            "codille_audited_events", "Events that were audited, each as often as its table was."
        )
        # One process sets the gauges below; in the others they are 0.
        self._audit_position = gauge(
            "codille_audit_position", "The position that the audit of the log has come to.", multiprocess_mode="max"
        )
        self._audit_not_judged = gauge(
            "codille_audit_tables_not_judged",
            "Tables whose rules or events the audit does not know, in the last round.",
            multiprocess_mode="max",
        )
        self._audit_lag = gauge(
            "codille_audit_lag_events", "Events that the audit is behind the log.", multiprocess_mode="max"
        )
        self._audit_lag_s = gauge(
            "codille_audit_lag_seconds",
            "Age of the oldest event that was appended and not audited since the audit began.",
            multiprocess_mode="max",
        )
        self._audit_alarm = gauge(
            "codille_audit_lagging", "Whether the audit is too far behind the log: 1 or 0.", multiprocess_mode="max"
        )
        self._head = gauge(
            "codille_signed_head_events",
            "Events that the newest checkpoint of the log covers.",
            multiprocess_mode="max",
        )
        self._unsigned = counter("codille_unsigned_heads", "How often a checkpoint of the log could not be signed.")

    def _add_processes_and_servers(self, gauge: "partial[Gauge]", counter: "partial[Counter]") -> None:
        """The state of the processes and of their servers. Sums are over the service's processes."""
        self._process = {
            "process_resident_memory_bytes": gauge(
                "process_resident_memory_bytes", "Resident memory.", multiprocess_mode="sum"
            ),
            "process_open_fds": gauge(
                "process_open_fds", "Open file descriptors of the process that has most.", multiprocess_mode="max"
            ),
            "process_max_fds": gauge(
                "process_max_fds", "How many file descriptors a process may open.", multiprocess_mode="max"
            ),
            "process_start_time_seconds": gauge(
                "process_start_time_seconds", "When the newest process started, in Unix time.", multiprocess_mode="max"
            ),
        }
        self._cpu = counter("process_cpu_seconds", "CPU time, of user and system.")
        self._cpu_before = 0.0
        self._connections = gauge(
            "codille_database_connections", "Connections to Postgres.", ("state",), multiprocess_mode="sum"
        )
        self._connections_limit = gauge(
            "codille_database_connections_limit", "Connections that the pools may have.", multiprocess_mode="sum"
        )
        self._database_failures = counter(
            "codille_database_failures", "Queries that failed because of an outage of Postgres.", ("cause",)
        )
        for cause in get_args(Cause):
            # From zero, so that the first failure shows as an increase.
            self._database_failures.labels(cause)
        self._waiting = gauge("codille_append_waiting", "Commands that wait to be appended.", multiprocess_mode="sum")
        self._redis_up = gauge("codille_redis_up", "1 while Redis answers.", multiprocess_mode="min")
        self._redis_seconds = gauge("codille_redis_seconds", "Time of a round trip to Redis.", multiprocess_mode="max")
        self._redis_memory = gauge("codille_redis_memory_bytes", "Memory that Redis uses.", multiprocess_mode="max")
        self._redis_memory_limit = gauge(
            "codille_redis_memory_limit_bytes",
            "Memory that Redis may use; 0: no limit.",
            multiprocess_mode="max",
        )

    def _add_projector(
        self, gauge: "partial[Gauge]", counter: "partial[Counter]", histogram: "partial[Histogram]"
    ) -> None:
        """The projector's work, in the one process that leads."""
        self._leading = gauge(
            "codille_projector_leading",
            "1 where the projector holds the lease and applies events.",
            multiprocess_mode="max",
        )
        self._set_aside = gauge(
            "codille_tables_set_aside",
            "Tables that are in no list, since this version cannot read what they have recorded.",
            multiprocess_mode="max",
        )
        self._projector_halts = counter("codille_projector_halts", "How often the projector halted with an error.")
        self._projected = counter("codille_projected_events", "Events that were applied to the read models.")
        self._projected_position = gauge(
            "codille_projected_position", "The position that the read models have come to.", multiprocess_mode="max"
        )
        self._projection = histogram(
            "codille_projection_seconds", "Time to apply a batch to the read models.", buckets=LATENCY_S
        )

    def _add_webhooks(
        self, gauge: "partial[Gauge]", counter: "partial[Counter]", histogram: "partial[Histogram]"
    ) -> None:
        """The outcomes of webhook messages."""
        self._webhook_attempts = counter(
            "codille_webhook_attempts_total",
            "Attempts to deliver a message of a webhook, by what came of them.",
            ("result",),
        )
        self._webhook_seconds = histogram(
            "codille_webhook_attempt_seconds", "Time of an attempt to deliver a message.", buckets=LATENCY_S
        )
        self._webhooks_disabled = counter(
            "codille_webhooks_disabled_total",
            "Webhooks disabled because their receivers were gone, or failed for days.",
        )
        self._webhooks_waiting = gauge(
            "codille_webhook_messages_waiting", "Messages that wait to be delivered.", multiprocess_mode="max"
        )
        self._webhooks_lag = gauge(
            "codille_webhook_lag_events", "Events whose messages are not queued yet.", multiprocess_mode="max"
        )
        # The projecting process checks this, so that it is measured even if no process sends.
        self._webhooks_enabled = gauge(
            "codille_webhooks_enabled", "1 where webhooks are enabled that are to be sent to.", multiprocess_mode="max"
        )
        self._webhooks_sending = gauge(
            "codille_webhooks_sending", "1 where the process sends to webhooks.", multiprocess_mode="max"
        )

    def _add_deadlines(
        self, gauge: "partial[Gauge]", counter: "partial[Counter]", histogram: "partial[Histogram]"
    ) -> None:
        """The outcomes of deadlines."""
        self._deadlines = counter(
            "codille_deadlines_met_total", "Deadlines whose command was recorded, by what ran out.", ("kind",)
        )
        self._deadlines_failed = counter("codille_deadlines_failed_total", "Deadlines that met with an error.")
        self._lateness = histogram(
            "codille_deadline_lateness_seconds",
            "Time from a deadline to what was recorded of it.",
            buckets=LATENESS_S,
        )
        # Every process that keeps time watches all tables.
        self._deadline_tables = gauge(
            "codille_deadline_tables", "Tables at which something runs out, or may yet.", multiprocess_mode="max"
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request that was answered within `seconds`; `route` is the path's template."""
        key = (method, route, status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(method, route, str(status))
            self._histograms[key[:2]] = self._latency.labels(method, route)
        counter.inc()
        self._histograms[key[:2]].observe(seconds)

    def connections(self, listener: str, count: int) -> None:
        """Sets the number of this process's open connections of the listener."""
        self._clients.labels(listener).set(count)

    def waiting(self, count: int) -> None:
        """Sets the number of this process's streams and reads that wait for events."""
        self._waiting_subscribers.set(count)

    def connected(self, count: int) -> None:
        """Sets this process's number of connected players; each counts once for each table that the player reads."""
        self._connected.set(count)

    def stream_opened(self, kind: StreamKind) -> None:
        """Counts a stream that was opened in this process."""
        self._streams.labels(kind).inc()

    def stream_wrote(self, kind: StreamKind, size: int) -> None:
        """Counts bytes written to a stream."""
        self._stream_bytes.labels(kind).inc(size)

    def stream_ended(self, kind: StreamKind, reason: str) -> None:
        """Counts a stream that has ended; `reason` is `gone`, or why the service ended it."""
        self._streams.labels(kind).dec()
        self._stream_ends.labels(kind, reason).inc()

    def connection_refused(self, listener: str, limit: str) -> None:
        """Counts a refused connection; `limit` is `all` or `address`."""
        self._refused.labels(listener, limit).inc()

    def connection_ended(self, listener: str, reason: str) -> None:
        """Counts a connection that was ended because the client was too slow, or to make room for a new one."""
        self._ended.labels(listener, reason).inc()

    def action(self, game: str, type: str, result: str) -> None:
        """Counts a handled action; `result` is `accepted`, `replayed`, or the code of its refusal."""
        key = (game, type, result)
        counter = self._acted.get(key)
        if counter is None:
            counter = self._acted[key] = self._actions.labels(*key)
        counter.inc()

    def limited(self, quota: str) -> None:
        """Counts a request that was refused because a quota of this name was used up."""
        self._limited.labels(quota).inc()

    def job(self, result: Literal["done", "lost", "refused"], cpu_s: float = 0.0) -> None:
        """Counts a job of a heavy read that was done, was lost with its process, or was refused because too many
        waited.
        """
        self._jobs.labels(result).inc()
        self._job_cpu.inc(cpu_s)

    def appended(self, commands: int, seconds: float) -> None:
        """Measures a batch that was appended to the log."""
        self._batch.observe(commands)
        self._append.observe(seconds)

    def lag(self, events: int) -> None:
        """Sets the number of events that the read models are behind the log."""
        self._lag.set(events)

    def audit_failed(self) -> None:
        """Counts a difference reported by the audit."""
        self._audit_failures.inc()

    def audit_round(self) -> None:
        """Counts a round of the audit, which has reached the end of the log and begins again."""
        self._audit_rounds.inc()

    def audited(self, position: int) -> None:
        """Sets the position of the log that the audit has reached."""
        self._audit_position.set(position)

    def audited_events(self, events: int) -> None:
        """Counts the events of a table that was audited."""
        self._audited_events.inc(events)

    def audit_not_judged(self, tables: int) -> None:
        """Sets the number of tables that a round of the audit could not judge."""
        self._audit_not_judged.set(tables)

    def audit_lag(self, events: int, seconds: float, *, alarm: bool) -> None:
        """Sets how far the audit is behind the log; `alarm` says that this is too much."""
        self._audit_lag.set(events)
        self._audit_lag_s.set(seconds)
        self._audit_alarm.set(alarm)

    def signed(self, size: int) -> None:
        """Sets the number of events covered by the newest checkpoint."""
        self._head.set(size)

    def unsigned(self) -> None:
        """Counts a checkpoint of the log that could not be signed: there is no key, or the log was altered."""
        self._unsigned.inc()

    def database_failed(self, cause: Cause) -> None:
        """Counts a query that failed because of an outage of Postgres."""
        self._database_failures.labels(cause).inc()

    def applied(self, position: int, events: int, seconds: float) -> None:
        """Measures events that the projector applied within `seconds`, up to this position."""
        self._projected.inc(events)
        self._projected_position.set(position)
        self._projection.observe(seconds)

    def leading(self, *, leads: bool) -> None:
        """Sets whether this process's projector applies events."""
        self._leading.set(leads)

    def set_aside(self, tables: int) -> None:
        """Sets the number of tables that are set aside in the read models."""
        self._set_aside.set(tables)

    def halted(self, error: Exception) -> None:  # noqa: ARG002 (the projector logs it)
        """Counts a halt of the projector."""
        self._projector_halts.inc()

    def webhook_attempt(self, result: str, seconds: float) -> None:
        """Measures an attempt to deliver a message; `result` is `delivered` or why it failed."""
        self._webhook_attempts.labels(result).inc()
        self._webhook_seconds.observe(seconds)

    def webhook_disabled(self) -> None:
        """Counts a webhook that was disabled because of its receiver."""
        self._webhooks_disabled.inc()

    def webhooks_waiting(self, messages: int) -> None:
        """Sets the number of messages waiting to be delivered."""
        self._webhooks_waiting.set(messages)

    def webhooks_lag(self, events: int) -> None:
        """Sets the number of the log's last events whose messages are not queued yet."""
        self._webhooks_lag.set(events)

    def webhooks_enabled(self, *, enabled: bool) -> None:
        """Sets whether any webhook is enabled."""
        self._webhooks_enabled.set(enabled)

    def webhooks_sending(self, *, sends: bool) -> None:
        """Sets whether this process sends to webhooks."""
        self._webhooks_sending.set(sends)

    def deadline_met(self, kind: str, late_s: float) -> None:
        """Measures the lateness of a deadline's command; `kind` is `clock`, `limit` (of the game) or `expiry`."""
        self._deadlines.labels(kind).inc()
        self._lateness.observe(late_s)

    def deadline_failed(self) -> None:
        """Counts a deadline that failed with an error, and is retried later."""
        self._deadlines_failed.inc()

    def deadlines_watched(self, tables: int) -> None:
        """Sets the number of tables with a deadline, or that may get one."""
        self._deadline_tables.set(tables)

    def sampled(self, sample: ProcessSample) -> None:
        """Sets what is measured at intervals: the sample, and what the system reports about this process."""
        for family in ProcessCollector(registry=None).collect():
            for measured in family.samples:
                if measured.name == "process_cpu_seconds_total":
                    self._cpu.inc(measured.value - self._cpu_before)
                    self._cpu_before = measured.value
                elif measured.name in self._process:
                    self._process[measured.name].set(measured.value)
        size, idle, limit = sample.database_connections
        self._connections.labels("idle").set(idle)
        self._connections.labels("busy").set(size - idle)
        self._connections_limit.set(limit)
        self._waiting.set(sample.commands_waiting)
        self._redis_up.set(sample.redis is not None)
        if sample.redis is not None:
            self._redis_seconds.set(sample.redis.seconds)
            self._redis_memory.set(sample.redis.memory_bytes)
            self._redis_memory_limit.set(sample.redis.memory_limit_bytes)

    def exposition(self) -> bytes:
        """All measurements of the service, in Prometheus' text format."""
        return generate_latest(self._exposed)
