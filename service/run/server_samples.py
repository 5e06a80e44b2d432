"""Samples the state of a process at intervals."""

from projections.models import ReadModelsUnavailable
from projections.tasks import pause
from service.observability.server_metrics import ProcessSample, RedisSample
from service.run.stop import Stop
from service.services import Services

EVERY_S = 5.0
"""Seconds between two samples; less than Prometheus' usual interval of scraping."""


async def sample(services: Services, stop: Stop) -> None:
    """Samples this process and its servers at once and then at intervals, until `stop`."""
    while not stop.is_set():
        services.metrics.servers.sampled(
            ProcessSample(
                database_connections=services.log.database.connections(),
                commands_waiting=services.log.writer.waiting,
                redis=await _redis(services),
            )
        )
        await pause(stop, EVERY_S)


async def _redis(services: Services) -> RedisSample | None:
    if services.models is None:
        return None
    try:
        state = await services.models.state()
    except ReadModelsUnavailable:
        return None
    return RedisSample(state.seconds, state.memory_bytes, state.memory_limit_bytes)
