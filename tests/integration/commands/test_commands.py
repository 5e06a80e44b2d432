"""A command is decided on the head of the log, whatever the cache says, and answered once."""

import asyncio
from hashlib import sha256

import pytest

from domain.games.crocodile.acts import Bid, Concede, Pass
from domain.games.crocodile.meta import Options
from domain.kernel.rejection import Code
from domain.record.history import Reader
from domain.table.actions import Act, CloseTable, Command, LeaveSeat, TakeSeat
from domain.table.view import to_act
from service.commands import handler
from service.commands.cache import NoSuchTable, Seating
from service.commands.handler import CommandResult, KeyConflict, PreconditionFailed, Refused
from service.moments import new_id
from service.store.database import StoreUnavailable
from service.store.store import Append, Receipt
from service.store.writer import Writer
from tests.integration.commands.conftest import Process
from tests.support.registry import GAMES

GAME = GAMES["crocodile"]
PLAYERS = [new_id() for _ in range(3)]


def receipt(key: str, body: str = "{}") -> Receipt:
    return Receipt(sha256(key.encode()).digest(), sha256(body.encode()).digest())


async def opened(process: Process, key: Receipt | None = None) -> CommandResult:
    return await process.commands.open(PLAYERS[0], GAME, 3, Options(), key)


async def started(process: Process) -> str:
    table = (await opened(process)).table
    for player in PLAYERS:
        await process.commands.handle(table, TakeSeat(player))
    return table


async def next_player(process: Process, table: str) -> str:
    history = await process.tables.current(table)
    return PLAYERS[to_act(GAME, history.table)[0]]


async def refused(process: Process, table: str, command: Command) -> Refused:
    with pytest.raises(Refused) as refusal:
        await process.commands.handle(table, command)
    return refusal.value


async def test_neither_an_opening_nor_an_act_waits_without_end(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (await opened(process)).table

    async def never(_: Writer, command: Append) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Writer, "submit", never)
    monkeypatch.setattr(handler, "TIMEOUT_S", 0.01)
    for command in (opened(process), process.commands.handle(table, TakeSeat(PLAYERS[0]))):
        with pytest.raises(StoreUnavailable):
            async with asyncio.timeout(20.0):
                await command


async def test_the_last_seat_starts_the_game_in_one_append(process: Process) -> None:
    table = (await opened(process)).table
    await process.commands.handle(table, TakeSeat(PLAYERS[0], 2))
    await process.commands.handle(table, TakeSeat(PLAYERS[1], entropy=b"\x01"))
    answer = await process.commands.handle(table, TakeSeat(PLAYERS[2]))
    assert [record.type for record in answer.records] == ["seat-taken", "game-started", "cards-dealt"]
    assert [record.position for record in answer.records] == [4, 5, 6]
    assert await process.store.stream(table, after=3) == list(answer.records)


