"""Requests of OAuth's own forms: the fields of a query or a form, and an authorization request among them."""

import re
from collections.abc import Mapping
from typing import get_args
from urllib.parse import parse_qsl

from msgspec import Struct

from service.auth.client_ids import ClientIdentity, check_redirect, identified
from service.auth.scopes import ClientScope
from service.http.forms import CHALLENGE

AUTHORIZATION = "/authorize"
"""The page to which clients send a player. No script of another origin reads it (RFC 9700, 2.6)."""

METADATA = "/.well-known/oauth-authorization-server"
"""RFC 8414, 3."""

MOST_FIELDS = 50
MOST_STATE = 2048

_CHALLENGE = re.compile(CHALLENGE)
_STATE = re.compile(rf"[ -~]{{1,{MOST_STATE}}}")
"""RFC 6749, appendix A.5."""

_SCOPES: Mapping[str, ClientScope] = {name: name for name in get_args(ClientScope)}


class OAuthError(Exception):
    """A refusal by its code (RFC 6749, 4.1.2.1 and 5.2), with the fault in words."""

    def __init__(self, code: str, detail: str, status: int = 400) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status


class UnknownClient(Exception):
    """No client is known that the browser could be sent back to; the message says why (RFC 6749, 4.1.2.1)."""


class AuthorizationRequest(Struct, frozen=True):
    """What a client asks a player for, as far as it can be answered: `refused` says why it is not granted."""

    client: ClientIdentity
    redirect_uri: str
    state: str | None = None
    scopes: tuple[ClientScope, ...] = ()
    challenge: str = ""
    refused: OAuthError | None = None


def fields_of(encoded: bytes) -> tuple[dict[str, str], set[str]]:
    """The fields of a query or a form, and the names of those given more than once. Raises OAuthError.

    A field without a value counts as left out (RFC 6749, 3.1 and 3.2).
    """
    try:
        pairs = parse_qsl(encoded.decode("ascii"), errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise OAuthError("invalid_request", "the fields are not encoded as a form has them") from None
    names = [name for name, _ in pairs]
    return dict(pairs), {name for name in names if names.count(name) > 1}


def client_of(fields: Mapping[str, str], issuer: str) -> tuple[ClientIdentity, str]:
    """The client of these fields, and where it may be redirected to. Raises UnknownClient."""
    redirect_uri = fields.get("redirect_uri", "")
    name = "client_id"
    try:
        client = identified(fields.get(name, ""), issuer)
        name = "redirect_uri"
        check_redirect(client, redirect_uri, issuer)
    except ValueError as error:
        raise UnknownClient(f"{name} {error}") from None
    return client, redirect_uri


def authorization_request(query: bytes, issuer: str) -> AuthorizationRequest:
    """The request in the query of the page (RFC 6749, 4.1.1). Raises UnknownClient."""
    try:
        fields, repeated = fields_of(query)
    except OAuthError as error:
        raise UnknownClient(str(error)) from None
    if repeated & {"client_id", "redirect_uri"}:
        raise UnknownClient("client_id and redirect_uri must be given once")
    client, redirect_uri = client_of(fields, issuer)
    state = fields.get("state")
    try:
        if state is not None and not _STATE.fullmatch(state):
            state = None
            raise OAuthError("invalid_request", f"state must be at most {MOST_STATE} printable characters of ASCII")
        if repeated:
            # Of a state that is given twice, none is passed back.
            state = None if "state" in repeated else state
            raise OAuthError("invalid_request", f"{min(repeated)} must be given once")
        scopes = _scopes(fields)
    except OAuthError as error:
        return AuthorizationRequest(client, redirect_uri, state, refused=error)
    return AuthorizationRequest(client, redirect_uri, state, scopes, fields["code_challenge"])


def _scopes(fields: Mapping[str, str]) -> tuple[ClientScope, ...]:
    """The scopes that are asked for. Raises OAuthError for a request that is not granted."""
    if fields.get("response_type") != "code":
        missing = "response_type" not in fields
        raise OAuthError("invalid_request" if missing else "unsupported_response_type", "response_type must be code")
    if fields.get("response_mode", "query") != "query":
        raise OAuthError("invalid_request", "response_mode must be query")
    if "none" in fields.get("prompt", "").split():
        raise OAuthError("invalid_request", "prompt must not be none: a player is asked each time")
    if fields.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(fields.get("code_challenge", "")):
        # RFC 7636, 4.4.1.
        raise OAuthError("invalid_request", "code_challenge must be there, of the code_challenge_method S256")
    named = fields.get("scope", "").split(" ")
    if not named[0] or not all(name in _SCOPES for name in named):
        raise OAuthError("invalid_scope", f"scope must have one or more of {', '.join(_SCOPES)}")
    return tuple(scope for name, scope in _SCOPES.items() if name in named)
