"""Recognising tokens: asked of the accounts, and remembered for a short while."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from projections.gather import Gather
from service.store.accounts import Accounts, Bearer

TTL_S = 10.0
"""How long a token is remembered where no notice of its revocation can be heard, as while Postgres is away."""

CAPACITY = 100_000


class _Known(Struct, frozen=True, gc=False):
    bearer: Bearer
    until: float


class Bearers:
    """Knows who presents a token. Used from one event loop.

    `forget` is to be called with what is heard of revoked tokens. Raises `StoreUnavailable` on an outage.
    """

    def __init__(self, accounts: Accounts, *, ttl_s: float = TTL_S, capacity: int = CAPACITY) -> None:
        self._accounts = accounts
        self._ttl_s = ttl_s
        self._capacity = capacity
        self._known: dict[bytes, _Known] = {}
        self._asked: Gather[bytes, Bearer | None] = Gather(self._present)
        self._notices = 0

    def remembered(self, digest: bytes) -> Bearer | None:
        """Who presents the token with this SHA-256, if that is remembered."""
        known = self._known.get(digest)
        return known.bearer if known is not None and known.until > time.monotonic() else None

    def known(self, digest: bytes) -> bool:
        """Whether the token with this SHA-256 was valid when it was last asked for, however long ago."""
        return digest in self._known

    async def of(self, digest: bytes) -> Bearer | None:
        """Who presents the token with this SHA-256; None if it is not valid."""
        bearer = self.remembered(digest)
        if bearer is not None:
            return bearer
        notices = self._notices
        bearer = await self._asked.get(digest)
        if bearer is None:
            self._known.pop(digest, None)
        # An answer from before a notice may tell of a token that the notice was about.
        if bearer is not None and notices == self._notices:
            if len(self._known) >= self._capacity:
                self._known.clear()
            self._known[digest] = _Known(bearer, time.monotonic() + self._ttl_s)
        return bearer

    def forget(self, digest: bytes | None) -> None:
        """Asks again for this token; None: for all."""
        self._notices += 1
        if digest is None:
            self._known.clear()
        else:
            self._known.pop(digest, None)

    def forget_token(self, token: str) -> None:
        """Asks again for the token of this id."""
        self._drop([digest for digest, known in self._known.items() if known.bearer.token == token])

    def forget_player(self, player: str) -> None:
        """Asks again for all tokens of the player."""
        self._drop([digest for digest, known in self._known.items() if known.bearer.player == player])

    def _drop(self, digests: Sequence[bytes]) -> None:
        self._notices += 1
        for digest in digests:
            del self._known[digest]

    async def _present(self, digests: Sequence[bytes]) -> Mapping[bytes, Bearer | None]:
        found = await self._accounts.present(digests, datetime.now(UTC))
        return {digest: found.get(digest) for digest in digests}
