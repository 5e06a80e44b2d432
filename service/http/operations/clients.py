"""Letting a client in that acts for the caller: a code, which the client exchanges for a token."""

from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta

from litestar import Response

from service.auth.secrets import AUTHORIZATION_PREFIX, mint_secret
from service.http import account_schemas as schemas
from service.http import guards
from service.http.examples import CLIENT, DAY
from service.http.oauth_requests import UnknownClient, client_of
from service.http.operation import operation
from service.http.problems import Fault, Problem, unauthenticated
from service.http.request import Request
from service.http.responses import json
from service.store.client_tokens import MOST, Consent

CODE_VALID = timedelta(minutes=1)


async def issuer_named(request: Request) -> None:
    """Raises Problem if no client can be let in."""
    issuer_of(request)


def issuer_of(request: Request) -> str:
    """The issuer. Raises Problem if the settings name none, so that no client can be let in."""
    issuer = request.services.settings.issuer
    if issuer is None:
        raise Problem("no-such-route", "no client can be let in: the operator has set no CODILLE_PUBLIC_URL")
    return issuer


@operation(
    "POST",
    "/v1/tokens/authorize",
    tag="Tokens",
    summary="Let a client in",
    description="Lets a client act for the caller, as the page `/authorize` does when its button is pressed: it gives "
    "a code, which the client exchanges for a token of its own (RFC 6749, 4.1, with PKCE) within a minute, once. The "
    "token ends after the days that are given, and no later than the token in use; with that one it ends as all that a "
    "token made. This needs a token from registration or recovery, or one that was handed over by such a one.",
    answers="The code is valid.",
    cost=4,
    guards=(issuer_named, guards.authenticated, guards.may_play),
    body=schemas.ConsentRequest,
    problems=("no-such-route", "lesser-token", "invalid-client", "too-many-clients"),
    requests=lambda _: {
        "to play": {
            "client_id": CLIENT,
            "redirect_uri": CLIENT,
            "scopes": ["seat"],
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM",
        }
    },
    example=lambda _: {
        "code": "codille_code_ZnJvbSB3aG9tIHRoZSBjYXJkcyBjb21lLCBhbmQgd2hvIGhhcw",
        "issuer": "https://cards.example",
        "expires_at": f"{DAY}T10:01:00Z",
    },
)
async def authorize_client(request: Request) -> Response[schemas.Authorization]:
    """Gives a code. Raises Problem for what is no client, and if the token in use may not let it in."""
    wanted, issuer, caller = request.body, issuer_of(request), guards.bearer(request)
    try:
        client_of({"client_id": wanted.client_id, "redirect_uri": wanted.redirect_uri}, issuer)
    except UnknownClient as error:
        name, _, detail = str(error).partition(" ")
        fault = Fault(detail, pointer=f"/{name}")
        raise Problem("invalid-client", f"{fault.pointer}: {detail}", errors=(fault,)) from None
    now = datetime.now(UTC)
    code, digest = mint_secret(AUTHORIZATION_PREFIX)
    consent = Consent(
        wanted.client_id,
        wanted.redirect_uri,
        urlsafe_b64decode(f"{wanted.code_challenge}="),
        tuple(dict.fromkeys(wanted.scopes)),
        now + timedelta(days=wanted.days),
    )
    until = now + CODE_VALID
    match await request.services.players.clients.consent(request.player, digest, consent, until, now, by=caller.token):
        case "consented":
            return json(schemas.Authorization(code, issuer, until))
        case "unknown":
            raise unauthenticated("the token in use was revoked", presented=True)
        case "lesser":
            raise Problem("lesser-token", _LESSER)
        case "too-many":
            raise Problem("too-many-clients", f"a player may let in {MOST} clients at a time: end some of them")


_LESSER = "this needs a token from registration or recovery, or one that was handed over by such a one"
