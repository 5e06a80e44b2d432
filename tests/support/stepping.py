"""Doing something between two awaits of a coroutine, at each of them in turn; or stopping it there."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from types import coroutine
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send


class Interruption:
    """An act that is done where an application waits for the `at`-th time, before it goes on.

    `done` is whether it has begun.
    """

    def __init__(self, app: ASGIApp, act: Callable[[], Coroutine[Any, Any, object]], at: int) -> None:
        self._app = app
        self._act = act
        self._at = at
        self._waits = 0
        self._acting: asyncio.Task[object] | None = None

    @property
    def done(self) -> bool:
        return self._acting is not None

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application, interrupted."""
        await self._interrupted(self._app(scope, receive, send))  # type: ignore[arg-type]

    async def act(self) -> None:
        """Returns when the act is done, which is begun now if it was not yet."""
        if self._acting is None:
            # In a task of its own: it is no part of what is interrupted.
            self._acting = asyncio.create_task(self._act())
        await self._acting

    @coroutine
    def _interrupted(self, work: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
        failure: BaseException | None = None
        try:
            while True:
                waited = work.send(None) if failure is None else work.throw(failure)
                failure = None
                self._waits += 1
                try:
                    if self._waits == self._at:
                        yield from self.act().__await__()
                    yield waited
                except BaseException as error:  # it is the work's
                    failure = error
        except StopIteration:
            return


async def stops(work: Callable[[], Coroutine[Any, Any, object]]) -> AsyncIterator[str]:
    """Begins the work again and again, stops it each time one wait later, and yields where, until it ends of itself.

    It is stopped at each wait twice: while it waits, and together with what it waited for.
    """
    at, ended = 0, False
    while not ended:
        at += 1
        for together in (False, True):
            stopping = _Stopping(work(), at, together=together)
            task = asyncio.create_task(stopping.run())
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()
            ended = not stopping.has_stopped
            yield f"wait {at}, {'with' if together else 'before'} what it waited for"


class _Stopping:
    def __init__(self, work: Coroutine[Any, Any, object], at: int, *, together: bool) -> None:
        self._work = work
        self._at = at
        self._together = together
        self.has_stopped = False

    async def run(self) -> None:
        await self._stepped()

    @coroutine
    def _stepped(self) -> Generator[Any, Any, None]:
        task = asyncio.current_task()
        assert task is not None
        steps = self._work.__await__()
        waits = 0
        with contextlib.suppress(StopIteration):
            waited = next(steps)
            while True:
                waits += 1
                if waits == self._at:
                    self.has_stopped = True
                    if self._together and waited is not None:
                        waited.add_done_callback(lambda _: task.cancel())
                    else:
                        asyncio.get_running_loop().call_soon(task.cancel)
                try:
                    yield waited
                except BaseException as error:  # it is the work's
                    waited = steps.throw(error)
                else:
                    waited = next(steps)
