"""Whether the service can serve: Postgres can be read and written, the log has a signing key, Redis works, and no
background work halts.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from projections.models import ReadModels, ReadModelsUnavailable
from service.store.database import StoreUnavailable
from service.store.store import Store
from service.transparency import Transparency

KEPT_S = 1.0
"""Seconds for which a result is cached. Anyone may call this, and each check writes to the disk of Postgres."""

Redis = Literal["ok", "loading", "cannot-write", "unavailable"]


class ServerStates(Struct, frozen=True):
    """The states of the two servers, of the log, and of the work on it."""

    postgres: StoreUnavailable | None
    """Why Postgres cannot be used; None if it can."""
    has_key: bool
    """Whether the log has a signing key, with which records are verified; True if Postgres cannot be used."""
    redis: Redis
    set_aside: int | None
    """The number of tables set aside because their records cannot be read here; None if it is unknown."""
    halted: tuple[str, ...]
    """The background work that halts, by name."""


class ReadinessCheck:
    """Checks the servers; concurrent callers share one check.

    `halted` returns the names of the background work that halts, and `clock` seconds since any fixed moment.
    """

    def __init__(
        self,
        store: Store,
        models: ReadModels,
        transparency: Transparency,
        halted: Callable[[], Iterable[str]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._models = models
        self._transparency = transparency
        self._halted = halted
        self._has_key = False
        self._clock = clock
        self._checking: asyncio.Task[ServerStates] | None = None
        self._checked: tuple[float, ServerStates] | None = None

    async def states(self) -> ServerStates:
        """The states, at most KEPT_S seconds old."""
        if self._checked is not None and self._clock() - self._checked[0] < KEPT_S:
            return self._checked[1]
        if self._checking is None:
            self._checking = asyncio.create_task(self._check(), name="readiness")
        # A cancelled caller leaves the check to the others.
        return await asyncio.shield(self._checking)

    async def _check(self) -> ServerStates:
        try:
            postgres, redis, aside = await asyncio.gather(self._postgres(), self._redis(), self._set_aside())
            has_key = postgres is not None or self._has_key
            states = ServerStates(postgres, has_key, redis, aside, tuple(self._halted()))
            self._checked = self._clock(), states
            return states
        finally:
            self._checking = None

    async def _postgres(self) -> StoreUnavailable | None:
        try:
            await self._store.check_writing()
            # A log never loses its keys.
            self._has_key = self._has_key or await self._transparency.announced()
        except StoreUnavailable as error:
            return error
        return None

    async def _set_aside(self) -> int | None:
        try:
            return await self._models.set_aside()
        except ReadModelsUnavailable:
            return None

    async def _redis(self) -> Redis:
        try:
            state = await self._models.state()
        except ReadModelsUnavailable:
            return "unavailable"
        if state.loading:
            return "loading"
        return "ok" if state.writes else "cannot-write"
