"""Admits requests that are within their quotas and have a valid token or none. Both are checked before routing."""

import asyncio
from collections.abc import Awaitable, Callable

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.auth.bearers import Bearers, digest
from service.http.limits import Limiter, Remainder, key_of
from service.http.problem_answers import answer_problem
from service.http.problems import Problem, unauthenticated, unavailable
from service.http.quotas import PLAIN, By, Meter, Quotas
from service.http.request_context import RequestContext, context_of
from service.observability.metrics import Metrics
from service.store.accounts import Bearer
from service.store.database import StoreUnavailable

DELAY_S = 1.0
"""Seconds for which a 429 response is delayed: a client that ignores it then costs next to nothing."""

DELAYED = 256
"""The most responses delayed at once, so that they do not take all connections of a proxy in front."""


class Admit:
    """Refuses requests beyond the address's quota (429), with an invalid token (401), or beyond other quotas (429).

    Every request counts for its address, whatever its token, and with a valid token for the player too. A request that
    records something also uses the quotas of recording, and returns their amount if it records nothing. Without
    `quotas` nothing is limited. `pause` sleeps for a number of seconds.
    """

    def __init__(
        self,
        app: ASGIApp,
        quotas: Quotas | None,
        bearers: Bearers,
        metrics: Metrics,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._app = app
        self._pause = pause
        self._delayed = 0
        self._quotas = quotas
        self._bearers = bearers
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        context = context_of(scope)
        taken = Taken(context, self._metrics)
        try:
            await self._admit(scope, context, taken)
        except Problem as problem:
            taken.give_back()
            if problem.code == "rate-limited":
                await self._delay()
            await answer_problem(problem, scope, receive, send)
            return
        await self._app(scope, receive, taken.watching(send) if taken.recorded else send)
        if context.spending is not None and taken.costs:
            taken.settle(taken.charge.excess(context.spending.cpu_s))

    async def _admit(self, scope: HTTPScope, context: RequestContext, taken: "Taken") -> None:
        """Takes from the quotas, and identifies the caller. Raises Problem."""
        quotas, charge, address = self._quotas, PLAIN, ""
        if quotas is not None:
            charge, address = quotas.charge(scope["method"], scope["path"]), key_of(context.address)
            taken.charge = charge
            await taken.cost(quotas.address, address, charge.cost)
        if not context.for_operator:
            token = _token(scope)
            if token is not None:
                context.bearer = self._bearers.remembered(token) or await self._recognise(token)
                context.token = token
        if quotas is not None:
            player = context.bearer.player if context.bearer else None
            if player is not None:
                await taken.cost(quotas.player, player, charge.cost)
            if charge.records is not None and charge.records in quotas.recorded:
                keys: dict[By, str | None] = {"player": player, "address": address, "table": charge.table}
                for by, limiter in quotas.recorded[charge.records].items():
                    if (key := keys[by]) is not None:
                        await taken.record(limiter, key)
            context.meter = Meter(tuple((limiter, key) for limiter, key, _ in taken.costs), self._metrics)

    async def _delay(self) -> None:
        """Delays a refusal, unless many others are being delayed."""
        if self._delayed < DELAYED:
            self._delayed += 1
            try:
                await self._pause(DELAY_S)
            finally:
                self._delayed -= 1

    async def _recognise(self, token: bytes) -> Bearer:
        """Looks up the token's bearer. Raises Problem."""
        try:
            bearer = await self._bearers.of(token)
        except StoreUnavailable as error:
            raise unavailable("tokens cannot be looked up just now") from error
        if bearer is None:
            raise unauthenticated("the token is unknown, has expired or was revoked", presented=True)
        return bearer


class Taken:
    """The amounts that one request takes from its quotas. Response headers say what is left of each."""

    __slots__ = ("_context", "_metrics", "charge", "costs", "recorded")

    def __init__(self, context: RequestContext, metrics: Metrics) -> None:
        self._context = context
        self._metrics = metrics
        self.charge = PLAIN
        self.costs: list[tuple[Limiter, str, Remainder]] = []
        """Settled when the actual computation is known."""
        self.recorded: list[tuple[Limiter, str, Remainder]] = []
        """Given back if nothing is recorded."""

    async def cost(self, limiter: Limiter, key: str, amount: int) -> None:
        """Takes from a quota of cost. Raises Problem."""
        remainder = await limiter.take(key, amount)
        self._note(limiter, remainder)
        self.costs.append((limiter, key, remainder))

    async def record(self, limiter: Limiter, key: str) -> None:
        """Takes from a quota of recording. Raises Problem."""
        remainder = await limiter.take(key)
        self._note(limiter, remainder)
        self.recorded.append((limiter, key, remainder))

    def settle(self, excess: int) -> None:
        """Takes an additional amount from the quotas of cost; gives back if it is negative."""
        if excess:
            for limiter, key, remainder in self.costs:
                limiter.give_back(key, remainder, -excess)

    def give_back(self) -> None:
        """Gives back what was taken for recording."""
        for limiter, key, remainder in self.recorded:
            limiter.give_back(key, remainder)

    def watching(self, send: Send) -> Send:
        """Wraps `send` to give back what was taken if the response is a failure, or repeats an earlier response."""

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                repeated = any(name == b"idempotency-replayed" for name, _ in message["headers"])
                if message["status"] >= 400 or repeated:
                    self.give_back()
            await send(message)

        return watched

    def _note(self, limiter: Limiter, remainder: Remainder) -> None:
        """Adds the remainder to the response headers. Raises Problem if the quota had too little."""
        headers, quota = self._context.answer_headers, limiter.quota
        headers.append((b"ratelimit-policy", limiter.policy))
        headers.append((b"ratelimit", f'"{quota.name}";r={remainder.remaining};t={remainder.resets_s}'.encode()))
        if not remainder.within:
            self._metrics.limited(quota.name)
            raise Problem("rate-limited", quota.text, headers={"Retry-After": str(remainder.resets_s)})


def _token(scope: Scope) -> bytes | None:
    """The SHA-256 of the request's token; None without one. Raises Problem for one of another form."""
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if not given:
        return None
    scheme, _, secret = given[0].decode("latin-1").partition(" ")
    token = digest(secret.strip()) if len(given) == 1 and scheme.lower() == "bearer" else None
    if token is None:
        raise unauthenticated("the Authorization header must be: Bearer, a space, a token", presented=True)
    return token
