"""Every test here gets an empty Valkey: a cluster of one node, so that no call may touch two slots."""

import pytest
from redis.asyncio import Redis

from projections.readers import ReadModels
from tests.support.projecting import MemoryLog, recorded
from tests.support.registry import GAMES

_RECORDS = recorded(12)


@pytest.fixture
def log() -> MemoryLog:
    """A log of a dozen tables played to their ends."""
    return MemoryLog(_RECORDS)


@pytest.fixture
def models(redis: Redis, log: MemoryLog) -> ReadModels:
    """What readers use."""
    return ReadModels(redis, log, GAMES, timeout_s=20.0)
