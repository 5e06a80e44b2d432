"""A cache of bytes that take long to make."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from msgspec import Struct

from service.compute.fair_slots import Left


class Made(Struct, frozen=True):
    """The bytes made for a key."""

    body: bytes
    lasting: bool = True
    """Whether they may be cached."""


class ByteCache:
    """Bytes by key, at most `capacity` in all; the least recently used give way. Used from one event loop.

    A key includes everything that its bytes depend on, the audience too, so that cached bytes never become wrong.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> bytes:
        """The key's bytes, made if they are not cached. Concurrent callers share the making. Raises what `make` raises.

        A cancelled caller's bytes are still made. Where the one for whom they are made has left, another makes them.
        """
        while True:
            body = self._kept.get(key)
            if body is not None:
                self._kept.move_to_end(key)
                return body
            making, own = self._making.get(key), False
            if making is None:
                making, own = asyncio.create_task(self._make(key, make)), True
                self._making[key] = making
                making.add_done_callback(lambda task: task.cancelled() or task.exception())
            try:
                return await asyncio.shield(making)
            except Left:
                if own:
                    raise

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> bytes:
        try:
            made = await make()
        finally:
            del self._making[key]
        if made.lasting and len(made.body) <= self._capacity:
            self._kept[key] = made.body
            self._size += len(made.body)
            while self._size > self._capacity:
                _, oldest = self._kept.popitem(last=False)
                self._size -= len(oldest)
        return made.body
