"""Disputes, rulings and erasures over a real log, by several processes at once."""

import asyncio
from collections.abc import Sequence

import pytest

from domain.audit.auditor import audit
from domain.games.crocodile.actions import Bid, Concede, Declare, Exchange, Pass
from domain.games.crocodile.meta import Options
from domain.kernel.ledger import LineAt
from domain.kernel.rejection import Code, Rejected
from domain.record.history import Reader
from domain.registry import GAMES
from domain.table.actions import Act, Command, Entry, OpenDispute, RuleDispute, TakeSeat
from domain.table.events import LedgerCorrected
from domain.table.view import to_act
from service.commands.erasing import erase_text
from service.commands.handler import Answer, Refused, Tables
from service.commands.ids import new_id
from service.store.database import Database
from service.store.store import Store

GAME = GAMES["crocodile"]
READER = Reader(GAMES)
PLAYERS = [new_id() for _ in range(3)]
ARBITER = new_id()


async def dealt(tables: Tables) -> str:
    table = (await tables.open(PLAYERS[0], GAME, 3, Options(), None)).table
    for player in PLAYERS:
        await tables.command(table, TakeSeat(player))
    return table


async def turn(tables: Tables, table: str) -> str:
    return PLAYERS[to_act(GAME, (await tables.current(table)).table)[0]]


async def conceded(tables: Tables, table: str) -> None:
    """Ends a deal as fast as can be."""
    declarer = await turn(tables, table)
    await tables.command(table, Act(declarer, Bid("play")))
    for _ in range(2):
        await tables.command(table, Act(await turn(tables, table), Pass()))
    await tables.command(table, Act(declarer, Declare(contract="play", trump="s")))
    await tables.command(table, Act(declarer, Exchange()))
    await tables.command(table, Act(declarer, Concede()))


@pytest.fixture
async def table(tables: Tables) -> str:
    """A table in its second deal."""
    made = await dealt(tables)
    await conceded(tables, made)
    return made


async def first_line(tables: Tables, table: str) -> LineAt:
    return LineAt((await tables.current(table)).table.booked[0].version, 0)


async def all_of(commands: Sequence[tuple[Tables, Command]], table: str) -> list[Answer | Refused]:
    """What comes of the commands, given at once."""
    answers = await asyncio.gather(
        *(tables.command(table, command) for tables, command in commands), return_exceptions=True
    )
    assert all(isinstance(answer, Answer | Refused) for answer in answers), answers
    return [answer for answer in answers if isinstance(answer, Answer | Refused)]


async def test_of_several_who_dispute_a_line_at_once_one_does(tables: Tables, elsewhere: Tables, table: str) -> None:
    place = await first_line(tables, table)
    await elsewhere.current(table)
    asked = [
        (process, OpenDispute(player, (place,), None, "Mine.")) for process in (tables, elsewhere) for player in PLAYERS
    ]
    answers = await all_of(asked, table)
    refused = [answer.rejected.code for answer in answers if isinstance(answer, Refused)]
    assert refused == [Code.ALREADY_DISPUTED] * 5
    assert len((await elsewhere.current(table)).table.disputes) == 1


async def test_of_several_who_rule_at_once_one_does(tables: Tables, elsewhere: Tables, table: str) -> None:
    await tables.command(table, OpenDispute(PLAYERS[0], (await first_line(tables, table),), None, "Mine."))
    before = (await tables.current(table)).table
    entry = Entry(0, "bank", 4, "contract", "CR-9.2", "won")
    asked: list[tuple[Tables, Command]] = [
        (process, RuleDispute(arbiter, 1, "upheld", "So it was.", (entry,)))
        for process in (tables, elsewhere)
        for arbiter in (ARBITER, new_id())
    ]
    answers = await all_of(asked, table)
    (ruled,) = [answer for answer in answers if isinstance(answer, Answer)]
    assert [record.type for record in ruled.records] == ["dispute-ruled", "ledger-corrected"]
    assert {answer.rejected.code for answer in answers if isinstance(answer, Refused)} == {Code.ALREADY_RULED}
    after = (await elsewhere.current(table)).table
    seat = next(line.seat for line in before.booked[0].lines if line.seat is not None)
    expected = list(before.totals)
    expected[seat] -= before.booked[0].lines[0].amount
    expected[0] += 4
    assert after.totals == tuple(expected)


async def test_a_ruling_amid_a_deal_goes_into_the_deals_after_it(tables: Tables, elsewhere: Tables, table: str) -> None:
    await elsewhere.command(table, OpenDispute(PLAYERS[2], (), 1, "None of it."))
    await tables.command(table, RuleDispute(ARBITER, 1, "upheld", "None of it."))
    for _ in range(2):
        await conceded(elsewhere, table)
    finished = (await tables.current(table)).table
    assert finished.status == "finished"
    records = await tables.records(table)
    (correction,) = [READER.read(record).public for record in records if record.type == "ledger-corrected"]
    assert isinstance(correction, LedgerCorrected)
    assert (correction.totals, correction.winners) == ((0, 0, 0), None)
    sums = [0, 0, 0]
    for line in (line for booked in finished.booked if booked.deal in (2, 3) for line in booked.lines):
        if line.seat is not None:
            sums[line.seat] += line.amount
    assert finished.totals == tuple(sums)
    assert audit(READER, records).verdict == "intact"


async def test_words_are_erased_under_a_table_that_is_played(
    tables: Tables, elsewhere: Tables, table: str, database: Database, dsn: str
) -> None:
    raised = await tables.command(table, OpenDispute(PLAYERS[0], (), 1, "I live at 5 Low Street."))
    version = raised.records[0].version
    store = Store(database)

    async def played() -> None:
        await conceded(elsewhere, table)
        await conceded(tables, table)

    told, _ = await asyncio.gather(erase_text(store, READER, dsn, table, version), played())
    records = await tables.records(table)
    assert all(b"Low Street" not in record.sealed for record in records)
    assert records[told - 1].type == "text-erased"
    assert READER.history(records) == await tables.current(table) == await elsewhere.current(table)
    assert (await tables.current(table)).table.status == "finished"
    assert audit(READER, records).verdict == "intact"
    again = await asyncio.gather(
        *(erase_text(store, READER, dsn, table, version) for _ in range(2)), return_exceptions=True
    )
    assert [error.code for error in again if isinstance(error, Rejected)] == [Code.RULE_VIOLATION] * 2
