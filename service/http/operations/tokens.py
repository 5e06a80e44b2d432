"""The caller's tokens: listing, adding, revoking."""

from datetime import UTC, datetime
from uuid import UUID

from litestar import Response

from service.auth.scopes import REGISTERED
from service.auth.secrets import mint_token
from service.commands.handler import KeyConflict
from service.http import guards, schemas
from service.http.examples import DAY, PLAYERS, REGISTERED_AT, TOKEN, TOKEN_ID
from service.http.operation import operation
from service.http.parameters import Cursor, Limit
from service.http.problems import Problem, invalid_query, unauthenticated
from service.http.request import PreparedRequest
from service.http.responses import REPLAYED, json
from service.store import accounts
from service.store.store import KeyReused

EXAMPLE = {
    "id": TOKEN_ID,
    "player": PLAYERS[0],
    "scopes": ["play"],
    "created_at": REGISTERED_AT,
    "last_used_at": f"{DAY}T10:00:00Z",
    "current": True,
}
THIS_TOKEN = {"token": "$response.body#/id"}


@operation(
    "GET",
    "/v1/tokens",
    id="listTokens",
    tag="Tokens",
    summary="The caller's tokens",
    description="The caller's valid tokens, oldest first, without their secrets.",
    answers="A page of tokens.",
    cost=2,
    guards=(guards.authenticated,),
    links=(("token", "getToken", {"token": "$response.body#/items/0/id"}),),
    example=lambda _: {"items": [EXAMPLE], "next": None},
)
async def list_tokens(request: PreparedRequest, cursor: Cursor = None, limit: Limit = 50) -> Response[schemas.Tokens]:
    """A page of the caller's tokens. Raises Problem for a cursor of another form."""
    if cursor is not None and not _is_id(cursor):
        raise invalid_query("cursor", "is not a cursor of this list")
    listed = await request.services.accounts.tokens(request.player, cursor, limit + 1)
    more = len(listed) > limit
    items = tuple(_described(request, token) for token in listed[:limit])
    return json(schemas.Tokens(items, items[-1].id if more else None))


@operation(
    "GET",
    "/v1/tokens/{token:uuid}",
    id="getToken",
    tag="Tokens",
    summary="One of the caller's tokens",
    description="One of the caller's tokens, without its secret.",
    answers="The token.",
    cost=2,
    guards=(guards.authenticated,),
    example=lambda _: EXAMPLE,
)
async def get_token(request: PreparedRequest, token: UUID) -> Response[schemas.OwnToken]:
    """One of the caller's tokens. Raises Problem where the caller has none with this id."""
    for listed in await request.services.accounts.tokens(request.player):
        if listed.id == str(token):
            return json(_described(request, listed))
    raise _no_such_token()


@operation(
    "POST",
    "/v1/tokens",
    id="addToken",
    tag="Tokens",
    summary="Add a token",
    description="Adds a token for the caller, with all or some scopes of the token in use.",
    answers="The token is valid.",
    status=201,
    cost=3,
    guards=(guards.authenticated,),
    headers=("Idempotency-Key",),
    body=schemas.TokenRequest,
    problems=("missing-scope", "key-spent"),
    links=(("token", "getToken", THIS_TOKEN), ("revoke", "revokeToken", THIS_TOKEN)),
    requests=lambda _: {"the same scopes": {}, "to play": {"scopes": ["play"]}},
    example=lambda _: {"id": TOKEN_ID, "player": PLAYERS[0], "token": TOKEN, "scopes": ["play"]},
)
async def add_token(request: PreparedRequest) -> Response[schemas.AddedToken]:
    """Adds a token. Raises Problem for scopes that the token in use lacks, and where the key cannot be used again."""
    own = request.bearer.scopes if request.bearer else ()
    wanted = request.body.scopes
    scopes = own if wanted is None else tuple(dict.fromkeys(wanted))
    if not set(scopes) <= set(own):
        raise Problem("missing-scope", f"a token added with this one can have only its scopes: {', '.join(own)}")
    secret, token = mint_token(scopes)
    accounts_ = request.services.accounts
    presented = None if set(scopes) <= set(REGISTERED) else _secret(request)
    match issued := await accounts_.add_token(
        request.player, token, datetime.now(UTC), request.receipt, secret=presented
    ):
        case accounts.Issued():
            headers = {"Location": f"/v1/tokens/{issued.token}"} | (REPLAYED if issued.replayed else {})
            return json(schemas.AddedToken(issued.token, issued.player, secret, scopes), status=201, headers=headers)
        case accounts.Spent():
            raise Problem("key-spent", "the token of the first answer has been used or revoked")
        case accounts.UnknownPlayer():
            raise unauthenticated("the player is erased", presented=True)
        case KeyReused():
            raise KeyConflict


@operation(
    "DELETE",
    "/v1/tokens/{token:uuid}",
    id="revokeToken",
    tag="Tokens",
    summary="Revoke a token",
    description="Revokes one of the caller's tokens, which may be the token in use.",
    answers="The token is revoked.",
    status=204,
    cost=3,
    guards=(guards.authenticated,),
)
async def revoke_token(request: PreparedRequest, token: UUID) -> None:
    """Revokes a token in every process. Raises Problem where the caller has none with this id."""
    services = request.services
    if not await services.accounts.revoke(str(token), request.player, datetime.now(UTC)):
        raise _no_such_token()
    services.bearers.forget_token(str(token))


def _described(request: PreparedRequest, token: accounts.TokenMetadata) -> schemas.OwnToken:
    current = request.bearer is not None and token.id == request.bearer.token
    return schemas.OwnToken(token.id, token.player, token.scopes, token.created_at, token.last_used_at, current=current)


def _secret(request: PreparedRequest) -> str:
    """The secret of the token in use."""
    _, _, secret = request.context.headers[b"authorization"].decode().partition(" ")
    return secret.strip()


def _no_such_token() -> Problem:
    return Problem("no-such-token", "you have no token with this id")


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


HANDLERS = (list_tokens, get_token, add_token, revoke_token)
