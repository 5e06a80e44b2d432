"""Disputes, rulings and erasures over a real log, by several processes at once."""

import asyncio
from collections.abc import Sequence

import pytest

from domain.audit.auditor import audit
from domain.games.crocodile.acts import Bid, Concede, Declare, Exchange, Pass
from domain.games.crocodile.meta import Options
from domain.kernel.ledger import LineAt
from domain.kernel.rejection import Code, Rejected
from domain.record.history import Reader
from domain.table.actions import Act, Command, Entry, OpenDispute, RuleDispute, TakeSeat
from domain.table.events import LedgerCorrected
from domain.table.view import to_act
from service.commands.erasing import erase_text
from service.commands.handler import CommandResult, Refused
from service.moments import new_id
from service.store.database import Database
from service.store.store import Store
from tests.integration.commands.conftest import Process
from tests.support.registry import GAMES

GAME = GAMES["crocodile"]
READER = Reader(GAMES)
PLAYERS = [new_id() for _ in range(3)]
ARBITER = new_id()


async def dealt(process: Process) -> str:
    table = (await process.commands.open(PLAYERS[0], GAME, 3, Options(), None)).table
    for player in PLAYERS:
        await process.commands.handle(table, TakeSeat(player))
    return table


async def turn(process: Process, table: str) -> str:
    return PLAYERS[to_act(GAME, (await process.tables.current(table)).table)[0]]


async def conceded(process: Process, table: str) -> None:
    """Ends a deal as fast as can be."""
    declarer = await turn(process, table)
    await process.commands.handle(table, Act(declarer, Bid("play")))
    for _ in range(2):
        await process.commands.handle(table, Act(await turn(process, table), Pass()))
    await process.commands.handle(table, Act(declarer, Declare(contract="play", trump="s")))
    await process.commands.handle(table, Act(declarer, Exchange()))
    await process.commands.handle(table, Act(declarer, Concede()))


@pytest.fixture
async def table(process: Process) -> str:
    """A table in its second deal."""
    made = await dealt(process)
    await conceded(process, made)
    return made


async def first_line(process: Process, table: str) -> LineAt:
    return LineAt((await process.tables.current(table)).table.booked[0].version, 0)


async def all_of(commands: Sequence[tuple[Process, Command]], table: str) -> list[CommandResult | Refused]:
    """What comes of the commands, given at once."""
    answers = await asyncio.gather(
        *(process.commands.handle(table, command) for process, command in commands), return_exceptions=True
    )
    assert all(isinstance(answer, CommandResult | Refused) for answer in answers), answers
    return [answer for answer in answers if isinstance(answer, CommandResult | Refused)]


async def test_of_concurrent_disputes_of_a_line_one_is_opened(process: Process, elsewhere: Process, table: str) -> None:
    place = await first_line(process, table)
    await elsewhere.tables.current(table)
    commands = [
        (process, OpenDispute(player, (place,), None, "Mine."))
        for process in (process, elsewhere)
        for player in PLAYERS
    ]
    answers = await all_of(commands, table)
    refused = [answer.rejected.code for answer in answers if isinstance(answer, Refused)]
    assert refused == [Code.ALREADY_DISPUTED] * 5
    assert len((await elsewhere.tables.current(table)).table.disputes) == 1


async def test_of_concurrent_rulings_one_is_recorded(process: Process, elsewhere: Process, table: str) -> None:
    await process.commands.handle(table, OpenDispute(PLAYERS[0], (await first_line(process, table),), None, "Mine."))
    before = (await process.tables.current(table)).table
    entry = Entry(0, "bank", 4, "contract", "CR-9.2", "won")
    commands: list[tuple[Process, Command]] = [
        (process, RuleDispute(arbiter, 1, "upheld", "So it was.", (entry,)))
        for process in (process, elsewhere)
        for arbiter in (ARBITER, new_id())
    ]
    answers = await all_of(commands, table)
    (ruled,) = [answer for answer in answers if isinstance(answer, CommandResult)]
    assert [record.type for record in ruled.records] == ["dispute-ruled", "ledger-corrected"]
    assert {answer.rejected.code for answer in answers if isinstance(answer, Refused)} == {Code.ALREADY_RULED}
    after = (await elsewhere.tables.current(table)).table
    seat = next(line.seat for line in before.booked[0].lines if line.seat is not None)
    expected = list(before.totals)
    expected[seat] -= before.booked[0].lines[0].amount
    expected[0] += 4
    assert after.totals == tuple(expected)


async def test_a_ruling_amid_a_deal_counts_in_the_deals_after_it(
    process: Process, elsewhere: Process, table: str
) -> None:
    await elsewhere.commands.handle(table, OpenDispute(PLAYERS[2], (), 1, "None of it."))
    await process.commands.handle(table, RuleDispute(ARBITER, 1, "upheld", "None of it."))
    for _ in range(2):
        await conceded(elsewhere, table)
    finished = (await process.tables.current(table)).table
    assert finished.status == "finished"
    records = await process.store.stream(table)
    (correction,) = [READER.read(record).public for record in records if record.type == "ledger-corrected"]
    assert isinstance(correction, LedgerCorrected)
    assert (correction.totals, correction.winners) == ((0, 0, 0), None)
    sums = [0, 0, 0]
    for line in (line for booked in finished.booked if booked.deal in (2, 3) for line in booked.lines):
        if line.seat is not None:
            sums[line.seat] += line.amount
    assert finished.totals == tuple(sums)
    assert audit(READER, records).verdict == "intact"


async def test_a_text_is_erased_while_the_table_is_played(
    process: Process, elsewhere: Process, table: str, database: Database, dsn: str
) -> None:
    raised = await process.commands.handle(table, OpenDispute(PLAYERS[0], (), 1, "I live at 5 Low Street."))
    version = raised.records[0].version
    store = Store(database)

    async def played() -> None:
        await conceded(elsewhere, table)
        await conceded(process, table)

    erased, _ = await asyncio.gather(erase_text(store, READER, dsn, table, version), played())
    records = await process.store.stream(table)
    assert all(b"Low Street" not in record.sealed for record in records)
    assert records[erased - 1].type == "text-erased"
    assert READER.history(records) == await process.tables.current(table) == await elsewhere.tables.current(table)
    assert (await process.tables.current(table)).table.status == "finished"
    assert audit(READER, records).verdict == "intact"
    again = await asyncio.gather(
        *(erase_text(store, READER, dsn, table, version) for _ in range(2)), return_exceptions=True
    )
    assert [error.code for error in again if isinstance(error, Rejected)] == [Code.RULE_VIOLATION] * 2
