"""Follows the log, and queues its notices for the webhooks of the players concerned.

Several processes may run this: each step names the position that it starts from, and of two such steps one counts.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import Seat
from projections.tasks import until
from service.compute.folds import KeptFolds
from service.live.folds import LiveFolds
from service.live.live_event import LiveEvent, Turn
from service.live.notices import Kind, notices_of
from service.observability.metrics import Metrics
from service.store.log_follower import Outlasting
from service.store.outbox_store import Behind, Message, OutboxStore, Outlook
from service.store.store import Store
from service.store.tail import Tail

WINDOW = 20_000
"""The most positions covered by one step."""

EVENTS = 1_000
"""Events read in one step."""

TABLES = 2048
"""Tables kept for the next step, and as many for webhooks that are behind."""

BEHIND_AT_ONCE = 4
"""Webhooks that catch up in one step, beside those that have caught up."""

PACE_S = 0.1
"""Seconds between two steps, so that events of this time are queued together."""

LOOK_S = 1.0
"""Seconds between looks for webhooks that are behind, or for a first webhook, if the log does not grow."""


class NoticeData(Struct, frozen=True):
    """A message's data about a notice."""

    player: Annotated[str, Meta(description="The player who is told.")]
    seat: Seat
    table: str
    game: str
    deal: int | None
    version: Annotated[int, Meta(description="The version of the event that the notice follows from.")]
    position: Annotated[int, Meta(description="That event's position in the log.")]


class NoticeBody(Struct, frozen=True):
    """The body of a message."""

    type: Annotated[Kind, Meta(description="What the player is told.")]
    timestamp: Annotated[str, Meta(description="When the event happened (RFC 3339).")]
    data: Annotated[NoticeData, Meta(description="Where it happened, and to whom.")]


def messages_of(record: Recorded, turn: Turn) -> list[Message]:
    """The messages of an event, one for each player and notice. Their ids depend on the event alone."""
    messages: list[Message] = []
    for seat, player in enumerate(turn.players):
        if player is None:
            continue
        data = NoticeData(player, seat, record.table, record.game, record.deal, record.version, record.position)
        for kind in notices_of(record, turn, seat):
            named = sha256(b"\n".join((record.hash, player.encode(), kind.encode()))).hexdigest()[:32]
            body = msgspec.json.encode(NoticeBody(kind, record.at, data))
            messages.append(Message(player, record.position, kind, f"msg_{named}", body))
    return messages


class Outbox:
    """Queues messages. `pace_s` is the minimum number of seconds between two steps."""

    def __init__(
        self,
        stored: OutboxStore,
        store: Store,
        reader: Reader,
        tail: Tail,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        clock: Callable[[], datetime],
        queued: Callable[[], None] = lambda: None,
        window: int = WINDOW,
        pace_s: float = PACE_S,
    ) -> None:
        self._stored = stored
        self._tail = tail
        self._metrics = metrics
        self._outages = Outlasting(log, "queueing messages of webhooks", metrics.work["webhook outbox"])
        self._clock = clock
        self._queued = queued
        self._window = window
        self._pace_s = pace_s
        self._tables = LiveFolds(reader, KeptFolds(store, reader), capacity=TABLES)
        # Webhooks that are behind read other versions of the same tables.
        self._earlier = self._tables.apart(TABLES)

    async def run(self, stop: asyncio.Event) -> None:
        """Queues messages until `stop`. Waits out outages. A record that cannot be read causes no messages."""
        await until(stop, self._work())

    async def _work(self) -> None:
        while True:
            more, head = await self._outages.outlast(self.step)
            await asyncio.sleep(self._pace_s)
            if head is None:
                # Otherwise a busy log would cause ten queries for webhooks a second.
                await asyncio.sleep(LOOK_S)
            elif not more:
                await self._tail.wait(head, LOOK_S)

    async def step(self) -> tuple[bool, int | None]:
        """Queues the next messages, and returns whether there may be more, and the position that it saw.

        The position is None while no webhook is enabled. Raises StoreUnavailable.
        """
        outlook = await self._stored.outlook(BEHIND_AT_ONCE)
        reached = outlook.position
        if outlook.enabled and outlook.head > reached:
            reached = await self._advance(outlook)
        for webhook in outlook.behind:
            # A new webhook may begin ahead of the others; it waits until they get there.
            if webhook.position <= reached:
                await self._catch_up(webhook, reached)
        lag = outlook.head - reached if outlook.enabled else 0
        self._metrics.webhooks.lag.set(lag)
        return bool(outlook.behind) or lag > 0, outlook.head if outlook.enabled else None

    async def _advance(self, outlook: Outlook) -> int:
        """Advances the webhooks that have caught up by one step, and returns their new position."""
        if outlook.caught_up:
            upto, messages = await self._read(self._tables, outlook.position, outlook.head)
        else:
            upto, messages = outlook.head, []
        queued = await self._stored.queue(outlook, upto, messages, self._clock())
        if queued:
            self._queued()
        return outlook.position if queued is None else upto

    async def _catch_up(self, webhook: Behind, cursor: int) -> None:
        """Advances a webhook that is behind by one step, at most to the position of the others."""
        upto, messages = await self._read(self._earlier, webhook.position, cursor, webhook.id)
        if await self._stored.queue_behind(webhook, upto, messages, self._clock()):
            self._queued()

    async def _read(
        self, tables: LiveFolds, after: int, end: int, webhook: str | None = None
    ) -> tuple[int, Sequence[Message]]:
        """The messages after a position, and the position up to which they are complete."""
        upto = min(end, after + self._window)
        records = await self._stored.events(after, upto, EVENTS, webhook) if upto > after else ()
        if len(records) == EVENTS:
            upto = records[-1].position
        messages: list[Message] = []
        for record in records:
            messages += messages_of(record, await tables.turn(LiveEvent(record, more=False)))
        return upto, messages
