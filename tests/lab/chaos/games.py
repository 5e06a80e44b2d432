"""Games at tables, one after the other, until nothing is to be played any more; and what came of them."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from msgspec import Struct

from domain.record.history import Reader
from domain.table.events import GameFinished
from tests.lab.chaos.checker import Log, booked, by_table, forgotten, last_seen, notices, read_log, totals
from tests.lab.chaos.faults import APART_S
from tests.lab.chaos.kit import sit_with_kit
from tests.lab.chaos.memory import Memory, Notice
from tests.lab.chaos.players import Client, Items, Party, Wanted, in_the_end, listen, look, opened, sit
from tests.support.picking import temper_of
from tests.support.receivers import OK, Received, receiving, status
from tests.support.registry import GAMES, fewest_deals
from tests.support.waiting import PATIENCE_S, until

RESTS_S = 1.5 + APART_S
"""Seconds without an event after which bots and players' clocks are taken to rest. Both are quicker."""
UNTAKEN = 0.2
"""So often the receiver of webhooks answers a message with an error at first."""
STALL_S = 10
OPTIONS: Mapping[str, Mapping[str, object]] = {"nuts": {"stall": STALL_S}}
"""A game's options, besides which it has its defaults. This one's clock acts after so long, also where nobody plays."""

MANY = "100000"
SETTINGS: Mapping[str, str] = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_MAX_CONNECTIONS": MANY,
    "CODILLE_MAX_CONNECTIONS_PER_ADDRESS": MANY,
    "CODILLE_BOT_PAUSE_MS": "20",
    "CODILLE_BOT_PROCESSES": "1",
    "CODILLE_LOG_LEVEL": "warning",
}
"""The settings of a service at which they are played: all clients have one address."""

Say = Callable[[str], None]


class Mix(Struct, frozen=True):
    """Who is at the tables."""

    without_bots: float = 0.6
    timed: float = 0.3
    notified: float = 0.4
    """The shares of tables without bots, with clocks, and with a player who is notified by webhook."""
    with_kit: float = 0.3
    """The share of players who use the kit."""
    waits_s: float = 0.05
    """Seconds at least until a seat that has nothing to do asks again."""
    looks_s: float = 0.5
    """Seconds at least between two looks of a spectator. A replay costs a service more than an act."""


MIXES: Mapping[str, Mix] = {
    "even": Mix(),
    "people": Mix(without_bots=0.95, notified=0.1, with_kit=0.1, waits_s=0.15, looks_s=2.0),
}
"""Mixes by name. People without kits act most often for the processor's time."""


