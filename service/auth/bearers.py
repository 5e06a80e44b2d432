"""Identifies tokens: looked up in the accounts, and cached for a short while."""

import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct

from projections.gather import Gather
from service.auth.secrets import PREFIX
from service.store.accounts import Accounts, Bearer
from service.store.revocations import cacheable_s

TTL_S = 10.0
"""Seconds for which a token is cached: the longest time that a revoked one stays valid while notifications cannot
arrive.
"""

CAPACITY = 100_000
"""The most tokens cached."""


_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def digest(secret: str) -> bytes | None:
    """The SHA-256 of a token's secret; None if the text does not have the form of one."""
    return sha256(secret.encode()).digest() if _SHAPE.fullmatch(secret) else None


class _Known(Struct, frozen=True, gc=False):
    bearer: Bearer
    until: float


class Bearers:
    """Knows the bearer of each token. Used from one event loop.

    `forget` must be called on every notification of a revoked token.
    """

    def __init__(self, accounts: Accounts, *, ttl_s: float = TTL_S) -> None:
        self._accounts = accounts
        self._ttl_s = ttl_s
        self._known: dict[bytes, _Known] = {}
        self._lookups: Gather[bytes, Bearer | None] = Gather(self._present)
        self._notices = 0

    def remembered(self, digest: bytes) -> Bearer | None:
        """The bearer of the token with this SHA-256, if it is cached."""
        known = self._known.get(digest)
        return known.bearer if known is not None and known.until > time.monotonic() else None

    def known(self, digest: bytes) -> bool:
        """Whether the token with this SHA-256 was valid when it was last looked up, however long ago."""
        return digest in self._known

    async def of(self, digest: bytes) -> Bearer | None:
        """The bearer of the token with this SHA-256; None if it is not valid. Raises StoreUnavailable on an outage."""
        bearer = self.remembered(digest)
        if bearer is not None:
            return bearer
        notices = self._notices
        bearer = await self._lookups.get(digest)
        if bearer is None:
            self._known.pop(digest, None)
        # If a notification arrived during the query, the answer may be about the revoked token, so it is not cached.
        if bearer is not None and notices == self._notices:
            if len(self._known) >= CAPACITY:
                self._known.clear()
            self._known[digest] = _Known(bearer, time.monotonic() + cacheable_s(bearer.expires_at, self._ttl_s))
        return bearer

    def forget(self, digest: bytes | None) -> None:
        """Removes the token with this SHA-256 from the cache; None empties it."""
        self._notices += 1
        if digest is None:
            self._known.clear()
        else:
            self._known.pop(digest, None)

    def forget_player(self, player: str) -> None:
        """Removes all tokens of the player from the cache."""
        self._notices += 1
        for digest in [digest for digest, known in self._known.items() if known.bearer.player == player]:
            del self._known[digest]

    async def _present(self, digests: Sequence[bytes]) -> Mapping[bytes, Bearer | None]:
        bearers = await self._accounts.present(digests, datetime.now(UTC))
        return {digest: bearers.get(digest) for digest in digests}
