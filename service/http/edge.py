"""The edge: what happens to every request, from its arrival to its log line, to be read from top to bottom.

The first failure decides the response. The order is: quota of the address (429), token (401), quotas of the player and
of recording (429), route and method (404, 405), existence and permission (403, 404), size (413), media types (406,
415), syntax (400), schema (422), idempotency key, precondition; then the table's state and the rules. All limits stand
in `deploy/limits.md`.
"""

import asyncio
import logging
import re
import time
from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send
from msgspec.structs import replace
from structlog.typing import FilteringBoundLogger

from service.auth.bearers import Bearers
from service.http import body as bodies
from service.http.charges import BYTE_COST, Taken, Tariff
from service.http.content_negotiation import JSON, acceptable
from service.http.cross_origin import ANY, PREFLIGHT, READABLE
from service.http.folders import AS_THEY_ARE, lead_to
from service.http.guards import check_client
from service.http.interface import Interface
from service.http.oauth_requests import AUTHORIZATION
from service.http.operation import Operation, allowed_methods
from service.http.preconditions import expected_versions, known_tags, last_event_id, receipt
from service.http.problems import Problem, unauthenticated, unavailable
from service.http.query import check_query, without_tracking
from service.http.request import KEY, WITHOUT_TOKEN, Request, arrived, token_of
from service.http.responses import BytesResponse, Delays, problem_response, response_to
from service.http.short_way import ShortWay
from service.limits.quotas import Quotas
from service.observability.logs import REQUEST_ID
from service.services import Services
from service.store.accounts import Bearer
from service.store.database import StoreUnavailable

LARGE = int(1 / BYTE_COST)
"""Bytes from which a response costs more than its request."""

UNROUTED = "unrouted"
"""The route of a request that matches none, so that paths made up by clients get no metrics of their own."""

_FILE = re.compile(rb"(?:^|&)(?:bom=true|separator=(?:semicolon|tab))(?:&|$)")
"""Matches the query of a statement that is CSV whatever else is accepted."""


