"""Gathering the look-ups of one moment into one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Gather(Generic[K, V]):
    """Looks keys up through `fetch`: all that are asked for while one call of it runs go together into the next.

    So an answer is never older than its question. What `fetch` raises goes to everyone who asked.
    """

    def __init__(self, fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._asked: dict[K, asyncio.Future[V]] = {}
        self._running: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V:
        """What `fetch` finds for the key."""
        answer = self._asked.get(key)
        if answer is None:
            answer = self._asked[key] = asyncio.get_running_loop().create_future()
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="gather")
        # Shielded, because others may wait for the same answer.
        return await asyncio.shield(answer)

    async def _run(self) -> None:
        asked: dict[K, asyncio.Future[V]] = {}
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                try:
                    found = await self._fetch(list(asked))
                except Exception as error:  # it is the answer to everyone who asked, whatever it is
                    for answer in asked.values():
                        answer.set_exception(error)
                        # Who asked may have gone meanwhile; that is no reason for a warning.
                        answer.exception()
                else:
                    for key, answer in asked.items():
                        answer.set_result(found[key])
        finally:
            self._running = None
            for answer in (*asked.values(), *self._asked.values()):
                answer.cancel()
            self._asked = {}
