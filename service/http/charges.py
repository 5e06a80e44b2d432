"""What a request takes from which quotas, by its method and path, as operations declare it.

It is looked up before routing, since quotas are checked before tokens and routes.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from service.http.problems import Problem
from service.limits.addresses import distinct_keys
from service.limits.quotas import By, Limiter, Quotas, Recorded, Remainder
from service.observability.metrics import Metrics

LONG = 256
"""Paths from this length on are looked up without caching, so that clients cannot fill the memory."""

PER_SECOND = 10_000
"""The cost of a second of CPU time."""

BYTE_COST = 0.00005
"""The cost of sending a byte, as measured. The first 20,000 bytes of a response are within the cost of its request."""


class Charge(Struct, frozen=True):
    """What one request uses; of an operation, what each of its requests uses."""

    cost: int = 1
    kept_cost: int | None = None
    records: Recorded | None = None
    table: str | None = None
    """The table in its path, if it records something there."""

    def excess(self, cpu_s: float) -> int:
        """The cost of a request that computed for `cpu_s` seconds, beyond `cost`; negative if it was less."""
        return (self.cost if self.kept_cost is None else self.kept_cost) + ceil(cpu_s * PER_SECOND) - self.cost


PLAIN = Charge()
"""The charge of a request for no operation."""


class Meter:
    """Charges quotas of cost for work that continues for a caller after its request was admitted."""

    __slots__ = ("_metrics", "_owed", "_quotas")

    def __init__(self, quotas: Sequence[tuple[Limiter, str]], metrics: Metrics) -> None:
        self._quotas = quotas
        self._metrics = metrics
        self._owed = 0.0

    def charge(self, cost: float) -> int:
        """Charges this cost. Returns the seconds until an exhausted quota starts over; 0 while all have enough."""
        self._owed += cost
        whole = int(self._owed)
        if not whole:
            return 0
        self._owed -= whole
        wait_s = 0
        for limiter, key in self._quotas:
            remainder = limiter.charge(key, whole)
            if not remainder.within:
                self._metrics.limited.labels(limiter.quota.name).inc()
                wait_s = max(wait_s, remainder.resets_s)
        return wait_s


class Taken:
    """What one request takes from its quotas. Response headers say what is left of each.

    Every request counts for its address and the networks around it, whatever its token, and with a valid token for the
    player too. A request that records something also takes from the quotas of recording. Without `quotas` nothing is
    limited.
    """

    __slots__ = ("_address", "_charge", "_costs", "_headers", "_metrics", "_quotas", "_recorded")

    def __init__(self, quotas: Quotas | None, headers: list[tuple[bytes, bytes]], metrics: Metrics) -> None:
        self._quotas = quotas
        self._headers = headers
        self._metrics = metrics
        self._address: Sequence[str] = ()
        self._charge = PLAIN
        self._costs: list[tuple[Limiter, str, Remainder]] = []
        """Settled when the actual computation is known."""
        self._recorded: list[tuple[Limiter, str, Remainder]] = []
        """Given back if nothing is recorded."""

    async def by_address(self, charge: Charge, address: str) -> None:
        """Takes what the request costs, before anything else. Raises Problem."""
        if self._quotas is not None:
            self._address = distinct_keys(address)
            self._charge = charge
            await self._take(self._quotas.address, self._address, self._charge.cost, self._costs)

    async def by_player(self, player: str) -> None:
        """Takes the same for the player, if there is one, and what recording takes. Raises Problem."""
        quotas, charge = self._quotas, self._charge
        if quotas is None:
            return
        if player:
            await self._take(quotas.player, (player,), charge.cost, self._costs)
        if charge.records is not None:
            await self.recording(charge.records, player)

    async def recording(self, records: Recorded, player: str, amount: int = 1) -> None:
        """Takes this amount for recording, in addition if the body asks for more than the path. Raises Problem."""
        quotas = self._quotas
        if quotas is None or records not in quotas.recorded:
            return
        table = self._charge.table
        keys: dict[By, Sequence[str]] = {
            "player": (player,) if player else (),
            "address": self._address,
            "table": (table,) if table else (),
        }
        for by, limiters in quotas.recorded[records].items():
            for _ in range(amount):
                await self._take(limiters, keys[by], 1, self._recorded)

    def meter(self) -> Meter:
        """Charges the same quotas later."""
        return Meter([(limiter, key) for limiter, key, _ in self._costs], self._metrics)

    def sends(self, size: int) -> None:
        """Charges the bytes of a response beyond what its request paid for, and corrects the headers."""
        cost = int(size * BYTE_COST)
        for limiter, key, _ in self._costs if cost else ():
            old, new = limiter.name, limiter.left(limiter.charge(key, cost))
            self._headers[:] = [(name, new if value.startswith(old) else value) for name, value in self._headers]

    def settle(self, cpu_s: float) -> None:
        """Charges what was computed beyond the cost taken; gives back if it was less."""
        if self._costs and (excess := self._charge.excess(cpu_s)):
            for limiter, key, remainder in self._costs:
                limiter.give_back(key, remainder, -excess)

    def give_back(self) -> None:
        """Gives back what was taken for recording."""
        while self._recorded:
            limiter, key, remainder = self._recorded.pop()
            limiter.give_back(key, remainder)

    async def _take(
        self,
        limiters: Sequence[Limiter],
        keys: Sequence[str],
        amount: int,
        kept: list[tuple[Limiter, str, Remainder]],
    ) -> None:
        """Takes an amount for each key, and adds to the response headers the quota that leaves the least.

        Raises Problem if there was too little.
        """
        if not keys:
            return
        limiter = limiters[0]
        remainder = await limiter.take(keys[0], amount)
        if remainder.within:
            kept.append((limiter, keys[0], remainder))
            # An IPv4 address has no more.
            for wider, key in zip(limiters[1:], keys[1:], strict=True) if len(keys) > 1 else ():
                other = await wider.take(key, amount)
                if other.remaining < remainder.remaining or not other.within:
                    limiter, remainder = wider, other
                if not other.within:
                    break
                kept.append((wider, key, other))
        self._headers += ((b"ratelimit-policy", limiter.policy), (b"ratelimit", limiter.left(remainder)))
        if not remainder.within:
            self._metrics.limited.labels(limiter.quota.name).inc()
            raise Problem("rate-limited", limiter.quota.text, headers={"Retry-After": str(remainder.resets_s)})


class Tariff:
    """The charges of operations, by method and route. Any other request costs 1."""

    def __init__(self, operations: Iterable[tuple[str, str, Charge]]) -> None:
        # As in the router, `/players/me` precedes `/players/{player}`.
        self._declared = sorted(operations, key=lambda one: one[1].count("{"))
        self._pattern = re.compile("|".join(f"({method} {_pattern(route)})" for method, route, _ in self._declared))
        self._remembered = lru_cache(maxsize=10_000)(self._look_up)

    def charge(self, method: str, path: str) -> Charge:
        """The charge of a request with this method and path."""
        return (self._remembered if len(path) < LONG else self._look_up)(method, path)

    def _look_up(self, method: str, path: str) -> Charge:
        match = self._pattern.fullmatch(f"{method} {path}")
        if match is None or match.lastindex is None:
            return PLAIN
        _, route, charge = self._declared[match.lastindex - 1]
        return charge if charge.records is None else replace(charge, table=_table(route, path))


def _pattern(template: str) -> str:
    return "/".join("[^/]+" if "{" in part else re.escape(part) for part in template.split("/"))


def _table(route: str, path: str) -> str | None:
    """The table in a path of this route, in canonical spelling; None if there is none."""
    try:
        return str(UUID(path.split("/")[route.split("/").index("{table:uuid}")]))
    except ValueError:
        return None
