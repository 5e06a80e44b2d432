"""Players and their tokens. Tokens are known here by the SHA-256 of their secret, and publicly by an id."""

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from service.store.store import KeyReused, Receipt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Record

    from service.store.database import Database


class PlayerProfile(Struct, frozen=True):
    """A player's profile. An erased one has no name."""

    id: str
    name: str | None
    created_at: datetime
    erased_at: datetime | None


class HashedToken(Struct, frozen=True):
    """A token to be kept: its public id (UUID), the SHA-256 of its secret, and its scopes."""

    id: str
    hash: bytes
    scopes: tuple[str, ...]


class TokenMetadata(Struct, frozen=True):
    """What may be known of a token. The last use is kept to the hour."""

    id: str
    player: str
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None


class Bearer(Struct, frozen=True):
    """Who presents a valid token."""

    player: str
    scopes: tuple[str, ...]
    token: str


class Issued(Struct, frozen=True):
    """The new token is valid, for this player and under this id."""

    player: str
    token: str
    replayed: bool
    """The key was used before: the token took the place of the first answer's, which was never used."""


class Spent(Struct, frozen=True):
    """The key was used before and its token has been used, or revoked: there is no answer to give again."""

    player: str
    token: str


class UnknownPlayer(Struct, frozen=True):
    """There is no such player, or not any more."""


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
    """Players and tokens over a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Ids are UUIDs in text, given by the caller, as is the time (`at`, with a zone).
    """

    def __init__(self, database: "Database") -> None:
        self._database = database

    async def register(
        self, player: str, name: str, token: HashedToken, at: datetime, receipt: Receipt | None = None
    ) -> Issued | Spent | KeyReused:
        """A new player with a first token; with a receipt seen before, a new secret for that one's token."""
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.register($1, $2, $3, $4, $5, $6, $7, $8)",
            player,
            name,
            token.id,
            token.hash,
            token.scopes,
            at,
            receipt and receipt.scope,
            receipt and receipt.digest,
        )
        outcome = _issue(row)
        if isinstance(outcome, UnknownPlayer):
            raise ValueError("codille.register answered unknown")
        return outcome

    async def add_token(
        self, player: str, token: HashedToken, at: datetime, receipt: Receipt | None = None
    ) -> Issued | Spent | KeyReused | UnknownPlayer:
        """A further token for a player; with a receipt seen before, a new secret for that one's token."""
        (row,) = await self._database.fetch(
            "SELECT * FROM codille.add_token($1, $2, $3, $4, $5, $6, $7)",
            player,
            token.id,
            token.hash,
            token.scopes,
            at,
            receipt and receipt.scope,
            receipt and receipt.digest,
        )
        return _issue(row)

    async def player(self, player: str) -> PlayerProfile | None:
        """A player's profile; None if there never was one."""
        return (await self.players([player])).get(player)

    async def players(self, players: "Sequence[str]") -> dict[str, PlayerProfile]:
        """The profiles of those of these players that there are, erased ones included."""
        rows = await self._database.fetch(_PLAYERS, players)
        return {row[0]: PlayerProfile(*row) for row in rows}

    async def directory(self, after: str | None, limit: int) -> list[PlayerProfile]:
        """All players in the order of their ids, a page after a player."""
        return [PlayerProfile(*row) for row in await self._database.fetch(_DIRECTORY, after, limit)]

    async def erase(self, player: str, at: datetime) -> bool:
        """Erases a profile and revokes its tokens; whether there was one to erase."""
        ((erased,),) = await self._database.fetch("SELECT codille.erase($1, $2)", player, at)
        return bool(erased)

    async def tokens(self, player: str, after: str | None = None, limit: int | None = None) -> list[TokenMetadata]:
        """A player's valid tokens in the order of their ids, a page after a token."""
        rows = await self._database.fetch(_TOKENS, player, after, limit)
        return [
            TokenMetadata(token, of, tuple(scopes), created_at, last_used_at)
            for token, of, scopes, created_at, last_used_at in rows
        ]

    async def revoke(self, token: str, player: str, at: datetime) -> bool:
        """Revokes a player's token; whether there was such a valid one."""
        ((revoked,),) = await self._database.fetch("SELECT codille.revoke($1, $2, $3)", token, player, at)
        return bool(revoked)

    async def present(self, hashes: "Sequence[bytes]", at: datetime) -> dict[bytes, Bearer]:
        """Who presents these tokens, by hash, the invalid ones left out. From now on they have been used."""
        rows = await self._database.fetch("SELECT * FROM codille.present($1, $2)", hashes, at)
        return {digest: Bearer(player, tuple(scopes), token) for digest, token, player, scopes in rows}

    async def token(self, digest: bytes, at: datetime) -> Bearer | None:
        """Who presents this token; None when it is not valid. From now on it has been used."""
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
