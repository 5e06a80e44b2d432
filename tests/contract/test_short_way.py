"""The short way to an operation answers byte for byte as Litestar's does."""

import re
from typing import Any, TypeAlias

import httpx
import pytest
from litestar.routes import HTTPRoute
from litestar.types import Receive, Send
from structlog.testing import capture_logs

from service.commands.handler import CommandResult
from service.config import Settings
from service.http.short_way import ShortWay
from service.services import Services
from tests.contract.conftest import Caller, next_of, register
from tests.support.for_each import for_each

NOBODY = "01936d5c-0000-7000-8000-000000000000"
JSON = {"Content-Type": "application/json"}
PASS = b'{"type":"pass"}'

Sent: TypeAlias = tuple[str, str, bytes | None, dict[str, str]]

PLAIN: dict[str, Sent] = {
    "a view": ("GET", "/tables/{table}", None, {}),
    "its head": ("HEAD", "/tables/{table}", None, {}),
    "offers": ("GET", "/tables/{table}/offers", None, {}),
    "no table": ("GET", f"/tables/{NOBODY}", None, {}),
    "offers at no table": ("GET", f"/tables/{NOBODY}/offers", None, {}),
    "any media type": ("GET", "/tables/{table}", None, {"Accept": "*/*"}),
    "not acceptable": ("GET", "/tables/{table}", None, {"Accept": "text/html"}),
    "no media type": ("GET", "/tables/{table}", None, {"Accept": ""}),
    "a bad token": ("GET", "/tables/{table}", None, {"Authorization": "Bearer codille_x"}),
    "a body where none is due": ("GET", "/tables/{table}", b"x", {}),
    "an action": ("POST", "/tables/{table}/actions", PASS, JSON),
    "in a character set": (
        "POST",
        "/tables/{table}/actions",
        PASS,
        {"Content-Type": "Application/JSON; charset=UTF-8"},
    ),
    "in another": ("POST", "/tables/{table}/actions", PASS, {"Content-Type": "application/json; charset=latin-1"}),
    "in no media type": ("POST", "/tables/{table}/actions", PASS, {}),
    "an action at no table": ("POST", f"/tables/{NOBODY}/actions", PASS, JSON),
    "an action that is none": ("POST", "/tables/{table}/actions", b'{"type":"resign"}', JSON),
    "not in this phase": ("POST", "/tables/{table}/actions", b'{"type":"concede"}', JSON),
    "not JSON": ("POST", "/tables/{table}/actions", b"pass", JSON),
    "nothing": ("POST", "/tables/{table}/actions", b"", JSON),
    "too much": ("POST", "/tables/{table}/actions", b"x" * 100_000, JSON),
    "an action, not acceptable": ("POST", "/tables/{table}/actions", PASS, JSON | {"Accept": "text/html"}),
    "an entity tag": ("GET", "/tables/{table}", None, {"If-None-Match": '"6"'}),
    "a bad entity tag": ("GET", "/tables/{table}", None, {"If-None-Match": "6"}),
    "a precondition": ("POST", "/tables/{table}/actions", PASS, JSON | {"If-Match": '"1"'}),
    "a bad key": ("POST", "/tables/{table}/actions", PASS, JSON | {"Idempotency-Key": "ä"}),
}

OTHER: dict[str, Sent] = {
    "a query": ("GET", "/tables/{table}?min_version=1", None, {}),
    "an unknown query": ("GET", "/tables/{table}?x=1", None, {}),
    "an action with a query": ("POST", "/tables/{table}/actions?x=1", PASS, JSON),
    "an id in capitals": ("GET", f"/tables/{NOBODY.upper()}", None, {}),
    "an id that is none": ("GET", "/tables/x", None, {}),
    "a slash": ("GET", "/tables/{table}/", None, {}),
    "another method": ("PUT", "/tables/{table}/actions", PASS, JSON),
    "options": ("OPTIONS", "/tables/{table}", None, {}),
    "a bad host": ("GET", "/tables/{table}", None, {"Host": "a b"}),
    "another operation": ("GET", "/tables/{table}/events", None, {}),
}


@pytest.fixture
def settings() -> Settings:
    return Settings(rate_limit=10_000)


