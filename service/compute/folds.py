"""Tables at earlier versions, folded from the start of the deal."""

from collections.abc import Sequence

from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.record.remembered import AudienceTables
from domain.seats import HOUSE, PUBLIC, Audience
from service.store.store import Store

CAPACITY = 128
"""The number of folds kept for the house, and for everybody else. Each includes all lines that its table has booked."""


class KeptFolds:
    """Folds tables, and caches their folds from when a deal began: later folds in that deal read only its events.

    Cached folds have no words that can be erased.
    """

    def __init__(self, store: Store, reader: Reader, *, capacity: int = CAPACITY) -> None:
        self._store = store
        self._reader = reader
        self._house: AudienceTables[tuple[str, int]] = AudienceTables(reader, HOUSE, capacity)
        # The seats' own knowledge is about cards of earlier deals, which the new deal replaces.
        self._others: AudienceTables[tuple[str, int]] = AudienceTables(reader, PUBLIC, capacity)

    async def at(self, table: str, version: int, audience: Audience) -> History | None:
        """The audience's fold of the table at a version; None at 0, and if there is no such table.

        Raises UnknownEvent and StoreUnavailable.
        """
        before, records = await self.since_deal(table, version, audience)
        return self._reader.history(records, before, audience)

    async def since_deal(
        self, table: str, version: int, audience: Audience
    ) -> tuple[History | None, Sequence[Recorded]]:
        """The audience's fold before the deal that a version is in, and the events from there up to the version.

        Before the first deal there is no such fold, and the events are the table's first. Raises as `at` does.
        """
        if version < 1:
            return None, ()
        start = await self._store.deal_start(table, version)
        before = await self._before(table, start, audience) if start > 1 else None
        return before, await self._store.stream(table, max(0, start - 1), version)

    async def _before(self, table: str, start: int, audience: Audience) -> History | None:
        """The fold up to the version at which a deal starts."""
        folds = self._house if audience == HOUSE else self._others
        kept = folds.get((table, start))
        if kept is not None:
            return kept
        records = await self._store.outline(table, self._reader.passing, start - 1)
        return folds.fold((table, start), records)
