"""Quotas: what is beyond is 429, what all processes together have taken counts, and Redis may be away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from math import ceil
from typing import TypeAlias

import httpx
import pytest
from msgspec import structs
from redis.asyncio import Redis

from projections.connection import connect
from service.app import OPERATIONS, TARIFF, create_app
from service.config import Settings
from service.http.acting import HOUSE_ACT_S
from service.http.charges import BYTE_COST, PER_SECOND, Charge
from service.http.edge import Edge
from service.http.operation import operation_of
from service.http.responses import DELAY_S, DELAYED
from service.limits.addresses import network
from service.limits.quotas import Limiter, Quota, RedisQuota
from service.services import Services
from tests.contract.conftest import Caller, client_of, configured, deal_over, next_of, opened, problem, register, seated
from tests.support.for_each import for_each

ADDRESS = "192.0.2.1"
TABLE = "0197c0de-0000-7000-8000-000000000001"

Client: TypeAlias = Callable[[str], httpx.AsyncClient]
"""A client at an address."""


class Clock:
    def __init__(self) -> None:
        self.now = 1000 * 3600.0

    def __call__(self) -> float:
        return self.now


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""
    assert seconds == DELAY_S


def of(amount: int, window_s: int = 60) -> Quota:
    return Quota("cost", amount, window_s, "too much")


@pytest.fixture
def leases(redis: Redis) -> RedisQuota:
    """With patience: on a busy machine Redis may take longer than requests wait for it."""
    return RedisQuota(redis, timeout_s=20.0)


@pytest.fixture
async def no_redis() -> AsyncIterator[Redis]:
    async with connect("redis://127.0.0.1:1") as client:
        yield client


async def taken(limiter: Limiter, times: int, key: str = "ada", amount: int = 1) -> list[bool]:
    return [(await limiter.take(key, amount)).within for _ in range(times)]


@pytest.mark.parametrize("quota", [1, 7, 120, 1000])
async def test_a_window_admits_its_quota_and_no_more(quota: int) -> None:
    clock = Clock()
    limiter = Limiter(of(quota), None, clock=clock)
    assert await taken(limiter, quota + 3) == [True] * quota + [False] * 3
    assert await taken(limiter, 1, "berta") == [True]
    clock.now += 60
    assert await taken(limiter, 1) == [True]


async def test_an_answer_names_the_rest_and_the_seconds_to_the_next_window() -> None:
    clock = Clock()
    limiter = Limiter(of(3), None, clock=clock)
    clock.now += 20.5
    assert [(await limiter.take("ada"))[:3] for _ in range(4)] == [
        (True, 2, 40),
        (True, 1, 40),
        (True, 0, 40),
        (False, 0, 40),
    ]


async def test_what_costs_more_takes_more_and_leaves_what_is_too_little_for_it() -> None:
    limiter = Limiter(of(1000), None, clock=Clock())
    assert await taken(limiter, 4, amount=300) == [True, True, True, False]
    assert await taken(limiter, 101) == [True] * 100 + [False]


async def test_what_costs_more_than_the_quota_takes_all_of_it() -> None:
    limiter = Limiter(of(10), None, clock=Clock())
    assert await taken(limiter, 2, amount=300) == [True, False]


@pytest.mark.parametrize("most", [1, 5, 120])
async def test_processes_share_a_quota(leases: RedisQuota, most: int) -> None:
    clock = Clock()
    processes = [Limiter(of(most), leases, clock=clock) for _ in range(3)]
    answers = [(await processes[number % 3].take("ada")).within for number in range(2 * most + 6)]
    assert sum(answers) == most


async def test_processes_share_what_costs_more(leases: RedisQuota) -> None:
    clock = Clock()
    processes = [Limiter(of(1000), leases, clock=clock) for _ in range(3)]
    answers = [(await processes[number % 3].take("ada", 300)).within for number in range(9)]
    assert sum(answers) == 3


async def test_quotas_of_other_names_and_windows_are_counted_apart(leases: RedisQuota) -> None:
    clock = Clock()
    for quota in (of(1), of(1, 3600), Quota("tables", 1, 60, "")):
        assert await taken(Limiter(quota, leases, clock=clock), 2) == [True, False]


async def test_concurrent_requests_share_a_quota(leases: RedisQuota) -> None:
    limiter = Limiter(of(40), leases, clock=Clock())
    answers = await asyncio.gather(*(limiter.take("ada") for _ in range(100)))
    assert sum(balance.within for balance in answers) == 40


async def test_while_redis_is_away_each_process_counts_alone(no_redis: Redis) -> None:
    assert await RedisQuota(no_redis).lease(of(1), "ada", 1, 1) is None
    for _ in range(2):
        assert sum(await taken(Limiter(of(30), RedisQuota(no_redis), clock=Clock()), 40)) == 30


async def test_the_quotas_of_a_process_do_not_each_wait_for_redis(
    no_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[object] = []

    async def away(*arguments: object) -> None:
        tries.append(arguments)
        raise TimeoutError

    monkeypatch.setattr("service.limits.quotas.send", away)
    leases = RedisQuota(no_redis)
    for amount in (1, 2, 3):
        assert await taken(Limiter(of(amount), leases, clock=Clock()), 1) == [True]
    assert len(tries) == 1


async def test_what_was_taken_while_redis_was_away_counts_when_it_is_back(leases: RedisQuota, no_redis: Redis) -> None:
    clock, away = Clock(), RedisQuota(no_redis)
    one, other = Limiter(of(10), away, clock=clock), Limiter(of(10), leases, clock=clock)
    assert await taken(one, 6) == [True] * 6
    clock.now += 5
    one._leases = leases
    assert await taken(one, 1) == [True]
    assert await taken(other, 4) == [True] * 3 + [False]


async def test_a_charge_needs_no_redis_and_counts_in_every_process(leases: RedisQuota) -> None:
    clock = Clock()
    one, other = (Limiter(of(10), leases, clock=clock) for _ in range(2))
    assert [one.charge("ada").within for _ in range(7)] == [True] * 7
    assert await taken(one, 1) == [True]
    assert await taken(other, 3) == [True, True, False]
    assert await taken(one, 1) == [False]
    assert not one.charge("ada").within


async def test_what_is_given_back_can_be_taken_again_but_not_in_a_later_window() -> None:
    clock = Clock()
    limiter = Limiter(of(1), None, clock=clock)
    balance = await limiter.take("ada")
    limiter.give_back("ada", balance)
    assert await taken(limiter, 2) == [True, False]
    clock.now += 60
    assert await taken(limiter, 1) == [True]
    limiter.give_back("ada", balance)
    assert await taken(limiter, 1) == [False]


async def test_made_up_keys_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.limits.quotas.CAPACITY", 5)
    limiter = Limiter(of(3), None, clock=Clock())
    for number in range(100):
        await limiter.take(str(number))
    assert len(limiter._counts) <= 6


@pytest.fixture
async def at(services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """Clients of one service, whose settings the test names."""
    # No refusal is waited for.
    monkeypatch.setattr("service.app.Edge", partial(Edge, pause=at_once))
    # No window ends amid a test.
    app = create_app(configured(settings, services, Clock()))
    clients: list[httpx.AsyncClient] = []

    def client(address: str = ADDRESS) -> httpx.AsyncClient:
        clients.append(client_of(app, address))
        return clients[-1]

    yield client
    for one in clients:
        await one.aclose()


def with_settings(**given: int | None) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("settings", [Settings(**given)], ids=[""])  # type: ignore[arg-type]  # as named


@with_settings(rate_limit=4)
async def test_beyond_the_limit_is_429(at: Client) -> None:
    http = at(ADDRESS)
    answers = [await http.get("/v1/games") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"address";q=4;w=60'}
    assert answers[0].headers["ratelimit"].startswith('"address";r=3;t=')
    problem(answers[-1], 429, "rate-limited")
    assert 0 < int(answers[-1].headers["retry-after"]) <= 60


@with_settings(rate_limit=4)
async def test_the_limit_comes_before_everything_else(at: Client) -> None:
    http = at(ADDRESS)
    for _ in range(4):
        await http.get("/v1/nothing")
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Bearer codille_" + "A" * 43}):
        problem(await http.get("/v1/nothing", headers=headers), 429, "rate-limited")


@with_settings(rate_limit=4)
@pytest.mark.parametrize("path", ["/metrics", "/health/live", "/health/ready", "/docs", "/v1/openapi.json", "/nothing"])
async def test_nothing_is_left_out_of_the_limit(at: Client, path: str) -> None:
    http = at(ADDRESS)
    answers = [await http.get(path) for _ in range(5)]
    problem(answers[-1], 429, "rate-limited")
    assert answers[0].status_code != 429


@with_settings(rate_limit=100)
async def test_an_address_has_one_quota_over_all_its_tokens(at: Client) -> None:
    callers = [await register(at(ADDRESS), name) for name in ("Ada", "Berta", "Carl", "Dora")]
    statuses = [(await callers[number % 4].get("/games")).status_code for number in range(100)]
    assert statuses.count(200) == 100 - 4 * cost_of("POST", "/v1/players")
    problem(await callers[0].get("/games"), 429, "rate-limited")
    problem(await at(ADDRESS).get("/v1/games"), 429, "rate-limited")
    assert (await at("192.0.2.2").get("/v1/games")).status_code == 200


@with_settings(rate_limit=20)
async def test_a_player_has_one_quota_over_all_addresses(at: Client) -> None:
    ada = await register(at(ADDRESS))
    elsewhere = [Caller(at(f"192.0.2.{number}"), ada.player, ada.token) for number in range(2, 27)]
    answers = [await caller.get("/games") for caller in elsewhere]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 5
    problem(answers[-1], 429, "rate-limited")
    assert answers[0].headers["ratelimit-policy"] == '"address";q=20;w=60, "player";q=20;w=60'
    assert answers[0].headers["ratelimit"].startswith('"address";r=19;t=')
    assert ', "player";r=19;t=' in answers[0].headers["ratelimit"]
    assert (await elsewhere[0].http.get("/v1/games")).status_code == 200


async def test_refusals_are_held_back_but_not_without_bound(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []
    all_held, go_on = asyncio.Event(), asyncio.Event()

    async def pause(seconds: float) -> None:
        held.append(seconds)
        if len(held) == DELAYED:
            all_held.set()
        await go_on.wait()

    monkeypatch.setattr("service.app.Edge", partial(Edge, pause=pause))
    async with client_of(create_app(configured(Settings(rate_limit=1), services, Clock()))) as http:
        assert (await http.get("/v1/games")).status_code == 200
        waiting = [asyncio.create_task(http.get("/v1/games")) for _ in range(DELAYED)]
        await all_held.wait()
        problem(await http.get("/v1/games"), 429, "rate-limited")
        assert held == [DELAY_S] * DELAYED
        go_on.set()
        for answer in await asyncio.gather(*waiting):
            problem(answer, 429, "rate-limited")


@with_settings(rate_limit=20)
async def test_all_addresses_of_a_household_share_a_quota(at: Client) -> None:
    clients = [at(f"2001:db8::{number:x}") for number in range(1, 22)]
    statuses = [(await client.get("/v1/games")).status_code for client in clients]
    assert statuses == [200] * 20 + [429]
    assert (await at("2001:db8:0:1::1").get("/v1/games")).status_code == 200


@with_settings(rate_limit=4)
async def test_networks_of_many_addresses_have_quotas_too(at: Client, services: Services) -> None:
    def statuses(answers: list[httpx.Response]) -> list[int]:
        return [answer.status_code for answer in answers]

    narrow = [await at(f"2001:db8:0:{number:x}::1").get("/v1/games") for number in range(9)]
    assert statuses(narrow) == [200] * 8 + [429]
    assert problem(narrow[8], 429, "rate-limited")["detail"] == "no more than a cost of 8 a minute for one /56 network"
    assert narrow[0].headers["ratelimit"].startswith('"address";r=3;t=')
    assert narrow[6].headers["ratelimit"].startswith('"address-56";r=1;t=')
    assert narrow[6].headers["ratelimit-policy"] == '"address-56";q=8;w=60'
    assert int(narrow[8].headers["retry-after"]) <= 60
    wide = [await at(f"2001:db8:0:{number:x}00::1").get("/v1/games") for number in range(1, 10)]
    assert statuses(wide) == [200] * 8 + [429]
    assert problem(wide[8], 429, "rate-limited")["detail"] == "no more than a cost of 16 a minute for one /48 network"
    assert (await at("2001:db8:1::1").get("/v1/games")).status_code == 200
    assert services.metrics.registry.get_sample_value("codille_limited_total", {"quota": "address-56"}) == 1
    assert services.metrics.registry.get_sample_value("codille_limited_total", {"quota": "address-48"}) == 1


@with_settings(registrations_per_hour=1)
async def test_a_network_of_many_addresses_records_no_more_than_its_quota(at: Client) -> None:
    numbers = [0, 1, 2, 0x100, 0x200, 0x300]
    answers = [await at(f"2001:db8:0:{one:x}::1").post("/v1/players", json={"name": "Ada"}) for one in numbers]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 201, 201, 429]


SCRIPT = "/page/swagger-ui-bundle.js"


def left(answer: httpx.Response) -> list[int]:
    """What is left of each quota of cost."""
    return [int(value.partition("r=")[2].partition(";")[0]) for value in answer.headers.get_list("ratelimit")]


@with_settings(rate_limit=100_000)
async def test_bytes_that_are_sent_are_charged_and_the_headers_say_so(
    at: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await register(at("192.0.2.9"))
    headers = {"Authorization": f"Bearer {ada.token}", "Accept-Encoding": "identity"}
    http = at(ADDRESS)
    before = await http.get("/v1/games/nothing", headers=headers)
    script = await http.get(SCRIPT, headers=headers)
    assert len(script.content) > 1_000_000
    after = await http.get("/v1/games/nothing", headers=headers)
    cost = 1 + int(len(script.content) * BYTE_COST)
    assert left(script) == [was - cost for was in left(before)]
    assert left(after) == [was - 1 for was in left(script)]
    head = await http.head(SCRIPT, headers=headers)
    unchanged = await http.get(SCRIPT, headers=headers | {"If-None-Match": script.headers["etag"]})
    assert left(head) == [was - 1 for was in left(after)]
    assert (unchanged.status_code, left(unchanged)) == (304, [was - 1 for was in left(head)])
    table = await opened(ada)
    before = await http.get("/v1/games/nothing", headers=headers)
    # The cost of a byte that makes the smallest export dear.
    monkeypatch.setattr("service.http.responses.BYTE_COST", 1.0)
    export = await http.get(f"/v1/tables/{table}/export", headers=headers)
    after = await http.get("/v1/games/nothing", headers=headers)
    for was, now in zip(left(before), left(after), strict=True):
        assert was - now >= len(export.content) > 1000


@with_settings(rate_limit=100)
async def test_what_is_sent_beyond_the_quota_is_sent_whole_and_owed(at: Client) -> None:
    http = at(ADDRESS)
    bodies = [await http.get(SCRIPT, headers={"Accept-Encoding": "identity"}) for _ in range(2)]
    assert [answer.status_code for answer in bodies] == [200, 200]
    assert bodies[0].content == bodies[1].content
    assert left(bodies[1]) == [0]
    problem(await http.get("/v1/games"), 429, "rate-limited")


@with_settings(rate_limit=5000)
async def test_what_costs_more_is_answered_less_often(at: Client) -> None:
    export = f"/v1/tables/{TABLE}/export"
    assert cost_of("GET", export) > 1000
    answers = [await at(ADDRESS).get(export) for _ in range(5000 // cost_of("GET", export) + 1)]
    assert [answer.status_code for answer in answers] == [404] * (len(answers) - 1) + [429]


@with_settings(registrations_per_hour=2)
async def test_registrations_have_a_quota_by_address(at: Client) -> None:
    http = at(ADDRESS)
    for _ in range(3):
        problem(await http.post("/v1/players", json={"name": ""}), 422, "invalid-body")
    key = {"Idempotency-Key": "once"}
    first = await http.post("/v1/players", json={"name": "Ada"}, headers=key)
    assert first.status_code == 201
    assert '"registrations-address";q=2;w=3600' in first.headers["ratelimit-policy"]
    assert (await http.post("/v1/players", json={"name": "Berta"})).status_code == 201
    refused = await http.post("/v1/players", json={"name": "Carl"})
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 2 registrations an hour for one address"
    assert 60 < int(refused.headers["retry-after"]) <= 3600
    assert (await http.get("/v1/games")).status_code == 200
    assert (await at("192.0.2.2").post("/v1/players", json={"name": "Dora"})).status_code == 201


@with_settings(tables_per_hour=1)
async def test_tables_have_quotas_by_player_and_address(at: Client, services: Services) -> None:
    callers = [await register(at(ADDRESS)) for _ in range(5)]
    key = {"headers": {"Idempotency-Key": "once"}}
    for caller in callers[:4]:
        assert (await caller.post("/tables", {"game": "whist"})).status_code == 422
        again = [await caller.post("/tables", {"game": "crocodile"}, **key) for _ in range(2)]
        assert again[0].status_code == 201
        # The player's quota is used up: what is refused is not looked at.
        assert problem(again[1], 429, "rate-limited")["detail"] == "no more than 1 tables opened an hour for one player"
    refused = await callers[4].post("/tables", {"game": "crocodile"})
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 4 tables opened an hour for one address"
    # It took nothing of the player's own quota.
    moved = Caller(at("192.0.2.2"), callers[4].player, callers[4].token)
    assert (await moved.post("/tables", {"game": "crocodile"})).status_code == 201
    assert services.metrics.registry.get_sample_value("codille_limited_total", {"quota": "tables-player"}) == 4
    assert services.metrics.registry.get_sample_value("codille_limited_total", {"quota": "tables-address"}) == 1


@with_settings(tables_per_hour=2)
async def test_what_is_repeated_takes_nothing_more(at: Client) -> None:
    ada = await register(at(ADDRESS))
    key = {"headers": {"Idempotency-Key": "once"}}
    tables = {(await ada.post("/tables", {"game": "crocodile"}, **key)).json()["table"] for _ in range(5)}
    assert len(tables) == 1
    await opened(ada)
    problem(await ada.post("/tables", {"game": "crocodile"}), 429, "rate-limited")


@with_settings(bots_per_hour=4)
async def test_bots_have_quotas_by_player_and_address(at: Client, services: Services) -> None:
    callers = [await register(at(ADDRESS)) for _ in range(6)]
    ada = callers[0]
    key = {"headers": {"Idempotency-Key": "once"}}
    body = {"game": "crocodile", "bots": {"0": "quick", "1": "quick"}}
    # What is refused, or sent again, takes nothing.
    problem(await ada.post("/tables", body | {"bots": {"0": "quick", "9": "quick"}}), 422, "no-such-seat")
    for _ in range(2):
        answer = await ada.post("/tables", body, **key)
        assert answer.status_code == 201
    assert '"bots-player";q=4;w=3600' in answer.headers["ratelimit-policy"]
    seats = f"/tables/{answer.json()['table']}/seats"
    problem(await ada.post(seats, {"bot": "quick", "seat": 0}), 409, "seat-taken")
    assert (await ada.post(seats, {"bot": "quick"})).status_code == 201
    refused = await ada.post("/tables", body)
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 4 bots seated an hour for one player"
    assert (await ada.post("/tables", {"game": "crocodile"})).status_code == 201
    for caller in callers[1:5]:
        three = {"game": "crocodile", "bots": {"0": "quick", "1": "quick", "2": "quick"}}
        assert (await caller.post("/tables", three)).status_code == 201
    refused = await callers[5].post("/tables", body)
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 16 bots seated an hour for one address"
    assert services.metrics.registry.get_sample_value("codille_limited_total", {"quota": "bots-player"}) == 1


@with_settings(seats_per_hour=4)
async def test_sitting_down_and_leaving_ends(at: Client) -> None:
    ada = await register(at(ADDRESS))
    tables = [await opened(ada) for _ in range(2)]
    statuses = []
    for number in range(4):
        seats = f"/tables/{tables[number % 2]}/seats"
        statuses.append((await ada.post(seats, {})).status_code)
        statuses.append((await ada.delete(f"{seats}/me")).status_code)
    assert statuses == [201, 200, 201, 200, 429, 429, 429, 429]


@with_settings(seats_per_hour=2)
async def test_a_table_has_a_quota_however_its_id_is_spelled(at: Client) -> None:
    callers = [await register(at(f"192.0.2.{number}")) for number in range(1, 6)]
    table = await opened(callers[0])
    spellings = [table, table.upper(), table.replace("-", "")]
    for number, caller in enumerate(callers[:4]):
        seats = f"/tables/{spellings[number % 3]}/seats"
        assert (await caller.post(seats, {})).status_code == 201
        assert (await caller.delete(f"{seats}/me")).status_code == 200
    for spelling in spellings:
        refused = await callers[4].post(f"/tables/{spelling}/seats", {})
        detail = "no more than 8 seats taken and left an hour for one table"
        assert problem(refused, 429, "rate-limited")["detail"] == detail
    assert (await callers[4].post(f"/tables/{await opened(callers[0])}/seats", {})).status_code == 201


@with_settings(disputes_per_hour=1)
async def test_disputes_have_a_quota(at: Client) -> None:
    three = [await register(at(ADDRESS), name) for name in ("Ada", "Berta", "Carl")]
    table = await seated(three)
    await deal_over(three, table)
    wrong, dispute = {"deal": 7, "reason": "why"}, {"deal": 1, "reason": "why"}
    assert (await three[0].post(f"/tables/{table}/disputes", wrong)).status_code in (404, 409, 422)
    assert (await three[0].post(f"/tables/{table}/disputes", dispute)).status_code == 201
    refused = await three[0].post(f"/tables/{table}/disputes", dispute)
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 1 disputes opened an hour for one player"


@with_settings(rate_limit=None, registrations_per_hour=1)
async def test_without_a_rate_limit_nothing_is_limited(at: Client) -> None:
    for _ in range(3):
        await register(at(ADDRESS))


@with_settings(registrations_per_hour=None)
async def test_a_quota_of_its_own_can_be_off(at: Client) -> None:
    for _ in range(3):
        await register(at(ADDRESS))


async def test_without_a_limit_there_are_no_headers(client: httpx.AsyncClient) -> None:
    assert "ratelimit" not in (await client.get("/v1/games")).headers


DECLARED = [declared for handler in OPERATIONS if (declared := operation_of(handler)) is not None]


def cost_of(method: str, path: str) -> int:
    return TARIFF.charge(method, path).cost


@for_each("declared", DECLARED)
def test_a_request_is_charged_as_its_operation_declares(declared: object) -> None:
    one = next(one for one in DECLARED if one is declared)
    path = "/".join(("7" if ":int" in part else TABLE) if "{" in part else part for part in one.route.split("/"))
    charge = TARIFF.charge(one.method, path)
    assert (charge.cost, charge.records) == (one.cost, one.records)
    assert charge.table == (TABLE if one.records and "{table:uuid}" in one.path else None)
    assert TARIFF.charge("PUT", path) == TARIFF.charge(one.method, path[1:]) == Charge()
    # Such paths are answered 404.
    assert TARIFF.charge(one.method, f"{path}/") == TARIFF.charge(one.method, f"/{path}") == Charge()


@for_each("path", ["/", "", "//", "/v1/tables", "/v1/tables/x/export/y", "/v1/" + "x" * 10_000])
def test_what_is_no_operation_costs_one(path: str) -> None:
    assert TARIFF.charge("GET", path).cost in (1, 3)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.1:4711", True),
        ("[2001:db8::1]:4711", "2001:db8::2", True),
        ("unknown", "unknown", True),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same


async def test_acts_of_the_house_are_charged_to_the_player_whose_act_they_follow(
    three: list[Caller], table: str, services: Services, settings: Settings
) -> None:
    limited = create_app(configured(structs.replace(settings, rate_limit=10_000), services, Clock()))
    _, caller = await next_of(three, table)
    for other in three:
        if other is not caller:
            assert (await other.post(f"/tables/{table}/seats/me/abandon", None)).status_code == 200
    async with client_of(limited) as http:
        one = Caller(http, caller.player, caller.token)

        async def left() -> list[int]:
            answer = await one.get(f"/tables/{table}/presence")
            return [int(value.partition("r=")[2].partition(";")[0]) for value in answer.headers.get_list("ratelimit")]

        before = await left()
        acted = await one.post(f"/tables/{table}/actions", {"type": "pass"})
        house = sum(event["actor"].startswith("bot:") for event in acted.json()["events"])
        after = await left()
        probe, act = (of_operation(name) for name in ("getPresence", "act"))
        assert house > 0
        assert [was - now for was, now in zip(before, after, strict=True)] == [
            act + probe + house * ceil(HOUSE_ACT_S * PER_SECOND)
        ] * 2
        key = {"Idempotency-Key": "once"}
        refused = await one.post(f"/tables/{table}/actions", {"type": "nothing"}, headers=key)
        assert refused.status_code == 422
        assert [was - now for was, now in zip(after, await left(), strict=True)] == [act + probe] * 2


def of_operation(name: str) -> int:
    """The declared cost of an operation."""
    (cost,) = [one.cost for one in map(operation_of, OPERATIONS) if one is not None and one.id == name]
    return cost
