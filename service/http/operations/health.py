"""For whoever runs the service: liveness, readiness, metrics.

They answer whatever query comes with them, unlike the interface under `/v1`: probes and scrapers add parameters of
their own, and a process that is alive is not to be ended for one.
"""

from contextlib import suppress

from litestar import Response, get

from projections import ReadModelsUnavailable
from service.http import schemas
from service.http.request import Ask
from service.http.responses import Reply, json, problems
from service.observability.metrics import CONTENT_TYPE_LATEST


@get(
    "/health/live",
    operation_id="getLiveness",
    summary="Whether the process is alive",
    description="Answers as long as the process takes requests, whatever is the matter with its servers.",
    tags=["Operations"],
)
async def live() -> Response[schemas.Health]:
    """Liveness."""
    return json(schemas.Health("ok"))


@get(
    "/health/ready",
    operation_id="getReadiness",
    summary="Whether the process can serve",
    description="Answers 503 while Postgres cannot be reached. Redis does not matter: without it tables are read "
    "from the log.",
    tags=["Operations"],
    responses={503: problems()[503]},
)
async def ready(request: Ask) -> Response[schemas.Health]:
    """Readiness."""
    await request.edge.store.ping()
    return json(schemas.Health("ok"))


@get(
    "/metrics",
    operation_id="getMetrics",
    summary="Metrics for Prometheus",
    description="The measurements of all processes of this service, added up, in Prometheus' text format.",
    tags=["Operations"],
    media_type="text/plain",
)
async def metrics(request: Ask) -> Response[bytes]:
    """Metrics."""
    edge = request.edge
    # While Redis is away the gauge keeps its last value.
    with suppress(ReadModelsUnavailable):
        edge.metrics.lag(await edge.reads.models.lag())
    return Reply(edge.metrics.exposition(), status=200, media_type=CONTENT_TYPE_LATEST, headers={})


HANDLERS = (live, ready, metrics)
