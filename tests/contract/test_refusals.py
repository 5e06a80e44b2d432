"""A thousand bad requests, drawn by a seed, get the answers that stand in `refusals.txt`: the first failure decides.

Most have several faults at once, so the table holds the order of the checks as `api.md` and decision 17 have it.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.types import ASGIApp
from msgspec import Struct

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.limits.addresses import distinct_keys
from service.services import Services
from tests.contract.conftest import Caller, configured, deal_over, opened, seated, with_scopes
from tests.support.foreign_words import in_text

ANSWERS = Path(__file__).with_name("refusals.txt")
"""Each answer, and the numbers of the requests that get it."""

REQUESTS = 1000
SEED = 17
NOBODY = "01936d5c-0000-7000-8000-000000000000"
ORDINARY, USED_UP = "192.0.2.1", "192.0.2.99"
"""The address of most requests, and one whose quota is used up."""

JSON = b"application/json"
BODIES: Mapping[str, bytes] = {
    "/actions": b'{"type":"exchange"}',
    "/seats": b'{"seat":1}',
    "/disputes": b'{"deal":1,"reason":"wrong"}',
    "/ruling": b'{"ruling":"rejected","text":"so it is"}',
    "/end": b'{"agree":true}',
    "/v1/tables": b'{"game":"crocodile"}',
    "/v1/players": b'{"name":""}',
    "/v1/tokens": b'{"scopes":["admin"]}',
    "/v1/webhooks": b'{"url":"http://10.0.0.1/","events":["your-turn"],"name":"x"}',
}
"""Bodies that fit the operation whose path ends so."""

OPERATIONS: Sequence[tuple[str, str]] = (
    *[("POST", "/v1/tables/{table}/actions")] * 6,
    *[("GET", "/v1/tables/{table}")] * 3,
    *[("GET", "/v1/tables/{table}/offers")] * 3,
    ("GET", "/v1/tables/{table}/events"),
    ("GET", "/v1/tables/{table}/ledger"),
    ("GET", "/v1/tables/{table}/replay/2"),
    ("GET", "/v1/tables/{table}/replay/9999"),
    ("GET", "/v1/tables/{table}/deals/1/audit"),
    ("GET", "/v1/tables/{table}/disputes"),
    ("GET", "/v1/tables/{table}/export"),
    ("DELETE", "/v1/tables/{table}"),
    ("POST", "/v1/tables/{table}/seats"),
    ("DELETE", "/v1/tables/{table}/seats/me"),
    ("POST", "/v1/tables/{table}/disputes"),
    ("POST", "/v1/tables/{table}/disputes/1/ruling"),
    ("POST", "/v1/tables/{table}/end"),
    ("POST", "/v1/tables/{table}/rematch"),
    ("POST", "/v1/tables/{table}/invitations"),
    ("POST", "/v1/tables"),
    ("GET", "/v1/tables"),
    ("GET", "/v1/players/{table}"),
    ("GET", "/v1/players/me"),
    ("POST", "/v1/players"),
    ("GET", "/v1/tokens"),
    ("POST", "/v1/tokens"),
    ("POST", "/v1/webhooks"),
    ("GET", "/v1/games/whist"),
    ("GET", "/v1/nothing"),
    ("GET", "/replay/{table}"),
    ("GET", "/nothing"),
)

QUERIES = (
    b"x=1",
    b"min_version=0",
    b"min_version=1&min_version=2",
    b"min_version=99999",
    b"limit=x",
    b"invite=",
    b"%ff",
)
WRONG_BODIES = (
    b"",
    b"pass",
    b'{"type":"pass","type":"pass"}',
    b'{"type":"resign"}',
    b'{"seat":"one"}',
    b"[]",
    b"\xff",
    b'"\\ud800"',
    b"[" * 40 + b"]" * 40,
    b" " * 70_000,
)
HEADERS: Sequence[tuple[bytes, bytes]] = (
    (b"accept", b"text/html"),
    (b"accept", b""),
    (b"content-type", b"text/plain"),
    (b"content-type", b"application/json; charset=latin-1"),
    (b"idempotency-key", b"\xe4"),
    (b"idempotency-key", b"used"),
    (b"if-match", b'"1"'),
    (b"if-match", b"31"),
    (b"if-none-match", b"31"),
    (b"if-none-match", b'"1"'),
    (b"content-length", b"99999999"),
    (b"host", b"a b"),
)


CALLERS = (*["Ada"] * 6, *["Berta"] * 6, *["arbiter"] * 3, *["nobody"] * 2, "unknown", "malformed")
FAULTS = (*["state"] * 3, "method", "spelling", *["query"] * 2, *["header"] * 3, "twice", *["body"] * 3, "address")


class Bad(Struct, frozen=True):
    """A request."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    address: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}?{self.query.decode('latin-1')} {self.headers} {self.body[:60]!r}"


