"""The tables at which bots play, as the log tells of them."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
from msgspec import Struct

from domain.record.recorded import Recorded
from domain.table.events import ENDINGS, SeatTaken, SubstituteSeated
from service.live.log_positions import selected
from service.store.store import Store
from service.store.tail import Tail

SEATING = (SeatTaken.TYPE, SubstituteSeated.TYPE)
"""The types of events that may seat a bot."""

PAGE = 500
"""Tables per read."""

LOOK_S = 0.5
"""Seconds between two looks for the first bot."""


class _Seated(Struct):
    """The part of an event that says whether it seats a bot."""

    opponent: msgspec.Raw = msgspec.Raw(b"null")


_seated = msgspec.json.Decoder(_Seated)


def seats_bot(record: Recorded) -> bool:
    """Whether the event seats a bot."""
    return record.type in SEATING and bytes(_seated.decode(record.public).opponent) != b"null"


class BotTables:
    """Finds tables with bots. Used from one event loop. Its methods raise StoreUnavailable."""

    def __init__(self, store: Store, tail: Tail, *, page: int = PAGE, look_s: float = LOOK_S) -> None:
        self._store = store
        self._tail = tail
        self._page = page
        self._look_s = look_s

    async def unfinished(self) -> AsyncIterator[list[str]]:
        """The tables that are not over and at which a bot was seated, newest first, page by page.

        A page may be empty.
        """
        before: str | None = None
        while True:
            ends = await self._store.newest(before, self._page)
            seated = await self._store.seated([end.table for end in ends if end.type not in ENDINGS])
            yield sorted({record.table for record in seated if seats_bot(record)}, reverse=True)
            if len(ends) < self._page:
                return
            before = ends[-1].table

    async def first(self) -> None:
        """Returns as soon as a bot was seated at a table that is not over."""
        # Later events are looked at below; earlier ones are included in what is read first.
        position = await self._store.end()
        async for tables in self.unfinished():
            if tables:
                return
        while True:
            await asyncio.sleep(self._look_s)
            await self._tail.wait(position, self._look_s)
            end = await self._store.end()
            async for record in selected(self._store, position, end, types=SEATING):
                if seats_bot(record):
                    return
            position = end
