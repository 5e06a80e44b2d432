"""Notes what players' names look like, where a program of before gave the name without it."""

import asyncio

from structlog.typing import FilteringBoundLogger

from projections.tasks import pause
from service.auth.names import look
from service.observability.metrics import Metrics
from service.store.accounts import Accounts
from service.store.database import StoreUnavailable

AT_A_TIME = 500
"""Names that are looked at in one step; a name takes some 10 microseconds."""

APART_S = 60.0
"""Seconds between two looks while all are known."""


class NameLooks:
    """Fills in the looks of names. Several processes may run it: each look is noted once."""

    def __init__(
        self, accounts: Accounts, metrics: Metrics, log: FilteringBoundLogger, *, apart_s: float = APART_S
    ) -> None:
        self._accounts = accounts
        self._log = log
        self._work = metrics.work["looks of names"]
        self._apart_s = apart_s

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop`; an outage is waited out."""
        while not stop.is_set():
            noted = 0
            try:
                noted = await self.step()
                self._work.goes_on()
            except StoreUnavailable as error:
                if self._work.halts():
                    self._log.warning("looks of names interrupted", error=str(error))
            if noted < AT_A_TIME:
                await pause(stop, self._apart_s)

    async def step(self) -> int:
        """Notes the looks of some names, and returns of how many. Raises StoreUnavailable."""
        names = await self._accounts.without_look(AT_A_TIME)
        if names:
            await self._accounts.note_looks(names, [look(name) for name in names.values()])
        return len(names)
