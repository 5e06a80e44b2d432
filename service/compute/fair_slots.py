"""A bounded number of slots, given in turn to the waiting callers."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

WAIT_S = 10.0
"""The longest wait in seconds. For each slot, as much work may wait as can be done in that time."""

ROUNDING_S = 1e-6

Origin: TypeAlias = tuple[str, ...]
"""Who calls: the widest party, then the parties within it, down to the caller. All origins of a line are as long."""


class Busy(Exception):
    """Too much work is waiting, or the caller has waited too long."""


class Left(Exception):
    """The caller has left while it waited."""


class _Turn(asyncio.Future[None]):
    """A caller that waits for its turn, with work of so many seconds."""

    def __init__(self, work_s: float) -> None:
        super().__init__()
        self.work_s = work_s

    def leave(self, _: object) -> None:
        """Has the caller stop waiting."""
        if not self.done():
            self.set_exception(Left())


class _Party:
    """What waits for a party: that of the parties within it, which take turns, or its own callers in their order."""

    __slots__ = ("turns", "within", "work_s")

    def __init__(self) -> None:
        self.within: OrderedDict[str, _Party] = OrderedDict()
        self.turns: deque[_Turn] = deque()
        self.work_s = 0.0
        """The seconds of all that waits."""

    def __len__(self) -> int:
        return len(self.turns) + sum(map(len, self.within.values()))

    def __bool__(self) -> bool:
        return bool(self.turns or self.within)

    def add(self, origin: Origin, turn: _Turn) -> None:
        self.work_s += turn.work_s
        if origin:
            self.within.setdefault(origin[0], _Party()).add(origin[1:], turn)
        else:
            self.turns.append(turn)

    def next(self) -> _Turn:
        """Takes out the caller whose turn it is."""
        if self.within:
            name, party = next(iter(self.within.items()))
            turn = party.next()
            self.within.move_to_end(name)
            self._took(turn, name)
        else:
            turn = self.turns.popleft()
            self._took(turn)
        return turn

    def last_of_largest(self, newcomer: Origin | None, work_s: float) -> _Turn | None:
        """Takes out the last caller of the party with the most work, counting that of a newcomer; None if that is the
        newcomer.
        """
        if not self.within:
            if newcomer is not None:
                return None
            turn = self.turns.pop()
            self._took(turn)
            return turn
        sizes = {name: party.work_s for name, party in self.within.items()}
        own = None if newcomer is None else newcomer[0]
        if own is not None:
            sizes[own] = sizes.get(own, 0.0) + work_s + ROUNDING_S
        largest = max(sizes, key=lambda name: sizes[name])
        party = self.within.get(largest)
        within = newcomer[1:] if newcomer is not None and largest == own else None
        last = None if party is None else party.last_of_largest(within, work_s)
        if last is not None:
            self._took(last, largest)
        return last

    def remove(self, origin: Origin, turn: _Turn) -> bool:
        """Takes out a caller; False if it does not wait."""
        if not origin:
            removed = turn in self.turns
            if removed:
                self.turns.remove(turn)
                self._took(turn)
            return removed
        party = self.within.get(origin[0])
        removed = party is not None and party.remove(origin[1:], turn)
        if removed:
            self._took(turn, origin[0])
        return removed

    def _took(self, turn: _Turn, name: str | None = None) -> None:
        """Notes that a caller was taken out, of the party of this name."""
        if name is not None and not self.within[name]:
            del self.within[name]
        # Exactly nothing where nobody waits, whatever was rounded.
        self.work_s = self.work_s - turn.work_s if self else 0.0


class FairSlots:
    """Slots that origins take in turn; each origin's callers get theirs in order. Used from one event loop.

    An origin is a party that must get no more than its share, and parties may be within others: the widest take turns,
    within each those within it, and so on. So a network of many addresses has the turns of one. The waiting work is
    limited to `waiting_s` seconds in all, so many short jobs may wait. Beyond that the party with the most work gives
    way, its last caller first.
    """

    def __init__(self, slots: int, *, waiting_s: float | None = None, wait_s: float = WAIT_S) -> None:
        self._free = slots
        self._most_s = slots * WAIT_S if waiting_s is None else waiting_s
        self._wait_s = wait_s
        self._waiting = _Party()

    @property
    def waiting(self) -> int:
        """The number of waiting callers."""
        return len(self._waiting)

    async def acquire(
        self,
        origin: Origin,
        work_s: float = 1.0,
        *,
        refusable: bool = True,
        gone: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Returns when the origin has a slot, for an estimated `work_s` seconds; the caller must release it.

        `gone` returns when nobody waits for the work any more. Raises Left then, and Busy unless `refusable` is false.
        """
        if self._free:
            self._free -= 1
            return
        if refusable:
            self._make_room(origin, work_s)
        turn = _Turn(work_s)
        self._waiting.add(origin, turn)
        leaving = None if gone is None else asyncio.ensure_future(gone())
        if leaving is not None:
            leaving.add_done_callback(turn.leave)
        try:
            async with asyncio.timeout(self._wait_s if refusable else None):
                await turn
        except (TimeoutError, asyncio.CancelledError, Left) as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # The turn came at this very moment.
                self.release()
            else:
                self._waiting.remove(origin, turn)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise
        finally:
            if leaving is not None:
                leaving.cancel()

    def release(self) -> None:
        """Passes a slot on to the next waiting caller, or frees it."""
        while self._waiting:
            turn = self._waiting.next()
            # A caller that has just given up stays in its queue until it runs again.
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _make_room(self, origin: Origin, work_s: float) -> None:
        """Makes others give way until there is room for this work. Raises Busy if nobody has more work waiting.

        Work beyond the whole limit has room if nothing else is waiting.
        """
        room = max(self._most_s, work_s) - work_s
        while self._waiting.work_s > room + ROUNDING_S:
            turn = self._waiting.last_of_largest(origin, work_s)
            if turn is None:
                raise Busy
            # A caller that has just given up has made the room already.
            if not turn.done():
                turn.set_exception(Busy())
