"""Nudges subscribers at intervals, so that silent streams show that they are alive."""

import asyncio
from typing import Any

from service.live.subscription import Subscription

PING_S = 15.0
"""The longest silence of a stream, in seconds."""

ROUNDS = 15
"""Groups of subscribers nudged in turn, so that the streams are not all written to at once."""


class Pings:
    """One timer for all subscribers of a process: a timer each would take a tenth of a stream's memory."""

    def __init__(self, seconds: float = PING_S) -> None:
        self.tick_s = seconds / ROUNDS
        self._groups: list[set[Subscription[Any]]] = [set() for _ in range(ROUNDS)]
        self._next = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, one: Subscription[Any]) -> set[Subscription[Any]]:
        """Starts nudging the subscriber, and returns the group to remove it from at the end."""
        group = min(self._groups, key=len)
        group.add(one)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.tick_s, self._tick)
        return group

    def _tick(self) -> None:
        for one in self._groups[self._next]:
            one.nudge()
        self._next = (self._next + 1) % ROUNDS
        self._timer = None
        if any(self._groups):
            self._timer = asyncio.get_running_loop().call_later(self.tick_s, self._tick)
