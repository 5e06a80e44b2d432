"""Measurements of the processes, and of Postgres and Redis."""

from typing import TYPE_CHECKING, Literal, get_args

from prometheus_client.process_collector import ProcessCollector

from service.observability.families import Families

if TYPE_CHECKING:
    from projections.models import RedisState

Cause = Literal["disk-full", "read-only", "too-many-connections", "timeout", "unreachable", "failing"]
"""Why Postgres cannot be used, as a code."""


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

    def sampled(self, connections: tuple[int, int, int], waiting: int, redis: "RedisState | None") -> None:
        """Sets what is measured at intervals, and what the system reports about this process.

        `connections` are the pool's connections to Postgres, how many of them are idle, and the maximum; `waiting` is
        the number of commands to be appended. `redis` is None while Redis does not answer.
        """
        for family in ProcessCollector(registry=None).collect():
            for measured in family.samples:
                if measured.name == "process_cpu_seconds_total":
                    self._cpu.inc(measured.value - self._cpu_before)
                    self._cpu_before = measured.value
                elif measured.name in self._process:
                    self._process[measured.name].set(measured.value)
        size, idle, limit = connections
        self._connections.labels("idle").set(idle)
        self._connections.labels("busy").set(size - idle)
        self._connections_limit.set(limit)
        self._waiting.set(waiting)
        self._redis_up.set(redis is not None)
        if redis is not None:
            self._redis_seconds.set(redis.seconds)
            self._redis_memory.set(redis.memory_bytes)
            self._redis_memory_limit.set(redis.memory_limit_bytes)
