"""Postgres goes away while times run out, and nothing of them is lost."""

import asyncio

import pytest
from structlog.testing import capture_logs

from domain.record.history import Reader
from domain.table.options import Clock, TableOptions
from service.commands import handler
from service.store.database import Database
from service.store.tail import Tail
from tests.support.postgres import Postgres, as_service
from tests.support.registry import GAMES
from tests.support.timekeeping import Process, Time, until_it
from tests.support.waiting import until

TIMED = TableOptions(clock=Clock(seconds=60))


async def test_what_runs_out_during_an_outage_is_made_up_for_once(
    server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    monkeypatch.setattr(handler, "moment", time.moment)
    async with Database(as_service(server.dsn())) as database, Tail(database, beat_s=0.05) as tail:
        process, elsewhere = (Process(database, tail, time, Reader(GAMES)) for _ in range(2))
        tables = [await process.start(settings=TIMED) for _ in range(3)]
        with capture_logs() as logged:
            async with process.keeping() as keeper, elsewhere.keeping() as other:
                await until(lambda: keeper.watched == other.watched == len(tables))
                await asyncio.to_thread(server.kill)
                time.advance(60)
                interrupted = "keeping time interrupted"
                await until(lambda: [entry["event"] for entry in logged].count(interrupted) >= 2)
                await asyncio.to_thread(server.start)

                async def acted() -> bool:
                    return all([await process.by("clock", table) for table in tables])

                await until_it(acted)
        for table in tables:
            assert len(await process.by("clock", table)) == 1
        assert process.met("clock") + elsewhere.met("clock") <= len(tables)
