"""Streams that follow the whole log: where they begin, and how far back they can go on."""

import asyncio
from collections.abc import AsyncIterator, Collection

from domain.record.recorded import Recorded
from projections import ReadModels, ReadModelsUnavailable
from service.store.store import Store

WINDOW = 10_000
"""Positions over which a stream of the whole log can go on; from farther back it begins anew."""

PAGE = 200
"""Events that are read from the log at once."""

CATCH_UP_S = 2.0
"""Seconds that a stream waits for read models that are behind, before it cannot begin."""

_POLL_S = 0.005


async def caught_up(models: ReadModels, position: int) -> None:
    """Returns once the read models hold everything up to the position. Raises ReadModelsUnavailable."""
    try:
        async with asyncio.timeout(CATCH_UP_S):
            while await models.position() < position:  # noqa: ASYNC110 (another process may move them)
                await asyncio.sleep(_POLL_S)
    except TimeoutError:
        raise ReadModelsUnavailable("the read models are behind the log") from None


async def selected(
    store: Store, after: int, upto: int, *, tables: Collection[str] = (), types: Collection[str] = ()
) -> AsyncIterator[Recorded]:
    """The events after a position up to another, of these tables or types, in order. Raises StoreUnavailable."""
    while after < upto:
        page = await store.selected(after, upto, tables, types, PAGE)
        for record in page:
            yield record
        if len(page) < PAGE:
            return
        after = page[-1].position
