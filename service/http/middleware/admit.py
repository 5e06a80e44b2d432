"""Admits requests: within the rate limit, and with a valid token or none. Both come before routing."""

from hashlib import sha256

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.auth.bearers import Bearers
from service.http.limits import WINDOW_S, Limiter, network
from service.http.problems import Problem, unauthenticated, unavailable
from service.http.request_context import RequestContext, answer_problem, context_of, is_for_operator
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
        if scope["type"] == ScopeType.HTTP and not is_for_operator(scope):
            context = context_of(scope)
            try:
                if self._limiter is not None:
                    await self._count(context, self._limiter)
                if context.token is not None:
                    await self._recognise(context, context.token)
            except Problem as problem:
                await answer_problem(problem, receive, send)
                return
        await self._app(scope, receive, send)

    async def _count(self, context: RequestContext, limiter: Limiter) -> None:
        """Counts the request, and says on its answer where the caller stands. Raises Problem beyond the limit."""
        within, remaining, resets = await limiter.take(self._limited_as(context))
        context.answer_headers.append((b"ratelimit-policy", self._policy))
        context.answer_headers.append((b"ratelimit", f'"minute";r={remaining};t={resets}'.encode()))
        if not within:
            raise Problem(
                "rate-limited",
                f"no more than {limiter.quota} requests a minute",
                headers={"Retry-After": str(resets)},
            )

    def _limited_as(self, context: RequestContext) -> str:
        token = context.token
        if isinstance(token, bytes) and self._bearers.known(token):
            return f"token:{token.hex()[:32]}"
        return f"address:{sha256(network(context.address).encode()).hexdigest()[:32]}"

    async def _recognise(self, context: RequestContext, token: bytes | Problem) -> None:
        """Looks up the token's bearer. Raises Problem."""
        if isinstance(token, Problem):
            raise token
        try:
            bearer = await self._bearers.of(token)
        except StoreUnavailable as error:
            raise unavailable("tokens cannot be looked up just now") from error
        if bearer is None:
            raise unauthenticated("the token is unknown or was revoked", presented=True)
        context.bearer = bearer
