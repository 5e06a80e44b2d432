"""Fills a log with games played as fast as can be: `python -m tests.support.filling DATABASE_URL TABLES [SEED]`.

The players pick from what they are offered, and concede where they may, so that a deal has some twenty events.
"""

import asyncio
import os
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import msgspec

from domain.record.history import Moment, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded, rehash
from domain.registry import GAMES
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.seat_offers import offers
from domain.table.view import to_act
from service.cli.progress import show_progress
from service.moments import new_id
from service.store.database import Database
from service.store.migrate import migrate
from service.store.store import Append, Store
from tests.support.picking import pick

GAME = GAMES["crocodile"]
A_BATCH = 40
EVENTS = 130
"""Of a game, about."""
COPIES = 8
"""How often a game stands in a large log, each time under another id: playing it takes longest."""
BEGAN_MS = 1_790_000_000_000
"""When fixed ids begin, before all events."""
CONCEDED = 0.8
"""How often a concession is made where it is offered."""


def fixed_id(name: str, milliseconds: int = 0) -> str:
    """A UUIDv7 that is the same in every run, for the table's cards follow from it; of so long after a fixed time."""
    time, rest = f"{BEGAN_MS + milliseconds:012x}", sha256(name.encode()).hexdigest()
    return f"{time[:8]}-{time[8:]}-7{rest[:3]}-8{rest[3:6]}-{rest[6:18]}"


def played(seed: int) -> list[Recorded]:
    """The records of a game of three deals."""
    rng = random.Random(seed)  # noqa: S311 (a test's)
    table, *players = (fixed_id(f"filling {seed} {number}", seed) for number in range(4))
    at = "2026-11-20T10:00:00.000000Z"

    def moment() -> Moment:
        return Moment(at, new_id(), rng.randbytes(32))

    command = OpenTable(players[0], 3, GAME.options(), sha256(str(seed).encode()).digest())
    history, records = record_opening(GAME, table, command, moment())
    whole = list(records)
    for player in players:
        history, records = record_command(GAME, history, TakeSeat(player), moment())
        whole += records
    while history.table.status == "playing":
        seat = to_act(GAME, history.table)[0]
        described = [offer.describe() for offer in offers(GAME, history.table, seat)]
        conceding = [offer for offer in described if offer["type"] == "concede"]
        chosen = conceding if conceding and rng.random() < CONCEDED else described
        action = msgspec.convert(pick(chosen, rng), GAME.actions)
        history, records = record_command(GAME, history, Act(players[seat], action), moment())
        whole += records
    return whole


def copied(game: Sequence[Recorded], number: int) -> list[Recorded]:
    """The same game at another table, which has this number among the copies."""
    table, previous = fixed_id(f"copy {number} of {game[0].table}", number), GENESIS
    made: list[Recorded] = []
    for event in game:
        moved = msgspec.structs.replace(event, table=table)
        previous = rehash(moved, previous)
        made.append(msgspec.structs.replace(moved, hash=previous))
    return made


def fill(url: str, seeds: range) -> int:
    """Plays and appends these games, one after the other, and answers how many events they have."""

    async def work() -> int:
        async with Database(url, owner=True, command_s=60, statement_s=60) as database:
            games = [played(seed) for seed in seeds]
            await Store(database).append([Append(game[0].table, 0, GENESIS, tuple(game), None) for game in games])
            return sum(map(len, games))

    return asyncio.run(work())


def fill_side_by_side(url: str, seeds: range, copies: int) -> int:
    """Plays these games, and appends each so often, event by event as if all were played at the same time.

    Answers how many events they have.
    """

    async def work() -> int:
        async with Database(url, owner=True, command_s=60, statement_s=60) as database:
            store, games = Store(database), [played(seed) for seed in seeds]
            games += [copied(game, number) for game in games for number in range(1, copies)]
            for number in range(max(map(len, games))):
                await store.append(
                    [
                        Append(game[0].table, number, game[number - 1].hash if number else GENESIS, (game[number],))
                        for game in games
                        if number < len(game)
                    ]
                )
            return sum(map(len, games))

    return asyncio.run(work())


def fill_up(url: str, events: int) -> None:
    """Plays games into the log, on all cores, until it has so many events."""

    async def end() -> int:
        async with Database(url, owner=True) as database:
            return await Store(database).end()

    seed = there = asyncio.run(end())
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))
    with pool, show_progress("filling", "events") as progress:
        while there < events:
            games = max(1, (events - there) // EVENTS)
            copies = COPIES if games > COPIES * A_BATCH else 1
            parts = [range(seed + begin, seed + begin + A_BATCH) for begin in range(0, games, copies * A_BATCH)]
            for appended in pool.map(fill_side_by_side, [url] * len(parts), parts, [copies] * len(parts)):
                there += appended
                progress(there, events)
            seed = parts[-1].stop


def main(url: str, tables: int, seed: int = 0) -> None:
    """Fills the log on all cores."""
    asyncio.run(migrate(url))
    parts = [range(seed + start, seed + min(start + A_BATCH, tables)) for start in range(0, tables, A_BATCH)]
    events = done = 0
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))
    with pool, show_progress("filling", "tables") as progress:
        for part, appended in zip(parts, pool.map(fill, [url] * len(parts), parts), strict=True):
            events += appended
            done += len(part)
            progress(done, tables)
    sys.stdout.write(f"{tables} tables, {3 * tables} deals, {events} events\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
