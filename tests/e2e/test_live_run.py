"""Many games at once, played over streams alone by clients of all kinds, while processes are killed and come again.

`CODILLE_TEST_GAMES` is how many games are played (default: five short ones). In a long run processes are killed until
the games are over, otherwise twice.
"""

import asyncio
import os
import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec

from domain.record.envelope import served
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.actions import ActFor
from domain.table.deadlines import deadline_of
from domain.table.state import evolve
from domain.table.view import to_act
from service.store.database import Database
from service.store.store import Store
from tests.support.clients import Bot, GeneratedBot, Keyboard, Program
from tests.support.doors import Door, doors, kill_in_turn
from tests.support.followers import Follower
from tests.support.generated import Generated
from tests.support.helpers import helper
from tests.support.notices import due
from tests.support.postgres import as_service
from tests.support.projecting import READER
from tests.support.receivers import Received, receiving, status
from tests.support.registry import GAMES, fewest_deals
from tests.support.service import audited
from tests.support.typescript import HAS_NODE, KIT, NODE
from tests.support.waiting import until

NAMES = sorted(GAMES, key=lambda name: fewest_deals(GAMES[name]) * helper(name, "habits").events_a_deal)
"""The games, short ones first."""

NUMBER = int(os.environ.get("CODILLE_TEST_GAMES", "5"))
LONG = len(NAMES) < NUMBER
PAUSE_S = 15.0 if LONG else 0.5
"""Seconds between two kills."""

OPTIONS: Mapping[str, Mapping[str, int]] = {"nuts": {"stall": 10}}
"""A game's options, besides which it has its defaults. A player left alone in Nuts would be there for long."""
CLOCK = {"seconds": 1, "absent_after": 2}
MOST_ERRORS = 2 if LONG else 1
"""So often a message to a webhook is refused at most. The pause after a fourth failure is ten minutes, so that a killed
sender, or a receiver that is late on a busy machine, may cost one or two more.
"""
SUBSCRIBED = 5
"""One table in so many has a player with a webhook."""

MANY = str(20 * NUMBER + 1000)
SETTINGS = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_MAX_CONNECTIONS": MANY,
    "CODILLE_MAX_CONNECTIONS_PER_ADDRESS": MANY,
    "CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535",
    "CODILLE_SIGNING_KEY": "5e" * 32,
    "CODILLE_LOG_LEVEL": "warning",
}


