"""Clients that a player lets in: the codes that they exchange (RFC 6749, 4.1), and the tokens that they have."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from service.store.accounts import HashedToken
from service.store.database import Database

MOST = 100
"""The most clients' tokens and unused codes that a player has at a time."""

Outcome = Literal["consented", "unknown", "lesser", "too-many"]


class Consent(Struct, frozen=True):
    """What a player lets a client do, and until when: the code is bound to all of it."""

    client: str
    redirect_uri: str
    challenge: bytes
    """The SHA-256 of the verifier (RFC 7636, 4.2)."""
    scopes: tuple[str, ...]
    until: datetime
    """When the client's token ends, unless the one that consents ends before."""


class ClientGrant(Struct, frozen=True):
    """A client's token is valid now: for this player, with these scopes, until then."""

    player: str
    scopes: tuple[str, ...]
    expires_at: datetime


class CodeReused(Struct, frozen=True):
    """The code had been exchanged, and the player's token that was given for it has ended now."""

    player: str


class ClientTokens:
    """Clients' codes and tokens in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    The caller supplies ids, hashes, and the time (`at`, with a zone).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def consent(
        self, player: str, digest: bytes, consent: Consent, until: datetime, at: datetime, *, by: str
    ) -> Outcome:
        """Keeps a code, by its SHA-256, for this consent; it can be exchanged until `until`.

        `by` is the id of the token in use, which consents. The outcome is `unknown` if that is no longer valid,
        `lesser` if it may not let clients in, and `too-many` if the player has MOST of them. Raises the driver's
        InsufficientPrivilegeError for scopes that no client has.
        """
        ((outcome,),) = await self._database.call(
            "codille.consent", player, digest, consent.client, consent.redirect_uri, consent.challenge, consent.scopes,
            until, consent.until, at, MOST, by,
        )  # fmt: skip
        answered: Outcome = outcome
        return answered

    async def exchange(
        self, digest: bytes, client: str, redirect_uri: str, challenge: bytes, token: HashedToken, at: datetime
    ) -> ClientGrant | CodeReused | None:
        """Gives this token for a code; None if the code is not valid for the client, the redirect and the challenge.

        The scopes and the expiry are those of the consent. A wrong redirect or challenge makes the code void.
        """
        rows = await self._database.call(
            "codille.exchange_code", digest, client, redirect_uri, challenge, token.id, token.hash, at
        )
        if not rows:
            return None
        ((player, scopes, expires_at),) = rows
        return CodeReused(player) if scopes is None else ClientGrant(player, tuple(scopes), expires_at)

    async def revoke(self, digest: bytes, client: str, at: datetime) -> str | None:
        """Revokes the token with this SHA-256, and ends what it made; None if this client has no such valid token.

        Otherwise the token's player is returned.
        """
        ((player,),) = await self._database.call("codille.revoke_client", digest, client, at)
        return None if player is None else str(player)