class Edge:
    """Answers every request to an application, and every exception of it.

    Without `quotas` nothing is limited, without `bearers` nobody is identified, and without `short` all requests are
    routed by the application. `pause` sleeps for a number of seconds.
    """

    def __init__(
        self,
        app: ASGIApp,
        services: Services,
        *,
        tariff: Tariff,
        origins: tuple[str, ...] = (),
        quotas: Quotas | None = None,
        bearers: Bearers | None = None,
        short: ShortWay | None = None,
        pages: re.Pattern[str] | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`origins` are those whose pages may call, as browsers write them; `*` allows any. Raises ConfigError.

        `pages` matches the paths of pages. A slash behind such a path leads to the page.
        """
        self._app = app
        self._services = services
        self._interface = Interface(services.settings, services.reader)
        self._metrics = services.metrics
        # Bound once: an unbound logger makes its methods again for every entry.
        self._log: FilteringBoundLogger = services.logger.bind()
        # A line for every request would let any client fill the disk. Actions have lines of their own.
        self._each = self._log.is_enabled_for(logging.DEBUG)
        self._any_origin = ANY in origins
        self._origins = frozenset(origin.encode() for origin in origins)
        self._quotas = quotas
        self._tariff = tariff
        self._bearers = bearers
        self._short = short
        self._pages = pages
        self._delays = Delays(pause)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Gives the request an id, answers it, and observes the response; answers every unhandled exception."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        (request, scope), status = arrived(scope, receive, self._services, self._interface), 0
        bound, own = REQUEST_ID.set(request.id), cast("dict[str, Any]", scope)

        async def send_complete(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                taken = request.notes.taken
                if taken and (status >= 400 or (b"idempotency-replayed", b"true") in message["headers"]):
                    taken.give_back()
                _complete(message, scope, request)
            elif request.bodiless and message["type"] == "http.response.body":
                message = {"type": "http.response.body", "body": b"", "more_body": message["more_body"]}
            await send(message)

        try:
            await self._answer(scope, receive, send_complete, request)
        except asyncio.CancelledError:
            # The process is stopping. The request may or may not have been carried out, as after any outage.
            if status:
                # A response that has begun cannot be replaced: the server ends the connection.
                return
            await problem_response(unavailable("the service is stopping"), scope)(scope, receive, send_complete)
        except Exception:  # the client gets a response, and the log the traceback
            self._log.exception("request failed", method=request.method, route=_route(scope))
            if status:
                raise
            await problem_response(Problem("internal", "the failure is in the log"), scope)(
                scope, receive, send_complete
            )
        finally:
            # Taken out of the scope, which it refers to: a cycle for each request would cost a seventh of a view.
            self._record(own.pop(KEY), own.get("path_template", UNROUTED), status, time.perf_counter() - started)
            REQUEST_ID.reset(bound)

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send, request: Request) -> None:
        """The steps from admission to the response."""
        if self._origins and not request.for_operator and request.path != AUTHORIZATION:
            self._allow_origin(scope, request)
        # Litestar would normalise these. So proxies, caches and quotas see one address for each resource.
        raw = scope["raw_path"]
        elsewhere = raw not in AS_THEY_ARE and (b"%" in raw or b"//" in raw or b"/." in raw or raw[-1:] == b"/")
        short = None if elsewhere or self._short is None else self._short.route(request, scope)
        operation, known = short or (None, {})
        taken = request.notes.taken = Taken(self._quotas, request.notes.headers, self._metrics)
        try:
            await taken.by_address(self._tariff.charge(scope["method"], request.path), request.address)
            bearers = None if request.path.startswith(WITHOUT_TOKEN) else self._bearers
            if bearers is not None and (token := token_of(request)) is not None:
                bearer = bearers.remembered(token) or await self._recognised(bearers, token)
                known |= {"token": token, "bearer": bearer, "player": bearer.player}
            if known:
                request = replace(request, **known)
                cast("dict[str, Any]", scope)[KEY] = request
            await taken.by_player(request.player)
        except Problem as problem:
            taken.give_back()
            if problem.code == "rate-limited":
                await self._delays.wait()
            await problem_response(problem, scope)(scope, receive, send)
            return
        if elsewhere:
            await self._elsewhere(scope, request)(scope, receive, send)
        elif operation is None:
            # Litestar routes the request, has `prepared` make it complete, reads the operation's own parameters, and
            # calls the operation.
            await self._app(scope, receive, send)
        else:
            try:
                cast("dict[str, Any]", scope)["path_template"] = request.template
                response = await operation.function(await prepared(request, operation))
            except Exception as error:  # every exception has a response
                response = response_to(error, scope, self._log)
            await response.to_asgi_response()(scope, receive, send)
        if request.notes.spending is not None:
            taken.settle(request.notes.spending.cpu_s)

    def _elsewhere(self, scope: HTTPScope, request: Request) -> BytesResponse:
        """The response at a path that is written otherwise than any that is served: the way to a page, or a problem."""
        path, slash = scope["raw_path"][:-1].decode("latin-1"), scope["raw_path"].endswith(b"/")
        if self._pages is None or not slash or scope["method"] != "GET" or not self._pages.fullmatch(path):
            return problem_response(Problem("no-such-route", "nothing is served at this address"), scope)
        query = without_tracking(request.query).decode("latin-1")
        return lead_to(f"{path}?{query}" if query else path)

    def _allow_origin(self, scope: HTTPScope, request: Request) -> None:
        """Cross-origin headers of every response, including refusals. A preflight is any other OPTIONS request."""
        origin, headers = request.headers.get(b"origin"), request.notes.headers
        if not self._any_origin:
            # A cache must not serve one origin's response to another.
            headers.append((b"vary", b"Origin"))
        if origin is not None and (self._any_origin or origin in self._origins):
            headers.append((b"access-control-allow-origin", b"*" if self._any_origin else origin))
            headers.append(READABLE)
            if scope["method"] == "OPTIONS" and b"access-control-request-method" in request.headers:
                headers.extend(PREFLIGHT)

    async def _recognised(self, bearers: Bearers, token: bytes) -> Bearer:
        """Looks up the bearer of the token. Raises Problem."""
        try:
            bearer = await bearers.of(token)
        except StoreUnavailable as error:
            raise unavailable("tokens cannot be looked up just now") from error
        if bearer is None:
            raise unauthenticated("the token is unknown, has expired or was revoked", presented=True)
        return bearer

    def _record(self, request: Request, route: str, status: int, seconds: float) -> None:
        seconds -= request.notes.waited_s
        self._metrics.request(request.method, route, status, seconds)
        if self._each and not request.for_operator:
            self._log.debug(
                "request",
                method=request.method,
                route=route,
                status=status,
                duration_ms=round(seconds * 1000, 3),
                player=request.player or None,
                table=request.notes.table or None,
            )


async def prepared(request: Request, operation: Operation) -> Request:
    """The complete request, as the operation takes it. Raises Problem, and what the guards raise.

    A check of something that the request does not carry is not called.
    """
    decoders, headers, takes = request.interface.decoders, request.headers, operation.headers
    request.notes.table = request.table
    if request.bearer is not None and request.bearer.client is not None:
        check_client(request.bearer, operation.client_scope)
    profile = None
    for guard in operation.guards:
        profile = await guard(request) or profile
    # RFC 8259, 8.1, lets a reader ignore a byte order mark.
    raw = None if operation.body is None else (await bodies.read(headers, request.receive)).removeprefix(BOM_UTF8)
    media_type = operation.media_types[0]
    if not operation.lenient and headers.get(b"accept", b"*/*") != b"*/*":
        media_type = acceptable(request.lines, operation.media_types)
    body, game = None, ""
    if raw == b"" and not operation.body_required:
        body, raw = decoders.of(operation.body).decode(bodies.EMPTY), bodies.EMPTY
    elif raw is not None:
        bodies.check_media_type(request.lines)
        if operation.body is Any:
            rules = await request.services.tables.cache.game(request.table)
            body, game = decoders.of_acts(rules).decode(raw), rules.name
        else:
            of = request.services.reader.games.get(request.parameters.get("game", ""))
            body = bodies.decode(raw, decoders.of(operation.body), None if of is None else of.pack)
    others: tuple[tuple[str, str], ...] = ()
    if request.query and not operation.lenient:
        # People pass on links to pictures and files.
        followed = operation.stream is None and (media_type != JSON or _FILE.search(request.query) is not None)
        others = check_query(request.query, operation.query, opened_by=operation.open_query, followed=followed)
    has_key = "Idempotency-Key" in takes and b"idempotency-key" in headers
    has_tags = "If-None-Match" in takes and b"if-none-match" in headers
    return replace(
        request,
        profile=profile,
        body=body,
        game=game,
        media_type=media_type,
        others=others,
        receipt=receipt(request, bodies.EMPTY if raw is None else raw, body) if has_key else None,
        expected=expected_versions(headers[b"if-match"]) if "If-Match" in takes and b"if-match" in headers else None,
        known_tags=known_tags(request) if has_tags else None,
        last_event_id=last_event_id(request) if "Last-Event-ID" in takes else None,
    )


def _complete(message: HTTPResponseStartEvent, scope: HTTPScope, request: Request) -> None:
    """Adds the headers that every response has, unless it has its own."""
    headers = list(message["headers"])
    named = dict(headers)
    size = int(named.get(b"content-length", 0))
    if size >= LARGE and request.notes.taken and not request.bodiless:
        request.notes.taken.sends(size)
    if b"cache-control" not in named:
        private = scope["method"] != "GET" or b"authorization" in request.headers
        headers.append((b"cache-control", b"no-store" if private else b"no-cache"))
    if b"vary" not in named:
        headers.append((b"vary", b"Authorization"))
    if b"allow" in named:
        methods = allowed_methods(scope, _route(scope), named[b"allow"])
        headers = [(name, methods if name == b"allow" else value) for name, value in headers]
    headers.append((b"x-content-type-options", b"nosniff"))
    headers.append((b"x-request-id", request.id.encode()))
    headers.extend(request.notes.headers)
    message["headers"] = headers


def _route(scope: Scope) -> str:
    return str(cast("dict[str, Any]", scope).get("path_template", UNROUTED))
