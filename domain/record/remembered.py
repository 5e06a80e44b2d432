"""Folded tables, remembered up to a bound. Every use has an instance of its own, for one audience."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Generic, Protocol, TypeVar

from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import Audience


class HasVersion(Protocol):
    """A folded table."""

    @property
    def version(self) -> int:
        """The version of the table's last event."""


K = TypeVar("K", bound=Hashable)
T = TypeVar("T", bound=HasVersion)


class RememberedTables(Generic[K, T]):
    """Folded tables by key, at most `capacity` of them: the least recently used is forgotten first."""

    __slots__ = ("_capacity", "_tables", "peek")

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._tables: OrderedDict[K, T] = OrderedDict()
        self.peek = self._tables.get
        """The table under a key, without counting as a use; None if it is not remembered."""

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, key: K) -> T | None:
        """The table under a key; None if it is not remembered."""
        table = self._tables.get(key)
        if table is not None:
            self._tables.move_to_end(key)
        return table

    def before(self, key: K, version: int) -> T | None:
        """The table that an event of this version continues; None if the remembered one is at another version."""
        table = self.get(key)
        return table if table is not None and table.version == version - 1 else None

    def keep(self, key: K, table: T) -> None:
        """Remembers the table under the key, instead of an earlier one."""
        self._tables[key] = table
        self._tables.move_to_end(key)
        if len(self._tables) > self._capacity:
            self._tables.popitem(last=False)

    def forget(self, key: K) -> None:
        """Drops the table under the key, if there is one."""
        self._tables.pop(key, None)

    def clear(self) -> None:
        """Drops all tables."""
        self._tables.clear()


class AudienceTables(Generic[K]):
    """Remembered tables as one audience knows them. No other fold gets in, so none comes out."""

    __slots__ = ("_reader", "_remembered", "audience", "before", "get")

    def __init__(self, reader: Reader, audience: Audience, capacity: int) -> None:
        self._reader = reader
        self.audience = audience
        self._remembered: RememberedTables[K, History] = RememberedTables(capacity)
        self.get = self._remembered.get
        self.before = self._remembered.before

    def fold(self, key: K, records: Sequence[Recorded], before: History | None = None) -> History | None:
        """The table after these records, which continue `before` (None: they are its first). It is remembered.

        `before` is a fold of the same audience. None if there is neither. Raises Unreadable.
        """
        history = self._reader.history(records, before, self.audience)
        if history is not None:
            self._remembered.keep(key, history)
        return history
