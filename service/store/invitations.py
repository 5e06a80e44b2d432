"""Invitations to tables. Each is stored as the SHA-256 of its text; the first half of the hash is its id."""

import time
from datetime import datetime
from typing import Literal, TypeAlias, cast
from uuid import UUID

from msgspec import Struct

from service.store.database import Database
from service.store.revocations import cacheable_s

_INVITED = """
    SELECT t.expires_at FROM codille.invitation i LEFT JOIN codille.token t ON t.id = i.made_by
    WHERE i.hash = $1 AND i.table_id = $2
"""
_LISTED = """
    SELECT hash, player_id::text, created_at FROM codille.invitation
    WHERE table_id = $1 AND ($2::uuid IS NULL OR player_id = $2) AND codille.lasts(made_by, $3)
    ORDER BY created_at, hash
"""

CAPACITY = 100_000
"""The most invitations cached."""

TTL_S = 10.0
"""Seconds for which an invitation is cached: the longest time that a revoked one stays valid while notifications cannot
arrive.
"""

MOST = 50
"""The most invitations to one table at a time."""

Outcome: TypeAlias = Literal["made", "repeated", "too-many", "unknown"]


class MadeInvitation(Struct, frozen=True):
    """An invitation without its secret text: its id, the player who made it, and the time."""

    id: str
    player: str
    created_at: datetime


def id_of(digest: bytes) -> str:
    """The id of the invitation with this SHA-256. The invitation cannot be derived from it."""
    return str(UUID(bytes=digest[:16]))


class Invitations:
    """Invitations in a database. Every method that waits raises `StoreUnavailable` on an outage.

    `forget` must be called on every notification of a revocation.
    """

    def __init__(self, database: Database, *, ttl_s: float = TTL_S) -> None:
        self._database = database
        self._ttl_s = ttl_s
        self._known: dict[tuple[bytes, str], float] = {}
        self._notices = 0

    async def add(
        self, table: str, digest: bytes, player: str, at: datetime, scope: bytes | None = None, *, by: str
    ) -> Outcome:
        """Stores an invitation to the table, made by this player, unless there are MOST already.

        `by` is the id of the token in use, with which it ends. The outcome is `repeated` if the receipt's scope has
        made one before, which stays valid too, and `unknown` if that token is no longer valid.
        """
        ((outcome,),) = await self._database.call("codille.invite", table, digest, player, at, MOST, scope, by)
        return cast("Outcome", outcome)

    async def holds(self, table: str, digest: bytes) -> bool:
        """Whether an invitation with this SHA-256 to the table is valid."""
        key = digest, table
        if self._known.get(key, 0.0) > time.monotonic():
            return True
        notices = self._notices
        rows = await self._database.fetch(_INVITED, digest, table)
        valid_s = cacheable_s(rows[0][0], self._ttl_s) if rows else 0.0
        # If a notification arrived during the query, the answer may be about the revoked invitation, so it is not
        # cached.
        if valid_s > 0 and notices == self._notices:
            if len(self._known) >= CAPACITY:
                self._known.clear()
            self._known[key] = time.monotonic() + valid_s
        return valid_s > 0

    async def of_table(self, table: str, at: datetime, player: str | None = None) -> tuple[MadeInvitation, ...]:
        """The table's invitations that are valid at `at`, oldest first; with `player`, only those that they made."""
        rows = await self._database.fetch(_LISTED, table, player, at)
        return tuple(MadeInvitation(id_of(digest), made_by, at) for digest, made_by, at in rows)

    async def revoke(self, table: str, invitation: str, player: str | None = None) -> bool:
        """Revokes the invitation with this id; with `player`, only one that they made. False if there was none."""
        ((revoked,),) = await self._database.call("codille.revoke_invitation", table, invitation, player)
        self.forget(None)
        return bool(revoked)

    def forget(self, digest: bytes | None) -> None:
        """Removes the invitation with this SHA-256 from the cache; None empties it."""
        self._notices += 1
        if digest is None:
            self._known.clear()
        else:
            for key in [key for key in self._known if key[0] == digest]:
                del self._known[key]
