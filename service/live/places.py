"""Limits the streams and waiting reads of a process, and decides which give way when it is full."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

WIDER = (1, 2, 4)
"""The limit per address, as a multiple, for the address and each wider network around it.

So one network of many addresses cannot take every place.
"""


def most_streams(connections: int) -> int:
    """The most streams and waiting reads of a process with this limit of connections: the others are for requests."""
    return max(1, 3 * connections // 4)


class TooManyHeld(Exception):
    """The network or the player holds as many streams and waiting reads as it is allowed."""


class AllTaken(Exception):
    """All places are taken, and no holder has to give way."""


class Place:
    """One place, until it is given back. `give_way` is called after the place has gone to another."""

    __slots__ = ("give_way", "holders", "player")

    def __init__(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> None:
        self.player = player
        self.give_way = give_way
        self.holders = (*(("address", network) for network in reversed(networks)), ("player", player))
        """From the widest network to the address, then the player: each is within the one before."""


class Places:
    """Counts the streams and waiting reads of one process, at most `most` in all.

    When all places are taken, one without a signed-in player gives way first, then one of the largest holder. A
    newcomer takes a place only from a holder with more than the newcomer would have.
    """

    def __init__(self, *, most: int, per_address: int, per_player: int) -> None:
        self.most = most
        self._per_address = per_address
        self._per_player = per_player
        self._taken: Counter[tuple[str, str]] = Counter()
        self._held: dict[bool, dict[Place, None]] = {False: {}, True: {}}
        """By whether a player holds them, oldest first."""

    @contextmanager
    def taken(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Iterator[None]:
        """Takes a place within the context. Raises as for `take`."""
        place = self.take(networks, player, give_way)
        try:
            yield
        finally:
            self.give_back(place)

    def take(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Place:
        """Takes a place until it is given back; `give_way` is called if another needs it before.

        `networks` are the address and the wider networks around it, one for each entry of WIDER; `player` is empty
        without a token. Raises TooManyHeld, AllTaken.
        """
        for network, times in zip(networks, WIDER, strict=True):
            self._check("address", network, times * self._per_address)
        if player:
            self._check("player", player, self._per_player)
        place = Place(networks, player, give_way)
        if sum(map(len, self._held.values())) >= self.most:
            yielding = self._yielding(place)
            if yielding is None:
                raise AllTaken
            self.give_back(yielding)
            yielding.give_way()
        self._held[bool(player)][place] = None
        self._taken.update(set(place.holders))
        return place

    def give_back(self, place: Place) -> None:
        """Gives a place back. A place that has given way was given back already."""
        held = self._held[bool(place.player)]
        if place not in held:
            return
        del held[place]
        for key in set(place.holders):
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]

    def _check(self, by: str, key: str, most: int) -> None:
        if self._taken[by, key] >= most:
            raise TooManyHeld(f"one {by} may hold {most} streams and waiting reads at once")

    def _yielding(self, newcomer: Place) -> Place | None:
        """The place that gives way to the newcomer: the latest one of the largest holder. None if the newcomer gets
        none.
        """
        anonymous = self._held[False]
        if not anonymous and not newcomer.player:
            return None
        among = list(anonymous or self._held[True])
        # A signed-in player precedes everybody without a token; players are compared by what they hold.
        compared = not (anonymous and newcomer.player)
        for level, own in enumerate(newcomer.holders):
            counts = Counter(place.holders[level] for place in among)
            holder, most = max(counts.items(), key=lambda item: item[1])
            if compared and own != holder:
                if counts[own] >= most - 1:
                    return None
                compared = False
            among = [place for place in among if place.holders[level] == holder]
        return None if compared else among[-1]
