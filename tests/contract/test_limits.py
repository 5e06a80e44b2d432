"""Rate limits: what is beyond is 429, what all processes together have used counts, and Redis may be away."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import httpx
import pytest
from redis.asyncio import Redis

from service.app import create_app
from service.config import Settings
from service.http.context import InterfaceServices
from service.http.limits import Limiter, QuotaUnavailable, RedisQuota, network
from tests.contract.conftest import problem, register


class Clock:
    def __init__(self) -> None:
        self.now = 1000 * 60.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def redis(empty_redis: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(empty_redis) as client:
        yield client


@pytest.fixture
def quota(redis: Redis) -> RedisQuota:
    """With patience: on a busy machine Redis may take longer than requests wait for it."""
    return RedisQuota(redis, timeout_s=20.0)


@pytest.fixture
async def no_redis() -> AsyncIterator[Redis]:
    async with Redis.from_url("redis://127.0.0.1:1") as client:
        yield client


async def taken(limiter: Limiter, times: int, key: str = "ada") -> list[bool]:
    return [(await limiter.take(key))[0] for _ in range(times)]


@pytest.mark.parametrize("quota", [1, 7, 120, 1000])
async def test_a_window_admits_its_quota_and_no_more(quota: int) -> None:
    clock = Clock()
    limiter = Limiter(quota, None, clock=clock)
    assert await taken(limiter, quota + 3) == [True] * quota + [False] * 3
    assert await taken(limiter, 1, "berta") == [True]
    clock.now += 60
    assert await taken(limiter, 1) == [True]


async def test_an_answer_names_the_rest_and_the_seconds_to_the_next_window() -> None:
    clock = Clock()
    limiter = Limiter(3, None, clock=clock)
    clock.now += 20.5
    assert [await limiter.take("ada") for _ in range(4)] == [
        (True, 2, 40),
        (True, 1, 40),
        (True, 0, 40),
        (False, 0, 40),
    ]


@pytest.mark.parametrize("most", [1, 5, 120])
async def test_processes_share_a_quota(quota: RedisQuota, most: int) -> None:
    clock = Clock()
    processes = [Limiter(most, quota, clock=clock) for _ in range(3)]
    answers = [(await processes[number % 3].take("ada"))[0] for number in range(2 * most + 6)]
    assert sum(answers) == most


async def test_concurrent_requests_share_a_quota(quota: RedisQuota) -> None:
    limiter = Limiter(40, quota, clock=Clock())
    answers = await asyncio.gather(*(limiter.take("ada") for _ in range(100)))
    assert sum(within for within, _, _ in answers) == 40


async def test_while_redis_is_away_each_process_counts_alone(no_redis: Redis) -> None:
    with pytest.raises(QuotaUnavailable):
        await RedisQuota(no_redis).lease("ada", 1, 1)
    for _ in range(2):
        assert sum(await taken(Limiter(30, RedisQuota(no_redis), clock=Clock()), 40)) == 30


@pytest.fixture
async def limited(services: InterfaceServices, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    # The minute does not end amid a test.
    monkeypatch.setattr("service.app.Limiter", partial(Limiter, clock=Clock()))
    app = create_app(Settings(rate_limit=4), services)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://codille.test") as client:
        yield client


async def test_beyond_the_limit_is_429(limited: httpx.AsyncClient) -> None:
    answers = [await limited.get("/v1/games") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"minute";q=4;w=60'}
    assert answers[0].headers["ratelimit"].startswith('"minute";r=3;t=')
    problem(answers[-1], 429, "rate-limited")
    assert 0 < int(answers[-1].headers["retry-after"]) <= 60


async def test_the_limit_comes_before_everything_else(limited: httpx.AsyncClient) -> None:
    for _ in range(4):
        await limited.get("/v1/nothing")
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Bearer codille_" + "A" * 43}):
        problem(await limited.get("/v1/nothing", headers=headers), 429, "rate-limited")
    assert (await limited.get("/health/live")).status_code == 200


async def test_a_token_has_its_own_count(limited: httpx.AsyncClient) -> None:
    ada = await register(limited)
    assert (await ada.get("/games")).status_code == 200
    for _ in range(2):
        await limited.get("/v1/games")
    problem(await limited.get("/v1/games"), 429, "rate-limited")
    assert (await ada.get("/games")).status_code == 200


async def test_a_token_that_rested_long_has_its_own_count(
    services: InterfaceServices, limited: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.bearers, "_ttl_s", 0.0)
    ada = await register(limited)
    assert (await ada.get("/games")).status_code == 200
    for _ in range(3):
        await limited.get("/v1/games")
    assert (await ada.get("/games")).status_code == 200


async def test_without_a_limit_there_are_no_headers(client: httpx.AsyncClient) -> None:
    assert "ratelimit" not in (await client.get("/v1/games")).headers


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("unknown", "unknown", True),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same
