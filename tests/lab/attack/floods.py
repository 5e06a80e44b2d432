"""Much at once: heavy reads from one address, and requests of chance."""

import asyncio
import random
import time

import httpx

from tests.lab.attack.target import Result, Target, statuses

SECONDS = 15.0
AT_ONCE = 8
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
    until, counts, slowest = time.monotonic() + SECONDS * measure, [0, 0], 0.0
    async with target.http() as client:
        listed = await client.get("/v1/tables?limit=20")
        tables = [item["table"] for item in listed.json().get("items", [])] or ["01970000-0000-7000-8000-000000000001"]

        async def reader() -> None:
            while time.monotonic() < until:
                path = random.choice(("export", "replay?from=1&to=200", "deals/1/audit", "events?limit=200"))  # noqa: S311
                answer = await client.get(f"/v1/tables/{random.choice(tables)}/{path}")  # noqa: S311
                counts[answer.status_code in (429, 503)] += 1

        async def bystander() -> None:
            nonlocal slowest
            while time.monotonic() < until:
                began = time.monotonic()
                await client.get("/health/live")
                slowest = max(slowest, time.monotonic() - began)
                await asyncio.sleep(0.2)

        await asyncio.gather(bystander(), *(reader() for _ in range(AT_ONCE)))
    held = int(slowest < 5.0)
    return Result(
        1, held, f"{counts[0]} answered, {counts[1]} held back; a bystander waited {slowest * 1000:.0f} ms at most"
    )


async def random_requests(target: Target, measure: float) -> Result:
    """Requests of chance: each is answered, none with 500."""
    rng, count, broken = random.Random(7), max(50, int(1000 * measure)), []  # noqa: S311
    for _ in range(count):
        path = "/" + "/".join(rng.choices(WORDS, k=rng.randint(0, 5))) + rng.choice(QUERIES)
        body = rng.choice(VALUES)
        method = rng.choice(METHODS)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: codille.test\r\nContent-Type: application/json\r\nConnection: close\r\n"
        )
        answered = statuses(await target.exchanged(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body))
        # A connection may be closed without an answer where what was sent is no HTTP.
        if any(status >= 500 and status != 503 for status in answered):
            broken.append(f"{method} {path[:40]} {answered}")
    return Result(count, count - len(broken), ", ".join(broken[:3]) or "no 500")


async def still_there(target: Target, _: float) -> Result:
    """After all this the service is alive."""
    try:
        async with target.http() as client:
            answer = await client.get("/health/ready")
    except httpx.HTTPError as error:
        return Result(1, 0, f"{error!r}")
    return Result(1, int(answer.status_code == 200), f"readiness {answer.status_code}")
