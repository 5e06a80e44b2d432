"""Waits for the log to grow, by appends of this process or another."""

import asyncio
import contextlib
from collections.abc import Sequence

from asyncpg import Connection

from domain.record.recorded import Recorded
from service.observability.background_work import Work
from service.store.database import Database
from service.store.listener import Listener
from service.store.records import END


class Tail(Listener):
    """Knows the last position of the log, while entered. Used from one event loop.

    Postgres notifies of all processes' appends, and `wake` reports this process's own at once. While Postgres is away,
    the position is that of the last notification or `wake`.
    """

    def __init__(self, database: Database, work: "Work | None" = None, *, beat_s: float = 5.0) -> None:
        self._position = 0
        self._moved = asyncio.Event()
        super().__init__(
            database, "codille_log", lambda payload: self.wake(int(payload)), self._catch_up, work, beat_s=beat_s
        )

    @property
    def position(self) -> int:
        """The last known position."""
        return self._position

    def appended(self, records: Sequence[Recorded]) -> None:
        """Takes events that this process has just appended."""
        self.wake(records[-1].position)

    def wake(self, position: int) -> None:
        """Notes that the log has reached this position."""
        if position > self._position:
            self._position = position
            self._moved.set()
            self._moved = asyncio.Event()

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (a timeout is no error here)
        """Returns once the log is known to go beyond `after`, or after `timeout` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while self._position <= after:
                    await self._moved.wait()

    async def _catch_up(self, connection: Connection, _is_new: bool) -> None:
        position = await connection.fetchval(END)
        self.wake(int(position))
