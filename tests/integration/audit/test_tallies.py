"""What tables of every kind add up to is what the read models serve, wherever the log ends."""

import random

from redis.asyncio import Redis

from domain.record.recorded import Recorded
from domain.seats import Bot
from domain.table.actions import BotSeat
from domain.table.options import DEFAULT, SpectatorDelay, TableOptions
from projections.models import ReadModels
from service.audit.read_models import shown
from service.audit.tallies import compare_tallies, summed, tallies_of
from tests.support.games import BOTS
from tests.support.projecting import READER, MemoryLog, played, projector, quiet
from tests.support.registry import GAMES

LATE = SpectatorDelay(events=9)
SETTINGS = [
    DEFAULT,
    TableOptions(visibility="unlisted"),
    TableOptions(spectator_delay=LATE),
    TableOptions(visibility="private", spectator_delay=LATE),
]
ENDS = 6


def mixed(rng: random.Random) -> list[Recorded]:
    """Games at tables of every kind, with and without a bot, their events one after the other by chance."""
    seats: list[list[BotSeat]] = [[], [BotSeat(1, BOTS[1], Bot("quick", 1))]]
    tables = [
        played(2 * number + with_bots, 50 * number, settings, deals=6, bots=seats[with_bots])
        for number, settings in enumerate(SETTINGS)
        for with_bots in (0, 1)
    ]
    places = [place for place, table in enumerate(tables) for _ in table]
    rng.shuffle(places)
    streams = list(map(iter, tables))
    return [next(streams[place]) for place in places]


async def test_what_is_served_is_what_tables_add_up_to(redis: Redis) -> None:
    rng = random.Random(4)  # noqa: S311 (nothing secret hangs on it)
    whole = mixed(rng)
    for end in (len(whole), *rng.sample(range(len(whole)), ENDS)):
        log = MemoryLog(whole[:end])
        await redis.flushall()
        await projector(log, redis).rebuild(quiet)
        models = ReadModels(redis, log, GAMES, timeout_s=20.0)
        tables = [
            shown(READER, await log.stream(table, 0, end)) for table in sorted({one.table for one in log.records})
        ]
        tallies = summed(tallies_of(table) for table in tables if table is not None)
        assert await compare_tallies(models, GAMES, tallies) == [], end
        assert {account.public for account, tally in tallies.items() if tally.lines} == {True, False}
