"""Delivers events to spectators, who see them late at tables with `spectator_delay` (TL-6).

The spectators of a table share one feed, which runs while there are any. At each event, and when the next event becomes
visible, the feed looks up how far spectators see, and reads those events from the log. So nothing is buffered in
memory, however long the delay.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from domain.record.catalogue import Unreadable
from domain.seats import PUBLIC, Audience
from projections.tasks import cancel_and_wait
from service.commands.spectators import Horizon, Spectators
from service.live.hub import Hub
from service.live.live_event import LiveEvent
from service.live.stream import AGAIN_S
from service.live.subscription import Subscription
from service.live.whole_acts import with_more
from service.store.database import StoreUnavailable
from service.store.store import Store

PAGE = 100
"""Events a feed passes on at once. If more are due, it passes on the newest; subscribers read the rest from the log.
"""


class Feeds:
    """Delivers tables' events, each as far as the audience sees. Used from one event loop."""

    def __init__(self, hub: Hub, store: Store, spectators: Spectators) -> None:
        self.hub = hub
        self.store = store
        self.spectators = spectators
        self.subscriptions: dict[str, set[Subscription[LiveEvent]]] = {}
        """Subscriptions by table, for tables with a running feed."""
        self._feeds: dict[str, _Feed] = {}

    async def open(self, table: str, audience: Audience) -> AbstractAsyncContextManager[Subscription[LiveEvent]]:
        """Subscribes to the events that the audience sees from now on. Raises as for `Hub.table`, and NoSuchTable.

        The first events may be ones that the audience sees already.
        """
        late = audience == PUBLIC and await self.spectators.late(table)
        return self._late(table) if late else self.hub.table(table)

    @asynccontextmanager
    async def _late(self, table: str) -> AsyncIterator[Subscription[LiveEvent]]:
        async with self.hub.opened(Subscription[LiveEvent](), self.subscriptions, table) as one:
            feed = self._feeds.get(table)
            if feed is None:
                feed = self._feeds[table] = _Feed(self, table)
            try:
                yield one
            finally:
                if self.subscriptions[table] == {one}:
                    del self._feeds[table]
                    await cancel_and_wait(feed.task)


class _News(Subscription[LiveEvent]):
    """Is nudged when an event happens, and does not keep it."""

    __slots__ = ()

    def push(self, item: LiveEvent) -> None:  # noqa: ARG002 (the feed reads events from the log when they are visible)
        self.nudge()


class _Feed:
    """Passes a table's events on to its spectators when these may see them."""

    def __init__(self, feeds: Feeds, table: str) -> None:
        self._feeds = feeds
        self._table = table
        self._reached: int | None = None
        """The version up to which events were passed on; None at first."""
        self.task = asyncio.create_task(self._run(), name="late-feed")

    async def _run(self) -> None:
        news = _News()
        with self._feeds.hub.watched(self._table, news):
            while True:
                try:
                    horizon = await self._hand_on()
                except StoreUnavailable:
                    await asyncio.sleep(AGAIN_S)
                    continue
                except Unreadable:
                    for one in tuple(self._feeds.subscriptions.get(self._table, ())):
                        one.end("unreadable")
                    return
                timer = None
                if horizon.due_s is not None:
                    timer = asyncio.get_running_loop().call_later(horizon.due_s, news.nudge)
                try:
                    await news.wait()
                finally:
                    if timer is not None:
                        timer.cancel()

    async def _hand_on(self) -> Horizon:
        """Passes on what spectators may see by now. Raises StoreUnavailable."""
        feeds, table = self._feeds, self._table
        horizon = await feeds.spectators.horizon(table, "")
        assert horizon is not None, "the table is followed late"  # noqa: S101 (for the type checker)
        # The first time only the newest event: it tells subscribers whether they missed any.
        reached = horizon.version - 1 if self._reached is None else self._reached
        if horizon.version > reached:
            after = max(reached, horizon.version - PAGE)
            # `more` is true only if the act's next event is visible too.
            for record, more in with_more(await feeds.store.stream(table, after, horizon.version)):
                event = LiveEvent(record, more=more, late=True)
                for one in feeds.subscriptions.get(table, ()):
                    one.push(event)
            self._reached = horizon.version
        return horizon