def drawn(tables: Mapping[str, str], tokens: Mapping[str, str]) -> Iterator[Bad]:
    """The requests. Ids and tokens differ from run to run; nothing else does."""
    chance = random.Random(SEED)  # noqa: S311 (no secrets)
    for _ in range(REQUESTS):
        method, path = chance.choice(OPERATIONS)
        path = path.replace("{table}", tables[chance.choice(sorted(tables))])
        body = next((body for end, body in BODIES.items() if path.endswith(end)), b"")
        headers: list[tuple[bytes, bytes]] = [(b"host", b"codille.test")]
        if method in ("POST", "PATCH"):
            headers.append((b"content-type", JSON))
        token = tokens[chance.choice(CALLERS)]
        if token:
            headers.append((b"authorization", token.encode("latin-1")))
        query, address = b"", ORDINARY
        for fault in chance.sample(FAULTS, chance.choice((1, 1, 2, 3))):
            match fault:
                case "method":
                    method = chance.choice(("PUT", "PATCH", "OPTIONS", "HEAD", "POST"))
                case "spelling":
                    path = chance.choice((f"{path}/", path.replace("/v1", "/v1/", 1), f"{path}%2F", path.upper()))
                case "query":
                    query = chance.choice(QUERIES)
                case "header":
                    name, value = chance.choice(HEADERS)
                    headers = [one for one in headers if one[0] != name]
                    headers.append((name, value))
                case "twice":
                    headers.append(chance.choice(headers))
                case "body":
                    body = chance.choice(WRONG_BODIES)
                case "address":
                    address = USED_UP if chance.random() < 0.3 else ORDINARY
                case _:
                    # The state of the table is the fault.
                    pass
        yield Bad(method, path, query, tuple(headers), body, address)


async def answer_to(app: ASGIApp, bad: Bad) -> tuple[int, Mapping[bytes, bytes], bytes]:
    """The answer's status, headers and body. The application is called as the server calls it."""
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": bad.method,
        "scheme": "http",
        "path": bad.path.replace("%2F", "/"),
        "raw_path": bad.path.encode(),
        "root_path": "",
        "query_string": bad.query,
        "headers": bad.headers,
        "client": (bad.address, 4711),
        "server": ("codille.test", 80),
    }
    messages: list[Any] = [{"type": "http.request", "body": bad.body, "more_body": False}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    body = b"".join(message["body"] for message in sent[1:])
    return sent[0]["status"], dict(sent[0]["headers"]), body


@pytest.fixture
def settings() -> Settings:
    return Settings(rate_limit=2_000_000, cors_origins=("https://cards.example",))


@pytest.fixture
async def app(settings: Settings, services: Services, monkeypatch: pytest.MonkeyPatch) -> Edge:
    """One address has used up its quota, whose window does not end; no refusal is waited for."""
    monkeypatch.setattr("service.http.responses.DELAY_S", 0.0)
    limited = configured(settings, services, lambda: 0.0)
    await limited.edge.quotas.address[0].take(distinct_keys(USED_UP)[0], settings.rate_limit)
    return create_app(limited)


async def _tables(three: list[Caller]) -> dict[str, str]:
    """Tables by name: each state in which a table may be, and two ids that are none."""
    ada = three[0]
    tables = {
        "open": await opened(ada),
        "playing": await seated(three),
        "dealt": await seated(three),
        "closed": await opened(ada),
        "private": await opened(ada, table={"visibility": "private"}),
        "delayed": await opened(ada, table={"spectator_delay": {"events": 5}}),
        "none": NOBODY,
        "no id": "x",
        "capitals": NOBODY.upper(),
    }
    await deal_over(three, tables["dealt"])
    assert (await ada.delete(f"/tables/{tables['closed']}")).status_code == 200
    for caller in three:
        await caller.post(f"/tables/{tables['delayed']}/seats", {})
    return tables


async def test_the_first_failure_decides(app: Edge, three: list[Caller], dsn: str) -> None:
    tables = await _tables(three)
    ada, _, carl = three
    arbiter = await with_scopes(dsn, carl, "arbiter")
    tokens = {
        "nobody": "",
        "Ada": f"Bearer {ada.token}",
        "Berta": f"Bearer {three[1].token}",
        "arbiter": f"Bearer {arbiter.token}",
        "unknown": "Bearer codille_" + "A" * 43,
        "malformed": "Basic YTpi",
    }
    by_answer: dict[str, list[int]] = defaultdict(list)
    requests = list(drawn(tables, tokens))
    for number, bad in enumerate(requests):
        status, headers, body = await answer_to(app, bad)
        is_problem = headers.get(b"content-type") == b"application/problem+json" and body
        document = msgspec.json.decode(body) if is_problem else {"code": "-", "detail": ""}
        assert not in_text(document["detail"]), document
        assert not re.search(r"\bseats? \d", document["detail"]), document
        by_answer[f"{status} {document['code']}"].append(number)
    now = "".join(f"{answer}: {' '.join(map(str, numbers))}\n" for answer, numbers in sorted(by_answer.items()))
    before = {
        int(number): answer
        for line in ANSWERS.read_text().splitlines()
        for answer, _, numbers in [line.partition(": ")]
        for number in numbers.split()
    }
    changed = [
        f"{number}: {before.get(number)} before, {answer} now: {requests[number]}"
        for answer, numbers in by_answer.items()
        for number in numbers
        if before.get(number) != answer
    ]
    assert not changed, "\n".join([*changed, f"The table is now:\n{now}"])
    assert len(before) == REQUESTS
