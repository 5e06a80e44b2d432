"""A bot that plays at all tables of its player. One method is to be written."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Collection, Coroutine, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from logging import getLogger
from random import choice
from typing import Any, Generic

from codille_client.client import Client
from codille_client.game import G
from codille_client.http import AGAIN
from codille_client.problems import CodilleError, Problem, Unreachable
from codille_client.table import Moment, Table

LOG = getLogger(__name__)
FREED = ("table-opened", "seat-left")
"""The events after which a seat may be free."""
OVER = ("game-over", "table-closed")
"""The notices after which a table needs nothing more."""
REMEMBERED = 200
"""The most tables with a free seat that are remembered."""
BY_SIGNAL: set[Bot[Any]] = set()
"""The bots that a signal stops."""


class Bot(Generic[G]):
    """Plays for the client's player at all of its tables, those of earlier runs too. Write `choose`.

    It sits down at open tables of `games`, at rematches that are opened meanwhile, and at those that are given to
    `join`, while it has fewer than `most` tables. It chooses for `at_once` tables at a time, first come, first
    served, and acts once at each moment.
    """

    def __init__(
        self,
        client: Client[G],
        *,
        games: Collection[str] = (),
        most: int = 100,
        at_once: int = 8,
        think_s: float = 10.0,
        grace_s: float = 60.0,
    ) -> None:
        self.client = client
        self.tables: dict[str, Table[G]] = {}
        """The tables at which the player sits and that are not over, by their ids."""
        self._games, self._most, self._think_s, self._grace_s = frozenset(games), most, think_s, grace_s
        self._slots = asyncio.Semaphore(at_once)
        self._stopping, self._hurried, self._changed = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._free: dict[str, None] = {}
        self._woken: dict[str, int] = {}
        """The versions that are to be looked at, by table."""
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._sent: set[asyncio.Task[bool]] = set()

    async def choose(self, moment: Moment[G]) -> Mapping[str, Any] | None:
        """The act to take at this moment, as one of its offers makes it; None for none until something has changed.

        Whatever it awaits, it has `think_s` seconds. If it needs more, raises or chooses what is refused, an offer is
        picked by chance, and that is logged: the others at the table need not wait.
        """
        raise NotImplementedError

    async def join(self, table: str, invite: str | None = None) -> bool:
        """Sits down at a table, at a private one by an invitation. False if the bot has enough tables, or is to stop.

        Raises the Problem if the service refuses.
        """
        if table not in self.tables:
            if self._stopping.is_set() or len(self.tables) >= self._most:
                return False
            one = self.tables[table] = self.client.table(table, invite)
            try:
                await one.sit()
            except BaseException:
                self._drop(table)
                raise
        self._wake(table)
        return True

    def stop(self) -> None:
        """Takes no further seat, plays on for `grace_s` seconds, and then stops acting. A second call ends them now."""
        (self._hurried if self._stopping.is_set() else self._stopping).set()

    async def run(self) -> list[str]:
        """Plays until `stop()`, SIGTERM or Ctrl-C, through outages, and returns the ids of the tables that then wait.

        No table is abandoned: where there is a clock, the house plays on in time, elsewhere the game waits until this
        runs again. Raises the Problem if the service refuses its player.
        """
        work = [self._listen(), *([self._seek()] if self._games else []), self._sit()]
        tasks = [asyncio.create_task(each) for each in work]
        listening, *seeking = tasks
        with self._signals():
            try:
                await self._until(self._stopping, *tasks)
                _cancel(seeking)
                LOG.info("stopping: no further seat is taken, and %s tables are played on", len(self.tables))
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._grace_s):
                        while self.tables and not self._hurried.is_set():
                            self._changed.clear()
                            await self._until(self._changed, listening)
            finally:
                _cancel([*tasks, *self._playing.values()])
                await asyncio.gather(*tasks, *self._playing.values(), return_exceptions=True)
                # What was sent is sent to its end: nobody knows whether it has been carried out.
                await asyncio.gather(*self._sent, return_exceptions=True)
                # From a seat that was taken meanwhile, the next start plays.
                _cancel(self._playing.values())
                await asyncio.gather(*self._playing.values(), return_exceptions=True)
        for table in self.tables:
            LOG.warning("table %s waits for the next start, or for the house, if it has a clock", table)
        return sorted(self.tables)

    async def _until(self, event: asyncio.Event, *tasks: asyncio.Task[None]) -> None:
        """Waits for the event. Raises what one of the tasks raises."""
        waits = [asyncio.create_task(one.wait()) for one in (event, self._hurried)]
        try:
            done, _ = await asyncio.wait([*waits, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            _cancel(waits)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Stops at a signal, where this loop may take any: that of the main thread."""
        loop, numbers = asyncio.get_running_loop(), (signal.SIGTERM, signal.SIGINT)
        with suppress(NotImplementedError, RuntimeError, ValueError):
            for number in numbers:
                loop.add_signal_handler(number, _stop_all)
            BY_SIGNAL.add(self)
        try:
            yield
        finally:
            if self in BY_SIGNAL:
                BY_SIGNAL.remove(self)
                for number in () if BY_SIGNAL else numbers:
                    loop.remove_signal_handler(number)

    async def _listen(self) -> None:
        """Looks at each table when the player's stream says so."""
        async for frame in self._outlasting(self.client.notices):
            data = frame["data"]
            if "tables" in data:
                # Those that are not named may be over, or may have been joined meanwhile.
                for table, version in {**dict.fromkeys(self.tables, 0), **_versions(data["tables"])}.items():
                    self._wake(table, version)
            elif any(kind in OVER for kind in data.get("notices", ())):
                self._drop(data["table"])
            elif "rematch" in data.get("notices", ()):
                self._offer(data["table"])
            elif data.get("notices"):
                self._wake(data["table"], data["version"])

    async def _seek(self) -> None:
        """Learns of free seats at tables of the games."""
        async for frame in self._outlasting(self.client.lobby):
            data = frame["data"]
            listed = [each for each in data.get("tables", ()) if each["status"] == "open"]
            for each in listed or ([data] if data.get("type") in FREED else []):
                if each["game"] in self._games:
                    self._offer(each["table"])

    async def _sit(self) -> None:
        """Sits down where a seat is free, while there are not enough tables."""
        while True:
            self._changed.clear()
            while self._free and len(self.tables) < self._most:
                table = next(iter(self._free))
                try:
                    await self._whole(self.join(table))
                except CodilleError as refused:
                    LOG.info("no seat at table %s: %s", table, refused)
                self._free.pop(table, None)
            await self._changed.wait()

    async def _outlasting(self, stream: Any) -> AsyncGenerator[Any, None]:
        """The frames of a stream, which begins anew after an outage."""
        while True:
            try:
                async with aclosing(stream()) as frames:
                    async for frame in frames:
                        yield frame
            except Unreachable as lost:
                LOG.warning("%s; trying again", lost)

    def _offer(self, table: str) -> None:
        """Remembers that a seat may be free there."""
        self._free[table] = None
        if len(self._free) > REMEMBERED:
            del self._free[next(iter(self._free))]
        self._changed.set()

    def _drop(self, table: str) -> None:
        self.tables.pop(table, None)
        self._changed.set()

    def _wake(self, table: str, version: int = 0) -> None:
        """Looks at the table, at this version or a later one."""
        self._woken[table] = max(version, self._woken.get(table, 0))
        if table not in self._playing:
            one = self.tables.setdefault(table, self.client.table(table))
            self._playing[table] = asyncio.create_task(self._play(one))

    async def _play(self, table: Table[G]) -> None:
        """Does what is to be done at the table now."""
        try:
            while (version := self._woken.pop(table.id, None)) is not None:
                try:
                    if await self._look(table, version or None):
                        self._woken.setdefault(table.id, 0)
                except Unreachable as lost:
                    LOG.warning("table %s: %s; trying again", table.id, lost)
                    self._woken.setdefault(table.id, version)
                except Problem as refused:
                    if refused.status in AGAIN:
                        self._woken.setdefault(table.id, version)
                    else:
                        LOG.warning("table %s is left alone: %s", table.id, refused)
                        self._drop(table.id)
        finally:
            del self._playing[table.id]

    async def _look(self, table: Table[G], version: int | None) -> bool:
        """Acts if it is to act. Whether to look again."""
        # Who waits for a slot gets it in turn, so no table waits for one that has much to do.
        async with self._slots:
            moment = await table.now(version)
            if moment.to_act and moment.view["to_act"]:
                return await self._answer(moment)
        if moment.to_act:
            # A game without turns sends no notice of what may be done in it.
            while turn := await table.my_turn():
                async with self._slots:
                    await self._answer(turn)
            self._drop(table.id)
        elif moment.over:
            self._drop(table.id)
        return False

    async def _answer(self, moment: Moment[G]) -> bool:
        """Chooses and acts. Whether the table is to be looked at again."""
        try:
            async with asyncio.timeout(self._think_s):
                action = await self.choose(moment)
        except Exception:
            LOG.exception("nothing was chosen at table %s, version %s", moment.table.id, moment.version)
            action = choice(moment.offers).random()
        if action is None:
            return False
        return await self._whole(self._act(moment, action))

    async def _whole(self, sent: Coroutine[Any, Any, bool]) -> bool:
        """What is sent, and goes on to its end if who waits for it is cancelled."""
        task = asyncio.create_task(sent)
        self._sent.add(task)
        task.add_done_callback(self._sent.discard)
        return await asyncio.shield(task)

    async def _act(self, moment: Moment[G], action: Any) -> bool:
        try:
            acted: Any = await moment.act(action)
        except Problem as refused:
            if refused.status not in (400, 409, 422):
                raise
            LOG.warning("table %s, version %s refused %s: %s", moment.table.id, moment.version, action, refused)
            acted = await moment.act(choice(moment.offers).random())
        return acted is None or moment.view["you"] in acted["to_act"]


def _stop_all() -> None:
    for bot in BY_SIGNAL:
        bot.stop()


def _versions(tables: Collection[Mapping[str, Any]]) -> dict[str, int]:
    return {each["table"]: each["version"] for each in tables}


def _cancel(tasks: Collection[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
