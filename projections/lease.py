"""Leases: only one worker at a time keeps a generation up to date, or builds one.

A lease ends when its holder stops renewing it. A delayed holder may act on a lease that has ended; the shards then
refuse it, because the next lease has a greater epoch.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator

from projections.connection import OUTAGES, Client
from projections.redis_keys import COUNTER, lease_key
from projections.scripts import LuaScript, ScriptCall, send
from projections.tasks import cancel_and_wait


class Lease:
    """A lease that this process holds, with its fencing number."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.lost = False
        """Whether the lease has ended, as far as this process knows."""


class Leases:
    """Takes leases for one holder. Each lasts `lease_s` seconds after its last renewal."""

    def __init__(self, redis: Client, *, lease_s: float) -> None:
        self._redis = redis
        self._lease_s = lease_s
        self._holder = secrets.token_hex(16)
        self._take = LuaScript("lease")
        self._release = LuaScript("release")

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[Lease | None]:
        """The lease of this name, renewed in the background; None if another process holds it.

        Raises the errors of Redis in `OUTAGES` when the lease is taken. Later ones only make it lost.
        """
        began = asyncio.get_running_loop().time()
        renewing: asyncio.Task[None] | None = None
        taken = True
        try:
            epoch = await self._take_or_renew(name)
            taken = epoch != 0
            if not taken:
                yield None
                return
            lease = Lease(epoch)
            renewing = asyncio.create_task(self._renew(name, lease, began), name=f"lease {name}")
            yield lease
        except OUTAGES:
            # One that Redis did not give needs no release.
            taken = taken and renewing is not None
            raise
        finally:
            if taken:
                # A stop may come before the answer, or while the lease is released: it waits for the release.
                release = asyncio.ensure_future(self._released(name, renewing))
                try:
                    await asyncio.shield(release)
                except asyncio.CancelledError:
                    await release
                    raise

    async def _released(self, name: str, renewing: "asyncio.Task[None] | None") -> None:
        if renewing is not None:
            await cancel_and_wait(renewing)
        # A lease that cannot be released ends when its time is over.
        with contextlib.suppress(*OUTAGES):
            await send(self._redis, [ScriptCall(self._release, [lease_key(name)], [self._holder])])

    async def free(self, name: str) -> bool:
        """Whether no process holds the lease of this name."""
        (held,) = await send(self._redis, [("EXISTS", lease_key(name))])
        return not held

    async def _take_or_renew(self, name: str) -> int:
        keys = [lease_key(name), COUNTER]
        (epoch,) = await send(self._redis, [ScriptCall(self._take, keys, [self._holder, int(self._lease_s * 1000)])])
        return int(epoch)

    async def _renew(self, name: str, lease: Lease, renewed: float) -> None:
        """Renews the lease until another process holds it, or it has ended because Redis does not answer."""
        loop = asyncio.get_running_loop()
        while not lease.lost:
            await asyncio.sleep(self._lease_s / 3)
            sent = loop.time()
            try:
                async with asyncio.timeout(self._lease_s / 3):
                    epoch = await self._take_or_renew(name)
            except OUTAGES:
                lease.lost = sent - renewed > self._lease_s
            else:
                lease.lost = epoch != lease.epoch
                renewed = sent
