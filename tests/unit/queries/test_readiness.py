"""Readiness: what is checked, what is stated of Redis, and that many callers cause one check."""

import asyncio
from typing import Any, cast

import pytest

from projections.models import ReadModelsUnavailable, RedisState
from service.queries.readiness import KEPT_S, ReadinessCheck
from service.store.database import StoreUnavailable

WELL = RedisState(loading=False, writes=True, memory_bytes=1, memory_limit_bytes=0, seconds=0.001)


class Servers:
    """A store and read models that answer as a test has them."""

    def __init__(self) -> None:
        self.now = 100.0
        self.checks = 0
        self.refusal: StoreUnavailable | None = None
        self.redis: RedisState | None = WELL
        self.has_key = True
        self.halted: list[str] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def check_writing(self) -> None:
        self.checks += 1
        await self.may_answer.wait()
        if self.refusal is not None:
            raise self.refusal

    async def announced(self) -> bool:
        return self.has_key

    async def state(self) -> RedisState:
        if self.redis is None:
            raise ReadModelsUnavailable("away")
        return self.redis

    async def set_aside(self) -> int:
        if self.redis is None:
            raise ReadModelsUnavailable("away")
        return 2

    def readiness(self) -> ReadinessCheck:
        own = cast(Any, self)
        return ReadinessCheck(own, own, own, lambda: self.halted, clock=lambda: self.now)


@pytest.mark.parametrize(
    ("redis", "stated"),
    [
        (WELL, "ok"),
        (None, "unavailable"),
        (RedisState(loading=True, writes=True, memory_bytes=1, memory_limit_bytes=0, seconds=0.001), "loading"),
        (RedisState(loading=False, writes=False, memory_bytes=1, memory_limit_bytes=0, seconds=0.001), "cannot-write"),
    ],
)
async def test_the_state_of_redis(redis: RedisState | None, stated: str) -> None:
    servers = Servers()
    servers.redis = redis
    states = await servers.readiness().states()
    assert (states.postgres, states.redis) == (None, stated)
    assert states.set_aside == (None if redis is None else 2)


async def test_many_callers_cause_one_check_and_its_result_is_kept_for_a_moment() -> None:
    servers = Servers()
    readiness = servers.readiness()
    servers.may_answer.clear()
    asking = [asyncio.create_task(readiness.states()) for _ in range(20)]
    gone = asyncio.create_task(readiness.states())
    await asyncio.sleep(0)
    gone.cancel()
    servers.may_answer.set()
    assert all(states.postgres is None for states in await asyncio.gather(*asking))
    servers.now += KEPT_S / 2
    await readiness.states()
    assert servers.checks == 1
    servers.now += KEPT_S
    servers.refusal = StoreUnavailable("no space", "disk-full")
    states = await readiness.states()
    assert states.postgres is not None
    assert (states.postgres.cause, servers.checks) == ("disk-full", 2)


async def test_a_log_without_a_key_is_looked_at_again_until_it_has_one() -> None:
    servers = Servers()
    servers.has_key = False
    readiness = servers.readiness()
    assert not (await readiness.states()).has_key
    servers.now += KEPT_S
    servers.has_key = True
    assert (await readiness.states()).has_key
    servers.now += KEPT_S
    servers.has_key = False
    assert (await readiness.states()).has_key, "a log never loses its keys"
