"""Every test here gets an empty Valkey: a cluster of one node, so that no call may touch two slots."""

import pytest
from redis.asyncio import Redis

from domain.record.recorded import Recorded
from projections.models import ReadModels
from tests.support.projecting import MemoryLog, recorded
from tests.support.registry import GAMES


@pytest.fixture(scope="session")
def dozen() -> list[Recorded]:
    """The records of a dozen tables played to their ends."""
    return recorded(12)


@pytest.fixture
def log(dozen: list[Recorded]) -> MemoryLog:
    """A log of these tables."""
    return MemoryLog(dozen)


@pytest.fixture
def models(redis: Redis, log: MemoryLog) -> ReadModels:
    """What readers use."""
    return ReadModels(redis, log, GAMES, timeout_s=20.0)