async def test_the_cached_table_equals_the_fold_of_the_log(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    await process.commands.handle(table, Act(await next_player(process, table), Pass()))
    assert await process.tables.current(table) == await elsewhere.tables.current(table)
    assert Reader(GAMES).history(await process.store.stream(table)) == await process.tables.current(table)


async def test_a_stale_cache_accepts_what_is_legal_at_the_head(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    await elsewhere.tables.current(table)
    for _ in range(2):
        await process.commands.handle(table, Act(await next_player(process, table), Pass()))
    last = await next_player(process, table)
    answer = await elsewhere.commands.handle(table, Act(last, Bid("play")))
    assert answer.records[0].type == "bid-made"


async def test_a_stale_cache_refuses_what_is_illegal_at_the_head(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    await elsewhere.tables.current(table)
    player = await next_player(process, table)
    await process.commands.handle(table, Act(player, Bid("solo")))
    refusal = await refused(elsewhere, table, Act(player, Bid("play")))
    assert refusal.rejected.code is Code.NOT_YOUR_TURN
    assert refusal.version == (await process.tables.current(table)).version


async def test_a_refusal_names_the_rule_and_the_offers_of_the_seat(process: Process) -> None:
    table = await started(process)
    await process.commands.handle(table, Act(await next_player(process, table), Bid("solo")))
    refusal = await refused(process, table, Act(await next_player(process, table), Bid("play")))
    assert (refusal.rejected.code, refusal.rejected.rule) == (Code.RULE_VIOLATION, "CR-4.3")
    assert [offer.type for offer in refusal.offers] == ["bid", "pass"]


async def test_a_refusal_records_nothing(process: Process) -> None:
    table = await started(process)
    before = await process.store.stream(table)
    for player in PLAYERS:
        await refused(process, table, Act(player, Concede()))
    assert await process.store.stream(table) == before


async def test_the_same_key_gets_the_first_answer_again(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    act = Act(await next_player(process, table), Pass())
    first = await process.commands.handle(table, act, receipt=receipt("once"))
    await process.commands.handle(table, Act(await next_player(process, table), Pass()))
    for side in (process, elsewhere):
        again = await side.commands.handle(table, act, expected=(1,), receipt=receipt("once"))
        assert again.replayed
        assert again.records == first.records


async def test_the_same_key_with_another_body_is_refused(process: Process) -> None:
    table = await started(process)
    act = Act(await next_player(process, table), Pass())
    await process.commands.handle(table, act, receipt=receipt("once"))
    for repeated in (act, Act(await next_player(process, table), Pass())):
        with pytest.raises(KeyConflict):
            await process.commands.handle(table, repeated, receipt=receipt("once", "other"))


async def test_a_table_opened_twice_with_a_key_is_opened_once(process: Process, elsewhere: Process) -> None:
    answers = await asyncio.gather(*(opened(process, receipt("open")) for process in (process, elsewhere) * 4))
    assert len({answer.table for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1


async def test_a_reused_key_is_reported_before_a_broken_rule(process: Process) -> None:
    await opened(process, receipt("open"))
    with pytest.raises(KeyConflict):
        await process.commands.open(PLAYERS[0], GAME, 4, Options(), receipt("open", "four deals"))


async def test_concurrent_duplicates_all_get_the_first_answer(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    act = Act(await next_player(process, table), Bid("play"))
    answers = await asyncio.gather(
        *(side.commands.handle(table, act, receipt=receipt("once")) for side in (process, elsewhere) * 8)
    )
    assert len({tuple(record.hash for record in answer.records) for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1


async def test_of_rivals_for_one_seat_one_gets_it(process: Process, elsewhere: Process) -> None:
    table = (await opened(process)).table
    rivals = [new_id() for _ in range(12)]
    answers = await asyncio.gather(
        *(
            side.commands.handle(table, TakeSeat(rival, 1))
            for rival, side in zip(rivals, (process, elsewhere) * 6, strict=True)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, CommandResult) for answer in answers) == 1
    assert {answer.rejected.code for answer in answers if isinstance(answer, Refused)} == {Code.SEAT_TAKEN}
    assert len(await process.store.stream(table)) == 2


@pytest.mark.parametrize("version", [1, 99])
async def test_another_version_than_expected_is_refused(process: Process, version: int) -> None:
    table = await started(process)
    act = Act(await next_player(process, table), Pass())
    with pytest.raises(PreconditionFailed) as failure:
        await process.commands.handle(table, act, expected=(version,))
    head = await process.tables.current(table)
    assert failure.value.version == head.version
    assert (await process.commands.handle(table, act, expected=(head.version,))).records


async def test_a_precondition_met_at_the_head_is_met_with_a_stale_cache(process: Process, elsewhere: Process) -> None:
    table = await started(process)
    await elsewhere.tables.current(table)
    answer = await process.commands.handle(table, Act(await next_player(process, table), Pass()))
    player = await next_player(process, table)
    assert await elsewhere.commands.handle(table, Act(player, Pass()), expected=(answer.records[-1].version,))


async def test_unknown_tables_are_reported_everywhere(process: Process) -> None:
    with pytest.raises(NoSuchTable):
        await process.commands.handle(new_id(), TakeSeat(PLAYERS[0]))
    with pytest.raises(NoSuchTable):
        await process.tables.current(new_id())
    with pytest.raises(NoSuchTable):
        await Seating(process.tables).seat(new_id(), PLAYERS[0])
    assert await process.store.stream(new_id()) == []


async def test_a_seat_taken_elsewhere_is_known_at_once(process: Process, elsewhere: Process) -> None:
    table = (await opened(process)).table
    assert await Seating(process.tables).seat(table, PLAYERS[1]) is None
    await elsewhere.commands.handle(table, TakeSeat(PLAYERS[1], 2))
    assert await Seating(process.tables).seat(table, PLAYERS[1]) == 2


async def test_a_table_can_be_left_and_closed_before_the_start_only(process: Process) -> None:
    table = (await opened(process)).table
    await process.commands.handle(table, TakeSeat(PLAYERS[1]))
    await process.commands.handle(table, LeaveSeat(PLAYERS[1]))
    assert (await refused(process, table, CloseTable(PLAYERS[1]))).rejected.code is Code.NOT_OPENER
    answer = await process.commands.handle(table, CloseTable(PLAYERS[0]))
    assert answer.records[0].type == "table-closed"
    assert (await refused(process, table, TakeSeat(PLAYERS[1]))).rejected.code is Code.TABLE_CLOSED

    playing = await started(process)
    assert (await refused(process, playing, LeaveSeat(PLAYERS[0]))).rejected.code is Code.ALREADY_STARTED
    assert (await refused(process, playing, CloseTable(PLAYERS[0]))).rejected.code is Code.ALREADY_STARTED


async def test_more_tables_than_the_cache_holds(process: Process) -> None:
    process.tables.known._capacity = 2
    played = [await started(process) for _ in range(4)]
    for table in played:
        assert (await process.commands.handle(table, Act(await next_player(process, table), Pass()))).history
