"""Liveness, readiness and metrics, for the operator.

Unlike the interface under `/v1`, these accept any query: probes and scrapers add parameters of their own, and an
unknown parameter must not make a live process look dead.
"""

import asyncio
from contextlib import suppress

from litestar import Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from projections.models import ReadModelsUnavailable
from service.http import schemas
from service.http.operation import operation
from service.http.problems import unavailable
from service.http.request import Request
from service.http.responses import BytesResponse, json
from service.observability.server_metrics import Cause
from service.store.database import StoreUnavailable

CAUSES: dict[Cause, str] = {
    "disk-full": "the disk of Postgres is full",
    "read-only": "Postgres takes no writes: it is a replica, or was made read-only",
    "too-many-connections": "Postgres has no connection left",
    "timeout": "Postgres does not answer in time",
    "unreachable": "Postgres cannot be reached",
    "failing": "Postgres fails; the log says how",
}
"""Why the service is not ready, in words for anyone; the server's own messages may name its files."""


MEASURED_S = 1.0
"""Seconds for which measuring the lag of the read models, or the wishes of players, may delay the other metrics."""


@operation(
    "GET",
    "/health/live",
    tag="Operations",
    summary="Whether the process is alive",
    description="Responds as long as the process accepts requests, even while Postgres or Redis is away.",
    answers="The process is alive.",
    problems=("rate-limited",),
    lenient=True,
    example=lambda _: {"status": "ok"},
)
async def get_liveness(_request: Request) -> Response[schemas.Health]:
    """Responds `ok` without any check."""
    return json(schemas.Health("ok"))


@operation(
    "GET",
    "/health/ready",
    tag="Operations",
    summary="Whether the process can serve",
    description="Responds with 503 and the reason while Postgres cannot be reached or written, and for a new log until "
    "its signing key is announced. Redis is not required: without it, tables are read from the log. A process "
    "that does not serve the interface also responds with 503 while its own work halts; one that does names that work.",
    answers="The process can serve.",
    cost=2,
    problems=("rate-limited", "unavailable"),
    lenient=True,
    example=lambda _: {"status": "ok", "postgres": "ok", "redis": "ok", "tables_set_aside": 0, "halted": []},
)
async def get_readiness(request: Request) -> Response[schemas.Readiness]:
    """Responds `ok` if Postgres can be written and the log has a key, and the process's own work goes on. Raises
    Problem.
    """
    states, settings = await request.services.log.readiness.states(), request.services.settings
    if states.postgres is not None:
        raise unavailable(f"{CAUSES[states.postgres.cause]} (Redis: {states.redis})")
    # These roles serve no records, so they need no key.
    if not states.has_key and settings.role not in ("webhooks", "bots"):
        raise unavailable("the log has no key that signs it yet: the process that projects announces its own")
    if settings.role == "projector" and states.redis != "ok":
        raise unavailable(f"the projector needs Redis (Redis: {states.redis})")
    if states.halted and not settings.serves_interface:
        raise unavailable(f"the work of this process halts; the log says why: {', '.join(states.halted)}")
    return json(schemas.Readiness("ok", "ok", states.redis, states.set_aside, states.halted))


@operation(
    "GET",
    "/metrics",
    tag="Operations",
    summary="Metrics for Prometheus",
    description="The metrics of all processes of this service, added up, in Prometheus' text format.",
    answers="The metrics.",
    media_types=("text/plain",),
    lenient=True,
)
async def get_metrics(request: Request) -> Response[bytes]:
    """All metrics in Prometheus' text format; the lag of the read models and the wishes of players are measured now."""
    services = request.services
    # While Redis or Postgres is away a gauge keeps its last value, and the other metrics are current.
    with suppress(StoreUnavailable, TimeoutError):
        async with asyncio.timeout(MEASURED_S):
            services.metrics.words_asked.set(len(await services.players.accounts.words_asked()))
    with suppress(ReadModelsUnavailable, StoreUnavailable, TimeoutError):
        async with asyncio.timeout(MEASURED_S):
            services.metrics.lag.set(await services.models.lag())
    return BytesResponse(services.metrics.exposition(), status=200, media_type=CONTENT_TYPE_LATEST, headers={})


HANDLERS = (get_liveness, get_readiness)
"""The health checks that are part of the interface, for load balancers."""

AT_METRICS_ADDRESS = (get_liveness, get_readiness, get_metrics)
"""The operations at the metrics address."""
