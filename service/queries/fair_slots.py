"""A bounded number of slots, given in turn to those that wait for one."""

import asyncio
from collections import OrderedDict, deque

WAITING = 32
"""How many may wait at a time."""

WAIT_S = 10.0
"""How long one may wait."""


class Busy(Exception):
    """Too many wait already, or one has waited too long."""


class FairSlots:
    """Slots that origins take in turn, each origin's own in the order in which they came. Used from one event loop.

    An origin is whatever shall have no more than its share: a network of clients. Where `waiting` wait already, the
    last one of the origin with the most of them gives way.
    """

    def __init__(self, slots: int, *, waiting: int = WAITING, wait_s: float = WAIT_S) -> None:
        self._free = slots
        self._most = waiting
        self._wait_s = wait_s
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    async def acquire(self, origin: str, *, refusable: bool = True) -> None:
        """Returns when the origin has a slot, which it must release. Raises Busy, unless it is not `refusable`."""
        if self._free:
            self._free -= 1
            return
        if refusable and self.waiting >= self._most:
            self._make_room(origin)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(origin, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_s if refusable else None):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # Its turn has come at this very moment.
                self.release()
            else:
                self._leave(origin, turn)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise

    def release(self) -> None:
        """Passes a slot on to the next that waits, or frees it."""
        while self._queues:
            origin, queue = next(iter(self._queues.items()))
            turn = queue.popleft()
            if queue:
                self._queues.move_to_end(origin)
            else:
                del self._queues[origin]
            # One that has just given up is in its queue until it runs again.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _make_room(self, origin: str) -> None:
        """Has another origin give way. Raises Busy where none has more waiting than this one would have."""
        longest = max(self._queues, key=lambda one: len(self._queues[one]))
        if len(self._queues[longest]) <= len(self._queues.get(origin, ())) + 1:
            raise Busy
        # It has more than one, so its queue stays. One that has just given up has made the room already.
        turn = self._queues[longest].pop()
        if not turn.done():
            turn.set_exception(Busy())

    def _leave(self, origin: str, turn: "asyncio.Future[None]") -> None:
        queue = self._queues.get(origin)
        if queue is None or turn not in queue:
            return
        queue.remove(turn)
        if not queue:
            del self._queues[origin]
