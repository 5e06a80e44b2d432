"""OAuth's own endpoints, beside the interface: the page that asks a player, the token, its end, and their metadata.

Each rule has the section beside it that it follows.
"""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, get_args

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler

from service import pages
from service.auth import bearers
from service.auth.client_ids import identified
from service.auth.scopes import ClientScope
from service.auth.secrets import hashed, mint_token
from service.http import body as bodies
from service.http.charges import Charge
from service.http.content_negotiation import JSON
from service.http.oauth_requests import (
    AUTHORIZATION,
    METADATA,
    OAuthError,
    UnknownClient,
    authorization_request,
    fields_of,
)
from service.http.operations.clients import issuer_of
from service.http.operations.tokens import forget_tokens
from service.http.request import Request, RoutedRequest
from service.http.responses import BytesResponse, json
from service.store.client_tokens import CodeReused

FORM = "application/x-www-form-urlencoded"

NOT_STORED = {"Cache-Control": "no-store", "Pragma": "no-cache"}
"""The headers of a response that may have a token (RFC 6749, 5.1)."""

_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
"""RFC 7636, 4.1."""

_SCHEME = re.compile(rb"[A-Za-z0-9-]{1,32}(?= )")


@get(AUTHORIZATION, include_in_schema=False)
async def authorize(request: RoutedRequest) -> Response[Any]:
    """The page that says who asks, and for what. Nothing is sent to the client but by a click on it."""
    prepared = request.prepared
    issuer = issuer_of(prepared)
    try:
        wanted = authorization_request(prepared.query, issuer)
    except UnknownClient as error:
        page = pages.authorization(issuer, fault=str(error))
    else:
        page = pages.authorization(
            issuer,
            client=wanted.client,
            redirect_uri=wanted.redirect_uri,
            state=wanted.state,
            scopes=wanted.scopes,
            challenge=wanted.challenge,
            error=None if wanted.refused is None else wanted.refused.code,
            fault=None if wanted.refused is None else str(wanted.refused),
        )
    return BytesResponse(page.body, status=200, media_type=page.media_type, headers=page.headers)


@get(METADATA, include_in_schema=False)
async def metadata(request: RoutedRequest) -> Response[Any]:
    """What clients need to know of the authorization server (RFC 8414, 2). Raises Problem."""
    issuer = issuer_of(request.prepared)
    return json(
        {
            "issuer": issuer,
            "authorization_endpoint": issuer + AUTHORIZATION,
            "token_endpoint": f"{issuer}/oauth/token",
            "revocation_endpoint": f"{issuer}/oauth/revoke",
            "scopes_supported": get_args(ClientScope),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{issuer}/docs",
        }
    )


@post("/oauth/token", include_in_schema=False, status_code=200)
async def exchange(request: RoutedRequest) -> Response[Any]:
    """Gives a client's token for a code (RFC 6749, 4.1.3)."""
    prepared = request.prepared
    issuer = issuer_of(prepared)
    try:
        return await _exchanged(prepared, await _form(prepared, issuer))
    except OAuthError as error:
        return _refused(prepared, error)


@post("/oauth/revoke", include_in_schema=False, status_code=200)
async def revoke(request: RoutedRequest) -> Response[Any]:
    """Ends a client's token (RFC 7009). A token that is none of this client's is not valid, so nothing need be done."""
    prepared = request.prepared
    issuer = issuer_of(prepared)
    try:
        form = await _form(prepared, issuer)
        digest = bearers.digest(_required(form, "token"))
    except OAuthError as error:
        return _refused(prepared, error)
    clients = prepared.services.players.clients
    if digest is not None and (player := await clients.revoke(digest, form["client_id"], datetime.now(UTC))):
        forget_tokens(prepared.services, player)
    return BytesResponse(b"", status=200, media_type=JSON, headers=NOT_STORED)


async def _form(request: Request, issuer: str) -> dict[str, str]:
    """The fields of the form, which names a client (RFC 6749, 3.2.1). Raises OAuthError, and Problem for a long body.

    Clients have no secrets, so none is authenticated.
    """
    if b"authorization" in request.headers:
        raise OAuthError("invalid_client", "clients have no secrets here: name the client by client_id", status=401)
    media_types = [value for name, value in request.lines if name == b"content-type"]
    if len(media_types) != 1 or media_types[0].decode("latin-1").partition(";")[0].strip().lower() != FORM:
        raise OAuthError("invalid_request", f"the body must be {FORM}")
    form, repeated = fields_of(await bodies.read(request.headers, request.receive))
    if repeated:
        raise OAuthError("invalid_request", f"{min(repeated)} must be given once")
    if {"client_secret", "client_assertion"} & form.keys():
        raise OAuthError("invalid_client", "clients have no secrets here: name the client by client_id alone")
    try:
        identified(_required(form, "client_id"), issuer)
    except ValueError as error:
        raise OAuthError("invalid_client", f"client_id {error}") from None
    return form


async def _exchanged(request: Request, form: dict[str, str]) -> Response[Any]:
    """The token for the code in the form. Raises OAuthError."""
    if _required(form, "grant_type") != "authorization_code":
        raise OAuthError("unsupported_grant_type", "grant_type must be authorization_code")
    code, redirect_uri, verifier = (_required(form, name) for name in ("code", "redirect_uri", "code_verifier"))
    # A verifier that is too short fits no code, whatever its hash is.
    challenge = sha256(verifier.encode()).digest() if _VERIFIER.fullmatch(verifier) else b""
    if "\0" in redirect_uri:
        # Postgres has no such text, and no code is for it.
        redirect_uri = ""
    now = datetime.now(UTC)
    secret, token = mint_token(())
    granted = await request.services.players.clients.exchange(
        hashed(code), form["client_id"], redirect_uri, challenge, token, now
    )
    if granted is None or isinstance(granted, CodeReused):
        if granted is not None:
            forget_tokens(request.services, granted.player)
        # RFC 6749, 5.2, without a word about which of them is wrong.
        raise OAuthError("invalid_grant", "the code is not valid, or not for this client, redirect_uri and verifier")
    answer = {
        "access_token": secret,
        "token_type": "Bearer",
        "expires_in": int((granted.expires_at - now).total_seconds()),
        "scope": " ".join(granted.scopes),
    }
    return json(answer, headers=NOT_STORED)


def _required(form: dict[str, str], name: str) -> str:
    """A field of the form. Raises OAuthError if it is left out."""
    if name not in form:
        raise OAuthError("invalid_request", f"{name} is missing")
    return form[name]


def _refused(request: Request, error: OAuthError) -> Response[Any]:
    """The response to a refused form (RFC 6749, 5.2)."""
    headers = dict(NOT_STORED)
    if error.status == 401:
        # The scheme that the client has tried is named, though none would do.
        tried = _SCHEME.match(request.headers.get(b"authorization", b""))
        headers["WWW-Authenticate"] = f'{tried[0].decode() if tried else "Basic"} realm="codille"'
    document = msgspec.json.encode({"error": error.code, "error_description": str(error)})
    return json(document, status=error.status, headers=headers)


HANDLERS: tuple[HTTPRouteHandler, ...] = (authorize, metadata, exchange, revoke)

CHARGES = (("POST", "/oauth/token", Charge(4)), ("POST", "/oauth/revoke", Charge(4)))
"""What their requests use, by method and path."""
