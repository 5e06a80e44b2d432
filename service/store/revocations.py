"""Notifications of revoked tokens, so that no process goes on accepting a cached token."""

from collections.abc import Callable
from datetime import UTC, datetime

from asyncpg import Connection

from service.observability.background_work import Work
from service.store.database import Database
from service.store.listener import Listener


def cacheable_s(expires_at: datetime | None, ttl_s: float) -> float:
    """Seconds for which what expires then may be cached, at most `ttl_s`. It has expired if they are not positive."""
    return ttl_s if expires_at is None else min(ttl_s, (expires_at - datetime.now(UTC)).total_seconds())


class Revocations(Listener):
    """Calls `revoked` with the hash of each token that is revoked or replaced, while entered.

    It is called with None for every new connection: notifications may have been missed, so all cached tokens must be
    dropped. None arrive while Postgres is away, so a cache needs an age limit too.
    """

    def __init__(
        self,
        database: Database,
        revoked: Callable[[bytes | None], None],
        work: "Work | None" = None,
        *,
        beat_s: float = 5.0,
    ) -> None:
        self._revoked = revoked
        super().__init__(
            database, "codille_revoked", lambda token: revoked(bytes.fromhex(token)), self._drop, work, beat_s=beat_s
        )

    async def _drop(self, connection: Connection, is_new: bool) -> None:
        if is_new:
            self._revoked(None)
        else:
            await connection.execute("SELECT 1")
