"""Limits the streams and waiting reads of a process, and decides which give way when it is full."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

from service.config import Settings
from service.limits.addresses import WIDER


def most_streams(connections: int) -> int:
    """The most streams and waiting reads of a process with this limit of connections: the others are for requests."""
    return max(1, 3 * connections // 4)


class TooManyOpen(Exception):
    """The network or the player holds as many streams and waiting reads as it is allowed."""


class AllTaken(Exception):
    """All slots are taken, and no holder has to give way."""


class Slot:
    """One slot, until it is given back. `give_way` is called after the slot has gone to another."""

    __slots__ = ("give_way", "holders", "player")

    def __init__(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> None:
        self.player = player
        self.give_way = give_way
        self.holders = (*(("address", network) for network in reversed(networks)), ("player", player))
        """From the widest network to the address, then the player: each is within the one before."""


class Slots:
    """Counts the streams and waiting reads of one process, at most `most` in all.

    When all slots are taken, one without a signed-in player gives way first, then one of the largest holder. A
    newcomer takes a slot only from a holder with more than the newcomer would have.
    """

    def __init__(self, *, most: int, per_address: int, per_player: int) -> None:
        self.most = most
        self._per_address = per_address
        self._per_player = per_player
        self._taken: Counter[tuple[str, str]] = Counter()
        self._open: dict[bool, dict[Slot, None]] = {False: {}, True: {}}
        """By whether a player holds them, oldest first."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The slots of a process with these settings."""
        return cls(
            most=most_streams(settings.max_connections),
            per_address=settings.max_connections_per_address,
            per_player=settings.max_streams_per_player,
        )

    @contextmanager
    def taken(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Iterator[None]:
        """Takes a slot within the context. Raises as for `take`."""
        slot = self.take(networks, player, give_way)
        try:
            yield
        finally:
            self.give_back(slot)

    def take(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Slot:
        """Takes a slot until it is given back; `give_way` is called if another needs it before.

        `networks` are the address and the wider networks around it, one for each entry of WIDER; `player` is empty
        without a token. Raises TooManyOpen, AllTaken.
        """
        for network, times in zip(networks, WIDER, strict=True):
            self._check("address", network, times * self._per_address)
        if player:
            self._check("player", player, self._per_player)
        slot = Slot(networks, player, give_way)
        if sum(map(len, self._open.values())) >= self.most:
            yielding = self._yielding(slot)
            if yielding is None:
                raise AllTaken
            self.give_back(yielding)
            yielding.give_way()
        self._open[bool(player)][slot] = None
        self._taken.update(set(slot.holders))
        return slot

    def give_back(self, slot: Slot) -> None:
        """Gives a slot back. A slot that has given way was given back already."""
        open_slots = self._open[bool(slot.player)]
        if slot not in open_slots:
            return
        del open_slots[slot]
        for key in set(slot.holders):
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]

    def _check(self, by: str, key: str, most: int) -> None:
        if self._taken[by, key] >= most:
            raise TooManyOpen(f"one {by} may hold {most} streams and waiting reads at once")

    def _yielding(self, newcomer: Slot) -> Slot | None:
        """The slot that gives way to the newcomer: the latest one of the largest holder. None if the newcomer gets
        none.
        """
        anonymous = self._open[False]
        if not anonymous and not newcomer.player:
            return None
        among = list(anonymous or self._open[True])
        # A signed-in player precedes everybody without a token; players are compared by what they hold.
        compared = not (anonymous and newcomer.player)
        for level, own in enumerate(newcomer.holders):
            counts = Counter(slot.holders[level] for slot in among)
            holder, most = max(counts.items(), key=lambda item: item[1])
            if compared and own != holder:
                if counts[own] >= most - 1:
                    return None
                compared = False
            among = [slot for slot in among if slot.holders[level] == holder]
        return None if compared else among[-1]
