"""Tables with bots: their lines stand on the statements of people, and count nothing."""

import json
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis

from domain.games.crocodile import CROCODILE
from domain.record.history import record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import Bot
from domain.table.actions import Act, ActAsBot, BotSeat, OpenTable, TakeSeat
from domain.table.seat_offers import default_action
from domain.table.state import opponent_at
from domain.table.view import to_act
from projections import ReadModels
from tests.support.games import BOTS, EVERYBODY, SEED, moment
from tests.support.projecting import MemoryLog, Running, caught_up, projector
from tests.support.registry import GAMES

QUICK = Bot("quick", 1)
ADA = EVERYBODY[0]


def played(number: int, bots: Sequence[BotSeat]) -> list[Recorded]:
    """A game of three deals, in which all take the mildest act."""
    table = f"01970000-0000-7000-8000-{number:012x}"
    command = OpenTable(ADA, 3, CROCODILE.options(), SEED, bots=tuple(bots))
    history, records = record_opening(CROCODILE, table, command, moment(0, 5000 * number))
    made = list(records)
    while not history.table.over:
        state = history.table
        free = [seat for seat, player in enumerate(state.players) if player is None]
        given: Any
        if free:
            given = TakeSeat(EVERYBODY[free[0]], free[0])
        else:
            seat = to_act(CROCODILE, state)[0]
            action = default_action(CROCODILE, state, seat)
            by_bot = opponent_at(state, seat) is not None
            given = ActAsBot(seat, action) if by_bot else Act(EVERYBODY[seat], action)
        history, records = record_command(CROCODILE, history, given, moment(history.version, 5000 * number))
        made += records
    return made


async def test_lines_with_bots_change_no_balance_record_or_leaderboard(redis: Redis) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    tables = [played(0, ()), played(1, [BotSeat(1, BOTS[1], QUICK)]), played(2, ())]
    async with Running(projector(log, redis)):
        for records in tables:
            log.append(records)
        await caught_up(redis, log)
        statement = [json.loads(item) for item in (await models.statement(ADA, limit=200)).items][::-1]
        (record,) = map(json.loads, await models.record([ADA]))
        board = [json.loads(item) for item in (await models.leaderboard("crocodile", limit=200)).items]
        bot = (await models.statement(BOTS[1], limit=200)).items, (await models.tables(player=BOTS[1])).items
        seated = await models.seated([records[0].table for records in tables])
    assert {line["bots"] for line in statement} == {False, True}
    balance = 0
    for line in statement:
        balance += 0 if line["bots"] else line["amount"]
        assert line["balance"] == balance
        assert line["bots"] is (line["table"] == tables[1][0].table)
    assert (record["games"], record["by_game"][0]["total"]) == (2, balance)
    assert {each["player"]: each["games"] for each in board} == dict.fromkeys(EVERYBODY[:3], 2)
    assert bot == ([], [])
    assert [one.bot for one in seated[tables[1][0].table]] == [None, QUICK, None]
