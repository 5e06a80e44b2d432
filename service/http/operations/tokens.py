"""One's tokens: listing, adding, revoking."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from service.auth.secrets import mint_token
from service.commands.handler import KeyConflict
from service.http import guards, schemas
from service.http.guards import guarded
from service.http.parameters import Cursor, IdempotencyKey, Limit
from service.http.preconditions import receipt
from service.http.problems import Problem, invalid_query, unauthenticated
from service.http.request import Ask
from service.http.responses import REPLAYED, json, problems
from service.store import accounts
from service.store.store import KeyReused

TokenId = Annotated[UUID, PathParameter(description="The token's id.")]


@get(
    "/tokens",
    operation_id="listTokens",
    summary="One's tokens",
    description="The caller's valid tokens, oldest first, without their secrets.",
    tags=["Tokens"],
    opt=guarded(guards.authenticated),
    security=[{"bearer": []}],
    responses=problems(),
)
async def tokens(request: Ask, cursor: Cursor = None, limit: Limit = 50) -> Response[schemas.Tokens]:
    """The caller's tokens."""
    if cursor is not None and not _is_id(cursor):
        raise invalid_query("cursor", "is none that this list gave out")
    found = await request.edge.accounts.tokens(request.bearer.player, cursor, limit + 1)
    more = len(found) > limit
    items = tuple(_shown(request, token) for token in found[:limit])
    return json(schemas.Tokens(items, items[-1].id if more else None))


@get(
    "/tokens/{token:uuid}",
    operation_id="getToken",
    summary="One of one's tokens",
    description="What may be known of one of the caller's tokens.",
    tags=["Tokens"],
    opt=guarded(guards.authenticated),
    security=[{"bearer": []}],
    responses=problems(404),
)
async def token_of(request: Ask, token: TokenId) -> Response[schemas.Token]:
    """One of the caller's tokens."""
    for found in await request.edge.accounts.tokens(request.bearer.player):
        if found.id == str(token):
            return json(_shown(request, found))
    raise _no_such_token()


@post(
    "/tokens",
    operation_id="addToken",
    summary="Add a token",
    description="Makes a further token for the caller, with some of the scopes of the token in use.",
    tags=["Tokens"],
    opt=guarded(guards.authenticated),
    security=[{"bearer": []}],
    responses=problems(400, 403, 409, 413, 415),
)
async def add(
    request: Ask, data: JSONBody[schemas.TokenRequest], idempotency_key: IdempotencyKey = None
) -> Response[schemas.NewToken]:
    """Makes a further token."""
    own = request.bearer.scopes
    scopes = own if data.scopes is None else tuple(dict.fromkeys(data.scopes))
    if not set(scopes) <= set(own):
        raise Problem("missing-scope", f"the token in use has the scopes {', '.join(own)}, and cannot give others")
    once = await receipt(request, idempotency_key)
    secret, token = mint_token(scopes)
    issued = await request.edge.accounts.add_token(request.bearer.player, token, datetime.now(UTC), once)
    match issued:
        case accounts.Issued():
            headers = {"Location": f"/v1/tokens/{issued.token}"} | (REPLAYED if issued.replayed else {})
            return json(schemas.NewToken(issued.token, secret, scopes), status=201, headers=headers)
        case accounts.Spent():
            raise Problem("key-spent", "the token that this key was first answered with has been used or revoked")
        case accounts.UnknownPlayer():
            raise unauthenticated("the player was erased", presented=True)
        case KeyReused():
            raise KeyConflict


@delete(
    "/tokens/{token:uuid}",
    operation_id="revokeToken",
    summary="Revoke a token",
    description="Revokes one of the caller's tokens, which may be the one in use.",
    tags=["Tokens"],
    opt=guarded(guards.authenticated),
    status_code=204,
    security=[{"bearer": []}],
    responses=problems(404),
)
async def revoke(request: Ask, token: TokenId) -> None:
    """Revokes a token."""
    if not await request.edge.accounts.revoke(str(token), request.bearer.player, datetime.now(UTC)):
        raise _no_such_token()
    request.edge.bearers.forget_token(str(token))


def _shown(request: Ask, token: accounts.TokenMetadata) -> schemas.Token:
    return schemas.Token(
        token.id, token.scopes, token.created_at, token.last_used_at, current=token.id == request.bearer.token
    )


def _no_such_token() -> Problem:
    return Problem("no-such-token", "you have no token of this id")


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


HANDLERS = (tokens, token_of, add, revoke)
