"""Streams over the whole log: where they begin, and how far back they can resume."""

import asyncio
from collections.abc import AsyncIterator, Collection

from domain.record.recorded import Recorded
from projections.models import ReadModels, ReadModelsUnavailable
from service.store.store import Store

WINDOW = 10_000
"""Positions over which a stream can resume; from further back it starts over with a snapshot."""

PAGE = 200
"""Events per read of the log."""

CATCH_UP_S = 2.0
"""Seconds that a new stream waits for read models that are behind; then it fails."""

_POLL_S = 0.005


async def caught_up(models: ReadModels, position: int) -> None:
    """Returns once the read models have reached the position. Raises ReadModelsUnavailable after CATCH_UP_S."""
    try:
        async with asyncio.timeout(CATCH_UP_S):
            while await models.position() < position:  # noqa: ASYNC110 (another process may move them)
                await asyncio.sleep(_POLL_S)
    except TimeoutError:
        raise ReadModelsUnavailable("the read models are behind the log") from None


async def selected(
    store: Store, after: int, upto: int, *, tables: Collection[str] = (), types: Collection[str] = ()
) -> AsyncIterator[Recorded]:
    """The events after one position up to another, of these tables or types, in order. Raises StoreUnavailable."""
    while after < upto:
        page = await store.selected(after, upto, tables, types, PAGE)
        for record in page:
            yield record
        if len(page) < PAGE:
            return
        after = page[-1].position
