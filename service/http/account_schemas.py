"""The bodies of requests and responses about players and their tokens."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from domain.seats import Id
from projections.lobby import TableSummary
from service.auth.client_ids import MOST_LETTERS
from service.auth.names import MAX_NAME
from service.auth.scopes import ClientScope, Scope
from service.describe.shared_fields import CREATED_AT, ID, Json, Listed, Paged
from service.http.examples import CLIENT
from service.http.forms import CHALLENGE, CODE, GRAPHIC, NAME, SHORTEST_TIME
from service.http.schemas import RequestBody
from service.store.accounts import MOST_MADE

MIN_SECRET = 32
"""Characters, which hold at least 128 bits even as hexadecimal digits."""
MAX_SECRET = 128


PlayerName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=MAX_NAME, pattern=NAME, examples=["Ada"], description="The player's name.")
]
TokenName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NAME, examples=["my bot"])]
NOT_EMPTY = {"minLength": SHORTEST_TIME}
Expiry: TypeAlias = Annotated[
    str, Meta(examples=["2099-12-31T00:00:00Z"], extra_json_schema={"format": "date-time", **NOT_EMPTY})
]
"""A text, since msgspec reads no leap second. Generated clients would hold their times against a pattern."""


MOST_DAYS = 90
"""The most days for which a client is let in."""

SCOPES = Meta(description="The scopes of the token.")
TOKEN = Meta(description="The secret to send as `Authorization: Bearer …`.")


class Registration(RequestBody, frozen=True):
    """A player to register. The name has 1 to 64 characters, at least one of them visible.

    It has no control characters, no invisible ones, and none that change the direction of writing; a letter has at most
    four combining marks, each of them once. It is stored in the form of the Nickname profile of PRECIS (RFC 8266):
    normalised, without spaces at its ends. Several players may have the same name. A name that looks like one of the
    house, a bot, a level of bots or a seat, such as `Quick bot` or `Seat 2`, is refused. With a secret, an
    `Idempotency-Key` makes the registration repeatable.
    """

    PROOF: ClassVar = "secret"

    name: PlayerName
    secret: Annotated[
        Annotated[str, Meta(min_length=MIN_SECRET, max_length=MAX_SECRET, pattern=GRAPHIC)] | None,
        Meta(
            examples=["6f1d3c0e9b7a45528c14d2e6f08b93a7"],
            description="At least 128 random bits chosen by the client, such as 32 hexadecimal digits. The secret and "
            "the `Idempotency-Key` identify a repeated registration. Only a hash of the secret is stored.",
        ),
    ] = None


class Recovery(RequestBody, frozen=True):
    """A player whose tokens are lost, with the recovery secret of the registration or of the last recovery."""

    PROOF: ClassVar = "recovery_secret"

    player: UUID
    recovery_secret: Annotated[
        str,
        Meta(
            min_length=MIN_SECRET,
            max_length=MAX_SECRET,
            pattern=GRAPHIC,
            examples=["codille_recovery_c2F5IHRoZSBzZWNyZXQgYW5kIGJlIGtub3duIGFnYWlu"],
            description="The player's latest recovery secret.",
        ),
    ]


class Renaming(RequestBody, frozen=True):
    """A change to the caller's profile: the new name, in the form that registration requires."""

    name: PlayerName


class TokenRequest(RequestBody, frozen=True):
    """A token to add: its scopes and expiry, which default to those of the token in use, and its name."""

    scopes: Annotated[Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)] | None, SCOPES] = None
    name: Annotated[TokenName | None, Meta(description="The caller's name for the token, shown in lists.")] = None
    expires_at: Annotated[
        Expiry | None,
        Meta(description="When the token expires, no later than the token in use. Null: as that one."),
    ] = None


class ConsentRequest(RequestBody, frozen=True):
    """What the caller lets a client do. `client_id` and `redirect_uri` are those that the client has sent."""

    client_id: Annotated[
        str,
        Meta(max_length=MOST_LETTERS, pattern=GRAPHIC, examples=[CLIENT], description="The client, by its one URL."),
    ]
    redirect_uri: Annotated[
        str,
        Meta(
            max_length=MOST_LETTERS + 6,
            pattern=GRAPHIC,
            examples=[CLIENT],
            description="The client's id, letter for letter; on loopback with any port.",
        ),
    ]
    scopes: Annotated[
        Annotated[tuple[ClientScope, ...], Meta(min_length=1, max_length=3)],
        Meta(description="What the client may do.", examples=[["read", "seat"]]),
    ]
    code_challenge: Annotated[
        str,
        Meta(
            pattern=CHALLENGE,
            examples=["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM"],
            description="The challenge by the method S256 (RFC 7636).",
        ),
    ]
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS, description="Days after which the client's token ends.")] = MOST_DAYS


