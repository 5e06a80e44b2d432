"""Doing something between two awaits of a coroutine, at each of them in turn."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
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
