"""Tables with bots: their lines stand on the statements of people, and count nothing."""

import json

from redis.asyncio import Redis

from domain.seats import Bot
from domain.table.actions import BotSeat
from projections.models import ReadModels
from tests.support.games import BOTS, EVERYBODY
from tests.support.projecting import MemoryLog, Running, caught_up, played, projector
from tests.support.registry import GAMES

QUICK = Bot("quick", 1)
ADA = EVERYBODY[0]


async def test_lines_with_bots_change_no_balance_record_or_leaderboard(redis: Redis) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    tables = [played(0, 0), played(1, 5000, bots=[BotSeat(1, BOTS[1], QUICK)]), played(2, 10000)]
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
