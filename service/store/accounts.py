"""Players and their tokens. A token is stored as the SHA-256 of its secret and has a public id."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, cast

from asyncpg import Record
from msgspec import Struct, structs

from service.store.database import Database
from service.store.store import KeyReused, Receipt, scope_and_digest


class PlayerProfile(Struct, frozen=True):
    """A player's profile. An erased profile has no name."""

    id: str
    name: str | None
    created_at: datetime
    erased_at: datetime | None


class HashedToken(Struct, frozen=True):
    """A token to store: its public id (UUID), the SHA-256 of its secret, its scopes and name, and when it expires."""

    id: str
    hash: bytes
    scopes: tuple[str, ...]
    name: str | None = None
    expires_at: datetime | None = None


class TokenMetadata(Struct, frozen=True):
    """A token without its secret. The last use is that of its current secret, recorded to the hour."""

    id: str
    player: str
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None
    name: str | None = None
    expires_at: datetime | None = None
    rotated_at: datetime | None = None
    client: str | None = None
    """The client that it was given to, by its `client_id`; None: it is the player's own."""


class Bearer(Struct, frozen=True):
    """The player, scopes, id and expiry of a valid token that was presented."""

    player: str
    scopes: tuple[str, ...]
    token: str
    expires_at: datetime | None = None
    client: str | None = None
    """The client that it was given to, by its `client_id`, so that its scopes are those of clients."""


class MadeByToken(Struct, frozen=True):
    """Something that a token made. A code has no id, and only an invitation has a table."""

    kind: Literal["token", "webhook", "invitation", "code"]
    id: str | None
    table: str | None


class Issued(Struct, frozen=True):
    """The token is valid now, for this player and under this id."""

    player: str
    token: str
    replayed: bool
    """Whether the key was used before: the first response's token, still unused, then got the new secret."""
    made: tuple[MadeByToken, ...] = ()
    """What a rotated token had made that was valid, and what that had made in turn, at most MOST_MADE of it."""


class Spent(Struct, frozen=True):
    """The key was used before, and its token has been used or revoked since, so the response cannot be repeated."""

    player: str
    token: str


class UnknownPlayer(Struct, frozen=True):
    """There is no such player, the profile was erased, or the presented token or secret is not valid for the player."""


class UnknownToken(Struct, frozen=True):
    """The player has no such valid token, or the token in use is no longer valid."""


class HandoverClaimed(Struct, frozen=True):
    """A code was traded for a token of this player, which ends when the token does by which the code was asked for."""

    issued: Issued
    expires_at: datetime | None


class LesserToken(Exception):
    """The token in use was added by another one, or expires, and may not do this."""


_LESSER = (
    "the token in use was added by another one, or ends: this needs one that lasts as long, as from registration or "
    "recovery"
)
MOST_MADE = 1000
"""The most that a rotation lists of what the token made."""

_PLAYER = "id::text, name, created_at, erased_at"
_PLAYERS = f"SELECT {_PLAYER} FROM codille.player WHERE id = ANY ($1::uuid[])"  # noqa: S608 (no input in it)
_DIRECTORY = f"""
    SELECT {_PLAYER} FROM codille.player
    WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2
"""  # noqa: S608 (no input in it)
_ALIKE = f"SELECT {_PLAYER} FROM codille.player WHERE look = $1 ORDER BY id LIMIT $2"  # noqa: S608 (no input in it)
_WITHOUT_LOOK = "SELECT id::text, name FROM codille.player WHERE name IS NOT NULL AND look IS NULL LIMIT $1"
_WORDS_ASKED = """
    SELECT id::text FROM codille.player WHERE words_asked_at IS NOT NULL ORDER BY words_asked_at, id
"""
_TOKENS = """
    SELECT id::text, player_id::text, scopes, created_at, last_used_at, name, expires_at, rotated_at, client
    FROM codille.token
    WHERE player_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        AND ($3::uuid IS NULL OR id > $3) AND ($5::uuid IS NULL OR id = $5)
    ORDER BY id LIMIT $4
"""