@asynccontextmanager
async def notified(memory: Memory, host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Where webhooks are sent, at this address. It writes down what it takes, and refuses some messages once."""
    rng, known = random.Random(0), set[str]()  # noqa: S311

    def answer(received: Received) -> bytes:
        # After a second failure it would be minutes until the service sends a message again.
        if received.id not in known and rng.random() < UNTAKEN:
            known.add(received.id)
            return status(500)
        told = received.notice
        data = told["data"]
        memory.notices[Notice(data["table"], data["version"], told["type"], data["player"])].add(received.id)
        return OK

    async with receiving(host=host) as receiver:
        receiver.answer = answer
        yield receiver.url


class Games:
    """Games that a mix plays at `url` and that are written down, with webhooks sent to `hook`, until `ending` is set.

    `dsn` is where the log is read from in the end.
    """

    def __init__(
        self,
        memory: Memory,
        url: Callable[[], str],
        dsn: str,
        hook: str,
        ending: asyncio.Event,
        *,
        mix: Mix = MIXES["even"],
        patience_s: float = PATIENCE_S / 2,
        say: Say = lambda _: None,
    ) -> None:
        self._memory = memory
        self._url = url
        self._dsn = dsn
        self._hook = hook
        self._ending = ending
        self._mix = mix
        self._patience_s = patience_s
        self._say = say
        self.tables: list[Party] = []
        self.begun = 0
        """The number of games that were begun."""

    async def at(self, place: int, seed: int, streams: asyncio.TaskGroup) -> None:
        """Plays one game after the other."""
        rng, memory = random.Random(seed), self._memory  # noqa: S311
        names = sorted(GAMES)
        while not self._ending.is_set():
            party = Party(memory, self._url, self.begun, rng)
            self.begun += 1
            await opened(party, self._wanted(names[(place + rng.randrange(len(names))) % len(names)], rng))
            self.tables.append(party)
            await self.play(party, rng, streams)

    async def play(self, party: Party, rng: random.Random, streams: asyncio.TaskGroup) -> None:
        """Plays the seats of a table, and watches it, until the game is over."""
        memory, mix = self._memory, self._mix
        for watched in (None, rng.choice([*party.tokens])):
            streams.create_task(listen(party, watched, memory.listen(party.table, watched)))
        async with asyncio.TaskGroup() as playing:
            for seat in party.tokens:
                temper = temper_of(rng)
                if rng.random() < mix.with_kit:
                    own = random.Random(rng.getrandbits(64))  # noqa: S311
                    streams.create_task(sit_with_kit(party, seat, temper, own, memory.listen(party.table, seat)))
                else:
                    playing.create_task(sit(Client(party, seat, seat), temper, mix.waits_s))
            spectator = Client(party, len(party.tokens), rng.choice([None, *party.tokens]))
            playing.create_task(look(spectator, mix.looks_s))
            await _either(party.over, self._ending)
            party.over.set()

    def _wanted(self, name: str, rng: random.Random) -> Wanted:
        """A table of this game."""
        game, options, mix = GAMES[name], OPTIONS.get(name, {}), self._mix
        seats = game.course.seats(game.options(**options))
        people = seats if rng.random() < mix.without_bots else rng.randint(1, seats)
        hook = self._hook if rng.random() < mix.notified else ""
        return Wanted(name, fewest_deals(game), options, seats, people, rng.random() < mix.timed, hook)

    async def settled(self) -> Log:
        """The log when nothing happens any more, and all were told of it, or should have been.

        Bots and clocks go on by themselves: where all players are away, to the game's end.
        """
        await self._ask_again()
        log = await read_log(self._dsn)
        while True:
            await self._told(log)
            going = {own[-1].game for own in by_table(log).values() if own[-1].type != GameFinished.TYPE}
            await asyncio.sleep(RESTS_S + (STALL_S if going & OPTIONS.keys() else 0))
            before, log = log, await read_log(self._dsn)
            if log.end == before.end:
                await self._ask_read_models(log)
                # Where nobody plays, a time limit may have run out since.
                before, log = log, await read_log(self._dsn)
                if log.end == before.end:
                    return log

    async def _told(self, log: Log) -> None:
        """Returns when all were told of all that this log has. What does not come is a fault that the checker names."""
        reader, records = Reader(GAMES), by_table(log)
        due = {
            notice
            for party in self.tables
            for notice in notices(reader, records[party.table])
            if notice.player in self._memory.subscribed
        }

        def told() -> bool:
            streams = all(
                (one.last or 0) >= last_seen(reader, records[one.table], one.seat) for one in self._memory.streams
            )
            return streams and due <= self._memory.notices.keys()

        with suppress(TimeoutError):
            await until(told, patience_s=self._patience_s)
        self._say(f"{log.end} events, {len(due - self._memory.notices.keys())} of {len(due)} notices have not come")

    async def _ask_read_models(self, log: Log) -> None:
        """Writes down what read models say once they have all of this log, or late: views, statements, lists."""
        reader, memory, late = Reader(GAMES), self._memory, time.monotonic() + self._patience_s
        lines, records = booked(reader, log.records), by_table(log)
        for party in self.tables:
            for seat, player in party.players.items():
                number, path = len(lines[player]), f"/players/{player}/ledger"
                memory.statements[player] = await in_the_end(
                    self._url, path, lambda items, number=number: len(items) >= number, late, token=party.tokens[seat]
                )
            client, last = Client(party, -1, min(party.tokens)), len(records[party.table])
            await client.get("view", f"{party.path}?min_version={last}", least=last)
            client.close()
        for game, due in totals(reader, log).items():
            ranks = await in_the_end(
                self._url, "/leaderboard", lambda items, due=due: _totals(items).items() >= due.items(), late,
                query={"game": game},
            )  # fmt: skip
            memory.boards[game] = _totals(ranks)
        memory.lists = await in_the_end(
            self._url, "/tables", lambda items: all(one["version"] == len(records[one["table"]]) for one in items), late
        )

    async def _ask_again(self) -> None:
        """Sends every forgotten act once more with its key, which tells whether it was taken."""
        tables = {party.table: party for party in self.tables}
        acts = forgotten(self._memory.calls)
        await asyncio.gather(*(Client(tables[call.table], -1, call.seat).again(call) for call in acts))


def _totals(ranks: Items) -> dict[str, int]:
    """The totals of the players on a leaderboard."""
    return {rank["player"]: rank["total"] for rank in ranks}


async def _either(one: asyncio.Event, other: asyncio.Event) -> None:
    """Returns when either is set."""
    waits = [asyncio.create_task(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
