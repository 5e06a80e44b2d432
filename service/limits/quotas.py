"""Quotas: how much of the service each client may use in a window of time.

Each process counts against parts of a quota that it leases from Redis, where the leases of all processes add up. While
Redis is away each process counts alone, against a whole quota; afterwards it reports its use of that time.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct, field

from projections.connection import OUTAGES, Client
from projections.scripts import send
from service.config import Settings
from service.limits.addresses import WIDER

Recorded: TypeAlias = Literal["registrations", "tables", "seats", "bots", "disputes", "reports"]
"""What has quotas of its own: registrations, tables opened, seats taken and left, bots seated, disputes and reports."""

By: TypeAlias = Literal["address", "player", "table"]
"""The subject that a quota is counted for."""

MINUTE_S = 60
HOUR_S = 3600

NETWORKS: Mapping[str, str] = {"": "address", "-56": "/56 network", "-48": "/48 network"}
"""What an address's quotas are counted for, by the end of their names; each has a multiple, as `WIDER` says."""

GROUP = 4
"""An address and a table have this many times a player's quota of recording."""

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


class RedisQuota:
    """The leases of all processes together, counted in Redis: one counter per key and window.

    While Redis is away it is tried every ALONE_S: the quotas of a process do not each wait for it.
    """

    def __init__(self, redis: Client, *, timeout_s: float = REDIS_TIMEOUT_S) -> None:
        self._redis = redis
        self._timeout_s = timeout_s
        self._away_until = 0.0

    async def lease(self, quota: Quota, key: str, window: int, amount: int) -> int | None:
        """Leases `amount` for a key in a window, and returns the total leased; None while Redis does not answer."""
        if time.monotonic() < self._away_until:
            return None
        name = f"codille:quota:{{{quota.name}:{key}}}:{window}"
        try:
            async with asyncio.timeout(self._timeout_s):
                leased, _ = await send(self._redis, [("INCRBY", name, amount), ("EXPIRE", name, 2 * quota.window_s)])
        except OUTAGES:
            self._away_until = time.monotonic() + ALONE_S
            return None
        return int(leased)


class _Count(Struct):
    """One key's count in the current window."""

    leasing: asyncio.Lock = field(default_factory=asyncio.Lock)
    left: int = 0
    """What remains of this process's leases; negative for a debt."""
    leased: int = 0
    """The total of all processes, by the last answer of Redis."""
    alone: int = 0
    """The part of the leases that Redis does not know of yet."""
    spent: bool = False
    """Whether the quota is fully leased."""


class Limiter:
    """Counts what each key uses of a quota, in fixed windows. `clock` is the time in seconds."""

    def __init__(self, quota: Quota, leases: RedisQuota | None, *, clock: Callable[[], float] = time.time) -> None:
        self.quota = quota
        self.policy = f'"{quota.name}";q={quota.amount};w={quota.window_s}'.encode()
        """The quota in the form of the header RateLimit-Policy."""
        self.name = f'"{quota.name}";r='.encode()
        """The beginning of what the header RateLimit says of it."""
        self._leases = leases
        self._clock = clock
        self._part = max(1, quota.amount // LEASES)
        self._window = 0
        self._counts: dict[str, _Count] = {}

    async def take(self, key: str, amount: int = 1) -> Remainder:
        """Takes this amount, all or nothing. More than the whole quota counts as the whole quota."""
        now, window, count = self._current(key)
        most = self.quota.amount
        amount = amount if amount < most else most
        while count.left < amount and not count.spent:
            async with count.leasing:
                if count.left < amount and not count.spent:
                    await self._lease(key, count, window, max(self._part, amount - count.left))
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

    def left(self, remainder: Remainder) -> bytes:
        """What is left of the quota, in the form of the header RateLimit."""
        return b"%b%d;t=%d" % (self.name, remainder.remaining, remainder.resets_s)

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
        unleased = self.quota.amount - count.leased
        remaining = count.left + unleased if unleased > 0 else count.left
        return Remainder(
            within, remaining if remaining > 0 else 0, (window + 1) * self.quota.window_s - int(now), window
        )

    async def _lease(self, key: str, count: _Count, window: int, amount: int) -> None:
        own = self._leases
        leased = None if own is None else await own.lease(self.quota, key, window, amount + count.alone)
        if leased is not None:
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


class Quotas:
    """The quotas of one process: of cost, and of recording. `clock` is the time in seconds."""

    def __init__(
        self, settings: Settings, leases: RedisQuota | None, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Raises ValueError if the settings have no rate limit."""
        if settings.rate_limit is None:
            raise ValueError("without a rate limit there are no quotas")

        def limiters(name: str, amount: int, window_s: int, text: str, by: By) -> tuple[Limiter, ...]:
            return tuple(Limiter(one, leases, clock=clock) for one in _quotas(name, amount, window_s, text, by))

        cost = settings.rate_limit, MINUTE_S, "a cost of {} a minute"
        self.address = limiters("address", *cost, "address")
        """For its network and for the wider ones around it, each with one of its `distinct_keys`."""
        self.player = limiters("player", *cost, "player")
        self.recorded: Mapping[Recorded, Mapping[By, Sequence[Limiter]]] = {
            recorded: {
                by: limiters(f"{recorded}-{by}", times * amount, HOUR_S, f"{{}} {words} an hour", by)
                for by, times in counted_for.items()
            }
            for recorded, amount, words, counted_for in _recording(settings)
            if amount is not None
        }
        """By what is recorded, without what the settings do not limit."""


def _recording(settings: Settings) -> tuple[tuple[Recorded, int | None, str, Mapping[By, int]], ...]:
    """What is recorded, how much of it the settings allow in an hour, in words, and how often for each it counts for.

    Registrations count for addresses alone, since a new player has nothing but an address. For the others an address,
    which may be a household's or a club's, and a table have the quotas of several players.
    """
    group: Mapping[By, int] = {"player": 1, "address": GROUP}
    at_table: Mapping[By, int] = {**group, "table": GROUP}
    return (
        ("registrations", settings.registrations_per_hour, "registrations", {"address": 1}),
        ("tables", settings.tables_per_hour, "tables opened", group),
        ("seats", settings.seats_per_hour, "seats taken and left", at_table),
        ("bots", settings.bots_per_hour, "bots seated", group),
        ("disputes", settings.disputes_per_hour, "disputes opened", at_table),
        ("reports", settings.reports_per_hour, "reports", group),
    )


def _quotas(name: str, amount: int, window_s: int, text: str, by: By) -> tuple[Quota, ...]:
    """The quota for what it is counted for; for an address also those of the wider networks around it."""
    counted = zip(NETWORKS.items(), WIDER, strict=True) if by == "address" else ((("", by), 1),)
    return tuple(
        Quota(name + end, times * amount, window_s, f"no more than {text.format(times * amount)} for one {one}")
        for (end, one), times in counted
    )
