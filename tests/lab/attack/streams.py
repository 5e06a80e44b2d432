"""Streams that are held: all that there are, and many of one's own table, which is played against the house."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise

import httpx

from tests.lab.attack.callers import Table, player
from tests.lab.attack.target import Result, Target

ADDRESSES = 10
STREAMS = 200
"""From each address."""

OWN_STREAMS = 190
ACTS = 12
BYSTANDERS = 3
PATIENCE_S = 10.0

FRAME_COST = 0.1
"""What a frame costs at least, in the unit of quotas: a hundredth of a millisecond."""

ACT_COST = 5
"""What an act costs with the reading of its offers."""

LOBBY = "/v1/tables/stream"

FULL_OF_BOTS = {"game": "tetka", "deals": 96, "bots": {"0": "quick", "1": "quick", "2": "quick", "3": "quick"}}
MOST_TABLES = 2000
"""At so many tables it is clear that nothing limits them."""
SETTLING_S, WATCHED_S = 10.0, 30.0
MOST_OF_CORE = 0.1
"""What the tables of one address may take, besides the time of processes that give way to all others."""


async def streams_taken(target: Target, measure: float) -> Result:
    """Streams of the lobby from ten addresses, as many as there are: others are answered, and get streams."""
    count = max(8, int(STREAMS * measure))
    answered = 0
    async with AsyncExitStack() as stack:
        held = [
            await stack.enter_async_context(_stream(target, LOBBY, f"127.0.2.{1 + number % ADDRESSES}"))
            for number in range(ADDRESSES * count)
        ]
        for number in range(BYSTANDERS):
            source = f"127.0.3.{number + 1}"
            transport = httpx.AsyncHTTPTransport(local_address=source)
            async with httpx.AsyncClient(base_url=target.url, transport=transport, timeout=PATIENCE_S) as client:
                with suppress(httpx.HTTPError):
                    registered = await client.post("/v1/players", json={"name": "Bystander"})
                    registered.raise_for_status()
                    headers = {"Authorization": f"Bearer {registered.json()['token']}"}
                    answered += (await client.get("/v1/games")).status_code == 200
                    async with client.stream("GET", LOBBY, headers=headers) as stream:
                        answered += stream.status_code == 200
                    await client.delete("/v1/players/me", headers=headers)
        open_ones = sum([await one.began() for one in held if one is not None])
    return Result(2 * BYSTANDERS, answered, f"{open_ones} of {len(held)} streams given to {ADDRESSES} addresses")


async def own_table_watched(target: Target, measure: float) -> Result:
    """An own table played against the house, with many streams of it: what they are sent is charged, or ends them."""
    count, received = max(20, int(OWN_STREAMS * measure)), 0
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(Table(target))
        for client in table.seats[1:]:
            await client.post(f"/v1/tables/{table.id}/seats/me/abandon")
        path = f"/v1/tables/{table.id}/events/stream?view=true"
        held = [await stack.enter_async_context(_stream(target, path)) for _ in range(count)]
        # Opening them costs as well.
        await asyncio.sleep(1)
        await asyncio.gather(*(one.began() for one in held if one is not None))
        player = table.seats[0]
        left: list[int] = []
        refused = acts = 0
        for _ in range(ACTS):
            answer = await player.get(f"/v1/tables/{table.id}/offers")
            left += _remaining(answer)
            offered = answer.json().get("offers")
            if answer.status_code == 429 or not offered:
                refused += answer.status_code == 429
                break
            await player.post(f"/v1/tables/{table.id}/actions", json=_first(offered[0]))
            acts += 1
        await asyncio.sleep(1)
        left += _remaining(await player.get(f"/v1/tables/{table.id}/offers"))
        received = sum([await one.frames() for one in held if one is not None])
    if not left:
        return Result(1, 0, "nothing is limited")
    # Where a window ends meanwhile, the next one begins with the whole quota.
    charged = sum(max(0, was - now) for was, now in pairwise(left)) - ACT_COST * acts
    held_back = refused > 0 or charged >= received * FRAME_COST
    return Result(1, int(held_back), f"{received} frames sent, a cost of {charged} charged for them")


async def bot_tables_watched(target: Target, measure: float) -> Result:
    """All the tables of bots that an address may open, each with a stream: what that costs the service is bounded.

    Processes that give way to all others, as those that think for bots do, do not count.
    """
    most = max(2, int(MOST_TABLES * measure))
    async with AsyncExitStack() as stack:
        opened: list[str] = []
        while len(opened) < most:
            client = await stack.enter_async_context(await player(target))
            before = len(opened)
            while len(opened) < most and (answer := await client.post("/v1/tables", json=FULL_OF_BOTS)).is_success:
                opened.append(answer.json()["table"])
            if len(opened) == before:
                # A fresh player may open none: the address has no more.
                break
        for table in opened:
            await stack.enter_async_context(_stream(target, f"/v1/tables/{table}/events/stream?view=true"))
        await asyncio.sleep(SETTLING_S * measure)
        used_s, began = target.cpu_s(), time.monotonic()
        await asyncio.sleep(WATCHED_S * measure)
        busy = (target.cpu_s() - used_s) / (time.monotonic() - began)
    return Result(1, int(bool(opened) and busy <= MOST_OF_CORE), f"{len(opened)} tables took {busy:.1%} of a core")


class _Held:
    """A stream that is open, and read in the end."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._received = b""

    async def began(self) -> bool:
        """Whether the stream was given."""
        await self._read()
        return self._received.startswith(b"HTTP/1.1 200")

    async def frames(self) -> int:
        """How many frames of events have come."""
        await self._read()
        return self._received.count(b"event: event")

    async def _read(self) -> None:
        with suppress(TimeoutError, ConnectionError):
            while data := await asyncio.wait_for(self._reader.read(1 << 20), 0.05):
                self._received += data


@asynccontextmanager
async def _stream(target: Target, path: str, source: str | None = None) -> AsyncIterator[_Held | None]:
    """A stream asked for from an address of this machine; None where the connection is refused."""
    try:
        reader, writer = await target.connected(source)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: codille.test\r\n\r\n".encode())
        await writer.drain()
    except OSError:
        yield None
        return
    try:
        yield _Held(reader)
    finally:
        writer.close()


def _remaining(answer: httpx.Response) -> list[int]:
    """What is left of the address's quota of cost, by the answer's headers, if anything is limited."""
    values = answer.headers.get_list("ratelimit")
    return [int(left) for value in values for left in re.findall(r'^"address";r=(\d+)', value)]


def _first(offer: dict[str, object]) -> dict[str, object]:
    """An act by the first of what an offer has."""
    fields: dict[str, dict[str, list[object]]] = offer["fields"]  # type: ignore[assignment]
    chosen: dict[str, object] = {"type": offer["type"]}
    for name, field in fields.items():
        least = field.get("min", 0)
        chosen[name] = field["one_of"][0] if "one_of" in field else field.get("some_of", [])[:least]  # type: ignore[misc]
    return chosen
