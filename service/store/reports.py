"""Reports: what players ask the operator to look at. Only what is reported is stored, never its words."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeAlias, cast

from msgspec import Struct

from service.store.database import Database

Outcome: TypeAlias = Literal["reported", "repeated", "unknown"]

_OPEN = """
    SELECT (array_agg(id ORDER BY id))[1]::text, player_id::text, table_id::text, version, thing, count(*),
        min(created_at)
    FROM codille.report WHERE dismissed_at IS NULL
    GROUP BY thing, player_id, table_id, version
    ORDER BY count(*) DESC, min(created_at)
"""


class ReportedName(Struct, frozen=True):
    """A player's name."""

    player: str
    name: str

    @property
    def digest(self) -> bytes:
        """SHA-256 of the name and of whose it is."""
        return sha256(f"name {self.player} {self.name}".encode()).digest()


class ReportedText(Struct, frozen=True):
    """The words of an event that everybody at the table may read."""

    table: str
    version: int

    @property
    def digest(self) -> bytes:
        """SHA-256 of the event's place."""
        return sha256(f"text {self.table} {self.version}".encode()).digest()


class OpenReport(Struct, frozen=True):
    """What was reported and is not settled: a player's name, or the words of an event."""

    id: str
    """The id of its first report."""
    player: str | None
    table: str | None
    version: int | None
    thing: bytes
    reporters: int
    first_at: datetime


class Reports:
    """Reports in a database. Every method raises `StoreUnavailable` on an outage."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, report: str, reporter: str, thing: ReportedName | ReportedText, at: datetime) -> Outcome:
        """Keeps a report, at most one of a reporter and thing. `unknown`: the reporter or the name is erased."""
        place = (thing.player, None, None) if isinstance(thing, ReportedName) else (None, thing.table, thing.version)
        ((outcome,),) = await self._database.call("codille.report", report, reporter, thing.digest, *place, at)
        return cast("Outcome", outcome)

    async def open(self) -> Sequence[OpenReport]:
        """What is not settled, the most reported first."""
        return [OpenReport(*row) for row in await self._database.fetch(_OPEN)]

    async def dismiss(self, report: str, at: datetime) -> int:
        """Settles all reports of what this one is about. Returns how many were open."""
        ((settled,),) = await self._database.call("codille.dismiss_reports", report, at)
        return int(settled)
