"""Rate limits: a number of requests a minute for each token and each address.

Each process counts for itself on parts of the quota that it leases from Redis, where all processes' leases add up.
While Redis is away each process counts alone, on a whole quota.
"""

import asyncio
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from redis.asyncio import Redis
from redis.exceptions import RedisError

WINDOW_S = 60
LEASES = 50
"""In how many parts at least a quota is leased."""

REDIS_TIMEOUT_S = 0.1
ALONE_S = 2.0
"""How long a process counts alone before it asks Redis again."""


class QuotaUnavailable(Exception):
    """Redis does not answer, so the leases of other processes are not known."""


class RedisQuota:
    """What all processes have leased together, counted in Redis: one counter a key and window."""

    def __init__(self, redis: Redis, *, timeout_s: float = REDIS_TIMEOUT_S) -> None:
        self._redis = redis
        self._timeout_s = timeout_s

    async def lease(self, key: str, window: int, amount: int) -> int:
        """Leases `amount` for a key in a window, and answers all that is leased by now. Raises QuotaUnavailable."""
        name = f"codille:rate:{{{key}}}:{window}"
        try:
            async with asyncio.timeout(self._timeout_s), self._redis.pipeline(transaction=False) as pipe:
                pipe.incrby(name, amount)
                pipe.expire(name, 2 * WINDOW_S)
                leased, _ = await pipe.execute()
        except (RedisError, OSError) as error:
            raise QuotaUnavailable from error
        return int(leased)


class Count:
    """One key's count in the current window."""

    __slots__ = ("leased", "leasing", "left", "spent")

    def __init__(self) -> None:
        self.leasing = asyncio.Lock()
        self.left = 0
        """Of what this process has leased."""
        self.leased = 0
        """By all processes together, at the last answer of Redis."""
        self.spent = False
        """Whether nothing is left to be leased."""


class Limiter:
    """Counts requests by key in fixed windows of a minute, `quota` in each. `clock` is the time in seconds."""

    def __init__(self, quota: int, leases: RedisQuota | None, *, clock: Callable[[], float] = time.time) -> None:
        self.quota = quota
        self._leases = leases
        self._clock = clock
        self._part = max(1, quota // LEASES)
        self._window = 0
        self._counts: dict[str, Count] = {}
        self._alone_until = 0.0

    async def take(self, key: str) -> tuple[bool, int, int]:
        """Whether one more request is within the quota, how many remain, and the seconds to the next window."""
        now = self._clock()
        window = int(now // WINDOW_S)
        if window != self._window:
            self._window = window
            self._counts = {}
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = Count()
        while not count.left and not count.spent:
            async with count.leasing:
                if not count.left and not count.spent:
                    await self._lease(key, count, window, now)
        resets = (window + 1) * WINDOW_S - int(now)
        if not count.left:
            return False, 0, resets
        count.left -= 1
        return True, count.left + max(0, self.quota - count.leased), resets

    async def _lease(self, key: str, count: Count, window: int, now: float) -> None:
        if self._leases is not None and now >= self._alone_until:
            try:
                leased = await self._leases.lease(key, window, self._part)
            except QuotaUnavailable:
                self._alone_until = now + ALONE_S
            else:
                count.leased = leased
                over = max(0, leased - self.quota)
                count.left += max(0, self._part - over)
                count.spent = over > 0
                return
        # Alone: the next part of a quota of one's own.
        part = min(self._part, self.quota - count.leased)
        count.leased += part
        count.left += part
        count.spent = part < self._part


def network(address: str) -> str:
    """What counts as one address: the address; of IPv6 the /64, all of which one household has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    # IPv4 as a socket for both families writes it.
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
