"""Listens on one notification channel of Postgres, over a connection of its own."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Self

import asyncpg
import structlog
from asyncpg import Connection

from projections.tasks import cancel_and_wait
from service.observability.background_work import Work
from service.store.database import OUTAGES, Database, StoreUnavailable

_PAUSE_S = 0.2
"""Seconds between attempts to connect."""

_FAILURES = (StoreUnavailable, asyncpg.PostgresError, *OUTAGES)


class Listener:
    """Calls `received` with each notification's payload, while entered.

    Notifications sent while the connection is lost are missed. Therefore `check` is called with every new connection
    once it listens (True), and with the same connection every `beat_s` seconds (False). It must send a query, by which
    a dead connection is detected.
    """

    def __init__(
        self,
        database: Database,
        channel: str,
        received: Callable[[str], None],
        check: Callable[[Connection, bool], Awaitable[None]],
        work: Work | None = None,
        *,
        beat_s: float = 5.0,
    ) -> None:
        self._database = database
        self._channel = channel
        self._received = received
        self._check = check
        self._beat_s = beat_s
        self._log = structlog.get_logger(__name__).bind(channel=channel)
        self._work = work or Work()
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._listening = asyncio.create_task(self._run(), name=f"listener of {self._channel}")
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._listening is not None:
            await cancel_and_wait(self._listening)

    async def _run(self) -> None:
        """Reconnects after each failure. Failures are logged once until listening works again."""
        while True:
            try:
                connection = await self._database.connect()
                try:
                    await self._listen(connection)
                finally:
                    connection.terminate()
            except _FAILURES as error:
                if self._work.halts():
                    self._log.warning("listening to Postgres failed", error=str(error) or type(error).__name__)
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self, connection: Connection) -> None:
        """Listens until the connection is lost."""
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(
            self._channel, lambda _connection, _pid, _channel, payload: self._received(str(payload))
        )
        is_new = True
        while not lost.is_set():
            await self._check(connection, is_new)
            is_new = False
            self._work.goes_on()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._beat_s):
                    await lost.wait()
