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
        keys = [("address", address), *([("player", player)] if player else ())]
        for by, key in keys:
            if self._taken[by, key] >= self._most[by]:
                raise TooManyHeld(f"one {by} may hold {self._most[by]} streams and waiting reads at once")
        self._taken.update(keys)
        try:
            yield
        finally:
            self._taken.subtract(keys)
            for key_ in keys:
                if not self._taken[key_]:
                    del self._taken[key_]