class Table:
    """One of the tables. Where it has a clock, the player of seat 0 never acts."""

    def __init__(self, number: int, door: Door) -> None:
        self.number = number
        self.door = door
        self.name = NAMES[number % len(NAMES)]
        self.timed = (number + number // len(NAMES)) % 3 == 1
        self.http = httpx.Client(base_url=f"{door.url}/v1", timeout=60, trust_env=False)
        seats = self.http.get(f"/games/{self.name}").json()["seats"]
        registered = [self._post("/players", {"name": f"Player {seat}"}) for seat in range(seats)]
        self.players = [str(each["player"]) for each in registered]
        self.tokens = [str(each["token"]) for each in registered]
        request: dict[str, Any] = {"game": self.name, "deals": fewest_deals(GAMES[self.name])}
        request["options"] = OPTIONS.get(self.name, {})
        opened = self._post("/tables", request | ({"table": {"clock": CLOCK}} if self.timed else {}), 0)
        self.id = str(opened["table"])
        self.clients: list[Bot | GeneratedBot | Program] = []
        self.spectator = self._follower("")
        self.neighbour: Follower | None = None

    def subscribe(self, url: str) -> str:
        """Has the first player notified there; returns the subscription's secret."""
        kinds = ["your-turn", "game-started", "deal-scored", "game-over"]
        return str(self._post("/webhooks", {"url": url, "events": kinds}, 0)["secret"])

    def begin(self, generated: Generated) -> None:
        """Has everybody sit down and play."""
        for seat in range(len(self.tokens)):
            self._post(f"/tables/{self.id}/seats", {"seat": seat}, seat)
        self.neighbour = self._follower(self.tokens[1])
        self.http.close()
        for seat, token in enumerate(self.tokens):
            where = (self.door.url, self.id, token)
            if self.timed and seat == 0:
                continue
            if self.number == 0 and seat == 0:
                self.clients.append(Keyboard(*where, random.Random(seat)))  # noqa: S311 (typing)
            elif self.number == 0 and seat == 1 and HAS_NODE:
                self.clients.append(Program([NODE, KIT / "examples" / "bot.js"], *where))
            elif (self.number + seat) % 4 == 0:
                self.clients.append(GeneratedBot(generated, *where, self.name))
            else:
                self.clients.append(Bot(*where))

    def wait(self) -> None:
        """Returns when all clients say that the game is over."""
        for client in self.clients:
            client.wait()

    def leave(self) -> None:
        """Follows the table no more."""
        for follower in (self.spectator, self.neighbour):
            if follower is not None:
                follower.stop()

    def _follower(self, token: str) -> Follower:
        return Follower(lambda: self.door.url, f"/v1/tables/{self.id}/events/stream", token)

    def _post(self, path: str, body: dict[str, Any], seat: int | None = None) -> Any:
        bearer = {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}
        answer = self.http.post(path, json=body, headers=bearer)
        assert answer.status_code == 201, answer.text
        return answer.json()


async def test_games_go_on_whatever_is_killed_and_nobody_misses_anything(
    dsn: str, empty_redis: str, described: Mapping[str, str], generated: Generated, tmp_path: Path
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis}
    settings = {**SETTINGS, **described, **served_by}
    with doors(tmp_path, 2, settings) as both:
        async with receiving() as receiver, Database(as_service(dsn)) as database:
            answers = Failing()
            receiver.answer = answers
            tables = await asyncio.to_thread(opened, both)
            try:
                secrets = {table.players[0]: table.subscribe(receiver.url) for table in tables[::SUBSCRIBED]}
                await asyncio.to_thread(play, tables, both, generated)
                records = {table.id: await Store(database).stream(table.id) for table in tables}
                for table in tables:
                    await asyncio.to_thread(saw_everything, table, records[table.id])
                    clocks_acted_once(table, records[table.id])
                await got_everything(answers, secrets, list(records.values()))
            finally:
                for table in tables:
                    table.leave()
    assert all(door.killed for door in both)
    audited(tmp_path, settings)


def opened(both: Sequence[Door]) -> list[Table]:
    """The tables, at which nobody sits yet."""
    return [Table(number, both[number % len(both)]) for number in range(NUMBER)]


def play(tables: Sequence[Table], both: Sequence[Door], generated: Generated) -> None:
    """Plays all games to the end."""
    for table in tables:
        table.begin(generated)
    over = threading.Event()
    with ThreadPoolExecutor(1) as waiting:
        waited = waiting.submit(wait, tables, over)
        kill_in_turn(both, over, pause_s=PAUSE_S, most=None if LONG else len(both))
        waited.result()


def wait(tables: Sequence[Table], over: threading.Event) -> None:
    """Returns when all games are over, or one cannot go on."""
    try:
        for table in tables:
            table.wait()
    finally:
        over.set()


def saw_everything(table: Table, records: Sequence[Recorded]) -> None:
    """Every client has had every event of its audience once, in order, and knows where each act ends."""
    last = records[-1].version
    assert records[-1].type == "game-finished"
    for client in table.clients:
        # Where there are clocks, the house may have played on to the end before a client's process had started.
        assert client.ids or table.timed, (table.name, type(client).__name__)
        assert client.ids == list(range(min(client.ids, default=last + 1), last + 1)), (
            table.name,
            type(client).__name__,
        )
    for follower, audience in ((table.spectator, PUBLIC), (table.neighbour, seat_audience(1))):
        assert follower is not None
        follower.until(lambda one: one.last == last)
        events = [frame["data"] for frame in follower.frames if frame["frame"] == "event"]
        more = [one.action == after.action for one, after in pairwise(records)]
        assert [event.pop("more") for event in events] == [*more, False]
        assert events == [msgspec.json.decode(served(record, audience, over=False)) for record in records]


def clocks_acted_once(table: Table, records: Sequence[Recorded]) -> None:
    """Where a time had run out and nobody else was first, the clock acted once, and nowhere else.

    The player of seat 0 at a table with a clock never acted, so that there nobody else was first.
    """
    state = READER.opened(records[0])
    game = READER.of(state)
    action = None
    run_out = waited_for = 0
    for record in records[1:]:
        if record.actor == "clock" and record.action != action:
            deadline = deadline_of(game, state)
            assert deadline is not None
            assert record.at >= deadline.at
            run_out += isinstance(deadline.command, ActFor)
        action = record.action
        before, state = state, evolve(game, state, READER.read(record))
        waited_for += 0 in to_act(game, state) and 0 not in to_act(game, before)
    acted = [record for record in records if record.actor == seat_audience(0) and record.deal is not None]
    if table.timed:
        assert not acted
        taken_over = [msgspec.json.decode(one.public)["seat"] for one in records if one.type == "seat-taken-over"]
        assert run_out >= CLOCK["absent_after"] * len(taken_over)
        # Where the game seldom waits for the seat, as in games without turns, nobody takes it over.
        assert 0 in taken_over or waited_for <= CLOCK["absent_after"]
    else:
        assert run_out == 0


class Failing:
    """Answers every second attempt with an error, but no message with more than so many: after each of them it is sent
    again later.
    """

    def __init__(self) -> None:
        self.taken: dict[str, Received] = {}
        self.errors: Counter[str] = Counter()
        """How many errors each message was answered with."""
        self._attempts = 0

    def __call__(self, received: Received) -> bytes:
        self._attempts += 1
        if self._attempts % 2 and self.errors[received.id] < MOST_ERRORS:
            self.errors[received.id] += 1
            return status(500)
        self.taken[received.id] = received
        return status(204)


async def got_everything(answers: Failing, secrets: Mapping[str, str], records: Sequence[Sequence[Recorded]]) -> None:
    """Each notice of the subscribed players came, signed; and nothing else did, by the ids of messages."""
    expected = sorted(told for record in records for told in due(record) if told[3] in secrets)
    await until(lambda: len(answers.taken) >= len(expected), patience_s=600.0)
    notices = [(one, one.notice) for one in answers.taken.values()]
    assert (
        sorted(
            (notice["data"]["table"], notice["data"]["version"], notice["type"], notice["data"]["player"])
            for _, notice in notices
        )
        == expected
    )
    assert all(one.signed_with(secrets[notice["data"]["player"]]) for one, notice in notices)
    assert answers.errors.total() >= len(expected) // 3
