"""Recognises the bearer token before anything else is looked at: a bad one is refused everywhere."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.auth.bearers import Bearers
from service.http.problems import Problem, unauthenticated, unavailable
from service.http.request_context import Exchange, answer_problem, exchange_of, for_operations
from service.store.database import StoreUnavailable


class Authenticate:
    """Finds out who calls, and refuses tokens that are not valid."""

    def __init__(self, app: ASGIApp, bearers: Bearers) -> None:
        self._app = app
        self._bearers = bearers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not for_operations(scope):
            try:
                await self._recognise(exchange_of(scope))
            except Problem as problem:
                await answer_problem(problem, receive, send)
                return
        await self._app(scope, receive, send)

    async def _recognise(self, exchange: Exchange) -> None:
        if exchange.token is None:
            return
        if isinstance(exchange.token, Problem):
            raise exchange.token
        try:
            bearer = await self._bearers.of(exchange.token)
        except StoreUnavailable as error:
            raise unavailable("tokens cannot be looked up just now") from error
        if bearer is None:
            raise unauthenticated("the token is unknown or was revoked", presented=True)
        exchange.bearer = bearer
