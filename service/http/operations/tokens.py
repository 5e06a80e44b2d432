"""The caller's tokens: listing, adding, rotating, revoking, and handing one over to another device."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response

from service.auth.scopes import REGISTERED
from service.auth.secrets import code_name, hashed, mint_code, mint_token, new_secret
from service.commands.handler import KeyConflict
from service.http import account_schemas as schemas
from service.http import guards
from service.http.examples import CODE, DAY, EXPIRES_AT, PLAYERS, REGISTERED_AT, TOKEN, TOKEN_ID, WEBHOOK_ID
from service.http.forms import AFTER_ID, IN_WORDS, TIME, instant
from service.http.operation import operation
from service.http.parameters import Limit, cursor_parameter
from service.http.problems import Fault, Problem, invalid_field, unauthenticated, unavailable
from service.http.request import Request
from service.http.responses import json
from service.services import Services
from service.store import accounts
from service.store.store import KeyReused

CODE_VALID = timedelta(minutes=2)
MOST_TRIES = 5
"""The number of wrong codes with its name, from any addresses, after which a code is void."""
MOST_CODES = 16
"""The most codes drawn to find one whose name no other code has."""

EXAMPLE = {
    "id": TOKEN_ID,
    "player": PLAYERS[0],
    "name": "my bot",
    "client": None,
    "scopes": ["play"],
    "created_at": REGISTERED_AT,
    "expires_at": EXPIRES_AT,
    "rotated_at": None,
    "last_used_at": f"{DAY}T10:00:00Z",
    "current": True,
}
MADE_EXAMPLE = [{"kind": "webhook", "id": WEBHOOK_ID, "table": None}]
NEW_EXAMPLE = {
    "id": TOKEN_ID,
    "player": PLAYERS[0],
    "name": "my bot",
    "token": TOKEN,
    "scopes": ["play"],
    "expires_at": EXPIRES_AT,
}
SLOW = 550
"""The cost of hashing a code."""
SPENT = "the token of the first answer has been used or revoked"
THIS_TOKEN = {"token": "$response.body#/id"}


@operation(
    "GET",
    "/v1/tokens",
    tag="Tokens",
    summary="The caller's tokens",
    description="The caller's valid tokens, oldest first, without their secrets: the player's own, and those of "
    "clients that the player let in. A client sees its own token alone.",
    answers="A page of tokens.",
    cost=2,
    guards=(guards.authenticated,),
    client_scope="any",
    links=(("token", "getToken", {"token": "$response.body#/items/0/id"}),),
    example=lambda _: {"items": [EXAMPLE], "next": None},
)
async def list_tokens(
    request: Request,
    cursor: Annotated[str | None, cursor_parameter(TOKEN_ID, AFTER_ID)] = None,
    limit: Limit = 50,
) -> Response[schemas.Tokens]:
    """A page of the caller's tokens."""
    only = guards.client_token(request)
    listed = await request.services.players.accounts.tokens(
        request.player, datetime.now(UTC), cursor, limit + 1, only=only
    )
    more = len(listed) > limit
    items = tuple(_described(request, token) for token in listed[:limit])
    return json(schemas.Tokens(items, items[-1].id if more else None))


@operation(
    "GET",
    "/v1/tokens/{token:uuid}",
    tag="Tokens",
    summary="One of the caller's tokens",
    description="One of the caller's tokens, without its secret.",
    answers="The token.",
    cost=2,
    guards=(guards.authenticated,),
    client_scope="any",
    example=lambda _: EXAMPLE,
)
async def get_token(request: Request, token: UUID) -> Response[schemas.OwnToken]:
    """One of the caller's tokens. Raises Problem if the caller has none with this id."""
    return json(_described(request, await _token(request, token)))


