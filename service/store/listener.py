"""A connection of its own that listens on one channel, for as long as it is asked to."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Self

import asyncpg
import structlog

from projections.tasks import cancel_and_wait
from service.store.database import OUTAGES, Database, StoreUnavailable

if TYPE_CHECKING:
    from asyncpg import Connection

_FAILURES = (StoreUnavailable, asyncpg.PostgresError, *OUTAGES)


class Listener:
    """Calls `heard` with each notification's payload, while entered.

    What is sent while the connection is away is lost. So `checked` is called with every new connection once it
    listens (True), and with the same one every `beat_s` seconds (False): it has to ask the server something, by which
    a dead connection is noticed. `pause_s` is the time between two attempts to connect.
    """

    def __init__(
        self,
        database: Database,
        channel: str,
        heard: Callable[[str], None],
        checked: "Callable[[Connection, bool], Awaitable[None]]",
        *,
        beat_s: float = 5.0,
        pause_s: float = 0.2,
    ) -> None:
        self._database = database
        self._channel = channel
        self._heard = heard
        self._checked = checked
        self._beat_s = beat_s
        self._pause_s = pause_s
        self._log = structlog.get_logger(__name__).bind(channel=channel)
        self._told = False
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._listening = asyncio.create_task(self._run(), name=f"listener of {self._channel}")
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._listening is not None:
            await cancel_and_wait(self._listening)

    async def _run(self) -> None:
        """Whatever fails is tried again; the log tells of it once until it works again."""
        while True:
            try:
                connection = await self._database.connect()
                try:
                    await self._listen(connection)
                finally:
                    connection.terminate()
            except _FAILURES as error:
                if not self._told:
                    self._log.warning("listening-failed", error=str(error) or type(error).__name__)
                self._told = True
            await asyncio.sleep(self._pause_s)

    async def _listen(self, connection: "Connection") -> None:
        """Listens until the connection is lost."""
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(self._channel, lambda _connection, _pid, _channel, said: self._heard(str(said)))
        anew = True
        while not lost.is_set():
            await self._checked(connection, anew)
            anew = self._told = False
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), self._beat_s)
