"""How much of a running deal spectators see at a table with `spectator_delay` (TL-6)."""

from bisect import bisect_right
from collections.abc import Sequence

from domain.table.options import SpectatorDelay, TableOptions

MICROSECONDS = 1_000_000


def follow_late(table_options: TableOptions) -> bool:
    """Whether spectators follow running deals late at a table with these options of the table itself."""
    return table_options.spectator_delay is not None


def visible(delay: SpectatorDelay, times: Sequence[int], ends: Sequence[int], now: int) -> int:
    """The number of the running deal's events that spectators see now, from its `cards-dealt` on (TL-6.1).

    An action is seen whole. `times` are the times of the deal's actions, in order; `ends` are the numbers of the deal's
    events up to the end of each action. The action that deals the cards is seen at once, since it is mostly the one
    that scored the deal before, which is not delayed (TL-6.2). All times are microseconds since 1970.
    """
    if not ends:
        return 0
    actions = bisect_right(ends, ends[-1] - delay.events) if delay.events else bisect_right(times, now - _late(delay))
    return ends[max(actions, 1) - 1]


def due(delay: SpectatorDelay, times: Sequence[int], ends: Sequence[int], seen: int) -> int | None:
    """When spectators, who have seen `seen` of the deal's events, see the next; None if time does not decide it.

    The other arguments and the unit are those of `visible`.
    """
    actions = bisect_right(ends, seen)
    return None if delay.events or actions == len(ends) else times[actions] + _late(delay)


def _late(delay: SpectatorDelay) -> int:
    return MICROSECONDS * (delay.seconds or 0)