@operation(
    "POST",
    "/v1/tokens",
    tag="Tokens",
    summary="Add a token",
    description="Adds a token for the caller, with all or some scopes of the token in use, that expires no later than "
    "that one. So a player can give each client its own token, and revoke that one alone. What a token made ends with "
    "it: tokens, webhooks, invitations and the code for another device, and what these made in turn.",
    answers="The token is valid.",
    status=201,
    cost=3,
    guards=(guards.authenticated,),
    headers=("Idempotency-Key",),
    body=schemas.TokenRequest,
    problems=("invalid-expiry", "key-spent"),
    links=(
        ("token", "getToken", THIS_TOKEN),
        ("rotate", "rotateToken", THIS_TOKEN),
        ("revoke", "revokeToken", THIS_TOKEN),
    ),
    requests=lambda _: {
        "the same scopes": {},
        "to play": {"scopes": ["play"]},
        "for a while": {"name": "my bot", "expires_at": EXPIRES_AT},
    },
    example=lambda _: NEW_EXAMPLE,
)
async def add_token(request: Request) -> Response[schemas.AddedToken]:
    """Adds a token. Raises Problem for scopes that the token in use lacks, and if the key cannot be used again."""
    bearer, wanted, now = guards.bearer(request), request.body, datetime.now(UTC)
    scopes = bearer.scopes if wanted.scopes is None else tuple(dict.fromkeys(wanted.scopes))
    _check_scopes(bearer, scopes)
    expires_at = _expiry(bearer, wanted.expires_at, bearer.expires_at, now)
    secret, token = mint_token(scopes, wanted.name, expires_at)
    match issued := await request.services.players.accounts.add_token(
        request.player, token, now, request.receipt, secret=_secret(request, scopes), by=bearer.token
    ):
        case accounts.Issued():
            added = schemas.AddedToken(issued.token, issued.player, wanted.name, secret, scopes, expires_at)
            return json(added, status=201, location=f"/v1/tokens/{issued.token}", replayed=issued.replayed)
        case accounts.Spent():
            raise Problem("key-spent", SPENT)
        case accounts.UnknownPlayer():
            raise unauthenticated("the token in use was revoked", presented=True)
        case KeyReused():
            raise KeyConflict


@operation(
    "POST",
    "/v1/tokens/{token:uuid}/rotate",
    tag="Tokens",
    summary="Rotate a token",
    description="Replaces the secret of one of the caller's tokens, which may be the token in use; the old secret is "
    "no longer valid. The token keeps its id, its name and its scopes. This needs a token that has all its scopes and "
    "lasts as long: a token from registration or recovery without an expiry lasts longest. A token that another one "
    "rotates ends with that one from then on. The response lists what the token made, which goes on unless `end_made` "
    "is true; nothing of it ends later than the token. If the response is lost, "
    "the same request with the same `Idempotency-Key` and another token returns yet another secret, as long as the "
    "first has not been used.",
    answers="The token has a new secret.",
    cost=3,
    guards=(guards.authenticated,),
    headers=("Idempotency-Key",),
    body=schemas.RotationRequest,
    problems=("lesser-token", "invalid-expiry", "key-spent"),
    links=(("token", "getToken", THIS_TOKEN), ("revoke", "revokeToken", THIS_TOKEN)),
    requests=lambda _: {
        "as it was": {},
        "for a while": {"expires_at": EXPIRES_AT},
        "with an end to what it made": {"end_made": True},
    },
    example=lambda _: NEW_EXAMPLE | {"made": MADE_EXAMPLE},
)
async def rotate_token(request: Request, token: UUID) -> Response[schemas.RotatedToken]:
    """Replaces a token's secret in every process.

    Raises Problem if the caller has no token with this id, if the token in use lacks a scope or expires earlier, and if
    the key cannot be used again; LesserToken if the token in use does not last as long.
    """
    services, bearer, now = request.services, guards.bearer(request), datetime.now(UTC)
    own = await _token(request, token)
    _check_scopes(bearer, own.scopes)
    expires_at = _expiry(bearer, request.body.expires_at, own.expires_at, now)
    secret = new_secret()
    match issued := await services.players.accounts.rotate(
        request.player,
        own.id,
        hashed(secret),
        now,
        request.receipt,
        by=bearer.token,
        secret=_secret(request, own.scopes),
        expires_at=request.body.expires_at and expires_at,
        end_made=request.body.end_made,
    ):
        case accounts.Issued():
            forget_tokens(services, own.player)
            made = tuple(schemas.MadeThing(one.kind, one.id, one.table) for one in issued.made)
            rotated = schemas.RotatedToken(own.id, own.player, own.name, secret, own.scopes, expires_at, made)
            return json(rotated, replayed=issued.replayed)
        case accounts.Spent():
            raise Problem("key-spent", SPENT)
        case accounts.UnknownToken():
            raise _no_such_token()
        case KeyReused():
            raise KeyConflict


