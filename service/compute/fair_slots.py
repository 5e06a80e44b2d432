"""A bounded number of slots, given in turn to the waiting callers."""

import asyncio
from collections import OrderedDict, deque

WAIT_S = 10.0
"""The longest wait in seconds. For each slot, as much work may wait as can be done in that time."""

ROUNDING_S = 1e-6


class Busy(Exception):
    """Too much work is waiting, or the caller has waited too long."""


class _Turn(asyncio.Future[None]):
    """A caller that waits for its turn, with work of so many seconds."""

    def __init__(self, work_s: float) -> None:
        super().__init__()
        self.work_s = work_s


class FairSlots:
    """Slots that origins take in turn; each origin's callers get theirs in order. Used from one event loop.

    An origin is a party that must get no more than its share: a network of clients. The waiting work is limited to
    `waiting_s` seconds in all, so many short jobs may wait. Beyond that the origin with the most work gives way, its
    last caller first.
    """

    def __init__(self, slots: int, *, waiting_s: float | None = None, wait_s: float = WAIT_S) -> None:
        self._free = slots
        self._most_s = slots * WAIT_S if waiting_s is None else waiting_s
        self._wait_s = wait_s
        self._queues: OrderedDict[str, deque[_Turn]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """The number of waiting callers."""
        return sum(map(len, self._queues.values()))

    async def acquire(self, origin: str, work_s: float = 1.0, *, refusable: bool = True) -> None:
        """Returns when the origin has a slot, for an estimated `work_s` seconds; the caller must release it.

        Raises Busy, unless `refusable` is false.
        """
        if self._free:
            self._free -= 1
            return
        if refusable:
            self._make_room(origin, work_s)
        turn = _Turn(work_s)
        self._queues.setdefault(origin, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_s if refusable else None):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # The turn came at this very moment.
                self.release()
            else:
                self._leave(origin, turn)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise

    def release(self) -> None:
        """Passes a slot on to the next waiting caller, or frees it."""
        while self._queues:
            origin, queue = next(iter(self._queues.items()))
            turn = queue.popleft()
            if queue:
                self._queues.move_to_end(origin)
            else:
                del self._queues[origin]
            # A caller that has just given up stays in its queue until it runs again.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _make_room(self, origin: str, work_s: float) -> None:
        """Makes other origins give way until there is room for this work. Raises Busy if none of them has more work
        waiting.

        Work beyond the whole limit has room if nothing else is waiting.
        """
        waiting = {one: sum(turn.work_s for turn in queue) for one, queue in self._queues.items()}
        mine, room = waiting.get(origin, 0.0) + work_s, max(self._most_s, work_s) - work_s
        while sum(waiting.values()) > room + ROUNDING_S:
            longest = max(waiting, key=lambda one: waiting[one])
            if waiting[longest] <= mine:
                raise Busy
            turn = self._queues[longest].pop()
            waiting[longest] -= turn.work_s
            if not self._queues[longest]:
                del self._queues[longest], waiting[longest]
            # A caller that has just given up has made the room already.
            if not turn.done():
                turn.set_exception(Busy())

    def _leave(self, origin: str, turn: _Turn) -> None:
        queue = self._queues.get(origin)
        if queue is None or turn not in queue:
            return
        queue.remove(turn)
        if not queue:
            del self._queues[origin]
