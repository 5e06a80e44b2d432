"""Gathering the look-ups of one moment into one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Gather(Generic[K, V]):
    """Looks keys up through `fetch`: all that are asked for while one call of it runs go together into the next.

    So an answer is never older than its question. What `fetch` raises goes to everyone who asked.
    """

    def __init__(self, fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._asked: dict[K, list[asyncio.Future[V]]] = {}
        self._running: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V:
        """What `fetch` finds for the key."""
        answer: asyncio.Future[V] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(key, []).append(answer)
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="gather")
        return await answer

    async def _run(self) -> None:
        asked: dict[K, list[asyncio.Future[V]]] = {}
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                try:
                    found = await self._fetch(list(asked))
                except Exception as error:  # it is the answer to everyone who asked, whatever it is
                    for answer in _awaited(asked.values()):
                        answer.set_exception(error)
                else:
                    for key, answers in asked.items():
                        for answer in _awaited([answers]):
                            answer.set_result(found[key])
        finally:
            self._running = None
            for answer in _awaited((*asked.values(), *self._asked.values())):
                answer.cancel()
            self._asked = {}


def _awaited(asked: "Iterable[list[asyncio.Future[V]]]") -> "Iterator[asyncio.Future[V]]":
    """Those answers that are still waited for."""
    return (answer for answers in asked for answer in answers if not answer.done())