@operation(
    "DELETE",
    "/v1/tokens/{token:uuid}",
    tag="Tokens",
    summary="Revoke a token",
    description="Revokes one of the caller's tokens, which may be the token in use, and with it what it made: tokens, "
    "webhooks, invitations and the code for another device, and what these made in turn. Whoever sits at a table stays "
    "seated, and what is on record stays. A token that was added by another "
    "one, or that expires, cannot revoke a token that lasts longer; a token from registration or recovery revokes any.",
    answers="The token and what it made have ended.",
    status=204,
    cost=3,
    guards=(guards.authenticated,),
    client_scope="any",
    problems=("lesser-token",),
)
async def revoke_token(request: Request, token: UUID) -> None:
    """Revokes a token in every process. Raises Problem if the caller has none with this id, and LesserToken."""
    services, bearer = request.services, guards.bearer(request)
    if guards.client_token(request) not in (None, str(token)) or not await services.players.accounts.revoke(
        str(token), request.player, datetime.now(UTC), by=bearer.token
    ):
        raise _no_such_token()
    forget_tokens(services, request.player)


@operation(
    "POST",
    "/v1/tokens/handover",
    tag="Tokens",
    summary="A code for another device",
    description="Makes a code of 8 characters, with which another device gets a token of its own for this player. "
    "The code is valid for 2 minutes, once, and as long as the token in use is; an earlier code of the player is void. "
    "Its first three characters name it: it is void after five wrong tries under this name, from any addresses.",
    answers="The code is valid.",
    cost=SLOW,
    guards=(guards.authenticated, guards.may_play),
    example=lambda _: {"code": CODE, "expires_at": f"{DAY}T10:02:00Z"},
)
async def offer_handover(request: Request) -> Response[schemas.Handover]:
    """Makes a code. Raises Problem if the token in use was revoked, and if too many players have codes; Busy, Left."""
    bearer = guards.bearer(request)
    for _ in range(MOST_CODES):
        code = mint_code()
        digest = sha256(await request.services.edge.hashes.of(code, request.spending)).digest()
        # The code is valid from its answer on, however long its turn was waited for.
        now = datetime.now(UTC)
        valid = now + CODE_VALID
        until = valid if bearer.expires_at is None else min(valid, bearer.expires_at)
        outcome = await request.services.players.accounts.offer_handover(
            request.player, code_name(code), digest, until, now, by=bearer.token
        )
        if outcome == "unknown":
            raise unauthenticated("the token in use was revoked", presented=True)
        if outcome == "offered":
            return json(schemas.Handover(code, until))
    raise unavailable("too many codes are in use")


