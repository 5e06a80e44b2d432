"""How many streams and waiting reads there may be at once, and which of them give way where all places are taken."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

WIDER = (1, 2, 4)
"""How many times an address's places there are for itself and for each wider network that it is in.

So who has a network of many addresses cannot take them all.
"""


def most_streams(connections: int) -> int:
    """How many streams and waiting reads a process holds that takes so many connections: other requests need some."""
    return max(1, 3 * connections // 4)


class TooManyHeld(Exception):
    """The network or the player holds as many streams and waiting reads as it may."""


class AllTaken(Exception):
    """All places are taken, and none of those who have one must give way."""


class Place:
    """One place, until it is given back. `give_way` is called when another gets it; the place is gone by then."""

    __slots__ = ("give_way", "holders", "player")

    def __init__(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> None:
        self.player = player
        self.give_way = give_way
        self.holders = (*(("address", network) for network in reversed(networks)), ("player", player))
        """From the widest network to the address, then the player: each within the one before."""


class Places:
    """Counts streams and waiting reads of one process, `most` in all.

    Where all are taken, one that nobody has signed in for gives way first, then one of the holder with most. A newcomer
    takes the place of none who holds fewer than it would: equals keep what they have.
    """

    def __init__(self, *, most: int, per_address: int, per_player: int) -> None:
        self.most = most
        self._per_address = per_address
        self._per_player = per_player
        self._taken: Counter[tuple[str, str]] = Counter()
        self._held: dict[bool, dict[Place, None]] = {False: {}, True: {}}
        """By whether a player holds them, in the order in which they were taken."""

    @contextmanager
    def taken(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Iterator[None]:
        """Takes a place meanwhile. Raises as `take`."""
        place = self.take(networks, player, give_way)
        try:
            yield
        finally:
            self.give_back(place)

    def take(self, networks: Sequence[str], player: str, give_way: Callable[[], None]) -> Place:
        """Takes a place, until it is given back; `give_way` is called if it is needed before.

        `networks` are the address and the wider networks that it is in, as WIDER has them; an empty player is nobody.
        Raises TooManyHeld, AllTaken.
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
        """Gives back a place that was taken, once; a place that has given way is given back already."""
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
        """The place that the newcomer gets: the last one of the holder with most. None where the newcomer gets none."""
        anonymous = self._held[False]
        if not anonymous and not newcomer.player:
            return None
        among = list(anonymous or self._held[True])
        # One who has signed in comes before all who have not, and before others by what it holds.
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
