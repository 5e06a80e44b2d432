"""Slow hashes, computed one at a time: each takes a core for a while, and 16 MiB."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from service.auth.secrets import stretched
from service.compute.fair_slots import FairSlots
from service.compute.heavy_reads import Spending

HASH_S = 0.05
"""Seconds that one takes, about."""


class SlowHashes:
    """Computes slow hashes in a thread of its own, for which networks and their callers take turns."""

    def __init__(self) -> None:
        self.slots = FairSlots(1)
        self._thread = ThreadPoolExecutor(1, "hashes")

    async def of(self, code: str, spending: Spending) -> bytes:
        """The slow hash of a code. Raises Busy, and Left if the client is gone before its turn."""
        await self.slots.acquire(spending.origin, HASH_S, gone=spending.gone)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, stretched, code)
        finally:
            self.slots.release()
