"""A request leaves nothing for the garbage collector, which would look for it in the whole process, again and again.

References free what a request used as soon as it is answered, unless they form a cycle.
"""

import gc
from collections import Counter
from typing import Any

import msgspec

from service.http.edge import Edge
from tests.contract.conftest import Caller, next_of
from tests.contract.test_lists import services
from tests.support.for_each import for_each

__all__ = ["services"]

BIDS = ("play", "grand", "tournee", "exchange-nolo")
NOTHING = [Counter[str](), Counter[str]()]
"""What two requests in a row must leave.

What is looked up once and remembered is no garbage, and what else runs in the process may leave something. A cycle in
every request, or in every second, would be in one of any two counts.
"""


class Exchange:
    """One request and its answer, as a server keeps them: it knows the scope, and the application knows its methods."""

    def __init__(self, caller: Caller, method: str, path: str, body: object) -> None:
        self.body = b"" if body is None else msgspec.json.encode(body)
        self.status = 0
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": f"/v1{path}",
            "raw_path": f"/v1{path}".encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [
                (b"host", b"cards.example"),
                (b"authorization", f"Bearer {caller.token}".encode()),
                (b"content-type", b"application/json"),
            ],
            "client": ("127.0.0.1", 40000),
            "server": ("127.0.0.1", 80),
            "state": {},
        }

    async def receive(self) -> Any:
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)


async def left_by(app: Edge, caller: Caller, method: str, path: str, body: object = None) -> Counter[str]:
    """The types of the objects that a request leaves in cycles."""
    exchange: Exchange | None = Exchange(caller, method, path, body)
    assert exchange is not None
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        await app(exchange.scope, exchange.receive, exchange.send)
        assert exchange.status in (200, 201), exchange.status
        exchange = None
        gc.collect()
        return Counter(type(one).__name__ for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def pairs(counts: list[Counter[str]]) -> list[list[Counter[str]]]:
    """Each count with the one after it."""
    return [counts[place : place + 2] for place in range(len(counts) - 1)]


@for_each("path", ["", "/offers", "/events", "/ledger", "/replay/3"])
async def test_a_read_leaves_none(three: list[Caller], table: str, app: Edge, path: str) -> None:
    left = [await left_by(app, three[0], "GET", f"/tables/{table}{path}") for _ in range(5)]
    assert NOTHING in pairs(left), left


async def test_an_action_leaves_none(three: list[Caller], table: str, app: Edge) -> None:
    left = []
    for contract in BIDS:
        _, caller = await next_of(three, table)
        bid = {"type": "bid", "contract": contract}
        left.append(await left_by(app, caller, "POST", f"/tables/{table}/actions", bid))
    assert NOTHING in pairs(left), left
