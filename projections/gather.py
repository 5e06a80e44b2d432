"""Look-ups made at the same time, gathered into one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Gather(Generic[K, V]):
    """Looks keys up through `fetch`. Keys requested while a call of it runs go together into the next call.

    So a value is never older than its request. An error of `fetch` is raised to all callers of that call.
    """

    def __init__(self, fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._fetch = fetch
        self._requested: dict[K, list[asyncio.Future[V]]] = {}
        self._running: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V:
        """The value that `fetch` gives for the key. Raises whatever `fetch` raises."""
        answer: asyncio.Future[V] = asyncio.get_running_loop().create_future()
        self._requested.setdefault(key, []).append(answer)
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="gather")
        return await answer

    async def _run(self) -> None:
        requests: dict[K, list[asyncio.Future[V]]] = {}
        try:
            while self._requested:
                requests, self._requested = self._requested, {}
                try:
                    values = await self._fetch(list(requests))
                except Exception as error:  # every error is raised to the callers
                    for answer in _awaited(requests.values()):
                        answer.set_exception(error)
                else:
                    for key, answers in requests.items():
                        for answer in _awaited([answers]):
                            answer.set_result(values[key])
        finally:
            self._running = None
            for answer in _awaited((*requests.values(), *self._requested.values())):
                answer.cancel()
            self._requested = {}


def _awaited(requests: "Iterable[list[asyncio.Future[V]]]") -> "Iterator[asyncio.Future[V]]":
    """The answers that callers still wait for."""
    return (answer for answers in requests for answer in answers if not answer.done())
