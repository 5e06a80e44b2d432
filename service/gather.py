"""Gathering single look-ups of one moment into one query."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Gather(Generic[K, V]):
    """Looks keys up through `fetch`, all that are asked for while one query runs together in the next.

    A key asked for is always fetched by a query that begins after the asking, so an answer is never older than its
    question. What `fetch` raises goes to everyone who asked.
    """

    def __init__(self, fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._waiting: dict[K, list[asyncio.Future[V | None]]] = {}
        self._running: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V | None:
        """What `fetch` finds for the key; None if nothing."""
        answer: asyncio.Future[V | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(answer)
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="gather")
        return await answer

    async def _run(self) -> None:
        asked: dict[K, list[asyncio.Future[V | None]]] = {}
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, {}
                try:
                    found = await self._fetch(list(asked))
                except Exception as error:  # it is the answer to everyone who asked, whatever it is
                    _answer(asked, error)
                else:
                    _answer(asked, found)
        finally:
            self._running = None
            for answers in (*asked.values(), *self._waiting.values()):
                for answer in answers:
                    answer.cancel()


def _answer(asked: Mapping[K, list[asyncio.Future[V | None]]], found: Mapping[K, V] | Exception) -> None:
    for key, answers in asked.items():
        for answer in answers:
            if answer.done():
                continue
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(found.get(key))
