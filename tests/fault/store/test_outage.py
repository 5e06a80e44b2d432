"""Postgres goes away and comes back: nothing is lost, doubled or answered wrongly."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import asyncpg
import pytest
import uvloop

from domain.record.recorded import GENESIS
from service.store.database import Database, StoreUnavailable, _Uncancelling
from service.store.store import Append, Appended, Store
from service.store.tail import Tail
from service.store.writer import Writer
from tests.support.for_each import for_each
from tests.support.log import chained, command, following, new_id, receipt, spans
from tests.support.postgres import Postgres, as_service, disconnect

PATIENT = (0.05,) * 400


async def _until_available(work: Callable[[], Coroutine[object, object, object]]) -> None:
    while True:
        try:
            await work()
        except StoreUnavailable:
            await asyncio.sleep(0.02)
        else:
            return


@pytest.mark.parametrize(
    "verb",
    [
        lambda store: store.append([command(new_id())]),
        lambda store: store.stream(new_id()),
        lambda store: store.heads([new_id()]),
        lambda store: store.head_and_receipt(new_id(), None),
        lambda store: store.log(0, 1),
        lambda store: store.end(),
        lambda store: store.ping(),
        lambda store: store.check_writing(),
    ],
    ids=["append", "stream", "heads", "look", "log", "end", "ping", "writing"],
)
async def test_every_verb_tells_of_no_server(
    tmp_path: object, verb: Callable[[Store], Coroutine[object, object, object]]
) -> None:
    async with Database(f"postgresql://postgres@/postgres?host={tmp_path}") as database:
        with pytest.raises(StoreUnavailable):
            await verb(Store(database))


async def test_a_closed_database_is_unavailable(server: Postgres) -> None:
    async with Database(as_service(server.dsn())) as database:
        store = Store(database)
        await store.ping()
    with pytest.raises(StoreUnavailable):
        await store.ping()


def _ended(process: int) -> None:
    """Ends a process of the server, while everything here stands still."""
    os.kill(process, signal.SIGTERM)
    while Path(f"/proc/{process}").exists():
        time.sleep(0.01)


@for_each("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_connection_whose_server_is_gone_is_given_up_without_a_word(
    loop: Callable[[], asyncio.AbstractEventLoop], server: Postgres
) -> None:
    async def give_up() -> None:
        connection = await asyncpg.connect(server.dsn(), connection_class=_Uncancelling)
        _ended(connection.get_server_pid())
        # The loop has not heard of it yet. In this state the pool closes connections of before a failover.
        await connection.close()
        assert connection.is_closed()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(give_up())


async def test_a_crash_and_a_restart(server: Postgres) -> None:
    async with Database(as_service(server.dsn())) as database, Tail(database, beat_s=0.1) as tail:
        store = Store(database)
        writer = Writer(store, pauses_s=(0,))
        first = command(new_id(), count=2, receipt=receipt("key"))
        await writer.submit(first)
        await asyncio.to_thread(server.kill)
        for work in (lambda: writer.submit(following(first)), store.end, store.ping):
            with pytest.raises(StoreUnavailable):
                await work()
        await asyncio.to_thread(server.start)
        await _until_available(store.ping)
        assert spans(await store.append([first])) == [(1, 2, 1)]
        assert spans([await writer.submit(following(first))]) == [(3, 3, 3)]
        async with asyncio.timeout(20):
            await tail.wait(2, timeout=60)
        assert tail.position == 3
        assert chained(await store.stream(first.table))


async def test_waits_have_an_end(server: Postgres) -> None:
    first = command(new_id())
    async with (
        Database(as_service(server.dsn())) as patient,
        Database(as_service(server.dsn()), connections=1, acquire_s=0.2, statement_s=0.5) as database,
    ):
        store = Store(database)
        await Store(patient).append([first])
        owner = await asyncpg.connect(server.dsn())
        async with owner.transaction():
            await owner.execute("SELECT 1 FROM codille.stream FOR UPDATE")
            outcomes = await asyncio.gather(
                store.append([following(first)]), store.append([following(first)]), return_exceptions=True
            )
        await owner.close()
        assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
        await _until_available(store.ping)
        assert spans(await Store(patient).append([following(first)])) == [(2, 2, 2)]


async def test_a_client_that_gives_up_before_the_server_does(server: Postgres) -> None:
    first = command(new_id())
    async with (
        Database(as_service(server.dsn())) as patient,
        Database(as_service(server.dsn()), command_s=0.2) as database,
    ):
        store = Store(database)
        await Store(patient).append([first])
        owner = await asyncpg.connect(server.dsn())
        async with owner.transaction():
            await owner.execute("SELECT 1 FROM codille.stream FOR UPDATE")
            with pytest.raises(StoreUnavailable):
                await store.append([following(first)])
        await owner.close()
        await _until_available(store.ping)
        assert await Store(patient).end() in (1, 2)


async def _play(writer: Writer, keyed: bool, rounds: int) -> str:
    """Plays a table alone: each command must be answered as appended, where it belongs."""
    table = new_id()
    version, head = 0, GENESIS
    for number in range(rounds):
        sent: Append = command(table, version, head, 1 + number % 3, receipt(f"{table} {number}") if keyed else None)
        outcome = await writer.submit(sent)
        assert isinstance(outcome, Appended), outcome
        assert [record.version for record in outcome.records] == [version + 1 + at for at in range(len(sent.records))]
        version, head = outcome.records[-1].version, sent.records[-1].hash
    return table


async def test_connections_that_break_in_mid_flight(server: Postgres) -> None:
    async with Database(as_service(server.dsn())) as database:
        store = Store(database)
        writers = [Writer(store, bound=6, pauses_s=PATIENT) for _ in range(3)]
        players = [asyncio.create_task(_play(writers[n % 3], n % 2 == 0, 40)) for n in range(24)]
        ended, pause_s = 0, 0.01
        while not all(player.done() for player in players):
            ended += await disconnect(server.dsn(), "%codille.append%")
            # Ever less often: on a busy machine nothing else would come between.
            await asyncio.sleep(pause_s)
            pause_s *= 1.05
        tables = await asyncio.gather(*players)
        assert ended > 0
        log = await store.log(0, 100_000)
        assert [event.position for event in log] == list(range(1, len(log) + 1))
        assert len(log) == 24 * sum(1 + number % 3 for number in range(40))
        for table in tables:
            assert chained(await store.stream(table))


async def test_crashes_in_mid_flight(server: Postgres) -> None:
    async with Database(as_service(server.dsn())) as database:
        store = Store(database)
        writers = [Writer(store, bound=6, pauses_s=PATIENT) for _ in range(2)]
        players = [asyncio.create_task(_play(writers[n % 2], n % 2 == 0, 150)) for n in range(12)]
        for _ in range(2):
            await asyncio.sleep(0.15)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        tables = await asyncio.gather(*players)
        log = await store.log(0, 100_000)
        assert [event.position for event in log] == list(range(1, len(log) + 1))
        assert len(log) == 12 * sum(1 + number % 3 for number in range(150))
        for table in tables:
            assert chained(await store.stream(table))
