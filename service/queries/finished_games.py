"""Finished games, by what the archive has of their tables: those of a player, and those of a month."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
from asyncpg import Record
from msgspec import Struct

from service.compute.heavy_reads import Spending
from service.queries.archive_search import ArchiveSearch, Conditions

AT_ONCE = 100
"""The number of tables that are looked up at once."""


class NotInList(Exception):
    """The list has no such table."""


class WantedGames(Struct, frozen=True, kw_only=True):
    """What games are looked for; all of it must hold. None of it: any game."""

    game: str | None = None
    rules_version: int | None = None
    options: Mapping[str, Any] = {}
    players: tuple[str, ...] = ()
    """Those who play, too."""
    since: datetime | None = None
    until: datetime | None = None
    bots: bool | None = None
    """Whether bots take part; None where it does not matter."""
    flags: Mapping[Literal["disputed", "corrected"], bool | None] = {}
    """Whether a line of any deal was disputed, a ruling has changed any; None where it does not matter."""


class MonthOfGames(Struct, frozen=True):
    """The tables that lists show, and whose games were finished in one month."""

    tables: Sequence[str]
    """In the order in which their games were finished."""
    changed: int
    """The position of the last event that changed what the archive has of them; 0 without tables."""
    position: int
    """How far the archive follows the log."""


_MONTH = """
    SELECT checkpoint.position, table_id::text, changed
    FROM archive.checkpoint LEFT JOIN archive.played_table
        ON listed AND finished IS NOT NULL AND finished_at >= $1 AND finished_at < $2
    ORDER BY finished
"""
_ERASED = """
    SELECT max(erased) FROM archive.played_table
    WHERE listed AND finished <= $3 AND finished_at >= $1 AND finished_at < $2
"""
_SELECTED = "SELECT table_id::text, finished_at, finished FROM archive.played_table WHERE"
_NEWEST = f"ORDER BY finished_at DESC, finished DESC LIMIT {AT_ONCE}"
_OF_DEALS = "EXISTS (SELECT FROM archive.deal WHERE deal.table_id = played_table.table_id AND {})"


class FinishedGames:
    """Looks up finished games. Its methods raise StoreUnavailable, also while the archive lacks deals."""

    def __init__(self, archive: ArchiveSearch) -> None:
        self._archive = archive

    async def of_player(
        self, player: str, wanted: WantedGames, spending: Spending, *, own: bool, after: str | None
    ) -> AsyncGenerator[str, None]:
        """The tables of a player's games, newest first; those after a table. With `own`, also those that lists do not
        show. Raises NotInList.
        """
        await self._archive.require_built()
        last = None if after is None else await self._ended(player, after, spending, own=own)
        while await self._archive.knows(wanted.players):
            conditions = _of_player(player, own=own)
            _add(conditions, wanted)
            if last is not None:
                conditions.add("(finished_at, finished) < (?, ?)", *last)
            rows = await self._selected(conditions, spending)
            for table, at, position in rows:
                yield table
                last = at, position
            if len(rows) < AT_ONCE:
                return

    async def of_month(self, month: str, spending: Spending) -> MonthOfGames:
        """The games of a month, as YYYY-MM."""
        await self._archive.require_built()
        rows = await self._archive.rows(spending, _MONTH, *bounds(month))
        tables = [table for _, table, _ in rows if table is not None]
        return MonthOfGames(tables, max(changed or 0 for *_, changed in rows), rows[0][0])

    async def erased(self, month: str, upto: int, spending: Spending) -> int:
        """The position of the last event that erased words at a table whose game was finished in this month, up to a
        position of the log; 0 if there is none.
        """
        await self._archive.require_built()
        ((position,),) = await self._archive.rows(spending, _ERASED, *bounds(month), upto)
        return int(position or 0)

    async def _ended(self, player: str, table: str, spending: Spending, *, own: bool) -> tuple[Any, ...]:
        """When the player's game at a table was finished, and the position of that event. Raises NotInList."""
        conditions = _of_player(player, own=own)
        conditions.add("table_id = ?::uuid", table)
        for _, at, position in await self._selected(conditions, spending):
            return at, position
        raise NotInList(table)

    async def _selected(self, conditions: Conditions, spending: Spending) -> Sequence[Record]:
        query = " ".join((_SELECTED, str(conditions), _NEWEST))
        return await self._archive.rows(spending, query, *conditions.arguments)


def bounds(month: str) -> tuple[datetime, datetime]:
    """When a month begins, and when the next one does (UTC)."""
    first = datetime.fromisoformat(f"{month}-01T00:00:00+00:00")
    years, months = divmod(first.month, 12)
    return first, first.replace(year=first.year + years, month=months + 1)


def _of_player(player: str, *, own: bool) -> Conditions:
    conditions = Conditions()
    conditions.add("finished IS NOT NULL AND players @> ARRAY[?::uuid]", player)
    if not own:
        conditions.add("listed")
    return conditions


def _add(conditions: Conditions, wanted: WantedGames) -> None:
    for name in ("game", "rules_version", "bots"):
        if (value := getattr(wanted, name)) is not None:
            conditions.add(f"{name} = ?", value)
    if wanted.players:
        conditions.add("players @> ?::uuid[]", list(wanted.players))
    if wanted.since is not None:
        conditions.add("finished_at >= ?", wanted.since)
    if wanted.until is not None:
        conditions.add("finished_at < ?", wanted.until)
    for what, flag in wanted.flags.items():
        if flag is not None:
            conditions.add(("" if flag else "NOT ") + _OF_DEALS.format(what))
    if wanted.options:
        conditions.add(_OF_DEALS.format("options @> ?::jsonb"), msgspec.json.encode(wanted.options).decode())
