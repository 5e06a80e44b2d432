"""The bodies of requests and answers about players and their tokens."""

from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from service.auth.names import MAX_NAME
from service.auth.scopes import Scope
from service.http.forms import GRAPHIC, NAME
from service.http.schemas import RequestBody, TableSummary
from service.queries.values import Id, Json

MIN_SECRET = 32
"""Characters, which hold 128 bits even where they are hexadecimal digits."""
MAX_SECRET = 128


PlayerName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=MAX_NAME, pattern=NAME, examples=["Ada"], description="The player's name.")
]
TokenName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NAME, examples=["my bot"])]
Expiry: TypeAlias = Annotated[datetime, Meta(tz=True, examples=["2099-12-31T00:00:00Z"])]


class Registration(RequestBody, frozen=True):
    """A player to register. The name has 1 to 64 characters, and at least one of them is visible.

    It has no control characters, no invisible ones, and none that change the direction of writing. It is kept as the
    Nickname profile of PRECIS has it (RFC 8266): normalised, without spaces at its ends. Several players may have one
    name. With a secret, an `Idempotency-Key` makes the registration repeatable.
    """

    name: PlayerName
    secret: Annotated[
        Annotated[str, Meta(min_length=MIN_SECRET, max_length=MAX_SECRET, pattern=GRAPHIC)] | None,
        Meta(
            examples=["6f1d3c0e9b7a45528c14d2e6f08b93a7"],
            description="At least 128 random bits that the client chose, such as 32 hexadecimal digits. By it, and by "
            "its `Idempotency-Key`, a registration is known again. Only a hash of it is stored.",
        ),
    ] = None

    @property
    def proof(self) -> str | None:
        """The client's own secret."""
        return self.secret


class Recovery(RequestBody, frozen=True):
    """A player whose tokens are lost, with the recovery secret of the registration or of the last recovery."""

    player: Annotated[UUID, Meta(description="The player's id.")]
    recovery_secret: Annotated[
        str,
        Meta(
            min_length=MIN_SECRET,
            max_length=MAX_SECRET,
            pattern=GRAPHIC,
            examples=["codille_recovery_c2F5IHRoZSBzZWNyZXQgYW5kIGJlIGtub3duIGFnYWlu"],
            description="The recovery secret that was answered last.",
        ),
    ]

    @property
    def proof(self) -> str | None:
        """The recovery secret."""
        return self.recovery_secret


class Renaming(RequestBody, frozen=True):
    """What changes in the caller's profile: the name, which has the form of a registration's."""

    name: PlayerName


class TokenRequest(RequestBody, frozen=True):
    """A token to add: its scopes and its end, by default those of the token in use, and its name."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)] | None = None
    name: Annotated[TokenName | None, Meta(description="What the caller calls the token, to know it in the list.")] = (
        None
    )
    expires_at: Annotated[
        Expiry | None,
        Meta(description="When the token ends, which is no later than the token in use does. Null: as that one."),
    ] = None


class RotationRequest(RequestBody, frozen=True):
    """A token's new end. Left out or null, the token ends when it did before."""

    expires_at: Annotated[
        Expiry | None, Meta(description="When the token ends, which is no later than the token in use does.")
    ] = None


class Registered(Struct, frozen=True):
    """A player's id, a token, and the secret that recovers the player without a token. Only this answer holds them."""

    player: Id
    token: str
    recovery_secret: Annotated[
        str,
        Meta(
            description="Gives a new token, and a new recovery secret, where the tokens are lost or stolen. To be kept "
            "apart from them."
        ),
    ]


class PublicPlayer(Struct, frozen=True):
    """A player's public profile. An erased profile has no name. `record` is null while it cannot be read."""

    player: Id
    name: Annotated[str | None, Meta(description="The player's name; null in an erased profile.")]
    skeleton: Annotated[
        str | None,
        Meta(
            description="What the name looks like (UTS 39); null in an erased profile. Where two names have one "
            "skeleton, show the players' ids beside them."
        ),
    ]
    created_at: datetime
    erased: bool
    record: Json | None


class Players(Struct, frozen=True):
    """The profiles of known players, in the order of the ids."""

    items: tuple[PublicPlayer, ...]


class OwnToken(Struct, frozen=True):
    """One of the caller's tokens, without its secret."""

    id: Id
    player: Id
    name: Annotated[str | None, Meta(description="What the player calls it.")]
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: Annotated[datetime | None, Meta(description="When it ends; null: when it is revoked.")]
    rotated_at: Annotated[datetime | None, Meta(description="When it last got another secret; null: never.")]
    last_used_at: Annotated[
        datetime | None, Meta(description="When its present secret was last used, to the hour; null: never.")
    ]
    current: Annotated[bool, Meta(description="Whether it is the token in use.")]


class Tokens(Struct, frozen=True):
    """The caller's valid tokens, oldest first."""

    items: tuple[OwnToken, ...]
    next: str | None


class AddedToken(Struct, frozen=True):
    """A token, new or with a new secret, and the id that revokes it. Only this answer holds the token."""

    id: Id
    player: Id
    name: Annotated[str | None, Meta(description="What the player calls it.")]
    token: str
    scopes: tuple[str, ...]
    expires_at: Annotated[datetime | None, Meta(description="When it ends; null: when it is revoked.")]


class OwnProfile(Struct, frozen=True):
    """The caller: the token's player and scopes, and the tables that the player is playing at.

    `tables` holds the 200 newest; it is null while they cannot be read.
    """

    player: Id
    name: Annotated[str | None, Meta(description="The player's name; null in an erased profile.")]
    scopes: tuple[str, ...]
    tables: Annotated[
        tuple[TableSummary, ...] | None,
        Meta(description="The running tables at which the player sits, newest first; null while they cannot be read."),
    ]
