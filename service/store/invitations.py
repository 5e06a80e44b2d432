"""Invitations to tables. An invitation is stored as the SHA-256 of its text, whose first half is its id."""

import time
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias, cast
from uuid import UUID

from msgspec import Struct

if TYPE_CHECKING:
    from service.store.database import Database

_INVITED = "SELECT EXISTS (SELECT FROM codille.invitation WHERE hash = $1 AND table_id = $2)"
_LISTED = """
    SELECT hash, player_id::text, created_at FROM codille.invitation
    WHERE table_id = $1 AND ($2::uuid IS NULL OR player_id = $2) ORDER BY created_at, hash
"""

CAPACITY = 100_000
"""How many invitations are remembered at most."""

TTL_S = 10.0
"""How long an invitation is remembered. It bounds how late it is noticed that one was taken back, while no notice of
that can arrive."""

MOST = 50
"""How many invitations to a table there may be at once."""

Outcome: TypeAlias = Literal["made", "repeated", "too-many"]


class MadeInvitation(Struct, frozen=True):
    """An invitation, without what proves it: its id, who made it, and when."""

    id: str
    player: str
    created_at: datetime


def id_of(digest: bytes) -> str:
    """The id of the invitation with this SHA-256. Nobody can make the invitation of it."""
    return str(UUID(bytes=digest[:16]))


class Invitations:
    """Invitations in a database. Every method that waits raises `StoreUnavailable` on an outage.

    `forget` must be called with every notice that something was revoked.
    """

    def __init__(self, database: "Database", *, ttl_s: float = TTL_S) -> None:
        self._database = database
        self._ttl_s = ttl_s
        self._known: dict[tuple[bytes, str], float] = {}
        self._notices = 0

    async def add(
        self, table: str, digest: bytes, player: str, at: datetime, scope: bytes | None = None, *, most: int = MOST
    ) -> Outcome:
        """Keeps an invitation to the table, made by this player, unless there are so many already.

        `repeated` where one was made for a receipt of this scope before, which stays valid too.
        """
        ((outcome,),) = await self._database.fetch(
            "SELECT codille.invite($1, $2, $3, $4, $5, $6)", table, digest, player, at, most, scope
        )
        return cast("Outcome", outcome)

    async def holds(self, table: str, digest: bytes) -> bool:
        """Whether this is an invitation to the table."""
        key = digest, table
        if self._known.get(key, 0.0) > time.monotonic():
            return True
        notices = self._notices
        ((invited,),) = await self._database.fetch(_INVITED, digest, table)
        # An answer that was on its way when a notice came may be about the one that was taken back.
        if invited and notices == self._notices:
            if len(self._known) >= CAPACITY:
                self._known.clear()
            self._known[key] = time.monotonic() + self._ttl_s
        return bool(invited)

    async def of_table(self, table: str, player: str | None = None) -> tuple[MadeInvitation, ...]:
        """The table's invitations, oldest first; of a player only those that the player made."""
        rows = await self._database.fetch(_LISTED, table, player)
        return tuple(MadeInvitation(id_of(digest), made_by, at) for digest, made_by, at in rows)

    async def revoke(self, table: str, invitation: str, player: str | None = None) -> bool:
        """Takes back the invitation with this id; of a player only one that the player made. Whether there was one."""
        ((revoked,),) = await self._database.fetch(
            "SELECT codille.revoke_invitation($1, $2, $3)", table, invitation, player
        )
        self.forget(None)
        return bool(revoked)

    def forget(self, digest: bytes | None) -> None:
        """Forgets the invitation with this SHA-256, or with None all, so that they are looked up again."""
        self._notices += 1
        if digest is None:
            self._known.clear()
        else:
            for key in [key for key in self._known if key[0] == digest]:
                del self._known[key]
