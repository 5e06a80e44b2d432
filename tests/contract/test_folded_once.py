"""How often an event is folded while a table is played: once for each audience that follows, once for the house."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TypeAlias

import pytest

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.state import Table
from projections import fold as projections_fold
from service.app import create_app
from service.http.edge import Edge
from service.live.outbox import Outbox
from service.live.timekeeper import Timekeeper
from service.services import Services
from service.store.database import Database
from service.store.outbox_store import OutboxStore
from tests.contract.conftest import Caller, client_of, deal_over, seated, services_over
from tests.contract.test_lists import services
from tests.support.streams import reading
from tests.support.waiting import until

__all__ = ["services"]

INTERFACE, CLOCKS, WEBHOOKS, PROJECTOR, ELSEWHERE = "interface", "clocks", "webhooks", "projector", "elsewhere"
SEATS = tuple(map(seat_audience, range(3)))

role: ContextVar[str] = ContextVar("role", default=PROJECTOR)
"""Who is at work. Tasks inherit it; those of the projector begin before it is set."""

Folded: TypeAlias = "Counter[tuple[str, Audience, str, int]]"
"""How often each role has folded an event for an audience, by role, audience, table and version."""


@contextmanager
def at(name: str) -> Iterator[None]:
    token = role.set(name)
    try:
        yield
    finally:
        role.reset(token)


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> Folded:
    counts: Folded = Counter()
    fold, project = Reader.fold, projections_fold.fold

    def counted(
        reader: Reader, table: Table | None, records: Iterable[Recorded], audience: Audience = HOUSE
    ) -> Table | None:
        records = tuple(records)
        counts.update((role.get(), audience, record.table, record.version) for record in records)
        return fold(reader, table, records, audience)

    def projected(reader: Reader, records: Sequence[Recorded], *more: Any) -> Any:
        counts.update((role.get(), HOUSE, record.table, record.version) for record in records)
        return project(reader, records, *more)

    monkeypatch.setattr(Reader, "fold", counted)
    monkeypatch.setattr(projections_fold, "fold", projected)
    return counts


@pytest.fixture
async def elsewhere(database: Database, three: list[Caller]) -> AsyncIterator[list[Caller]]:
    """The same players at another process."""
    async with client_of(create_app(services_over(database))) as client:
        yield [Caller(client, one.player, one.token) for one in three]


@asynccontextmanager
async def kept_and_told(services: Services) -> AsyncIterator[Timekeeper]:
    """The timekeeper and the sender of notices at work."""
    stop, log, tables = asyncio.Event(), services.log, services.tables
    observed = services.metrics, services.logger
    timekeeper = Timekeeper(log.store, log.source, services.reader, tables.cache, tables.commands, *observed)
    stored = OutboxStore(log.database)
    outbox = Outbox(stored, log.store, services.reader, log.tail, *observed, clock=lambda: datetime.now(UTC))
    with at(CLOCKS):
        clocks = asyncio.create_task(timekeeper.run(stop))
    with at(WEBHOOKS):
        webhooks = asyncio.create_task(outbox.run(stop))
    try:
        yield timekeeper
    finally:
        stop.set()
        await asyncio.gather(clocks, webhooks)


def follow(table: str, app: Edge, three: list[Caller]) -> list[Any]:
    """The streams of everybody who may follow the table, twice, as all of them may be asked for."""
    own = [reading(app, "/players/me/stream?view=true", one) for one in three]
    whole = f"/tables/{table}/events/stream?view=true&offers=true"
    return [*own, *(reading(app, path, one) for path in (whole, whole) for one in (None, *three))]


@pytest.mark.parametrize("delay", [None, {"events": 2}], ids=["at once", "late"])
async def test_each_event_once_for_each_audience_and_once_for_the_house(
    app: Edge, services: Services, folded: Folded, three: list[Caller], elsewhere: list[Caller], delay: Any
) -> None:
    role.set(INTERFACE)
    own: dict[str, Any] = {"clock": {"seconds": 600}} | ({"spectator_delay": delay} if delay else {})
    table = await seated(three, table=own)
    assert (await three[0].post("/webhooks", {"url": "https://bot.example/hook"})).status_code == 201
    async with AsyncExitStack() as stack:
        timekeeper = await stack.enter_async_context(kept_and_told(services))
        streams = [await stack.enter_async_context(one) for one in follow(table, app, three)]
        for one in streams:
            await one.next()
        await until(lambda: timekeeper.follower.position is not None)
        # Where they begin, each reads the deal so far.
        after = (await deal_over(three, table)).json()["version"]
        await until(lambda: folded[WEBHOOKS, PUBLIC, table, after])
        with at(ELSEWHERE):
            there = (await deal_over(elsewhere, table)).json()["version"]
        await until(lambda: folded[CLOCKS, HOUSE, table, there] + folded[INTERFACE, HOUSE, table, there])
        end = (await deal_over(three, table)).json()["version"]
        for one in streams[3:]:
            await until(lambda one=one: one.frames[-1].id == end)
        await until(lambda: folded[WEBHOOKS, PUBLIC, table, end])
        await services.models.wait(table, end, 20.0)

    def times(who: str, audience: Audience) -> list[int]:
        return [folded[who, audience, table, version] for version in range(after + 1, end + 1)]

    each = end - after
    for audience in SEATS:
        assert times(INTERFACE, audience) == [1] * each
    # Spectators who follow late are another audience than those who are told of turns, which is public.
    assert times(INTERFACE, PUBLIC) == [2 if delay else 1] * each
    assert times(WEBHOOKS, PUBLIC) == [1] * each
    assert times(PROJECTOR, HOUSE) == [1] * each
    # The interface and the clocks share a cache, into which goes what this process decides, without being folded.
    house = map(sum, zip(times(INTERFACE, HOUSE), times(CLOCKS, HOUSE), strict=True))
    assert list(house) == [1] * (there - after) + [0] * (end - there)
    others = {(who, audience) for who, audience, where, version in folded if where == table and version > after}
    others -= {(who, HOUSE) for who in (INTERFACE, CLOCKS, PROJECTOR, ELSEWHERE)}
    assert others == {(WEBHOOKS, PUBLIC), *((INTERFACE, audience) for audience in (PUBLIC, *SEATS))}
