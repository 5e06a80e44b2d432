"""Quotas: how much of the service each client may use in a window of time.

Each process counts against parts of a quota that it leases from Redis, where the leases of all processes add up. While
Redis is away each process counts alone, against a whole quota; afterwards it reports its use of that time.
"""

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

LEASES = 50
"""The least number of parts in which a quota is leased."""

REDIS_TIMEOUT_S = 0.5
ALONE_S = 2.0
"""Seconds for which a process counts alone before it tries Redis again."""

CAPACITY = 100_000
"""The most keys that a process counts. Beyond that it starts over, so that made-up keys cannot fill its memory."""


class Quota(Struct, frozen=True):
    """An amount that each key may use per window."""

    name: str
    """Its name in headers, metrics and Redis."""
    amount: int
    window_s: int
    text: str
    """The detail of the problem document for a client beyond the quota."""


class Remainder(NamedTuple):
    """What is left for a key after an amount was taken or refused."""

    within: bool
    """Whether the quota had enough, so that the amount was taken."""
    remaining: int
    resets_s: int
    """Seconds to the next window."""
    window: int
    """The window's number, for `give_back`."""


class QuotaUnavailable(Exception):
    """Redis does not answer, so the leases of other processes are unknown."""


class RedisQuota:
    """The leases of all processes together, counted in Redis: one counter per key and window."""

    def __init__(self, redis: Redis, *, timeout_s: float = REDIS_TIMEOUT_S) -> None:
        self._redis = redis
        self._timeout_s = timeout_s

    async def lease(self, quota: Quota, key: str, window: int, amount: int) -> int:
        """Leases `amount` for a key in a window, and returns the total leased. Raises QuotaUnavailable."""
        name = f"codille:quota:{{{quota.name}:{key}}}:{window}"
        try:
            async with asyncio.timeout(self._timeout_s), self._redis.pipeline(transaction=False) as pipe:
                pipe.incrby(name, amount)
                pipe.expire(name, 2 * quota.window_s)
                leased, _ = await pipe.execute()
        except (RedisError, OSError) as error:
            raise QuotaUnavailable from error
        return int(leased)


class _Count:
    """One key's count in the current window."""

    __slots__ = ("alone", "leased", "leasing", "left", "spent")

    def __init__(self) -> None:
        self.leasing = asyncio.Lock()
        self.left = 0
        """What remains of this process's leases; negative for a debt."""
        self.leased = 0
        """The total of all processes, by the last answer of Redis."""
        self.alone = 0
        """The part of the leases that Redis does not know of yet."""
        self.spent = False
        """Whether the quota is fully leased."""


class Limiter:
    """Counts what each key uses of a quota, in fixed windows. `clock` is the time in seconds."""

    def __init__(self, quota: Quota, leases: RedisQuota | None, *, clock: Callable[[], float] = time.time) -> None:
        self.quota = quota
        self.policy = f'"{quota.name}";q={quota.amount};w={quota.window_s}'.encode()
        """The quota in the form of the header RateLimit-Policy."""
        self._leases = leases
        self._clock = clock
        self._part = max(1, quota.amount // LEASES)
        self._window = 0
        self._counts: dict[str, _Count] = {}
        self._alone_until = 0.0

    async def take(self, key: str, amount: int = 1) -> Remainder:
        """Takes this amount, all or nothing. More than the whole quota counts as the whole quota."""
        now, window, count = self._current(key)
        amount = min(amount, self.quota.amount)
        while count.left < amount and not count.spent:
            async with count.leasing:
                if count.left < amount and not count.spent:
                    await self._lease(key, count, window, now, max(self._part, amount - count.left))
        within = count.left >= amount
        if within:
            count.left -= amount
        return self._remainder(count, window, now, within=within)

    def charge(self, key: str, amount: int = 1) -> Remainder:
        """Takes this amount even if it is not left, without waiting for Redis; later calls lease the debt too."""
        now, window, count = self._current(key)
        count.left -= amount
        owed_at_most = 0 if count.spent else self.quota.amount - count.leased
        return self._remainder(count, window, now, within=count.left >= -owed_at_most)

    def give_back(self, key: str, taken: Remainder, amount: int = 1) -> None:
        """Returns an amount if its window is not over; a negative amount is taken in addition, as a debt."""
        count = self._counts.get(key)
        if count is not None and taken.window == self._window:
            count.left += amount

    def _current(self, key: str) -> tuple[float, int, _Count]:
        """The time, its window, and the key's count in it."""
        now = self._clock()
        window = int(now // self.quota.window_s)
        if window != self._window or len(self._counts) > CAPACITY:
            self._window = window
            self._counts = {}
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = _Count()
        return now, window, count

    def _remainder(self, count: _Count, window: int, now: float, *, within: bool) -> Remainder:
        remaining = max(0, count.left + max(0, self.quota.amount - count.leased))
        return Remainder(within, remaining, (window + 1) * self.quota.window_s - int(now), window)

    async def _lease(self, key: str, count: _Count, window: int, now: float, amount: int) -> None:
        if self._leases is not None and now >= self._alone_until:
            try:
                leased = await self._leases.lease(self.quota, key, window, amount + count.alone)
            except QuotaUnavailable:
                self._alone_until = now + ALONE_S
            else:
                count.leased, count.alone = leased, 0
                over = max(0, leased - self.quota.amount)
                count.left += max(0, amount - over)
                count.spent = over > 0
                return
        # Without Redis, the next part comes from a quota of this process's own.
        part = max(0, min(amount, self.quota.amount - count.leased))
        count.leased += part
        count.alone += part
        count.left += part
        count.spent = part < amount


@lru_cache(maxsize=10_000)
def key_of(address: str) -> str:
    """The key of an address's network: a digest, so that Redis stores no plain addresses."""
    return sha256(network(address).encode()).hexdigest()[:32]


@lru_cache(maxsize=10_000)
def keys_of(address: str) -> tuple[str, ...]:
    """The keys of an address's network and of the wider networks around it: for IPv6 the /56 and the /48."""
    return tuple(sha256(one.encode()).hexdigest()[:32] for one in networks(address))


def networks(address: str) -> tuple[str, str, str]:
    """An address's network, and two wider ones; an IPv4 address, which stands alone, three times."""
    narrow = network(address)
    try:
        parsed = IPv6Address(narrow)
    except ValueError:
        return narrow, narrow, narrow
    wider = (f"{IPv6Address(int(parsed) >> (128 - bits) << (128 - bits))}/{bits}" for bits in (56, 48))
    return narrow, *wider  # type: ignore[return-value]  # there are two


def network(address: str) -> str:
    """What counts as one client address: the address without a port; for IPv6 its /64, which one household has."""
    # Some proxies forward a client's port too: 192.0.2.1:4711, [2001:db8::1]:4711.
    host = address.partition(":")[0] if address.count(":") == 1 else address.partition("]")[0].removeprefix("[")
    try:
        parsed = ip_address(host)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return host
    # Sockets for both families write IPv4 as mapped addresses.
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
