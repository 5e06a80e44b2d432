"""How many streams and waiting reads an address and a player may hold at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class TooManyHeld(Exception):
    """The address or the player holds as many streams and waiting reads as it may."""


class Places:
    """Counts streams and waiting reads of one process."""

    def __init__(self, *, per_address: int, per_player: int) -> None:
        self._most = {"address": per_address, "player": per_player}
        self._taken: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def taken(self, address: str, player: str) -> Iterator[None]:
        """Takes a place meanwhile; an empty player is nobody. Raises TooManyHeld."""
        self.take(address, player)
        try:
            yield
        finally:
            self.give_back(address, player)

    def take(self, address: str, player: str) -> None:
        """Takes a place, until it is given back. Raises TooManyHeld."""
        keys = _keys(address, player)
        for by, key in keys:
            if self._taken[by, key] >= self._most[by]:
                raise TooManyHeld(f"one {by} may hold {self._most[by]} streams and waiting reads at once")
        self._taken.update(keys)

    def give_back(self, address: str, player: str) -> None:
        """Gives back a place that was taken."""
        for key in _keys(address, player):
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]


def _keys(address: str, player: str) -> list[tuple[str, str]]:
    return [("address", address), *([("player", player)] if player else ())]
