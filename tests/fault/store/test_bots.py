"""Postgres goes away while bots play, and each of their acts is done once nevertheless."""

import asyncio

from structlog.testing import capture_logs

from domain.audit.auditor import audit
from service.store.database import Database
from service.store.tail import Tail
from tests.support.botplay import BotProcess, Now
from tests.support.games import READER
from tests.support.postgres import Postgres, as_service
from tests.support.timekeeping import until_it
from tests.support.waiting import until


async def test_bots_play_on_after_an_outage_and_do_nothing_twice(server: Postgres) -> None:
    async with Database(as_service(server.dsn())) as database, Tail(database, beat_s=0.05) as tail:
        process, elsewhere = (BotProcess(database, tail, Now(), READER) for _ in range(2))
        tables = [await process.with_bots("tetka") for _ in range(3)]
        with capture_logs() as logged:
            async with process.playing(), elsewhere.playing():
                await until_it(lambda: begun(process, tables))
                await asyncio.to_thread(server.kill)
                interrupted = "playing for bots interrupted"
                await until(lambda: [entry["event"] for entry in logged].count(interrupted) >= 2)
                await asyncio.to_thread(server.start)
                for table in tables:
                    await until_it(lambda table=table: process.over(table))
        for table in tables:
            assert audit(READER, await process.store.stream(table)).verdict == "intact"
    assert not [entry for entry in logged if entry["log_level"] == "error"]


async def begun(process: BotProcess, tables: list[str]) -> bool:
    """Whether bots have acted at all tables, and none is over."""
    records = [await process.store.stream(table) for table in tables]
    return all(any(record.actor.startswith("bot:") for record in one) for one in records)
