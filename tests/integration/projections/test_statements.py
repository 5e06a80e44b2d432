"""The statement that a player reads, of tables that lists show and of others, whose lines are stored apart."""

import json
from datetime import datetime
from typing import Any

import pytest
from redis.asyncio import Redis

from domain.record.recorded import Recorded
from domain.table.options import DEFAULT, TableOptions
from projections.models import ReadModels
from tests.support.games import EVERYBODY
from tests.support.projecting import MemoryLog, Running, caught_up, played, projector
from tests.support.registry import GAMES

ADA = EVERYBODY[0]
UNLISTED, PRIVATE = TableOptions(visibility="unlisted"), TableOptions(visibility="private")


def interleaved() -> list[list[Recorded]]:
    """Games whose lines are booked one game after the other, though their times overlap and are partly the same."""
    begun: list[tuple[int, TableOptions]] = [
        (100, DEFAULT),
        (100, UNLISTED),
        (0, DEFAULT),
        (170, PRIVATE),
        (50, UNLISTED),
        (130, DEFAULT),
    ]
    return [played(number, *each, deals=12) for number, each in enumerate(begun)]


async def in_pages(models: ReadModels, limit: int, **asked: Any) -> list[Any]:
    """All lines of Ada's statement, page by page, newest first."""
    lines: list[Any] = []
    cursor = None
    while True:
        page = await models.statement(ADA, cursor=cursor, limit=limit, **asked)
        lines += map(json.loads, page.items)
        cursor = page.next
        if cursor is None:
            return lines


@pytest.mark.parametrize("own", [True, False], ids=["the player", "anybody"])
async def test_each_balance_follows_from_the_line_before_in_pages_of_any_size(redis: Redis, *, own: bool) -> None:
    log = MemoryLog()
    models = ReadModels(redis, log, GAMES, timeout_s=20.0)
    async with Running(projector(log, redis)):
        for records in interleaved():
            log.append(records)
            await caught_up(redis, log)
        whole = await in_pages(models, 200, own=own)
        assert {line["table"] for line in whole} == {
            records[0].table for number, records in enumerate(interleaved()) if own or number in (0, 2, 5)
        }
        balance = 0
        for line in reversed(whole):
            balance += line["amount"]
            assert line["balance"] == balance
        for limit in range(1, len(whole)):
            assert await in_pages(models, limit, own=own, game="crocodile") == whole
        times = sorted(line["at"] for line in whole)
        since, until = (datetime.fromisoformat(times[len(times) * part // 4]) for part in (1, 3))
        for limit in (1, 2, 5):
            part = await in_pages(models, limit, own=own, since=since, until=until)
            # What was booked out of its time counts as just after the line before it.
            assert part == whole[whole.index(part[0]) :][: len(part)]
            assert 0 < len(part) < len(whole)
