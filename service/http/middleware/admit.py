"""Admits requests: within the rate limit, and with a valid token or none. Both come before routing."""

from hashlib import sha256

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.auth.bearers import Bearers, digest
from service.http.limits import WINDOW_S, Limiter, network
from service.http.problem_answers import answer_problem
from service.http.problems import Problem, unauthenticated, unavailable
from service.http.request_context import RequestContext, context_of
from service.store.accounts import Bearer
from service.store.database import StoreUnavailable


class Admit:
    """Refuses requests beyond the limit (429), then those with a token that is not valid (401).

    Known tokens are counted for themselves; anything else, made-up tokens too, for the address it comes from.
    Without a limiter nothing is limited.
    """

    def __init__(self, app: ASGIApp, limiter: Limiter | None, bearers: Bearers) -> None:
        self._app = app
        self._limiter = limiter
        self._bearers = bearers
        self._policy = b"" if limiter is None else f'"minute";q={limiter.quota};w={WINDOW_S}'.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not (context := context_of(scope)).for_operator:
            try:
                await self._admit(context, _token(scope))
            except Problem as problem:
                await answer_problem(problem, scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _admit(self, context: RequestContext, token: bytes | Problem | None) -> None:
        """Counts the request and recognises its caller. Raises Problem."""
        if self._limiter is not None:
            within, remaining, resets = await self._limiter.take(self._limited_as(context, token))
            context.answer_headers.append((b"ratelimit-policy", self._policy))
            context.answer_headers.append((b"ratelimit", f'"minute";r={remaining};t={resets}'.encode()))
            if not within:
                raise Problem(
                    "rate-limited",
                    f"no more than {self._limiter.quota} requests a minute",
                    headers={"Retry-After": str(resets)},
                )
        if isinstance(token, Problem):
            raise token
        if token is not None:
            context.bearer = self._bearers.remembered(token) or await self._recognise(token)

    def _limited_as(self, context: RequestContext, token: bytes | Problem | None) -> str:
        if isinstance(token, bytes) and self._bearers.known(token):
            return f"token:{token.hex()[:32]}"
        return f"address:{sha256(network(context.address).encode()).hexdigest()[:32]}"

    async def _recognise(self, token: bytes) -> Bearer:
        """Looks up the token's bearer. Raises Problem."""
        try:
            bearer = await self._bearers.of(token)
        except StoreUnavailable as error:
            raise unavailable("tokens cannot be looked up just now") from error
        if bearer is None:
            raise unauthenticated("the token is unknown or was revoked", presented=True)
        return bearer


def _token(scope: Scope) -> bytes | Problem | None:
    """The SHA-256 of the token that the request carries, or the problem with it."""
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if not given:
        return None
    scheme, _, secret = given[0].decode("latin-1").partition(" ")
    token = digest(secret.strip()) if len(given) == 1 and scheme.lower() == "bearer" else None
    return token or unauthenticated("the Authorization header must be: Bearer, a space, a token", presented=True)
