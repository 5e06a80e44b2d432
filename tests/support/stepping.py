"""Doing something between two awaits of a coroutine, at each of them in turn; or stopping it there."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable
from contextlib import suppress
from types import coroutine
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from domain.parts.phases import expect


class Interruption:
    """An act that is done where an application waits for the `at`-th time, before it goes on.

    `done` is whether it has begun.
    """

    def __init__(self, app: ASGIApp, act: Callable[[], Coroutine[Any, Any, object]], at: int) -> None:
        self._app = app
        self._act = act
        self._at = at
        self._acting: asyncio.Task[object] | None = None

    @property
    def done(self) -> bool:
        return self._acting is not None

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application, interrupted."""
        await _stepped(self._app(scope, receive, send), self._at, lambda _: self.act().__await__())  # type: ignore[arg-type]

    async def act(self) -> None:
        """Returns when the act is done, which is begun now if it was not yet."""
        if self._acting is None:
            # In a task of its own: it is no part of what is interrupted.
            self._acting = asyncio.create_task(self._act())
        await self._acting


async def stops(work: Callable[[], Coroutine[Any, Any, object]]) -> AsyncIterator[str]:
    """Begins the work again and again, stops it each time one wait later, and yields where, until it ends of itself.

    It is stopped at each wait twice: before what it waits for has come, and together with it.
    """
    at, stopped = 0, True
    while stopped:
        at += 1
        for together in (False, True):
            stopped = False

            def stop(waited: Any, *, together: bool = together) -> Iterable[object]:
                nonlocal stopped
                stopped = True
                task = expect(asyncio.current_task(), asyncio.Task)
                if together and waited is not None:
                    waited.add_done_callback(lambda _: task.cancel())
                else:
                    asyncio.get_running_loop().call_soon(task.cancel)
                return ()

            with suppress(asyncio.CancelledError):
                await asyncio.create_task(_stepped(work(), at, stop))
            yield f"wait {at}, {'with' if together else 'before'} what it waited for"


async def _stepped(work: Coroutine[Any, Any, object], at: int, do: Callable[[Any], Iterable[object]]) -> None:
    """Does the work. `do` gets the `at`-th thing that it waits for; what `do` waits for comes before that."""
    await _steps(work, at, do)


@coroutine
def _steps(
    work: Coroutine[Any, Any, object], at: int, do: Callable[[Any], Iterable[object]]
) -> Generator[Any, Any, None]:
    failure: BaseException | None = None
    waits = 0
    with suppress(StopIteration):
        while True:
            waited = work.send(None) if failure is None else work.throw(failure)
            failure = None
            waits += 1
            try:
                if waits == at:
                    yield from do(waited)
                yield waited
            except BaseException as error:  # it is the work's
                failure = error
