"""Webhooks that lead inside, and receivers that answer so that the service has enough to do with them."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TypeAlias

import httpx

from tests.lab.attack.callers import Table, player
from tests.lab.attack.target import NotTried, Result, Target

INNER = (
    "http://1.1.1.1/", "https://1.1.1.1:8443/", "https://1.1.1.1:80/", "https://bot.example:22/", "https://0.0.0.0/",
    "https://10.0.0.1/", "https://100.64.0.1/", "https://169.254.169.254/", "https://172.16.0.1/", "https://192.0.0.9/",
    "https://192.88.99.1/", "https://192.168.0.1/", "https://198.18.0.1/", "https://224.0.0.1/", "https://240.0.0.1/",
    "https://[::1]/", "https://[fe80::1]/", "https://[fec0::1]/", "https://[fd00::1]/", "https://[ff02::1]/",
    "https://[3fff::1]/", "https://[2001:db8::1]/", "https://[2002:7f00:1::]/", "https://[64:ff9b::a00:1]/",
    "https://[::ffff:169.254.169.254]/", "https://[100::1]/", "https://[5f00::1]/",
)  # fmt: skip
"""Where no webhook may lead, unless the operator has named the network. This machine is not among them."""

OUTER = "https://1.1.1.1/"
"""Where one may."""

CLOCKS = 4
"""Times that the clock of a table must run out meanwhile, a second each."""

MET_S = 5.0
"""How long a deadline or a reader may wait."""

BETWEEN_S = 2.0
"""How long a webhook stays until it is removed."""

NAMED = "the service must have CODILLE_WEBHOOK_NETWORKS=127.0.0.0/8:1024-65535"

Pieces: TypeAlias = AsyncIterator[bytes]


async def inner_receivers(target: Target, _: float) -> Result:
    """Webhooks to addresses inside, of a special purpose, or at other ports."""
    async with await player(target) as client:
        # Nothing happens that this one is sent.
        (await _asked(client, OUTER)).raise_for_status()
        answers = {url: (await _asked(client, url)).status_code for url in INNER}
        await client.delete("/v1/players/me")
    through = [url for url, status in answers.items() if status != 422]
    return Result(len(INNER), len(INNER) - len(through), ", ".join(through) or "refused")


async def hostile_receivers(target: Target, measure: float) -> Result:
    """Ten webhooks of each player lead to receivers that never come to an end: clocks are met, and readers answered."""
    players = max(1, int(6 * measure))
    came: list[float] = []
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(_receiver(kind, came)) for kind in KINDS]
        tables = [await stack.enter_async_context(Table(target)) for _ in range(players)]
        for table in tables:
            for url in urls:
                if (await _asked(table.seats[0], url)).status_code != 201:
                    raise NotTried(NAMED)
        for table in tables:
            await table.begin()
        honest = await stack.enter_async_context(Table(target))
        await honest.begin(clock={"seconds": 1})
        over = asyncio.Event()
        reading = asyncio.create_task(_slowest_read(honest, over))
        late = [await _clocks(honest, count) for count in range(1, CLOCKS + 1)]
        over.set()
        slowest = await reading
    if not came:
        raise NotTried("no webhook was called")
    held = sum(seconds < 1 + MET_S for seconds in late) + (slowest < MET_S)
    seen = f"a clock of 1 s took {max(late):.1f} s at most, a reader {slowest * 1000:.0f} ms"
    return Result(CLOCKS + 1, held, f"{len(urls) * players} webhooks; {seen}")


async def pauses_evaded(target: Target, measure: float) -> Result:
    """A webhook that fails is removed and added again and again: the receiver is left alone all the same."""
    rounds = max(3, int(10 * measure))
    came: list[float] = []
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(_receiver(_failing, came))
        table = await stack.enter_async_context(Table(target))
        seat = table.seats[0]
        for _ in range(rounds):
            added = await _asked(seat, url)
            if added.status_code != 201:
                raise NotTried(NAMED)
            path = f"/v1/webhooks/{added.json()['id']}"
            await seat.post(f"{path}/replay", json={"after": 0})
            await asyncio.sleep(BETWEEN_S)
            await seat.delete(path)
    # Five failures come before any pause, the first of which is short.
    return Result(1, int(0 < len(came) <= 8), f"{len(came)} attempts for {rounds} webhooks")


async def _asked(client: httpx.AsyncClient, url: str) -> httpx.Response:
    return await client.post("/v1/webhooks", json={"url": url})


async def _clocks(table: Table, count: int) -> float:
    """Returns when the clock has run out so often; answers how long that took."""
    began, version, seen = time.monotonic(), 0, 0
    while seen < count:
        path = f"/v1/tables/{table.id}/events?after={version}&wait=10&limit=200"
        events = (await table.seats[0].get(path)).json()["items"]
        version += len(events)
        seen += [event["actor"] for event in events].count("clock")
    return time.monotonic() - began


async def _slowest_read(table: Table, over: asyncio.Event) -> float:
    """How long the slowest of many reads took, until all is over."""
    slowest = 0.0
    while not over.is_set():
        began = time.monotonic()
        (await table.seats[1].get(f"/v1/tables/{table.id}")).raise_for_status()
        slowest = max(slowest, time.monotonic() - began)
        await asyncio.sleep(0.1)
    return slowest


async def _early_hints() -> Pieces:
    while True:
        yield 400 * b"HTTP/1.1 103 Early Hints\r\n\r\n"


async def _headers() -> Pieces:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield 100 * b"X-More: x\r\n"


async def _dripping() -> Pieces:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X: y\r\n"
        await asyncio.sleep(0.5)


async def _body() -> Pieces:
    yield b"HTTP/1.1 500 No\r\nContent-Length: 1000000000000\r\n\r\n"
    while True:
        yield 65_536 * b"x"


async def _redirecting() -> Pieces:
    yield b"HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"


async def _silent() -> Pieces:
    yield b""
    await asyncio.sleep(3600)


async def _garbage() -> Pieces:
    while True:
        yield 4096 * b"\x00"


async def _failing() -> Pieces:
    yield b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"


KINDS: Sequence[Callable[[], Pieces]] = (
    *[_early_hints] * 4, _headers, _dripping, _body, _redirecting, _silent, _garbage,
)  # fmt: skip
"""How the receivers of ten webhooks answer."""


@asynccontextmanager
async def _receiver(kind: Callable[[], Pieces], came: list[float] | None = None) -> AsyncIterator[str]:
    """The URL of a receiver that answers in this way, at an address of its own of this machine."""
    connections: set[asyncio.Task[None]] = set()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if came is not None:
            came.append(time.monotonic())
        connections.add(task := asyncio.current_task())  # type: ignore[arg-type]  # this is one
        with suppress(OSError, asyncio.CancelledError):
            async for piece in kind():
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
        writer.close()
        connections.discard(task)  # type: ignore[arg-type]

    host = ".".join(["127", *(str(random.randint(1, 254)) for _ in range(3))])  # noqa: S311 (no secret)
    server = await asyncio.start_server(serve, host, 0)
    try:
        yield f"http://{host}:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()
        for task in connections:
            task.cancel()
