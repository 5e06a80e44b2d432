"""A command is decided on the head of the log, whatever the cache says, and answered once."""

import asyncio
from hashlib import sha256

import pytest

from domain.games.crocodile.actions import Bid, Concede, Pass
from domain.games.crocodile.meta import Options
from domain.kernel.rejection import Code
from domain.record.history import Reader
from domain.registry import GAMES
from domain.table.actions import Act, CloseTable, Command, LeaveSeat, TakeSeat
from domain.table.view import to_act
from service.commands.handler import Answer, KeyConflict, NoSuchTable, PreconditionFailed, Refused, Tables
from service.commands.ids import new_id
from service.store.store import Receipt

GAME = GAMES["crocodile"]
PLAYERS = [new_id() for _ in range(3)]


def receipt(key: str, body: str = "{}") -> Receipt:
    return Receipt(sha256(key.encode()).digest(), sha256(body.encode()).digest())


async def opened(tables: Tables, key: Receipt | None = None) -> Answer:
    return await tables.open(PLAYERS[0], GAME, 3, Options(), key)


async def started(tables: Tables) -> str:
    table = (await opened(tables)).table
    for player in PLAYERS:
        await tables.command(table, TakeSeat(player))
    return table


async def next_player(tables: Tables, table: str) -> str:
    history = await tables.current(table)
    return PLAYERS[to_act(GAME, history.table)[0]]


async def refused(tables: Tables, table: str, command: Command) -> Refused:
    with pytest.raises(Refused) as refusal:
        await tables.command(table, command)
    return refusal.value


async def test_the_last_seat_starts_the_game_in_one_append(tables: Tables) -> None:
    table = (await opened(tables)).table
    await tables.command(table, TakeSeat(PLAYERS[0], 2))
    await tables.command(table, TakeSeat(PLAYERS[1], entropy=b"\x01"))
    answer = await tables.command(table, TakeSeat(PLAYERS[2]))
    assert [record.type for record in answer.records] == ["seat-taken", "game-started", "cards-dealt"]
    assert [record.position for record in answer.records] == [4, 5, 6]
    assert await tables.records(table, after=3) == list(answer.records)


