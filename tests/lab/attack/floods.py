"""Much at once: heavy reads from one address, and requests of chance."""

import asyncio
import random
import time
from collections import Counter

import httpx

from tests.lab.attack.callers import Table
from tests.lab.attack.target import NotTried, Result, Target

SECONDS = 15.0
AT_ONCE = 8
ACTS = 30
"""After so many the first deal is over."""
MET_S = 5.0
"""How long a bystander may wait."""
METHODS = ("GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "\u00e9")
WORDS = (
    "v1", "tables", "players", "me", "games", "events", "export", "replay", "audit", "deals", "0", "-1", "1e9", "%00",
    "%ff", "..", "\u2603", "null", "a" * 300, "01970000-0000-7000-8000-000000000001", "offers", "seats", "log", "proof",
)  # fmt: skip
VALUES = (
    b"",
    b"null",
    b"{}",
    b"[]",
    b'{"a":',
    b'{"name": 7}',
    b"\xff\xfe",
    b'{"name": "' + b"x" * 70_000 + b'"}',
    b"1" * 400,
)
QUERIES = ("", "?limit=x", "?a=%zz", "?cursor=1")


async def heavy_reads(target: Target, measure: float) -> Result:
    """Reads of the dearest kind from one address: other readers are answered, and what is too much is refused."""
    statuses, slowest = Counter[int](), 0.0
    async with Table(target) as table, target.elsewhere().http(limited=True) as other:
        await table.play_alone(ACTS)
        client = table.seats[0]
        version = (await client.get(f"/v1/tables/{table.id}")).json()["version"]
        client.event_hooks = {}
        until = time.monotonic() + SECONDS * measure

        async def reader() -> None:
            while time.monotonic() < until:
                at = random.randint(1, version)  # noqa: S311
                path = random.choice(("export", f"replay?from=1&to={at}", "deals/1/audit", f"replay/{at}.svg"))  # noqa: S311
                statuses[(await client.get(f"/v1/tables/{table.id}/{path}")).status_code] += 1

        async def bystander() -> None:
            nonlocal slowest
            while time.monotonic() < until:
                began = time.monotonic()
                (await other.get("/v1/games")).raise_for_status()
                slowest = max(slowest, time.monotonic() - began)
                await asyncio.sleep(0.2)

        await asyncio.gather(bystander(), *(reader() for _ in range(AT_ONCE)))
    seen = ", ".join(f"{times} times {status}" for status, times in statuses.items())
    if not statuses[200]:
        raise NotTried(seen)
    return Result(1, int(slowest < MET_S), f"{seen}; a bystander waited {slowest * 1000:.0f} ms at most")


async def random_requests(target: Target, measure: float) -> Result:
    """Requests of chance: each is answered, none with a fault."""
    rng, count, broken = random.Random(7), max(50, int(1000 * measure)), []  # noqa: S311
    for _ in range(count):
        path = "/" + "/".join(rng.choices(WORDS, k=rng.randint(0, 5))) + rng.choice(QUERIES)
        body = rng.choice(VALUES)
        method = rng.choice(METHODS)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: codille.test\r\nContent-Type: application/json\r\nConnection: close\r\n"
        )
        answered = await target.exchanged(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        # A connection may be closed without an answer where what was sent is no HTTP.
        if any(status >= 500 for status in answered) or (head.isascii() and not answered):
            broken.append(f"{method} {path[:40]} {answered}")
    return Result(count, count - len(broken), ", ".join(broken[:3]) or "no 500")


async def still_there(target: Target, _: float) -> Result:
    """After all this the service is alive."""
    try:
        async with target.http(limited=True) as client:
            answer = await client.get("/health/ready")
    except httpx.HTTPError as error:
        return Result(1, 0, f"{error!r}")
    return Result(1, int(answer.status_code == 200), f"readiness {answer.status_code}")