@pytest.fixture
def routed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of the requests that took Litestar's way."""
    methods: list[str] = []
    handle = HTTPRoute.handle

    async def handled(self: HTTPRoute, scope: Any, receive: Receive, send: Send) -> None:
        methods.append(scope["method"])
        await handle(self, scope, receive, send)

    monkeypatch.setattr(HTTPRoute, "handle", handled)
    return methods


class Twice:
    """Sends every request both ways."""

    def __init__(self, patch: pytest.MonkeyPatch, http: httpx.AsyncClient, table: str) -> None:
        self._patch = patch
        self._http = http
        self._table = table

    async def send(self, sent: Sent, token: str | None) -> tuple[list[object], list[object]]:
        """The two answers with their lines in the log, that of the short way first."""
        direct = await self._observed(sent, token)
        with self._patch.context() as patched:
            patched.setattr(ShortWay, "route", lambda *_: None)
            return direct, await self._observed(sent, token)

    async def _observed(self, sent: Sent, token: str | None) -> list[object]:
        method, path, body, given = sent
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"X-Request-Id": "same"} | given
        encoded = {name.encode(): value.encode() for name, value in headers.items()}
        with capture_logs() as lines:
            answer = await self._http.request(
                method, "/v1" + path.replace("{table}", self._table), content=body, headers=encoded
            )
        requests = [line for line in lines if line["event"] == "request"]
        for line in requests:
            del line["duration_ms"]
        answered = [(name, re.sub(rb"r=\d+;t=\d+", b"", value)) for name, value in answer.headers.raw]
        return [answer.status_code, answered, answer.content, requests]


@pytest.fixture
def played_once(monkeypatch: pytest.MonkeyPatch, services: Services, table: str) -> str:
    """A table where every accepted command comes to what the first came to: times and ids are made only once."""
    answers: list[CommandResult] = []
    handle = services.tables.commands.handle

    async def first(*arguments: Any, **named: Any) -> CommandResult:
        if not answers:
            answers.append(await handle(*arguments, **named))
        return answers[0]

    monkeypatch.setattr(services.tables.commands, "handle", first)
    return table


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch, client: httpx.AsyncClient, played_once: str) -> Twice:
    return Twice(monkeypatch, client, played_once)


@pytest.mark.parametrize("sent", (PLAIN | OTHER).values(), ids=(PLAIN | OTHER).keys())
async def test_both_ways_answer_the_same(twice: Twice, three: list[Caller], sent: Sent) -> None:
    outsider = await register(three[0].http)
    for token in (three[0].token, outsider.token, None):
        direct, litestars = await twice.send(sent, token)
        assert direct == litestars


async def test_both_ways_answer_the_same_to_an_accepted_action(twice: Twice, three: list[Caller], table: str) -> None:
    _, caller = await next_of(three, table)
    direct, litestars = await twice.send(("POST", "/tables/{table}/actions", PASS, JSON), caller.token)
    assert direct[0] == 201
    assert direct == litestars


async def test_both_ways_answer_and_log_a_failure_alike(
    twice: Twice, services: Services, monkeypatch: pytest.MonkeyPatch, ada: Caller
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(services.tables.seating, "audience", fail)
    direct, litestars = await twice.send(("GET", "/tables/{table}", None, {}), ada.token)
    assert direct[0] == 500
    assert direct[:3] == litestars[:3]


@for_each("plain", PLAIN)
async def test_plain_requests_take_the_short_way(
    twice: Twice, three: list[Caller], routed: list[str], plain: str
) -> None:
    routed.clear()
    await twice._observed(PLAIN[plain], three[0].token)
    assert routed == []


@for_each("other", OTHER)
async def test_other_requests_take_litestars_way(
    twice: Twice, three: list[Caller], monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """Else a parameter that the short way does not know would be left out."""
    found: list[object] = []
    route = ShortWay.route

    def looked_up(*arguments: Any) -> object:
        found.append(route(*arguments))
        return found[-1]

    with monkeypatch.context() as patched:
        patched.setattr(ShortWay, "route", looked_up)
        assert (await twice._observed(OTHER[other], three[0].token))[0] != 500
    assert found in ([None], [])
