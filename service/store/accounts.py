"""Players and their tokens. A token is stored as the SHA-256 of its secret and has a public id."""

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from service.store.store import KeyReused, Receipt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Record

    from service.store.database import Database


class PlayerProfile(Struct, frozen=True):
    """A player's profile. An erased profile has no name."""

    id: str
    name: str | None
    created_at: datetime
    erased_at: datetime | None


class HashedToken(Struct, frozen=True):
    """A token to store: its public id (UUID), the SHA-256 of its secret, and its scopes."""

    id: str
    hash: bytes
    scopes: tuple[str, ...]


class TokenMetadata(Struct, frozen=True):
    """A token without its secret. The last use is recorded to the hour."""

    id: str
    player: str
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None


class Bearer(Struct, frozen=True):
    """The player, the scopes and the id of a valid token that was presented."""

    player: str
    scopes: tuple[str, ...]
    token: str


class Issued(Struct, frozen=True):
    """The token is valid now, for this player and under this id."""

    player: str
    token: str
    replayed: bool
    """Whether the key was used before: the token of the first answer, never used, then got the new secret."""


class Spent(Struct, frozen=True):
    """The key was used before, and its token was used or revoked since, so the answer cannot be given again."""

    player: str
    token: str


class UnknownPlayer(Struct, frozen=True):
    """There is no such player, or the profile was erased."""


_PLAYER = "id::text, name, created_at, erased_at"
_PLAYERS = f"SELECT {_PLAYER} FROM codille.player WHERE id = ANY ($1::uuid[])"  # noqa: S608 (no input in it)
_DIRECTORY = f"""
    SELECT {_PLAYER} FROM codille.player
    WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2
"""  # noqa: S608 (no input in it)
_TOKENS = """
    SELECT id::text, player_id::text, scopes, created_at, last_used_at FROM codille.token
    WHERE player_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id > $2)
    ORDER BY id LIMIT $3
"""


class Accounts:
    """Players and tokens in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Ids are UUIDs in text. The caller gives them, and the time (`at`, with a zone).
    """

    def __init__(self, database: "Database") -> None:
        self._database = database

    async def register(
        self,
        player: str,
        name: str,
        token: HashedToken,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        renewable: bool = False,
    ) -> Issued | Spent | KeyReused:
        """Registers a player with a first token, which has no scope beyond `play`.

        A receipt used before gives that request's token a new secret if it is `renewable`, and is spent otherwise.
        Raises the driver's InsufficientPrivilegeError for other scopes.
        """
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.register($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            player,
            name,
            token.id,
            token.hash,
            token.scopes,
            at,
            receipt and receipt.scope,
            receipt and receipt.digest,
            renewable,
        )
        outcome = _issue(row)
        if isinstance(outcome, UnknownPlayer):
            raise ValueError("codille.register answered unknown")
        return outcome

    async def add_token(
        self,
        player: str,
        token: HashedToken,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        secret: str | None = None,
    ) -> Issued | Spent | KeyReused | UnknownPlayer:
        """Adds a token to a player. A receipt used before gives that request's token a new secret.

        Scopes beyond `play` need the `secret` of a valid token of the player that has them. Raises the driver's
        InsufficientPrivilegeError without.
        """
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.add_token($1, $2, $3, $4, $5, $6, $7, $8)",
            player,
            token.id,
            token.hash,
            token.scopes,
            at,
            receipt and receipt.scope,
            receipt and receipt.digest,
            secret,
        )
        return _issue(row)

    async def grant_token(self, player: str, token: HashedToken, at: datetime) -> Issued | UnknownPlayer:
        """Adds a token with any scopes, which only the owner's connections may do.

        Raises the driver's InsufficientPrivilegeError for others.
        """
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.grant_token($1, $2, $3, $4, $5, NULL, NULL)",
            player,
            token.id,
            token.hash,
            token.scopes,
            at,
        )
        outcome = _issue(row)
        if isinstance(outcome, Spent | KeyReused):
            raise ValueError("codille.grant_token answered as to a receipt")
        return outcome

    async def player(self, player: str) -> PlayerProfile | None:
        """A player's profile; None if there never was such a player."""
        return (await self.players([player])).get(player)

    async def players(self, players: "Sequence[str]") -> dict[str, PlayerProfile]:
        """The profiles of these players by id, erased ones included, unknown players left out."""
        rows = await self._database.fetch(_PLAYERS, players)
        return {row[0]: PlayerProfile(*row) for row in rows}

    async def directory(self, after: str | None, limit: int) -> list[PlayerProfile]:
        """At most `limit` players in the order of their ids, after the id `after`."""
        return [PlayerProfile(*row) for row in await self._database.fetch(_DIRECTORY, after, limit)]

    async def erase(self, player: str, at: datetime) -> bool:
        """Erases a profile and revokes its tokens; False if there was none to erase."""
        ((erased,),) = await self._database.fetch("SELECT codille.erase($1, $2)", player, at)
        return bool(erased)

    async def tokens(self, player: str, after: str | None = None, limit: int | None = None) -> list[TokenMetadata]:
        """A player's valid tokens in the order of their ids, after the id `after`, at most `limit`."""
        rows = await self._database.fetch(_TOKENS, player, after, limit)
        return [
            TokenMetadata(token, of, tuple(scopes), created_at, last_used_at)
            for token, of, scopes, created_at, last_used_at in rows
        ]

    async def revoke(self, token: str, player: str, at: datetime) -> bool:
        """Revokes a player's token; False if the player has no such valid token."""
        ((revoked,),) = await self._database.fetch("SELECT codille.revoke($1, $2, $3)", token, player, at)
        return bool(revoked)

    async def present(self, hashes: "Sequence[bytes]", at: datetime) -> dict[bytes, Bearer]:
        """The bearers of these tokens by hash, invalid tokens left out. Records the use."""
        rows = await self._database.fetch("SELECT * FROM codille.present($1, $2)", hashes, at)
        return {digest: Bearer(player, tuple(scopes), token) for digest, token, player, scopes in rows}

    async def token(self, digest: bytes, at: datetime) -> Bearer | None:
        """The bearer of this token; None if it is not valid. Records the use."""
        return (await self.present([digest], at)).get(digest)


def _issue(row: "Record") -> Issued | Spent | KeyReused | UnknownPlayer:
    outcome, player, token = row
    match outcome:
        case "issued" | "reissued":
            return Issued(player, token, outcome == "reissued")
        case "spent":
            return Spent(player, token)
        case "key-reused":
            return KeyReused()
        case "unknown":
            return UnknownPlayer()
        case _:
            raise ValueError(f"the accounts answered {outcome!r}")
