"""Measurements of the processes, and of Postgres and Redis."""

from typing import Literal, get_args

from msgspec import Struct
from prometheus_client.process_collector import ProcessCollector

from service.observability.families import Families

Cause = Literal["disk-full", "read-only", "too-many-connections", "timeout", "unreachable", "failing"]
"""Why Postgres cannot be used, as a code."""


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


class ServerMetrics:
    """The state of the processes and of their servers. Sums are over the service's processes."""

    def __init__(self, families: Families) -> None:
        self._process = {
            "process_resident_memory_bytes": families.gauge(
                "process_resident_memory_bytes", "Resident memory.", together="sum"
            ),
            "process_open_fds": families.gauge(
                "process_open_fds", "Open file descriptors of the process that has most."
            ),
            "process_max_fds": families.gauge("process_max_fds", "How many file descriptors a process may open."),
            "process_start_time_seconds": families.gauge(
                "process_start_time_seconds", "When the newest process started, in Unix time."
            ),
        }
        self._cpu = families.counter("process_cpu_seconds", "CPU time, of user and system.")
        self._cpu_before = 0.0
        self._connections = families.gauge(
            "codille_database_connections", "Connections to Postgres.", ("state",), together="sum"
        )
        self._connections_limit = families.gauge(
            "codille_database_connections_limit", "Connections that the pools may have.", together="sum"
        )
        self._database_failures = families.counter(
            "codille_database_failures", "Queries that failed because of an outage of Postgres.", ("cause",)
        )
        for cause in get_args(Cause):
            # From zero, so that the first failure shows as an increase.
            self._database_failures.labels(cause)
        self._waiting = families.gauge("codille_append_waiting", "Commands that wait to be appended.", together="sum")
        self._redis_up = families.gauge("codille_redis_up", "1 while Redis answers.", together="min")
        self._redis_seconds = families.gauge("codille_redis_seconds", "Time of a round trip to Redis.")
        self._redis_memory = families.gauge("codille_redis_memory_bytes", "Memory that Redis uses.")
        self._redis_memory_limit = families.gauge(
            "codille_redis_memory_limit_bytes", "Memory that Redis may use; 0: no limit."
        )

    def database_failed(self, cause: Cause) -> None:
        """Counts a query that failed because of an outage of Postgres."""
        self._database_failures.labels(cause).inc()

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
