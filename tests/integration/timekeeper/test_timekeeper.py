"""What runs out at a table happens once, whatever else does, and whoever keeps time."""

import asyncio
from typing import Any

import pytest

from domain.record.catalogue import Unreadable
from domain.record.history import History, Reader
from domain.seats import Seat
from domain.table.actions import AbandonSeat, CloseTable, Command
from domain.table.deadlines import EXPIRES_AFTER_S, timer_of
from domain.table.options import Clock, TableOptions
from service.commands.handler import CommandResult, Refused
from service.store.database import Database
from service.store.tail import Tail
from tests.games.toy.meta import Options as ToyOptions
from tests.support.games import EVERYBODY
from tests.support.registry import GAMES
from tests.support.timekeeping import Process, Time, until_it
from tests.support.waiting import until

TIMED = TableOptions(clock=Clock(seconds=60, absent_after=100))
TABLES = 12
ROUNDS = 3


async def acted(process: Process, table: str, times: int = 1) -> None:
    """Returns once the clock has acted so often at the table."""

    async def has() -> bool:
        return len(await process.by("clock", table)) >= times

    await until_it(has)


async def has_taken_in(process: Process) -> None:
    """Returns once the process knows of all that has happened."""
    end = await process.store.end()
    await until(lambda: (process.keeper.follower.position or 0) >= end)


async def test_of_two_processes_one_acts(process: Process, elsewhere: Process, time: Time) -> None:
    tables = [await process.start(settings=TIMED) for _ in range(TABLES)]
    async with process.keeping(), elsewhere.keeping():
        for number in range(1, ROUNDS + 1):
            time.reach(max([await process.deadline(table) for table in tables]))
            for table in tables:
                await acted(process, table, number)
            await has_taken_in(process)
            await has_taken_in(elsewhere)
        await until(lambda: process.met("clock") + elsewhere.met("clock") == TABLES * ROUNDS)
    for table in tables:
        assert len(await process.by("clock", table)) == ROUNDS


async def test_what_ran_out_while_nobody_kept_time_is_made_up_for(
    process: Process, elsewhere: Process, time: Time
) -> None:
    over = await process.open()
    await process.commands.handle(over, CloseTable(EVERYBODY[0]))
    untimed = await process.start()
    waiting = await process.open(settings=TIMED)
    tables = [await process.start(settings=TIMED) for _ in range(5)]
    time.advance(3600)
    async with elsewhere.keeping() as keeper:
        for table in tables:
            await acted(elsewhere, table)
        await has_taken_in(elsewhere)
        await until(lambda: elsewhere.met("clock") == len(tables))
        assert keeper.watched == len(tables) + 1
    for table in (over, untimed, waiting):
        assert await process.by("clock", table) == []
    late = elsewhere.metrics.registry.get_sample_value("codille_deadline_lateness_seconds_sum")
    assert late == len(tables) * (3600 - 60)


async def test_an_act_in_time_sets_another_deadline(process: Process, elsewhere: Process, time: Time) -> None:
    async with process.keeping():
        table = await process.start(settings=TIMED)
        first = await process.deadline(table)
        time.advance(30)
        witness = await process.start(settings=TIMED)
        await elsewhere.act(table)
        await has_taken_in(process)
        assert await process.deadline(table) > first
        time.reach(first)
        # Later than the deadline that does not stand any more, and at the moment of the one that does.
        time.reach(await process.deadline(witness))
        await acted(process, witness)
        await acted(process, table)
    (record,) = await process.by("clock", table)
    assert record.at > first