async def test_what_is_cached_equals_the_fold_of_the_log(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    await tables.command(table, Act(await next_player(tables, table), Pass()))
    assert await tables.current(table) == await elsewhere.current(table)
    assert Reader(GAMES).history(await tables.records(table)) == await tables.current(table)


async def test_a_stale_cache_accepts_what_is_legal_at_the_head(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    await elsewhere.current(table)
    for _ in range(2):
        await tables.command(table, Act(await next_player(tables, table), Pass()))
    last = await next_player(tables, table)
    answer = await elsewhere.command(table, Act(last, Bid("play")))
    assert answer.records[0].type == "bid-made"


async def test_a_stale_cache_refuses_what_is_illegal_at_the_head(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    await elsewhere.current(table)
    player = await next_player(tables, table)
    await tables.command(table, Act(player, Bid("solo")))
    refusal = await refused(elsewhere, table, Act(player, Bid("play")))
    assert refusal.rejected.code is Code.NOT_YOUR_TURN
    assert refusal.version == (await tables.current(table)).version


async def test_a_refusal_names_the_rule_and_the_offers_of_the_seat(tables: Tables) -> None:
    table = await started(tables)
    await tables.command(table, Act(await next_player(tables, table), Bid("solo")))
    refusal = await refused(tables, table, Act(await next_player(tables, table), Bid("play")))
    assert (refusal.rejected.code, refusal.rejected.rule) == (Code.RULE_VIOLATION, "CR-4.3")
    assert [offer.type for offer in refusal.offers] == ["bid", "pass"]


async def test_a_refusal_records_nothing(tables: Tables) -> None:
    table = await started(tables)
    before = await tables.records(table)
    for player in PLAYERS:
        await refused(tables, table, Act(player, Concede()))
    assert await tables.records(table) == before


async def test_the_same_key_gets_the_first_answer_again(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    act = Act(await next_player(tables, table), Pass())
    first = await tables.command(table, act, receipt=receipt("once"))
    await tables.command(table, Act(await next_player(tables, table), Pass()))
    for process in (tables, elsewhere):
        again = await process.command(table, act, expected=1, receipt=receipt("once"))
        assert again.replayed
        assert again.records == first.records


async def test_the_same_key_with_another_body_is_refused(tables: Tables) -> None:
    table = await started(tables)
    act = Act(await next_player(tables, table), Pass())
    await tables.command(table, act, receipt=receipt("once"))
    for repeated in (act, Act(await next_player(tables, table), Pass())):
        with pytest.raises(KeyConflict):
            await tables.command(table, repeated, receipt=receipt("once", "other"))


async def test_a_table_opened_twice_with_a_key_is_opened_once(tables: Tables, elsewhere: Tables) -> None:
    answers = await asyncio.gather(*(opened(process, receipt("open")) for process in (tables, elsewhere) * 4))
    assert len({answer.table for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1


async def test_a_key_of_another_request_is_told_before_a_rule(tables: Tables) -> None:
    await opened(tables, receipt("open"))
    with pytest.raises(KeyConflict):
        await tables.open(PLAYERS[0], GAME, 4, Options(), receipt("open", "four deals"))


async def test_concurrent_duplicates_all_get_the_first_answer(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    act = Act(await next_player(tables, table), Bid("play"))
    answers = await asyncio.gather(
        *(process.command(table, act, receipt=receipt("once")) for process in (tables, elsewhere) * 8)
    )
    assert len({tuple(record.hash for record in answer.records) for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1


async def test_of_rivals_for_one_seat_one_gets_it(tables: Tables, elsewhere: Tables) -> None:
    table = (await opened(tables)).table
    rivals = [new_id() for _ in range(12)]
    answers = await asyncio.gather(
        *(
            process.command(table, TakeSeat(rival, 1))
            for rival, process in zip(rivals, (tables, elsewhere) * 6, strict=True)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Answer) for answer in answers) == 1
    assert {answer.rejected.code for answer in answers if isinstance(answer, Refused)} == {Code.SEAT_TAKEN}
    assert len(await tables.records(table)) == 2


@pytest.mark.parametrize("version", [1, 99])
async def test_another_version_than_expected_is_refused(tables: Tables, version: int) -> None:
    table = await started(tables)
    act = Act(await next_player(tables, table), Pass())
    with pytest.raises(PreconditionFailed) as failure:
        await tables.command(table, act, expected=version)
    head = await tables.current(table)
    assert failure.value.version == head.version
    assert (await tables.command(table, act, expected=head.version)).records


async def test_a_precondition_met_at_the_head_is_met_with_a_stale_cache(tables: Tables, elsewhere: Tables) -> None:
    table = await started(tables)
    await elsewhere.current(table)
    answer = await tables.command(table, Act(await next_player(tables, table), Pass()))
    player = await next_player(tables, table)
    assert await elsewhere.command(table, Act(player, Pass()), expected=answer.records[-1].version)


async def test_unknown_tables_are_told_everywhere(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        await tables.command(new_id(), TakeSeat(PLAYERS[0]))
    with pytest.raises(NoSuchTable):
        await tables.current(new_id())
    with pytest.raises(NoSuchTable):
        await tables.seat(new_id(), PLAYERS[0])
    assert await tables.records(new_id()) == []


async def test_a_seat_taken_elsewhere_is_known_at_once(tables: Tables, elsewhere: Tables) -> None:
    table = (await opened(tables)).table
    assert await tables.seat(table, PLAYERS[1]) is None
    await elsewhere.command(table, TakeSeat(PLAYERS[1], 2))
    assert await tables.seat(table, PLAYERS[1]) == 2


async def test_a_table_can_be_left_and_closed_before_the_start_only(tables: Tables) -> None:
    table = (await opened(tables)).table
    await tables.command(table, TakeSeat(PLAYERS[1]))
    await tables.command(table, LeaveSeat(PLAYERS[1]))
    assert (await refused(tables, table, CloseTable(PLAYERS[1]))).rejected.code is Code.NOT_OPENER
    answer = await tables.command(table, CloseTable(PLAYERS[0]))
    assert answer.records[0].type == "table-closed"
    assert (await refused(tables, table, TakeSeat(PLAYERS[1]))).rejected.code is Code.TABLE_CLOSED

    playing = await started(tables)
    assert (await refused(tables, playing, LeaveSeat(PLAYERS[0]))).rejected.code is Code.ALREADY_STARTED
    assert (await refused(tables, playing, CloseTable(PLAYERS[0]))).rejected.code is Code.ALREADY_STARTED


async def test_more_tables_than_the_cache_holds(tables: Tables) -> None:
    tables._capacity = 2
    played = [await started(tables) for _ in range(4)]
    for table in played:
        assert (await tables.command(table, Act(await next_player(tables, table), Pass()))).history
