"""Who is connected: the players with a stream or a waiting read in any process of the service.

Each process marks its own subscribers in Redis for the others. Marks expire, so those of a killed process disappear.
Presence never goes through the log, and no event waits for it.

    codille:here:processes    the processes with subscribers, each with the Unix time at which it expires
    codille:here:{<player>}   the player's marks, likewise: `<process>/<table>`, or `<process>/` for a player's stream
"""

import asyncio
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.record.catalogue import Unreadable
from projections.connection import OUTAGES, Client, unavailable
from projections.redis_keys import PREFIX
from projections.scripts import RedisCommand, send
from projections.tasks import cancel_and_wait
from service.commands.cache import NoSuchTable, TableCache
from service.live.frame_contents import PresenceChange, SeatPresence
from service.live.frames import Form, table_frame
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable

PROCESSES = f"{PREFIX}:here:processes"

BEAT_S = 1.0
"""Seconds between updates; the changes of this time are sent and marked together."""

LINGER_S = 5.0
"""Seconds for which a player who has gone still counts as connected: most subscribers reconnect at once."""

LOOK_S = 3.0
"""Seconds between a process's reads of the others' marks, for the tables streamed here."""

TTL_S = 60.0
"""Seconds after which the marks of a silent process expire. A live one renews them after a third of this."""

TIMEOUT_S = 0.5
"""Seconds that Redis may take to answer; if it fails, it is left alone for as long as LOOK_S."""

TOGETHER = 100
"""Commands sent to Redis in one batch; other work runs between batches."""

EVERY_TABLE = ""
"""Stands for a table in a mark: the player reads the player's own stream, which covers all tables."""

Followed: TypeAlias = tuple[str, str]
"""A player and the table that the player's subscriber follows."""

Marks: TypeAlias = Mapping[str, frozenset[str]]
"""By player, the tables that other processes have marked."""


class Connected(Struct, frozen=True):
    """Who is connected at a table, by seat; `complete` is false if only this process's subscribers are known."""

    seats: tuple[bool, ...]
    complete: bool


class StreamedTable:
    """A table that is streamed here, with the connections that were last sent."""

    __slots__ = ("_frames", "connected", "elsewhere", "players", "subscribers", "table")

    def __init__(self, table: str) -> None:
        self.table = table
        self.players: tuple[str | None, ...] = ()
        self.elsewhere: Marks = {}
        self.connected: tuple[bool, ...] = ()
        """Empty until the players are known."""
        self.subscribers: set[Callable[[], None]] = set()
        """What to call when the connections have changed."""
        self._frames: dict[Form, bytes] = {}

    @property
    def lacks_players(self) -> bool:
        """Whether players must be looked up: at first, and while seats are free."""
        return None in (self.players or (None,))

    def change(self, connected: tuple[bool, ...]) -> None:
        """Sends all subscribers the current connections."""
        self.connected = connected
        self._frames.clear()
        for nudge in self.subscribers:
            nudge()

    def frame(self, form: Form) -> bytes:
        """The presence frame, in a subscriber's form."""
        made = self._frames.get(form)
        if made is None:
            seats = tuple(SeatPresence(seat, here) for seat, here in enumerate(self.connected))
            data = msgspec.json.encode(PresenceChange(self.table, seats))
            made = self._frames[form] = table_frame(form, "presence", data)
        return made


