"""Requests of the kit against servers that misbehave: each gets through once, or says why not."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import codille_client
import httpx
import pytest
from codille_client import Client, NotYourTurn, Problem, RuleViolation, Stale, Unreachable, sync

from tests.support.for_each import for_each
from tests.support.misbehaving import Answer, cut_off, hung_up, misbehaving, problem, status, stream

ACTED = {"version": 9, "events": [], "to_act": [1]}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that clients would have waited."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("codille_client.http.asyncio", SimpleNamespace(sleep=sleep))
    return waited


@for_each(
    "lost",
    [
        hung_up,
        cut_off(ACTED),
        cut_off(ACTED, framed=False),
        status(502, "<html>", "text/html"),
        status(504),
        problem(408, "request-timeout"),
        problem(503, "unavailable", retry_after=3),
        problem(429, "rate-limited", retry_after=7),
    ],
)
async def test_what_is_lost_is_sent_again_with_its_key(pauses: list[float], lost: Answer) -> None:
    async with misbehaving(lost, lost, status(201, ACTED)) as server, Client(server.url, "\ufefftoken\r\n") as client:
        assert await client.table("t").act({"type": "pass"}, 8) == ACTED
    keys = {asked.headers["idempotency-key"] for asked in server.asked}
    assert (len(server.asked), len(keys)) == (3, 1)
    assert {asked.path for asked in server.asked} == {"/v1/tables/t/actions"}
    assert all(asked.body == {"type": "pass"} for asked in server.asked)
    assert all(asked.headers["if-match"] == '"8"' for asked in server.asked)
    assert all(asked.headers["authorization"] == "Bearer token" for asked in server.asked)


async def test_every_writing_call_has_a_key_of_its_own_or_the_one_given(pauses: list[float]) -> None:
    view = {"version": 1, "you": 0, "table": "t"}
    async with misbehaving(status(200, {**view, **ACTED, "token": "k"})) as server, Client(server.url) as client:
        table = client.table("t", invite="inv")
        await client.register("Ada")
        await client.open_table("ombre", deals=3, key="mine")
        await table.sit(2, entropy="00")
        await table.act({"type": "pass"}, key="mine too")
        for call in (table.abandon, table.rematch, table.invite, table.propose_end):
            await call()
        await table.dispute("why", deal=1)
        await table.seat_bot("quick")
        await table.leave()
    keys = [asked.headers.get("idempotency-key") for asked in server.asked]
    assert all(keys[:-1])
    assert keys[-1] is None  # leaving again changes nothing
    assert len(set(keys)) == len(keys)
    assert (keys[1], keys[3]) == ("mine", "mine too")
    assert server.asked[1].body == {"game": "ombre", "deals": 3}
    assert server.asked[2].body == {"seat": 2, "entropy": "00"}
    assert {asked.path.partition("?")[2] for asked in server.asked[2:]} == {"invite=inv"}


async def test_a_registration_whose_answer_is_lost_is_repeated_with_its_secret(pauses: list[float]) -> None:
    registered = {"player": "p", "token": "k", "recovery_secret": "s"}
    answers = (hung_up, cut_off(registered), status(201, registered))
    async with misbehaving(*answers) as server, Client(server.url) as client:
        assert await client.register("Ada") == registered
        assert client.token == "k"
    assert len({asked.body["secret"] for asked in server.asked}) == 1
    assert len(server.asked[0].body["secret"]) == 64
    assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1


async def test_pauses_are_those_asked_for_and_grow_otherwise(pauses: list[float]) -> None:
    held = [problem(503, "unavailable", retry_after=3), problem(429, "rate-limited", retry_after=7)]
    # A date says nothing to somebody whose clock is wrong.
    dated = status(503, None, Retry_After="Fri, 31 Dec 1999 23:59:59 GMT")
    answers = (*held, dated, *[status(502)] * 7, status(200, {"items": []}))
    async with misbehaving(*answers) as server, Client(server.url) as client:
        await client.games()
    assert 3 <= pauses[0] <= 3 * 1.25
    assert 7 <= pauses[1] <= 7 * 1.25
    assert 1 <= pauses[2] <= 1.25
    assert 8 <= pauses[-1] <= 10


async def test_streams_wait_as_long_as_they_are_asked_to(pauses: list[float]) -> None:
    held = [problem(429, "rate-limited", retry_after=7), problem(503, "unavailable", retry_after=3)]
    dropped = {"frame": "dropped", "data": {"reason": "room", "detail": "", "retry_ms": 5000}}
    frame = {"frame": "snapshot", "id": 3, "data": {}}
    answers = (*held, status(502, "<html>", "text/html"), stream(dropped), stream(frame))
    async with misbehaving(*answers) as server, Client(server.url) as client:
        assert await anext(client.notices()) == frame
    asked = [7, 3, 1, 5]
    assert all(least <= pause <= least * 1.25 for least, pause in zip(asked, pauses, strict=True))


async def test_it_is_given_up_at_the_deadline_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    began = time.monotonic()
    async with misbehaving(hung_up) as server, Client(server.url, deadline_s=0.7) as client:
        with pytest.raises(Unreachable, match=r"no answer to GET games within 0\.7 s"):
            async with asyncio.timeout(20):
                await client.games()
    assert len(server.asked) >= 2
    assert time.monotonic() - began < 10
    async with misbehaving(problem(429, "rate-limited", retry_after=3600)) as server, Client(server.url) as client:
        with pytest.raises(Problem) as refused:
            await client.games()
    assert (refused.value.code, refused.value.retry_after, len(server.asked)) == ("rate-limited", 3600, 1)


async def test_a_redirect_takes_no_token_anywhere() -> None:
    async with misbehaving(status(200, {"items": []})) as other:
        moved = status(307, None, Location=f"{other.url}/v1/games")
        async with misbehaving(moved) as server, Client(server.url, "token") as client:
            for call in (client.games(), client.register("Ada")):
                with pytest.raises(Problem) as found:
                    await call
                assert str(found.value) == f"307 redirected: the service is at another address: {other.url}/v1/games"
    assert not other.asked
    assert len(server.asked) == 2


REFUSED = {"title": "Not allowed", "detail": "follow suit", "rule": "CR-4.1", "version": 12, "new": [1]}


@for_each(
    "code, kind",
    [
        ("not-your-turn", NotYourTurn),
        ("rule-violation", RuleViolation),
        ("precondition-failed", Stale),
        ("lost-race", Stale),
        ("invalid-token", Problem),
        ("a-code-of-later", Problem),
    ],
)
async def test_a_refusal_is_raised_with_all_that_it_says(code: str, kind: type[Problem]) -> None:
    offers = [{"type": "play", "fields": {"card": {"one_of": ["Ks"]}}}]
    async with misbehaving(problem(409, code, **REFUSED, offers=offers)) as server, Client(server.url) as client:
        with pytest.raises(Problem) as refused:
            await client.table("t").act({"type": "play", "card": "7h"})
    found = refused.value
    assert type(found) is kind
    assert (found.status, found.code, found.title, found.detail) == (409, code, "Not allowed", "follow suit")
    assert (found.rule, found.version, found.document["new"]) == ("CR-4.1", 12, [1])
    assert [offer.act() for offer in found.offers] == [{"type": "play", "card": "Ks"}]
    assert str(found) == f"409 {code} (rule CR-4.1): follow suit"


async def test_faults_of_fields_are_named_and_no_document_is_no_obstacle() -> None:
    errors = [{"pointer": "/name", "detail": "too long"}, {"parameter": "limit", "detail": "too big"}]
    answers = (problem(422, "invalid-body", detail="2 faults", errors=errors), status(404, "<html>", "text/html"))
    async with misbehaving(*answers) as server, Client(server.url) as client:
        with pytest.raises(Problem, match=r"422 invalid-body: 2 faults; /name: too long; limit: too big"):
            await client.games()
        with pytest.raises(Problem, match="404 http-404"):
            await client.games()


async def test_a_problem_says_each_fault_once() -> None:
    errors = [{"pointer": "/lines/0", "detail": "is no line"}, {"parameter": "limit", "detail": "too big"}]
    detail = "/lines/0: is no line"
    answer = problem(422, "invalid-body", detail=detail, errors=errors)
    async with misbehaving(answer) as server, Client(server.url) as client:
        with pytest.raises(Problem) as refused:
            await client.games()
    assert str(refused.value) == "422 invalid-body: /lines/0: is no line; limit: too big"


@for_each(
    "arguments, said",
    [
        (("get", "games"), "the method is 'get', and must be one of GET, POST, PATCH, DELETE"),
        (("POST", "tables", "diloti"), "the body is 'diloti', and must be a mapping or None"),
        (("POST", "tables", [1]), r"the body is \[1\], and must be a mapping or None"),
        (("GET", "https://example.org/v1/games"), "'https://example.org/v1/games' is no path under http://x/"),
        (("GET", "//example.org/games"), "'//example.org/games' is no path under http://x/"),
    ],
)
async def test_wrong_arguments_of_a_request_are_said_and_nothing_is_sent(arguments: tuple[Any, ...], said: str) -> None:
    async with Client("http://x", "token") as client:
        with pytest.raises((TypeError, ValueError), match=said):
            await client.request(*arguments)
        with pytest.raises(TypeError, match="the query is 'limit', and must be"):
            await client.request("GET", "games", query="limit")  # type: ignore[arg-type]


async def test_answers_are_values_texts_or_bytes_and_nothing() -> None:
    answers = [
        status(200, {"a": 1}),
        status(200, 2, "text/plain"),
        status(200, 1, "application/x-ndjson"),
        status(204, None, ""),
    ]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        assert [await client.request("GET", "a") for _ in answers] == [{"a": 1}, "2", b"1", None]


async def test_lists_are_read_page_by_page(pauses: list[float]) -> None:
    pages = [{"items": [1, 2], "next": "c"}, {"items": [3], "next": None}]
    async with misbehaving(*(status(200, page) for page in pages)) as server, Client(f"{server.url}/v1/") as client:
        assert [item async for item in client.tables(game="don")] == [1, 2, 3]
    assert [asked.path for asked in server.asked] == ["/v1/tables?game=don", "/v1/tables?game=don&cursor=c"]


async def test_a_client_may_be_given_connections(pauses: list[float]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"items": [str(request.url)]})

    async with Client("http://x/", http=httpx.AsyncClient(transport=httpx.MockTransport(answer))) as client:
        assert await client.games() == ["http://x/v1/games"]
        assert await client.request("GET", "/v1/log/keys", query={"a": None}) == {"items": ["http://x/v1/log/keys"]}


async def test_the_face_without_async_does_the_same() -> None:
    async with misbehaving(hung_up, problem(503, "unavailable", retry_after=0), status(201, ACTED)) as server:

        def act() -> Any:
            with sync.Client(server.url, "token") as client:
                return client.table("t").act({"type": "pass"})

        assert await asyncio.to_thread(act) == ACTED
    assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1


def test_all_that_is_named_is_there() -> None:
    for module in (codille_client, sync):
        assert all(getattr(module, name) for name in module.__all__)