class Authorization(Struct, frozen=True):
    """A code that the client exchanges for a token, once. Only this response has it."""

    code: Annotated[str, Meta(description="The code to send the browser back to the client with.")]
    issuer: Annotated[str, Meta(description="The `iss` to send it back with (RFC 9207).")]
    expires_at: Annotated[datetime, Meta(description="Until when the client can exchange it.")]


class RotationRequest(RequestBody, frozen=True):
    """A token's new expiry, and whether what it made ends. If the expiry is left out or null, it does not change."""

    expires_at: Annotated[
        Expiry | None, Meta(description="When the token expires, no later than the token in use.")
    ] = None
    end_made: Annotated[
        bool,
        Meta(description="Whether what the token made ends, and what that made in turn."),
    ] = False


class Handover(RequestBody, frozen=True):
    """A code that one device of a player shows, and another one sends."""

    PROOF: ClassVar = "code"

    code: Annotated[
        str,
        Meta(
            pattern=CODE,
            examples=["7KQMWX3P"],
            description="8 letters and digits of which no two look alike, shown in capitals and sent in any case.",
        ),
    ]
    expires_at: Annotated[
        Annotated[datetime, Meta(extra_json_schema=NOT_EMPTY)] | None,
        Meta(description="When the code expires. It need not be sent, and changes nothing."),
    ] = None


class Registered(Struct, frozen=True):
    """A player's id, a token, and the secret that recovers the player without a token. Only this response has them."""

    player: Id
    token: Annotated[str, TOKEN]
    recovery_secret: Annotated[
        str,
        Meta(
            description="Replaces lost or stolen tokens by a new token, and itself by a new recovery secret. Keep it "
            "apart from the tokens."
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
    created_at: Annotated[datetime, CREATED_AT]
    erased: Annotated[bool, Meta(description="Whether the profile was erased.")]
    record: Annotated[Json | None, Meta(description="The player's record; null while it cannot be read.")]


class Players(Listed[PublicPlayer], frozen=True):
    """The profiles of known players, in the order of the ids."""


class OwnToken(Struct, frozen=True):
    """One of the caller's tokens, without its secret."""

    id: Annotated[Id, ID]
    player: Id
    name: Annotated[str | None, Meta(description="The player's name for it.")]
    client: Annotated[
        str | None,
        Meta(description="The client that the player let in, by its `client_id`; null: the token is the player's own."),
    ]
    scopes: Annotated[tuple[str, ...], SCOPES]
    created_at: Annotated[datetime, CREATED_AT]
    expires_at: Annotated[datetime | None, Meta(description="When it expires; null: only when it is revoked.")]
    rotated_at: Annotated[datetime | None, Meta(description="When its secret was last replaced; null: never.")]
    last_used_at: Annotated[
        datetime | None, Meta(description="When its current secret was last used, to the hour; null: never.")
    ]
    current: Annotated[bool, Meta(description="Whether it is the token in use.")]


class Tokens(Paged[OwnToken], frozen=True):
    """The caller's valid tokens, oldest first."""


class AddedToken(Struct, frozen=True):
    """A token, new or with a new secret, and the id that revokes it. Only this response has the token."""

    id: Annotated[Id, ID]
    player: Id
    name: Annotated[str | None, Meta(description="The player's name for it.")]
    token: Annotated[str, TOKEN]
    scopes: Annotated[tuple[str, ...], SCOPES]
    expires_at: Annotated[datetime | None, Meta(description="When it expires; null: only when it is revoked.")]


class MadeThing(Struct, frozen=True):
    """Something that a token made, or what that made in turn."""

    kind: Annotated[
        Literal["token", "webhook", "invitation", "code"],
        Meta(description="`code`: the code for another device, or that of a client that is let in."),
    ]
    id: Annotated[Id | None, Meta(description="Its id; null of a code.")]
    table: Annotated[Id | None, Meta(description="The table to which an invitation invites; null of anything else.")]


class RotatedToken(AddedToken, frozen=True):
    """A token with a new secret, the id that revokes it, and what it made. Only this response has the token."""

    made: Annotated[
        tuple[MadeThing, ...],
        Meta(
            max_length=MOST_MADE,
            description="What the token made that was valid, and what that made in turn; at most 1,000. It has ended "
            "if `end_made` was true.",
        ),
    ]


class OwnProfile(Struct, frozen=True):
    """The caller: the token's player and scopes, and the tables at which the player is playing.

    `tables` has the newest 200; it is null while they cannot be read.
    """

    player: Id
    name: Annotated[str | None, Meta(description="The player's name; null in an erased profile.")]
    scopes: Annotated[tuple[str, ...], SCOPES]
    tables: Annotated[
        tuple[TableSummary, ...] | None,
        Meta(description="The running tables at which the player sits, newest first; null while they cannot be read."),
    ]
