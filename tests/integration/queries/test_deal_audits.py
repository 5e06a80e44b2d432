"""The audit of a deal over a real log: it reads that deal, and tells the same as if it had read all."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.record.recorded import GENESIS, Recorded
from service.audit import deal_audit
from service.compute.jobs import JobContext
from service.queries.deal_audits import DealAudit, DealNotOver, NoSuchDeal
from service.store.store import Append, Head, Store
from tests.support.games import READER, Live, chance, finished, step


@pytest.fixture
async def records(store: Store) -> Sequence[Recorded]:
    """A whole game of several deals, in the log."""
    live = finished(Live.started(deals=6), chance("deal audits"))
    await store.append([Append(live.records[0].table, 0, GENESIS, tuple(live.records))])
    return live.records


@pytest.fixture
def context(store: Store) -> JobContext:
    return JobContext(store, cast("Any", None), READER, cast("Any", None))


async def test_it_tells_of_each_deal_what_the_whole_record_tells(
    context: JobContext, records: Sequence[Recorded]
) -> None:
    last = records[-1]
    for deal in range(1, 7):
        made = await deal_audit(context, last.table, deal, Head(last.version, last.hash))
        assert made.body == msgspec.json.encode(DealAudit.of(audit(READER, records, deal)))
        assert made.lasting


async def test_events_that_do_not_outlast_another_deal_are_not_read(
    context: JobContext, records: Sequence[Recorded], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Recorded] = []
    for name in ("stream", "outline"):
        method = getattr(Store, name)

        async def noted(store: Store, *arguments: Any, method: Any = method, **named: Any) -> list[Recorded]:
            found: list[Recorded] = await method(store, *arguments, **named)
            read.extend(found)
            return found

        monkeypatch.setattr(Store, name, noted)
    last = records[-1]
    await deal_audit(context, last.table, 4, Head(last.version, last.hash))
    assert {event.deal for event in read if event.type in READER.passing} == {3, 4, 6}


async def test_a_deal_that_is_not_over_or_not_begun_is_not_audited(context: JobContext, store: Store) -> None:
    live, rng = Live.started(deals=3), chance("not over")
    while live.table.scored < 1:
        step(live, rng)
    records = live.records
    await store.append([Append(records[0].table, 0, GENESIS, tuple(records))])
    head = Head(records[-1].version, records[-1].hash)
    assert live.table.running_deal == 2
    with pytest.raises(DealNotOver):
        await deal_audit(context, records[0].table, 2, head)
    for deal in (0, 3, 10**30):
        with pytest.raises(NoSuchDeal):
            await deal_audit(context, records[0].table, deal, head)