class Attendance:
    """Counts this process's subscribers, and learns of the others' through Redis. Used from one event loop."""

    def __init__(
        self,
        tables: TableCache,
        log: FilteringBoundLogger,
        metrics: Metrics,
        redis: Client,
        *,
        beat_s: float = BEAT_S,
    ) -> None:
        self._tables = tables
        self._log = log
        self._metrics = metrics
        self._redis = redis
        self._beat_s = beat_s
        self._linger_s = LINGER_S
        self._look_s = LOOK_S
        self._ttl_s = TTL_S
        self._process = secrets.token_hex(8)
        self._open: Counter[Followed] = Counter()
        self._gone: dict[Followed, float] = {}
        """Players who have gone, and the event loop's time until which they still count."""
        self._unmarked: set[Followed] = set()
        """Readers that have come or gone since marks were last written."""
        self._watched: dict[str, StreamedTable] = {}
        self._marks_at = self._looks_at = self._away_until = self._stale_at = 0.0
        self._failing = False
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def counted(self, player: str, table: str) -> Iterator[None]:
        """Counts a subscriber of the table for the player within the context; an empty player is nobody."""
        self.enter(player, table)
        try:
            yield
        finally:
            self.leave(player, table)

    def enter(self, player: str, table: str) -> None:
        """Counts a subscriber of the table, or of EVERY_TABLE, until `leave`; an empty player is nobody."""
        if not player:
            return
        key = player, table
        self._open[key] += 1
        self._metrics.streams.connected.set(len(self._open))
        if self._open[key] == 1 and self._gone.pop(key, None) is None:
            self._unmarked.add(key)
        self._wake()

    def leave(self, player: str, table: str) -> None:
        """Undoes one `enter`."""
        if not player:
            return
        key = player, table
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
            self._metrics.streams.connected.set(len(self._open))
            self._gone[key] = asyncio.get_running_loop().time() + self._linger_s
            self._wake()

    async def watch(self, table: str, nudge: Callable[[], None]) -> StreamedTable:
        """Calls `nudge` when the table's connections change, until `unwatch`.

        The present ones are known when it returns, unless the log cannot be read.
        """
        known = self._watched.get(table)
        watched = known or StreamedTable(table)
        if watched.lacks_players:
            await self._fill(watched)
        if known is None:
            watched.elsewhere = await self._marked_elsewhere(watched.players) or {}
        # Meanwhile another subscriber may have been the first, or the last may have gone.
        watched = self._watched.setdefault(table, watched)
        watched.subscribers.add(nudge)
        self._update(watched)
        self._wake()
        return watched

    def unwatch(self, watched: StreamedTable, nudge: Callable[[], None]) -> None:
        """Calls `nudge` no more."""
        watched.subscribers.discard(nudge)
        if not watched.subscribers and self._watched.get(watched.table) is watched:
            del self._watched[watched.table]

    async def connected(self, table: str) -> Connected:
        """Who is connected at the table, as far as is known now. Raises StoreUnavailable, NoSuchTable."""
        players = (await self._tables.current(table)).table.players
        elsewhere = await self._marked_elsewhere(players)
        return Connected(self._connected(table, players, elsewhere or {}), elsewhere is not None)

    async def close(self) -> None:
        """Removes the marks of this process."""
        if self._task is not None:
            await cancel_and_wait(self._task)
        marked = [*self._open, *self._gone]
        self._open.clear()
        self._gone.clear()
        try:
            if marked:
                await self._mark(marked)
                await send(self._redis, [("ZREM", PROCESSES, self._process)])
        except OUTAGES:
            pass  # They expire.

    def _update(self, watched: StreamedTable) -> None:
        connected = self._connected(watched.table, watched.players, watched.elsewhere)
        if connected != watched.connected:
            watched.change(connected)

    def _connected(self, table: str, players: Sequence[str | None], elsewhere: Marks) -> tuple[bool, ...]:
        key, gone, nowhere = self._open, self._gone, frozenset[str]()

        def here(player: str | None) -> bool:
            if player is None:
                return False
            marks = elsewhere.get(player, nowhere)
            return any(
                (player, where) in key or (player, where) in gone or where in marks for where in (table, EVERY_TABLE)
            )

        return tuple([here(player) for player in players])

    def _wake(self) -> None:
        if self._task is None and self._busy:
            self._task = asyncio.create_task(self._run(), name="presence")

    @property
    def _busy(self) -> bool:
        return bool(self._watched or self._gone or self._unmarked or self._open)

    async def _run(self) -> None:
        try:
            while self._busy:
                await asyncio.sleep(self._beat_s)
                await self._beat(asyncio.get_running_loop().time())
        finally:
            self._task = None

    async def _beat(self, now: float) -> None:
        for key in [key for key, until in self._gone.items() if until <= now]:
            del self._gone[key]
            self._unmarked.add(key)
        if now >= self._away_until:
            try:
                await self._exchange_marks(now)
                self._failing = False
            except OUTAGES as error:
                self._failed(error)
        # Concurrent look-ups become one read of the log.
        await asyncio.gather(*(self._fill(watched) for watched in self._watched.values() if watched.lacks_players))
        for watched in tuple(self._watched.values()):
            if now >= self._stale_at:
                watched.elsewhere = {}
            self._update(watched)

    def _failed(self, error: BaseException) -> None:
        if not self._failing:
            self._log.warning("presence is known of this process alone", error=unavailable(error))
        self._failing = True
        # Redis may have lost all marks.
        self._marks_at = 0.0
        self._away_until = asyncio.get_running_loop().time() + self._look_s

    async def _exchange_marks(self, now: float) -> None:
        """Writes the marks that are due, and reads those of others. Raises the errors of OUTAGES."""
        if now >= self._marks_at:
            self._unmarked |= self._open.keys() | self._gone.keys()
        if self._unmarked:
            marking, self._unmarked = self._unmarked, set()
            try:
                await self._mark(marking)
            except OUTAGES:
                self._unmarked |= marking
                raise
            if now >= self._marks_at:
                self._marks_at = now + self._ttl_s / 3
        if self._watched and now >= self._looks_at:
            streamed = tuple(self._watched.values())
            players = {player for watched in streamed for player in watched.players if player}
            marks = await self._marks_of(players) if await self._others() else {}
            for watched in streamed:
                watched.elsewhere = marks
            self._looks_at = now + self._look_s

    async def _mark(self, marking: Iterable[Followed]) -> None:
        """Writes these marks, or removes those of subscribers that have gone."""
        now = time.time()
        until, ttl_s = now + self._ttl_s, math.ceil(self._ttl_s)
        for some in _batches(list(marking)):
            commands: list[RedisCommand] = [
                ("ZADD", PROCESSES, str(until), self._process),
                ("ZREMRANGEBYSCORE", PROCESSES, 0, str(now)),
                ("EXPIRE", PROCESSES, ttl_s),
            ]
            for player, table in some:
                key, mark = _key(player), f"{self._process}/{table}"
                if (player, table) in self._open or (player, table) in self._gone:
                    commands += [("ZADD", key, str(until), mark), ("EXPIRE", key, ttl_s)]
                else:
                    commands.append(("ZREM", key, mark))
            async with asyncio.timeout(TIMEOUT_S):
                await send(self._redis, commands)

    async def _others(self) -> bool:
        """Whether other processes have subscribers."""
        async with asyncio.timeout(TIMEOUT_S):
            (processes,) = await send(self._redis, [("ZRANGEBYSCORE", PROCESSES, str(time.time()), "+inf")])
        return any(process.decode() != self._process for process in processes)

    async def _marked_elsewhere(self, players: Sequence[str | None]) -> Marks | None:
        """The marks of other processes for these players; None if Redis is away."""
        if asyncio.get_running_loop().time() < self._away_until:
            return None
        try:
            return await self._marks_of({player for player in players if player is not None})
        except OUTAGES as error:
            self._failed(error)
            return None

    async def _marks_of(self, players: Iterable[str]) -> Marks:
        """The marks of other processes for these players. Raises the errors of OUTAGES."""
        marks: dict[str, frozenset[str]] = {}
        for some in _batches(list(players)):
            now = str(time.time())
            async with asyncio.timeout(TIMEOUT_S):
                replies = await send(self._redis, [("ZRANGEBYSCORE", _key(player), now, "+inf") for player in some])
            for player, found in zip(some, replies, strict=True):
                split = [mark.decode().split("/") for mark in found]
                marks[player] = frozenset(table for process, table in split if process != self._process)
        self._stale_at = asyncio.get_running_loop().time() + self._ttl_s
        return marks

    async def _fill(self, watched: StreamedTable) -> None:
        """Looks up the players at the table; an unavailable one is left for the next beat."""
        with suppress(StoreUnavailable, NoSuchTable, Unreadable):
            watched.players = (await self._tables.current(watched.table)).table.players


def _key(player: str) -> str:
    return f"{PREFIX}:here:{{{player}}}"


def _batches(values: list[Any]) -> Iterator[list[Any]]:
    return (values[start : start + TOGETHER] for start in range(0, len(values), TOGETHER))
