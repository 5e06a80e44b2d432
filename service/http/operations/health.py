"""Liveness, readiness and metrics, for the operator.

Unlike the interface under `/v1`, these accept any query: probes and scrapers add parameters of their own, and an
unknown parameter must not make a live process look dead.
"""

from contextlib import suppress

from litestar import Response

from projections import ReadModelsUnavailable
from service.http import schemas
from service.http.operation import operation
from service.http.request import PreparedRequest
from service.http.responses import BytesResponse, json
from service.observability.metrics import CONTENT_TYPE_LATEST

METRICS_EXAMPLE = (
    "# HELP codille_requests_total Requests answered.\n# TYPE codille_requests_total counter\n"
    'codille_requests_total{method="GET",route="/v1/games",status="200"} 1.0\n'
)


@operation(
    "GET",
    "/health/live",
    id="getLiveness",
    tag="Operations",
    summary="Whether the process is alive",
    description="Answers as long as the process takes requests, even while Postgres or Redis is away.",
    answers="The process is alive.",
    lenient=True,
    example=lambda _: {"status": "ok"},
)
async def get_liveness(_request: PreparedRequest) -> Response[schemas.Health]:
    """Always `ok`."""
    return json(schemas.Health("ok"))


@operation(
    "GET",
    "/health/ready",
    id="getReadiness",
    tag="Operations",
    summary="Whether the process can serve",
    description="Answers 503 while Postgres cannot be reached. Redis is not required: without it, tables are read "
    "from the log.",
    answers="The process can serve.",
    problems=("unavailable",),
    lenient=True,
    example=lambda _: {"status": "ok"},
)
async def get_readiness(request: PreparedRequest) -> Response[schemas.Health]:
    """`ok` while the log can be reached. Raises StoreUnavailable."""
    await request.services.store.ping()
    return json(schemas.Health("ok"))


@operation(
    "GET",
    "/metrics",
    id="getMetrics",
    tag="Operations",
    summary="Metrics for Prometheus",
    description="The metrics of all processes of this service, added up, in Prometheus' text format.",
    answers="The metrics.",
    media_types=("text/plain",),
    lenient=True,
    example=lambda _: METRICS_EXAMPLE,
)
async def get_metrics(request: PreparedRequest) -> Response[bytes]:
    """All metrics in Prometheus' text format; the lag of the read models is measured now."""
    services = request.services
    # While Redis is away the gauge keeps its last value.
    with suppress(ReadModelsUnavailable):
        services.metrics.lag(await services.queries.models.lag())
    return BytesResponse(services.metrics.exposition(), status=200, media_type=CONTENT_TYPE_LATEST, headers={})


HANDLERS = (get_liveness, get_readiness, get_metrics)
