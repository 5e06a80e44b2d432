"""Notes what players' names look like, where a program of before gave the name without it."""

import asyncio

from structlog.typing import FilteringBoundLogger

from projections.tasks import until
from service.auth.names import look
from service.observability.metrics import Metrics
from service.store.accounts import Accounts
from service.store.log_follower import Outlasting

AT_A_TIME = 500
"""Names that are looked at in one step; a name takes some 10 microseconds."""

APART_S = 60.0
"""Seconds between two looks while all are known."""


class NameLooks:
    """Fills in the looks of names. Several processes may run it: each look is noted once."""

    def __init__(self, accounts: Accounts, metrics: Metrics, log: FilteringBoundLogger) -> None:
        self._accounts = accounts
        self._outages = Outlasting(log, "looks of names", metrics.work["looks of names"])

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop`; an outage is waited out."""
        await until(stop, self._fill_in())

    async def _fill_in(self) -> None:
        while True:
            if await self._outages.outlast(self.step) < AT_A_TIME:
                await asyncio.sleep(APART_S)

    async def step(self) -> int:
        """Notes the looks of some names, and returns of how many. Raises StoreUnavailable."""
        names = await self._accounts.without_look(AT_A_TIME)
        if names:
            await self._accounts.note_looks(names, [look(name) for name in names.values()])
        return len(names)
