"""Folds over a real log: what is left out of them, and what is kept, changes nothing."""

from collections.abc import Sequence

import pytest

from domain.record.recorded import GENESIS, Recorded
from domain.table.events import CardsDealt
from service.compute.folds import KeptFolds
from service.store.store import Append, Store
from tests.support.games import AUDIENCES, READER, Live, chance, finished


@pytest.fixture
async def records(store: Store) -> Sequence[Recorded]:
    """A whole game, in the log."""
    live = finished(Live.started(deals=3), chance("folds"))
    await store.append([Append(live.records[0].table, 0, GENESIS, tuple(live.records))])
    return live.records


async def test_at_every_version_the_fold_is_that_of_all_events(store: Store, records: Sequence[Recorded]) -> None:
    table, folds = records[0].table, KeptFolds(store, READER)
    for version in range(1, len(records) + 1):
        for audience in AUDIENCES:
            assert await folds.at(table, version, audience) == READER.history(records[:version], None, audience)
    assert await folds.at(table, 0, "public") is None
    assert await folds.at("01970000-0000-7000-8000-0000000000ff", 5, "public") is None


async def test_a_later_fold_reads_its_own_deal_alone(
    store: Store, records: Sequence[Recorded], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, folds, last = records[0].table, KeptFolds(store, READER), len(records)
    await folds.at(table, last - 1, "seat:0")
    monkeypatch.delattr(Store, "outline")
    assert await folds.at(table, last, "seat:1") == READER.history(records, None, "seat:1")


async def test_no_more_folds_are_kept_than_there_is_room_for(store: Store, records: Sequence[Recorded]) -> None:
    table, folds = records[0].table, KeptFolds(store, READER, capacity=1)
    starts = [record.version for record in records if record.type == CardsDealt.TYPE]
    for version in (*starts, *starts):
        assert await folds.at(table, version, "public") == READER.history(records[:version], None, "public")


async def test_an_outline_has_of_earlier_deals_what_outlasts_them(store: Store, records: Sequence[Recorded]) -> None:
    table = records[0].table
    *_, start = (record.version for record in records if record.type == CardsDealt.TYPE)
    outline = await store.outline(table, READER.passing)
    assert [record.version for record in outline] == [
        record.version for record in records if record.version >= start or record.type not in READER.passing
    ]
    assert len(outline) < len(records)
    assert await store.deal_start(table, len(records)) == start
    assert await store.deal_start(table, 2) == 0
    assert [await store.last_deal(table, version) for version in (1, start - 1, len(records))] == [0, 2, 3]
