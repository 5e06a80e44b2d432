"""How much of a running deal spectators see at a table with `spectator_delay` (TL-6)."""

from bisect import bisect_right
from collections.abc import Sequence

from domain.table.options import SpectatorDelay

MICROSECONDS = 1_000_000


def visible(delay: SpectatorDelay, times: Sequence[int], now: int) -> int:
    """How many of the running deal's events spectators see now, from its `cards-dealt` on (TL-6.1).

    `times` are when its events were recorded, in their order. All times are microseconds since 1970.
    """
    if delay.events:
        return max(0, len(times) - delay.events)
    return bisect_right(times, now - _late(delay))


def due(delay: SpectatorDelay, times: Sequence[int], seen: int) -> int | None:
    """When spectators, who see so many of the deal's events, see the next; None where it is not time that decides.

    The other arguments are those of `visible`, and so is the unit.
    """
    return None if delay.events or seen == len(times) else times[seen] + _late(delay)


def _late(delay: SpectatorDelay) -> int:
    return MICROSECONDS * (delay.seconds or 0)
