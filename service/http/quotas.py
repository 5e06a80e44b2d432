"""The quotas that requests use, and how much, by method and path as their operations declare it.

They are looked up before routing, since limits are checked before tokens and routes.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from service.config import Settings
from service.http.limits import Limiter, Quota, RedisQuota, Remainder, key_of
from service.http.operation import Operation, Recorded
from service.http.problems import Problem
from service.observability.metrics import Metrics

By: TypeAlias = Literal["address", "player", "table"]
"""The subject that a quota is counted for."""

MINUTE_S = 60
HOUR_S = 3600

GROUP = 4
"""An address and a table have this many times a player's quota of recording."""

LONG = 256
"""Paths from this length on are looked up without caching, so that clients cannot fill the memory."""


PER_SECOND = 10_000
"""The cost of a second of CPU time."""


class Charge(Struct, frozen=True):
    """What one request uses."""

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
                self._metrics.limited(limiter.quota.name)
                wait_s = max(wait_s, remainder.resets_s)
        return wait_s


class Taken:
    """What one request takes from its quotas. Response headers say what is left of each.

    Every request counts for its address, whatever its token, and with a valid token for the player too. A request that
    records something also takes from the quotas of recording. Without `quotas` nothing is limited.
    """

    __slots__ = ("_address", "_charge", "_costs", "_headers", "_metrics", "_quotas", "_recorded")

    def __init__(self, quotas: "Quotas | None", headers: list[tuple[bytes, bytes]], metrics: Metrics) -> None:
        self._quotas = quotas
        self._headers = headers
        self._metrics = metrics
        self._address = ""
        self._charge = PLAIN
        self._costs: list[tuple[Limiter, str, Remainder]] = []
        """Settled when the actual computation is known."""
        self._recorded: list[tuple[Limiter, str, Remainder]] = []
        """Given back if nothing is recorded."""

    async def by_address(self, method: str, path: str, address: str) -> None:
        """Takes what a request with this method and path costs, before anything else. Raises Problem."""
        if self._quotas is not None:
            self._address = key_of(address)
            self._charge = self._quotas.charge(method, path)
            await self._take(self._quotas.address, self._address, self._charge.cost, self._costs)

    async def by_player(self, player: str) -> None:
        """Takes the same for the player, if there is one, and what recording takes. Raises Problem."""
        quotas, charge = self._quotas, self._charge
        if quotas is None:
            return
        if player:
            await self._take(quotas.player, player, charge.cost, self._costs)
        if charge.records is not None and charge.records in quotas.recorded:
            keys: dict[By, str | None] = {"player": player, "address": self._address, "table": charge.table}
            for by, limiter in quotas.recorded[charge.records].items():
                if key := keys[by]:
                    await self._take(limiter, key, 1, self._recorded)

    def meter(self) -> Meter:
        """Charges the same quotas later."""
        return Meter([(limiter, key) for limiter, key, _ in self._costs], self._metrics)

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

    async def _take(self, limiter: Limiter, key: str, amount: int, kept: list[tuple[Limiter, str, Remainder]]) -> None:
        """Takes an amount, and adds the remainder to the response headers. Raises Problem if there was too little."""
        remainder = await limiter.take(key, amount)
        headers, quota = self._headers, limiter.quota
        headers.append((b"ratelimit-policy", limiter.policy))
        headers.append((b"ratelimit", f'"{quota.name}";r={remainder.remaining};t={remainder.resets_s}'.encode()))
        if not remainder.within:
            self._metrics.limited(quota.name)
            raise Problem("rate-limited", quota.text, headers={"Retry-After": str(remainder.resets_s)})
        kept.append((limiter, key, remainder))


class Tariff:
    """The charges of these operations. Any other request costs 1."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        # As in the router, `/players/me` precedes `/players/{player}`.
        self._declared = sorted(operations, key=lambda one: one.path.count("{"))
        self._pattern = re.compile("|".join(f"({one.method} {_pattern(one.path)})" for one in self._declared) or "(?!)")
        self._remembered = lru_cache(maxsize=10_000)(self._look_up)

    def charge(self, method: str, path: str) -> Charge:
        """The charge of a request with this method and path."""
        return (self._remembered if len(path) < LONG else self._look_up)(method, path)

    def _look_up(self, method: str, path: str) -> Charge:
        match = self._pattern.fullmatch(f"{method} {path}")
        if match is None or match.lastindex is None:
            return PLAIN
        declared = self._declared[match.lastindex - 1]
        table = _table(declared, path) if declared.records else None
        return Charge(declared.cost, declared.kept_cost, declared.records, table)


class Quotas:
    """The quotas of one process: of cost, and of recording. `clock` is the time in seconds."""

    def __init__(
        self, settings: Settings, tariff: Tariff, leases: RedisQuota | None, *, clock: Callable[[], float] = time.time
    ) -> None:
        """Raises ValueError if the settings have no rate limit."""
        if settings.rate_limit is None:
            raise ValueError("without a rate limit there are no quotas")

        def limiter(quota: Quota) -> Limiter:
            return Limiter(quota, leases, clock=clock)

        self.charge = tariff.charge
        self.address = limiter(_quota("address", settings.rate_limit, MINUTE_S, "a cost of {} a minute", "address"))
        self.player = limiter(_quota("player", settings.rate_limit, MINUTE_S, "a cost of {} a minute", "player"))
        self.recorded: Mapping[Recorded, Mapping[By, Limiter]] = {
            recorded: {by: limiter(quota) for by, quota in quotas.items()}
            for recorded, quotas in recorded_quotas(settings).items()
        }
        """By what is recorded, without what the settings do not limit."""


def recorded_quotas(settings: Settings) -> Mapping[Recorded, Mapping[By, Quota]]:
    """The quotas of recording, by what is recorded and by what it is counted for.

    Registrations count for addresses alone, since a new player has nothing but an address. For the others an address,
    which may be a household's or a club's, and a table have the quotas of several players.
    """
    most: Mapping[Recorded, tuple[int | None, tuple[By, ...]]] = {
        "registrations": (settings.registrations_per_hour, ("address",)),
        "tables": (settings.tables_per_hour, ("player", "address")),
        "seats": (settings.seats_per_hour, ("player", "address", "table")),
        "disputes": (settings.disputes_per_hour, ("player", "address", "table")),
    }
    return {
        recorded: {
            by: _quota(
                f"{recorded}-{by}",
                amount if by == "player" or "player" not in counted_by else GROUP * amount,
                HOUR_S,
                f"{{}} {_WORDS[recorded]} an hour",
                by,
            )
            for by in counted_by
        }
        for recorded, (amount, counted_by) in most.items()
        if amount is not None
    }


_WORDS: Mapping[Recorded, str] = {
    "registrations": "registrations",
    "tables": "tables opened",
    "seats": "seats taken and left",
    "disputes": "disputes opened",
}


def _quota(name: str, amount: int, window_s: int, text: str, by: By) -> Quota:
    return Quota(name, amount, window_s, f"no more than {text.format(amount)} for one {by}")


def _pattern(template: str) -> str:
    return "/".join("[^/]+" if "{" in part else re.escape(part) for part in template.split("/"))


def _table(declared: Operation, path: str) -> str | None:
    """The table in a path of this operation, in canonical spelling; None if there is none."""
    for name, text in zip(declared.path.split("/"), path.split("/"), strict=True):
        if name == "{table:uuid}":
            try:
                return str(UUID(text))
            except ValueError:
                return None
    return None
