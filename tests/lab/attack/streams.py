"""Streams that are held: all that there are, and many of one's own table, which is played against the house."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise

import httpx

from tests.lab.attack.callers import Table, player
from tests.lab.attack.target import NotTried, Result, Target

ADDRESSES = 10
STREAMS = 200
"""From each address."""

OWN_STREAMS = 190
ACTS = 12
BYSTANDERS = 3
PATIENCE_S = 10.0
BEGUN_S = 60.0

READ_S = 1.0
"""For so long a stream is read in the end, at most."""
FRAME_COST = 0.1
"""What a frame costs at least, in the unit of quotas: a hundredth of a millisecond."""

ACT_COST = 5
"""What an act costs with the reading of its offers."""

LOBBY = "/v1/tables/stream"

FULL_OF_BOTS = {"game": "tetka", "deals": 96, "bots": {"0": "quick", "1": "quick", "2": "quick", "3": "quick"}}
MOST_TABLES = 2000
"""At so many tables it is clear that nothing limits them."""
SETTLING_S, WATCHED_S, MOST_WATCHED_S = 10.0, 30.0, 120.0
VIEWS, AT_ONCE = 3200, 16
MOST_COST = 1000
"""What the tables of one address may take a second, in views: as much as the address may use otherwise, which is a
tenth of a core where nothing else runs.
"""


class _Held:
    """A stream that is open, and read in the end."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._received = b""

    async def begun(self) -> None:
        """Returns when the stream is given or refused."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(BEGUN_S):
                self._received += await self._reader.read(1 << 20)

    async def is_open(self) -> bool:
        """Whether the stream was given, and is not ended."""
        await self._read()
        return self._received.startswith(b"HTTP/1.1 200") and not self._reader.at_eof()

    async def frames(self) -> int:
        """How many frames of events have come."""
        await self._read()
        return self._received.count(b"event: event")

    async def _read(self) -> None:
        # What goes on without a pause is not read to its end.
        until = time.monotonic() + READ_S
        with suppress(TimeoutError, ConnectionError):
            while time.monotonic() < until:
                async with asyncio.timeout(0.05):
                    if not (data := await self._reader.read(1 << 20)):
                        return
                self._received += data


async def streams_taken(target: Target, measure: float) -> Result:
    """Streams of the lobby from ten addresses, as many as there are: others are answered, and get streams."""
    count = max(8, int(STREAMS * measure))
    answered = 0
    async with AsyncExitStack() as stack:
        here = [target.elsewhere() for _ in range(ADDRESSES)]
        held = [await stack.enter_async_context(_stream(one, LOBBY)) for one in here * count]
        # How long all of them take is another matter.
        await asyncio.gather(*(one.begun() for one in held if one is not None))
        for _ in range(BYSTANDERS):
            async with target.elsewhere().http(limited=True) as client:
                client.timeout = PATIENCE_S
                with suppress(httpx.HTTPError):
                    registered = await client.post("/v1/players", json={"name": "Bystander"})
                    registered.raise_for_status()
                    headers = {"Authorization": f"Bearer {registered.json()['token']}"}
                    answered += (await client.get("/v1/games")).status_code == 200
                    async with client.stream("GET", LOBBY, headers=headers) as stream:
                        answered += stream.status_code == 200
                    await client.delete("/v1/players/me", headers=headers)
        open_ones = sum(await asyncio.gather(*(one.is_open() for one in held if one is not None)))
    if open_ones in (0, len(held)):
        raise NotTried(f"{open_ones} streams are open, which are not all that there are")
    return Result(2 * BYSTANDERS, answered, f"{open_ones} of {len(held)} streams held by {ADDRESSES} addresses")


async def own_table_watched(target: Target, measure: float) -> Result:
    """An own table played against the house, with many streams of it: what they are sent is charged, or ends them."""
    count, received = max(20, int(OWN_STREAMS * measure)), 0
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(Table(target))
        await table.play_alone(0)
        path = f"/v1/tables/{table.id}/events/stream?view=true"
        held = [await stack.enter_async_context(_stream(target, path)) for _ in range(count)]
        # Opening them costs as well.
        await asyncio.sleep(1)
        await asyncio.gather(*(one.begun() for one in held if one is not None))
        left: list[int] = []
        acts = 0
        # From here on, a limit is what is looked for.
        table.seats[0].event_hooks = {"response": [_note_remaining(left)]}
        with suppress(httpx.HTTPStatusError):
            while acts < ACTS and await table.act():
                acts += 1
        await asyncio.sleep(1)
        await table.seats[0].get(f"/v1/tables/{table.id}/offers")
        received = await _frames(held)
    if not acts or not received:
        raise NotTried(f"{acts} acts, {received} frames sent")
    # Where a window ends meanwhile, the next one begins with the whole quota.
    charged = sum(max(0, was - now) for was, now in pairwise(left)) - ACT_COST * acts
    held_back = charged >= received * FRAME_COST
    return Result(1, int(held_back), f"{received} frames sent, a cost of {charged} charged for them")


async def bot_tables_watched(target: Target, measure: float) -> Result:
    """All the tables of bots that an address may open, each with a stream: what that costs the service is bounded.

    Processes that give way to all others, as those that think for bots do, do not count. What the service does anyway
    is taken off. The rest is compared with views at the same time: whatever else the machine does slows both.
    """
    most = max(2, int(MOST_TABLES * measure))
    async with AsyncExitStack() as stack:
        otherwise = await _busy(target, WATCHED_S * measure)
        view_s = await _view_s(target, otherwise, max(AT_ONCE, int(VIEWS * measure)))
        opened: list[str] = []
        while len(opened) < most:
            client = await stack.enter_async_context(await player(target))
            client.event_hooks = {}
            before = len(opened)
            while len(opened) < most and (answer := await client.post("/v1/tables", json=FULL_OF_BOTS)).is_success:
                opened.append(answer.json()["table"])
            if len(opened) == before:
                # A fresh player may open none: the address has no more.
                break
        held = [
            await stack.enter_async_context(_stream(target, f"/v1/tables/{table}/events/stream?view=true"))
            for table in opened
        ]
        await asyncio.sleep(SETTLING_S * measure)
        before, deadline = await _frames(held), time.monotonic() + MOST_WATCHED_S
        busy = await _busy(target, WATCHED_S * measure)
        # A busy machine's bots may take longer to act than so short a look.
        while await _frames(held) == before:
            if time.monotonic() > deadline:
                raise NotTried(f"at {len(opened)} tables no bot was seen to act")
            busy = await _busy(target, WATCHED_S * measure)
    cost = (busy - otherwise) / view_s
    seen = f"{len(opened)} tables took {busy:.1%} of a core, {otherwise:.1%} of it anyway, or {cost:.0f} views a second"
    return Result(1, int(cost <= MOST_COST), seen)


async def _frames(held: Sequence[_Held | None]) -> int:
    """How many frames have come on all of them."""
    return sum(await asyncio.gather(*(one.frames() for one in held if one is not None)))


async def _busy(target: Target, seconds: float) -> float:
    """The part of a core that the service takes while nothing more is asked of it."""
    used_s, began = target.cpu_s(), time.monotonic()
    await asyncio.sleep(seconds)
    return (target.cpu_s() - used_s) / (time.monotonic() - began)


async def _view_s(target: Target, otherwise: float, count: int) -> float:
    """The CPU seconds that the service takes for a view of a table, where many are asked for at once, besides what it
    takes `otherwise`.
    """
    async with Table(target) as table:
        request = f"GET /v1/tables/{table.id} HTTP/1.1\r\nHost: codille.test\r\n"
        each = (count // AT_ONCE - 1) * f"{request}\r\n" + f"{request}Connection: close\r\n\r\n"
        used_s, began = target.cpu_s(), time.monotonic()
        answered = await asyncio.gather(*(target.exchanged(each.encode()) for _ in range(AT_ONCE)))
        used_s = target.cpu_s() - used_s - otherwise * (time.monotonic() - began)
    if any(status != 200 for one in answered for status in one):
        raise NotTried("no views to compare with")
    return used_s / sum(map(len, answered))


@asynccontextmanager
async def _stream(target: Target, path: str) -> AsyncIterator[_Held | None]:
    """A stream; None where the connection is refused."""
    try:
        reader, writer = await target.connected()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: codille.test\r\n\r\n".encode())
        await writer.drain()
    except OSError:
        yield None
        return
    try:
        yield _Held(reader)
    finally:
        writer.close()


def _note_remaining(left: list[int]) -> Callable[[httpx.Response], Awaitable[None]]:
    """A hook that notes what is left of the address's quota of cost, by an answer's headers, if anything is limited."""

    async def note(answer: httpx.Response) -> None:
        values = answer.headers.get_list("ratelimit")
        left.extend(int(found) for value in values for found in re.findall(r'^"address";r=(\d+)', value))

    return note
