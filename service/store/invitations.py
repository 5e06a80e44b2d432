"""Invitations to tables. An invitation is stored as the SHA-256 of its text."""

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.store.database import Database

_INVITED = "SELECT EXISTS (SELECT FROM codille.invitation WHERE hash = $1 AND table_id = $2)"

CAPACITY = 100_000
"""How many invitations are remembered at most."""


class Invitations:
    """Invitations in a database. They are never taken back. Every method raises `StoreUnavailable` on an outage."""

    def __init__(self, database: "Database") -> None:
        self._database = database
        self._known: set[tuple[bytes, str]] = set()

    async def add(self, table: str, digest: bytes, player: str, at: datetime, scope: bytes | None = None) -> bool:
        """Keeps an invitation to the table, made by this player.

        True where one was made for a receipt of this scope before, which stays valid too.
        """
        ((repeated,),) = await self._database.fetch(
            "SELECT codille.invite($1, $2, $3, $4, $5)", table, digest, player, at, scope
        )
        return bool(repeated)

    async def holds(self, table: str, digest: bytes) -> bool:
        """Whether this is an invitation to the table."""
        if (digest, table) in self._known:
            return True
        ((invited,),) = await self._database.fetch(_INVITED, digest, table)
        if invited:
            if len(self._known) >= CAPACITY:
                self._known.clear()
            self._known.add((digest, table))
        return bool(invited)
