"""For the operator: liveness, readiness, metrics.

They answer whatever query comes with them, unlike the interface under `/v1`: probes and scrapers add parameters of
their own, and a process that is alive must not be restarted for one.
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
    description="Answers as long as the process takes requests, whatever is the matter with its servers.",
    answers="The process is alive.",
    lenient=True,
    example=lambda _: {"status": "ok"},
)
async def get_liveness(_request: PreparedRequest) -> Response[schemas.Health]:
    """Liveness."""
    return json(schemas.Health("ok"))


@operation(
    "GET",
    "/health/ready",
    id="getReadiness",
    tag="Operations",
    summary="Whether the process can serve",
    description="Answers 503 while Postgres cannot be reached. Redis does not matter: without it tables are read "
    "from the log.",
    answers="The process can serve.",
    problems=("unavailable",),
    lenient=True,
    example=lambda _: {"status": "ok"},
)
async def get_readiness(request: PreparedRequest) -> Response[schemas.Health]:
    """Readiness."""
    await request.services.store.ping()
    return json(schemas.Health("ok"))


@operation(
    "GET",
    "/metrics",
    id="getMetrics",
    tag="Operations",
    summary="Metrics for Prometheus",
    description="The measurements of all processes of this service, added up, in Prometheus' text format.",
    answers="The measurements.",
    media_types=("text/plain",),
    lenient=True,
    example=lambda _: METRICS_EXAMPLE,
)
async def get_metrics(request: PreparedRequest) -> Response[bytes]:
    """Metrics."""
    services = request.services
    # While Redis is away the gauge keeps its last value.
    with suppress(ReadModelsUnavailable):
        services.metrics.lag(await services.queries.models.lag())
    return BytesResponse(services.metrics.exposition(), status=200, media_type=CONTENT_TYPE_LATEST, headers={})


HANDLERS = (get_liveness, get_readiness, get_metrics)