@operation(
    "POST",
    "/v1/tokens/handover/claim",
    tag="Tokens",
    summary="Trade a code for a token",
    description="Trades the code that another device of the player shows for a token with the scope `play`, which "
    "counts as added by that device's token and expires when that one does. If the response is lost, the same request "
    "with the same `Idempotency-Key` returns another secret, as long as the first is unused. Needs no token.",
    answers="The token is valid.",
    status=201,
    cost=SLOW,
    headers=("Idempotency-Key",),
    body=schemas.Handover,
    problems=("invalid-code", "key-spent"),
    links=(("token", "getToken", THIS_TOKEN), ("revoke", "revokeToken", THIS_TOKEN)),
    requests=lambda _: {"the code": {"code": CODE}},
    example=lambda _: NEW_EXAMPLE | {"name": None, "expires_at": None},
)
async def claim_handover(request: Request) -> Response[schemas.AddedToken]:
    """Trades a code for a token. Raises Problem for a code that is not valid, and if the key cannot be used again.

    Raises Busy, Left.
    """
    # What was valid when it was sent does not expire while its turn is waited for.
    code, now = request.body.code.upper(), datetime.now(UTC)
    # Done for every code, so that the time does not tell which names are in use.
    proof = await request.services.edge.hashes.of(code, request.spending)
    secret, token = mint_token(REGISTERED)
    match outcome := await request.services.players.accounts.claim_handover(
        code_name(code), proof, token, now, request.receipt, most_tries=MOST_TRIES
    ):
        case accounts.HandoverClaimed(issued):
            added = schemas.AddedToken(issued.token, issued.player, None, secret, REGISTERED, outcome.expires_at)
            return json(added, status=201, location=f"/v1/tokens/{issued.token}", replayed=issued.replayed)
        case accounts.Spent():
            raise Problem("key-spent", SPENT)
        case accounts.UnknownPlayer():
            raise Problem("invalid-code", "the code is wrong, was used, or has expired; ask for another one")
        case KeyReused():
            raise KeyConflict


def forget_tokens(services: Services, player: str) -> None:
    """Drops what this process has cached of a player's tokens and of invitations, some of which ended."""
    services.edge.bearers.forget_player(player)
    services.players.invitations.forget(None)


def _described(request: Request, token: accounts.TokenMetadata) -> schemas.OwnToken:
    current = request.bearer is not None and token.id == request.bearer.token
    return schemas.OwnToken(**msgspec.structs.asdict(token), current=current)


async def _token(request: Request, token: UUID) -> accounts.TokenMetadata:
    """One of the caller's tokens. Raises Problem if the caller has none with this id."""
    if guards.client_token(request) not in (None, str(token)):
        raise _no_such_token()
    own = await request.services.players.accounts.token_of(request.player, str(token), datetime.now(UTC))
    if own is None:
        raise _no_such_token()
    return own


def _check_scopes(bearer: accounts.Bearer, scopes: Sequence[str]) -> None:
    """Raises Problem unless the token in use may grant a token with these scopes."""
    if not set(scopes) <= set(bearer.scopes):
        raise Problem("missing-scope", f"this token can grant only its own scopes: {', '.join(bearer.scopes)}")


def _expiry(bearer: accounts.Bearer, wanted: str | None, otherwise: datetime | None, now: datetime) -> datetime | None:
    """The expiry of a token granted with the token in use. Raises Problem if it would outlast that one."""
    expires_at, last = otherwise, bearer.expires_at
    if wanted is not None:
        try:
            expires_at = instant(wanted)
        except OverflowError:
            raise _invalid_expiry("is out of range") from None
        if expires_at is None:
            raise invalid_field("/expires_at", IN_WORDS[TIME])
        if expires_at <= now:
            raise _invalid_expiry("must be later than now")
    if last is not None and (expires_at is None or expires_at > last):
        raise _invalid_expiry(f"must be no later than the expiry of the token in use, {last:%Y-%m-%dT%H:%M:%SZ}")
    return expires_at


def _invalid_expiry(detail: str) -> Problem:
    return Problem("invalid-expiry", f"/expires_at: {detail}", errors=(Fault(detail, pointer="/expires_at"),))


def _secret(request: Request, scopes: Sequence[str]) -> str | None:
    """The secret of the token in use, if it is needed to grant a token with these scopes."""
    if set(scopes) <= set(REGISTERED):
        return None
    _, _, secret = request.headers[b"authorization"].decode().partition(" ")
    return secret.strip()


def _no_such_token() -> Problem:
    return Problem("no-such-token", "you have no token with this id")
