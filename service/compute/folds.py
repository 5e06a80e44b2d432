"""Tables at earlier versions, folded from the start of the deal."""

from collections import OrderedDict

from domain.record.history import Reader
from domain.seats import HOUSE, PUBLIC, Audience
from domain.table.state import Table
from service.store.store import Store

CAPACITY = 256
"""The number of folds cached. Each includes all lines that its table has booked."""


class KeptFolds:
    """Folds tables, and caches their folds from when a deal began: later folds in that deal read only its events.

    Cached folds have no words that can be erased.
    """

    def __init__(self, store: Store, reader: Reader, *, capacity: int = CAPACITY) -> None:
        self._store = store
        self._reader = reader
        self._capacity = capacity
        self._kept: OrderedDict[tuple[str, int, Audience], Table] = OrderedDict()

    async def at(self, table: str, version: int, audience: Audience) -> Table | None:
        """The audience's fold of the table at a version; None at 0, and if there is no such table.

        Raises UnknownEvent and StoreUnavailable.
        """
        if version < 1:
            return None
        start = await self._store.deal_start(table, version)
        before = await self._before(table, start, audience) if start > 1 else None
        records = await self._store.stream(table, max(0, start - 1), version)
        return self._reader.fold(before, records, audience)

    async def _before(self, table: str, start: int, audience: Audience) -> Table | None:
        """The fold up to the version at which a deal starts."""
        # The seats' own knowledge is about cards of earlier deals, which the new deal replaces.
        key = (table, start, HOUSE if audience == HOUSE else PUBLIC)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        records = await self._store.outline(table, self._reader.passing, start - 1)
        made = self._reader.fold(None, records, key[2])
        if made is not None:
            self._kept[key] = made
            if len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return made
