"""The acts that events belong to. The events of an act are appended together, so they are adjacent in the log."""

from collections.abc import AsyncIterator, Iterator, Sequence

from domain.record.recorded import Recorded


def same_act(record: Recorded, after: Recorded) -> bool:
    """Whether an event belongs to the same act as the one before it in the log."""
    return record.action is not None and record.action == after.action and record.table == after.table


def with_more(records: Sequence[Recorded]) -> Iterator[tuple[Recorded, bool]]:
    """The events in order, each with whether another event of its act follows in the sequence."""
    last = len(records) - 1
    for index, record in enumerate(records):
        yield record, index < last and same_act(record, records[index + 1])


async def with_more_of(records: AsyncIterator[Recorded]) -> AsyncIterator[tuple[Recorded, bool]]:
    """As `with_more`, for events that are read page by page."""
    previous: Recorded | None = None
    async for record in records:
        if previous is not None:
            yield previous, same_act(previous, record)
        previous = record
    if previous is not None:
        yield previous, False


def without_last(records: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events without those of the last act, which may continue after them."""
    end = len(records) - 1
    while end > 0 and same_act(records[end - 1], records[end]):
        end -= 1
    return records[:end]
