"""Metrics for Prometheus. Those of a service's several processes are added up when they are read."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from prometheus_client import Counter, Histogram

from service.observability.background_metrics import (
    AuditMetrics,
    BotMetrics,
    DeadlineMetrics,
    ProjectorMetrics,
    WebhookMetrics,
)
from service.observability.background_work import WorkMetrics
from service.observability.families import Families
from service.observability.server_metrics import ServerMetrics
from service.observability.stream_metrics import StreamMetrics

BATCH = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """The measurements of one process and, if several share a service, of all of them.

    Those of requests, connections, commands and computations stand here, all others by what they are of.
    """

    def __init__(self, worker: int | None = None) -> None:
        """`worker` is this process's number among several, as in `Families`. Raises ValueError as that does."""
        families = self._families = Families(worker)
        self.registry = families.registry
        self._requests = families.counter("codille_requests_total", "Requests answered.", ("method", "route", "status"))
        self._latency = families.histogram("codille_request_seconds", "Time to answer a request.", ("method", "route"))
        self.connections = families.gauge(
            "codille_connections", "Connections that are open.", ("listener",), together="sum"
        )
        self.refused = families.counter(
            "codille_connections_refused_total", "Connections refused, by the limit.", ("listener", "limit")
        )
        self.ended = families.counter(
            "codille_connections_ended_total",
            "Connections that the service ended, by what it waited for.",
            ("listener", "reason"),
        )
        self._actions = families.counter(
            "codille_actions_total", "Actions by type and result.", ("game", "type", "result")
        )
        self.limited = families.counter(
            "codille_limited_total", "Requests refused because a quota was used up.", ("quota",)
        )
        self._jobs = families.counter("codille_jobs_total", "Jobs of heavy reads, by what came of them.", ("result",))
        self._job_cpu = families.counter("codille_job_cpu_seconds_total", "CPU time of jobs of heavy reads.")
        self._batch = families.histogram("codille_append_commands", "Commands in a batch appended.", buckets=BATCH)
        self._append = families.histogram("codille_append_seconds", "Time to append a batch.")
        # Every process measures these when it is scraped.
        self.lag = families.gauge(
            "codille_projection_lag_events",
            "Events that the read models are behind the log.",
            together="mostrecent",
        )
        self.words_asked = families.gauge(
            "codille_words_to_erase",
            "Players who asked that their words be erased, and whose words are not erased yet.",
            together="mostrecent",
        )
        self.streams = StreamMetrics(families)
        self.audit = AuditMetrics(families)
        self.servers = ServerMetrics(families)
        self.work = WorkMetrics(families)
        self.projector = ProjectorMetrics(families, self.work["projector"])
        self.webhooks = WebhookMetrics(families)
        self.deadlines = DeadlineMetrics(families)
        self.bots = BotMetrics(families)
        build = families.gauge("codille_build_info", "1, with the program's version.", ("version", "python"))
        build.labels(version("codille"), platform.python_version()).set(1)
        # Looking up a child by its labels costs more than counting.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._histograms: dict[tuple[str, str], Histogram] = {}
        self._acted: dict[tuple[str, str, str], Counter] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request that was answered within `seconds`; `route` is the path's template."""
        key = (method, route, status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(method, route, str(status))
            self._histograms[key[:2]] = self._latency.labels(method, route)
        counter.inc()
        self._histograms[key[:2]].observe(seconds)

    def action(self, game: str, type: str, result: str) -> None:
        """Counts a handled action; `result` is `accepted`, `replayed`, or the code of its refusal."""
        key = (game, type, result)
        counter = self._acted.get(key)
        if counter is None:
            counter = self._acted[key] = self._actions.labels(*key)
        counter.inc()

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

    def join(self, directory: Path) -> None:
        """From now on exposes what other processes measure in a directory too."""
        self._families.join(directory)

    def exposition(self) -> bytes:
        """All measurements of the service, in Prometheus' text format."""
        return self._families.exposition()