async def test_an_act_that_comes_first_is_not_followed_by_the_clocks(
    process: Process, elsewhere: Process, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await process.start(settings=TIMED)
    handle = process.commands.handle
    raced: list[Seat] = []

    async def outrun(to: str, command: Command, **more: Any) -> CommandResult:
        if not raced:
            raced.append(await elsewhere.act(to))
        return await handle(to, command, **more)

    monkeypatch.setattr(process.commands, "handle", outrun)
    time.reach(await process.deadline(table))
    async with process.keeping():
        await until(lambda: raced)
        await has_taken_in(process)
        time.reach(await elsewhere.deadline(table))
        await acted(process, table)
        await until(lambda: process.met("clock") == 1)
    (record,) = await process.by("clock", table)
    before = (await process.store.stream(table, 0, record.version - 1))[-1]
    assert before.at < record.at


async def test_a_process_whose_clock_is_ahead_is_refused_until_the_time_has_come(
    process: Process, database: Database, tail: Tail, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = Time()
    ahead.advance(3600)
    hasty = Process(database, tail, ahead, Reader(GAMES))
    handle = hasty.commands.handle
    refused: list[str] = []

    async def watched(to: str, command: Command, **more: Any) -> CommandResult:
        try:
            return await handle(to, command, **more)
        except Refused:
            refused.append(to)
            raise

    monkeypatch.setattr(hasty.commands, "handle", watched)
    table = await process.start(settings=TIMED)
    async with hasty.keeping():
        await until(lambda: refused)
        assert await process.by("clock", table) == []
        time.advance(60)

        async def acted_later() -> bool:
            # It may still be planning when to ask again.
            ahead.advance(1)
            return bool(await process.by("clock", table))

        await until_it(acted_later)
    assert len(await process.by("clock", table)) == 1


async def test_a_table_that_is_opened_meanwhile_and_never_fills_expires(process: Process, time: Time) -> None:
    async with process.keeping() as keeper:
        closed, started, table = await process.open(), await process.start(), await process.open()
        await process.commands.handle(closed, CloseTable(EVERYBODY[0]))
        await has_taken_in(process)
        assert keeper.watched == 1
        time.advance(EXPIRES_AFTER_S)
        await acted(process, table)
        await until(lambda: process.met("expiry") == 1)
        await has_taken_in(process)
        assert keeper.watched == 0
    assert [record.type for record in await process.by("clock", table)] == ["table-expired"]
    assert await process.by("clock", started) == await process.by("clock", closed) == []


async def test_a_games_own_time_limit_runs_out(process: Process, time: Time) -> None:
    async with process.keeping():
        table = await process.start("toy", options=ToyOptions(limit=30))
        while timer_of(GAMES["toy"], await process.state(table)) is None:
            await process.act(table)
        time.reach(await process.deadline(table))
        await acted(process, table)
        await until(lambda: process.met("limit") == 1)
    assert (await process.by("clock", table))[0].type == "turn-lapsed"


async def test_an_abandoned_seat_is_played_on_to_the_end_of_the_game(process: Process, time: Time) -> None:
    table = await process.start(settings=TIMED)
    await process.commands.handle(table, AbandonSeat(EVERYBODY[0]))
    async with process.keeping() as keeper:
        while not (state := await process.state(table)).over:
            time.reach(await process.deadline(table))

            async def moved(version: int = state.version) -> bool:
                return (await process.state(table)).version > version

            await until_it(moved)
        await until(lambda: keeper.watched == 0)
    assert state.status == "finished"
    assert state.scored == state.deals
    assert await process.by("bot:0", table)
    assert {record.actor for record in await process.store.stream(table)} >= {"clock", "house"}


async def test_an_error_at_one_table_leaves_the_others_their_time(
    process: Process, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, table = await process.start(settings=TIMED), await process.start(settings=TIMED)
    handle = process.commands.handle

    async def failing(to: str, command: Command, **more: Any) -> CommandResult:
        if to == broken:
            raise ValueError("a mistake")
        return await handle(to, command, **more)

    time.advance(60)
    with monkeypatch.context() as patched:
        patched.setattr(process.commands, "handle", failing)
        async with process.keeping():
            await acted(process, table)
            failed = "codille_deadlines_failed_total"
            await until(lambda: process.metrics.registry.get_sample_value(failed) == 1)
    assert await process.by("clock", broken) == []


async def test_a_table_whose_record_cannot_be_read_is_left_alone(
    process: Process, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread, table = await process.start(settings=TIMED), await process.start(settings=TIMED)
    current = process.tables.current

    async def unreadable(of: str) -> History:
        if of == unread:
            raise Unreadable("a record of a later version")
        return await current(of)

    monkeypatch.setattr(process.tables, "current", unreadable)
    async with process.keeping() as keeper:
        await has_taken_in(process)
        time.advance(60)
        await acted(process, table)
        await until(lambda: keeper.watched == 1)
    assert not process.metrics.registry.get_sample_value("codille_deadlines_failed_total")
    assert await process.by("clock", unread) == []


async def test_a_table_of_an_unknown_game_is_left_alone(
    process: Process, database: Database, tail: Tail, time: Time
) -> None:
    toy = await process.start("toy", TIMED)
    known = Process(database, tail, time, Reader({"crocodile": GAMES["crocodile"]}))
    async with known.keeping() as keeper:
        later = await process.start("toy", TIMED)
        table = await process.start(settings=TIMED)
        await has_taken_in(known)
        assert keeper.watched == 1
        time.advance(3600)
        await acted(process, table)
    assert await process.by("clock", toy) == await process.by("clock", later) == []


async def test_it_stops_at_once(process: Process) -> None:
    await process.start(settings=TIMED)
    stop = asyncio.Event()
    running = asyncio.create_task(process.keeper.run(stop))
    await until(lambda: process.keeper.watched == 1)
    stop.set()
    await running
