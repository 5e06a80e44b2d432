"""A log with tables, the webhooks of their players, and receivers; time goes on when a test says so."""

import random
import secrets
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
import structlog

from domain.record.recorded import GENESIS, Recorded
from domain.seats import PUBLIC
from service.auth.secrets import mint_token
from service.live.deliveries import Deliveries
from service.live.notices import KINDS
from service.live.outbox import Outbox
from service.live.sender import Sender, secret_text
from service.live.targets import LookUp, Resolver, Targets, system_look_up
from service.observability.metrics import Metrics
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.outbox_store import OutboxStore, Settled
from service.store.store import Append, Store
from service.store.tail import Tail
from service.store.webhook_store import Added, Webhook, WebhookStore
from tests.support.log import new_id
from tests.support.notices import Told, due
from tests.support.projecting import READER, Play
from tests.support.receivers import Receiver, receiving
from tests.support.registry import GAMES

LOG = structlog.get_logger("tests")
HERE = ("127.0.0.0/8:1-65535",)
STEPS = 45
"""Commands of a table, which are more than a deal of the game."""


@cache
def table(number: int) -> tuple[tuple[Recorded, ...], ...]:
    """The first commands of a table at which the players 0 to 8 may sit, and what each recorded."""
    steps = Play(number, random.Random(number), game=GAMES["crocodile"]).steps()  # noqa: S311 (nothing secret)
    return tuple(tuple(records) for records, _ in zip(steps, range(STEPS), strict=False))


def someone(number: int = 1, seat: int = 0) -> str:
    """The player who sits in this seat of the table with this number."""
    state = READER.fold(None, [record for records in table(number) for record in records], PUBLIC)
    return str(state.players[seat])


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 10, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class World:
    """The webhooks of a service. Nothing happens by itself unless a test runs an outbox or deliveries."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.webhooks = WebhookStore(database)
        self.queued = OutboxStore(database)
        self.store = Store(database)
        self.accounts = Accounts(database)
        self.clock = Clock()
        self.tail = Tail(database)
        self.metrics = Metrics()
        self.look_up: LookUp = system_look_up
        self.networks: Sequence[str] = HERE
        self.outbox_ = self.outbox()
        self.deliveries_ = self.deliveries()
        self._known: set[str] = set()

    def outbox(self, **options: Any) -> Outbox:
        """That of a further process."""
        made = {"clock": self.clock, "pace_s": 0.0, **options}
        return Outbox(self.queued, self.store, READER, self.tail, self.metrics, LOG, **made)

    def deliveries(self, **options: Any) -> Deliveries:
        """Those of a further process. Attempts take no time."""
        resolver = Resolver(Targets(self.networks), 4, self.look_up)
        made = {"clock": self.clock, "timer": lambda: 0.0, "jitter": lambda: 0.0, **options}
        sender = made.pop("sender", None) or Sender(resolver, timeout_s=60.0)
        return Deliveries(self.queued, sender, self.metrics, LOG, **made)

    async def append(self, number: int = 1, first: int = 0, last: int = STEPS) -> list[Recorded]:
        """Appends these commands of a table to the log, and answers what they recorded."""
        before = [record for records in table(number)[:first] for record in records]
        version, head = (before[-1].version, before[-1].hash) if before else (0, GENESIS)
        appended: list[Recorded] = []
        for records in table(number)[first:last]:
            await self.store.append([Append(records[0].table, version, head, records)])
            version, head = records[-1].version, records[-1].hash
            appended += records
        return appended

    async def register(self, player: str) -> None:
        """Has the player be one, if it is none."""
        if player not in self._known:
            self._known.add(player)
            await self.accounts.register(player, "Ada", mint_token(["play"])[1], self.clock())

    async def lend(self, player: str, expires_at: datetime | None = None) -> str:
        """The id of a token that the player's first one added."""
        await self.register(player)
        (first, *_) = await self.accounts.tokens(player, self.clock())
        lent = mint_token(["play"], None, expires_at)[1]
        await self.accounts.add_token(player, lent, self.clock(), by=first.id)
        return lent.id

    async def add(
        self, url: str, player: str | None = None, events: Sequence[str] = KINDS, by: str | None = None
    ) -> tuple[str, str, str]:
        """A new webhook: its player, its id and its secret."""
        player = player or someone()
        await self.register(player)
        secret = secrets.token_bytes(32)
        added = await self.webhooks.add(player, new_id(), "mine", url, events, secret, self.clock(), by=by)
        assert isinstance(added, Added)
        return player, added.id, secret_text(secret)

    async def queue(self) -> None:
        """Queues all that there is to queue."""
        while (await self.outbox_.step())[0]:
            pass

    async def deliver(self) -> list[Settled]:
        """Queues all that there is, and sends all that is due now."""
        settled: list[Settled] = []
        while True:
            await self.queue()
            made = await self.deliveries_.turn()
            if not made:
                return settled
            settled += made

    async def one(self, player: str, webhook: str) -> Webhook:
        """The webhook."""
        found = await self.webhooks.one(player, webhook, self.clock())
        assert found is not None
        return found

    async def due(self, player: str, after: int = 0, kinds: Sequence[str] = KINDS) -> list[Told]:
        """What a player is to be told of the log after a position."""
        streams: dict[str, list[Recorded]] = {}
        for record in await self.store.log(0, 100_000):
            streams.setdefault(record.table, []).append(record)
        early = {(one.table, one.version) for stream in streams.values() for one in stream if one.position <= after}
        told = [one for stream in streams.values() for one in due(stream)]
        return [one for one in told if one[:2] not in early and one[2] in kinds and one[3] == player]


@pytest.fixture
async def world(database: Database) -> World:
    return World(database)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def other() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


def told(receiver: Receiver) -> list[Told]:
    """What a receiver was told, in order. Of two messages with one id, one is the other again."""
    heard: list[Told] = []
    by_id: dict[str, Told] = {}
    for received in receiver.received:
        data = received.notice["data"]
        heard.append((data["table"], data["version"], received.notice["type"], data["player"]))
        assert by_id.setdefault(received.id, heard[-1]) == heard[-1]
    assert len(by_id) == len(set(heard))
    return heard