class Accounts:
    """Players and tokens in a database. Every method raises `StoreUnavailable` on an outage or a timeout.

    Ids are UUIDs as text. The caller supplies them, and the time (`at`, with a zone).
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def register(
        self,
        player: str,
        name: str,
        token: HashedToken,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        recovery: bytes | None = None,
        renewable: bool = False,
        look: bytes | None = None,
    ) -> Issued | Spent | KeyReused:
        """Registers a player with a first token, which has no scope beyond `play` and no name.

        `look` is what the name looks like (`names.look`); without it, it is noted later.
        `recovery` is the SHA-256 of the recovery secret; without it a lost token cannot be recovered. With a receipt
        used before, that request's token gets a new secret if `renewable`; otherwise the outcome is Spent. Raises the
        driver's InsufficientPrivilegeError for other scopes.
        """
        (row,) = await self._database.call(
            "codille.register", player, name, token.id, token.hash, token.scopes, recovery, at,
            *scope_and_digest(receipt), renewable, look,
        )  # fmt: skip
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
        by: str | None = None,
    ) -> Issued | Spent | KeyReused | UnknownPlayer:
        """Adds a token to a player. With a receipt used before, that request's token gets a new secret.

        `by` is the id of the token in use, which must still be valid, and with which the new one ends; None stands for
        the operator. Scopes beyond `play` need the `secret` of a valid token of the player that has them; otherwise the
        driver's InsufficientPrivilegeError is raised.
        """
        (row,) = await self._database.call(
            "codille.add_token", player, *structs.astuple(token), at, *scope_and_digest(receipt), secret, by
        )
        return _issue(row)

    async def rotate(
        self,
        player: str,
        token: str,
        digest: bytes,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        by: str,
        secret: str | None = None,
        expires_at: datetime | None = None,
        end_made: bool = False,
    ) -> Issued | Spent | KeyReused | UnknownToken:
        """Replaces the secret of a player's token by one with this SHA-256, and its expiry if one is given.

        What the token made, and what that made in turn, ends with `end_made`, and else no later than the new expiry.
        `by` is the id of the token in use. A receipt used before replaces the secret again while the first one is
        unused. Scopes beyond `play` need the `secret` of a valid token of the player that has them and expires no
        earlier; otherwise the driver's InsufficientPrivilegeError is raised. Raises LesserToken if the token lasts
        longer than the one in use.
        """
        rows = await self._database.call(
            "codille.rotate_token", token, player, digest, expires_at, at, *scope_and_digest(receipt), secret, by,
            end_made, MOST_MADE,
        )  # fmt: skip
        outcome = _issue(rows[0][:3])
        if isinstance(outcome, Issued):
            return structs.replace(outcome, made=tuple(MadeByToken(*row[3:]) for row in rows if row["kind"]))
        return UnknownToken() if isinstance(outcome, UnknownPlayer) else outcome

    async def recover(
        self,
        player: str,
        secret: str,
        token: HashedToken,
        recovery: bytes,
        at: datetime,
        receipt: Receipt | None = None,
    ) -> Issued | Spent | KeyReused | UnknownPlayer:
        """Replaces all tokens of a player who presents the recovery secret by one with the scope `play`.

        What the tokens made ends with them.
        `recovery` is the SHA-256 of the new recovery secret. The presented secret works again until the new token is
        used. The outcome is UnknownPlayer if the secret is not the player's.
        """
        (row,) = await self._database.call(
            "codille.recover", player, secret, token.id, token.hash, recovery, at, *scope_and_digest(receipt)
        )
        return _issue(row)

    async def offer_handover(
        self, player: str, name: str, digest: bytes, until: datetime, at: datetime, *, by: str
    ) -> Literal["offered", "taken", "unknown"]:
        """Keeps a player's code until then, in place of an earlier one: the name in it, and the SHA-256 of its hash.

        `by` is the id of the token in use. The outcome is `taken` if another player's code has this name now, and
        `unknown` if that token is no longer valid.
        """
        ((outcome,),) = await self._database.call("codille.offer_handover", player, name, digest, until, at, by)
        return cast("Literal['offered', 'taken', 'unknown']", outcome)

    async def claim_handover(
        self,
        name: str,
        secret: bytes,
        token: HashedToken,
        at: datetime,
        receipt: Receipt | None = None,
        *,
        most_tries: int,
    ) -> HandoverClaimed | Spent | KeyReused | UnknownPlayer:
        """Trades a code, by the name in it and its hash, for a token with the scope `play`.

        The token's expiry is that of the token by which the code was asked for. UnknownPlayer stands for every code
        that is not valid. The code is void after so many wrong ones with its name. With a receipt used before, that
        request's token gets a new secret.
        """
        ((*row, expires_at),) = await self._database.call(
            "codille.claim_handover", name, secret, most_tries, token.id, token.hash, at, *scope_and_digest(receipt)
        )
        outcome = _issue(row)
        return HandoverClaimed(outcome, expires_at) if isinstance(outcome, Issued) else outcome

    async def rename(self, player: str, name: str, look: bytes | None = None) -> bool:
        """Gives a player another name, which has this look; False if there is no such profile."""
        ((renamed,),) = await self._database.call("codille.rename", player, name, look)
        return bool(renamed)

    async def alike(self, look: bytes, limit: int) -> list[PlayerProfile]:
        """At most `limit` players whose names have this look, in order of their ids."""
        return [PlayerProfile(*row) for row in await self._database.fetch(_ALIKE, look, limit)]

    async def without_look(self, limit: int) -> dict[str, str]:
        """The names, by id, of at most `limit` players of whose names it is not known what they look like."""
        return dict(map(tuple, await self._database.fetch(_WITHOUT_LOOK, limit)))

    async def note_looks(self, names: Mapping[str, str], looks: Sequence[bytes]) -> None:
        """Notes what these names, by player, look like, in their order."""
        await self._database.call("codille.note_looks", list(names), list(names.values()), looks)

    async def grant_token(self, player: str, token: HashedToken, at: datetime) -> Issued | UnknownPlayer:
        """Adds a token with any scopes, which only the owner's connections may do.

        Raises the driver's InsufficientPrivilegeError on other connections.
        """
        (row,) = await self._database.call(
            "codille.grant_token", player, *structs.astuple(token), at, *scope_and_digest(None), False
        )
        outcome = _issue(row)
        if isinstance(outcome, Spent | KeyReused):
            raise ValueError("codille.grant_token answered as to a receipt")
        return outcome

    async def player(self, player: str) -> PlayerProfile | None:
        """A player's profile; None if the player never existed."""
        return (await self.players([player])).get(player)

    async def players(self, players: Sequence[str]) -> dict[str, PlayerProfile]:
        """The profiles by id, including erased ones, without unknown players."""
        rows = await self._database.fetch(_PLAYERS, players)
        return {row[0]: PlayerProfile(*row) for row in rows}

    async def directory(self, after: str | None, limit: int) -> list[PlayerProfile]:
        """At most `limit` players in order of their ids, after the id `after`."""
        return [PlayerProfile(*row) for row in await self._database.fetch(_DIRECTORY, after, limit)]

    async def erase(self, player: str, at: datetime, *, by: str | None = None, words: bool = False) -> bool:
        """Erases a profile, and ends its tokens and what they made; False if there was none to erase.

        `by` is the id of the token in use; None stands for the operator. False also if that token is no longer valid.
        `words` asks the log's owner to erase the player's words; the operator may ask for it of an erased profile too.
        Raises LesserToken if the token was added by another one, or expires.
        """
        ((outcome,),) = await self._database.call("codille.erase", player, at, by, words)
        return _done(outcome)

    async def words_asked(self) -> list[str]:
        """The erased players whose words are to be erased from the log, the earliest request first."""
        return [player for (player,) in await self._database.fetch(_WORDS_ASKED)]

    async def tokens(
        self,
        player: str,
        at: datetime,
        after: str | None = None,
        limit: int | None = None,
        *,
        only: str | None = None,
    ) -> list[TokenMetadata]:
        """A player's tokens that are valid at `at`, in order of their ids, after the id `after`, at most `limit`.

        `only` is the id of the one token that is listed.
        """
        return [_metadata(row) for row in await self._database.fetch(_TOKENS, player, at, after, limit, only)]

    async def token_of(self, player: str, token: str, at: datetime) -> TokenMetadata | None:
        """A player's token; None if the player has no valid token with this id."""
        return next(iter(await self.tokens(player, at, limit=1, only=token)), None)

    async def revoke(self, token: str, player: str, at: datetime, *, by: str | None = None) -> bool:
        """Revokes a player's token, and ends what it made in turn; False if the player has no such valid token.

        `by` is the id of the token in use; None stands for the operator. False also if that token is no longer valid.
        Raises LesserToken if the token lasts longer than the one in use.
        """
        ((outcome,),) = await self._database.call("codille.revoke", token, player, at, by)
        return _done(outcome)

    async def present(self, hashes: Sequence[bytes], at: datetime) -> dict[bytes, Bearer]:
        """The bearers of these tokens by hash, without invalid tokens. Records the use."""
        rows = await self._database.call("codille.recognise", hashes, at)
        return {
            digest: Bearer(player, tuple(scopes), token, expires_at, client)
            for digest, token, player, scopes, expires_at, client in rows
        }

    async def token(self, digest: bytes, at: datetime) -> Bearer | None:
        """The bearer of this token; None if it is not valid. Records the use."""
        return (await self.present([digest], at)).get(digest)


def _metadata(row: Record) -> TokenMetadata:
    token, player, scopes, *rest = row
    return TokenMetadata(token, player, tuple(scopes), *rest)


def _issue(row: Record | Sequence[str]) -> Issued | Spent | KeyReused | UnknownPlayer:
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
        case "lesser":
            raise LesserToken(_LESSER)
        case _:
            raise ValueError(f"the accounts answered {outcome!r}")


def _done(outcome: str) -> bool:
    """Whether a profile or token was ended. Raises LesserToken."""
    if outcome == "lesser":
        raise LesserToken(_LESSER)
    return outcome != "unknown"
