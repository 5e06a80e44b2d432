"""A request: as Litestar delivers it, and prepared for its operation."""

from collections.abc import Callable, Coroutine
from typing import Any

from litestar import Request as LitestarRequest
from litestar.connection.base import empty_receive, empty_send
from litestar.datastructures import State
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from domain.seats import Seat
from service.http import body as bodies
from service.http.context import ServiceContext
from service.http.limits import key_of
from service.http.request_context import RequestContext, context_of
from service.queries.heavy_reads import Spending
from service.store.accounts import Bearer, PlayerProfile
from service.store.store import Receipt


class PreparedRequest(Struct, frozen=True):
    """Everything that an operation needs of a request, looked up, decoded and checked once. See `prepare`."""

    services: ServiceContext
    player: str
    """The id of the calling player; empty without a token."""
    bearer: Bearer | None
    """The caller's token, if there is one."""
    table: str
    """The id of the path's table; empty if the path has none."""
    seat: Seat | None
    """The caller's seat at that table, if a guard looked it up."""
    game: str
    """The name of the table's game, in operations that take an act; empty in others."""
    profile: PlayerProfile | None
    """The path's player, if a guard looked it up."""
    body: Any
    """The body as the operation's type; for an act, the action as defined by the table's rules."""
    receipt: Receipt | None
    """Makes the request idempotent, if it has a key."""
    expected: tuple[int, ...] | None
    """The versions that If-Match names; None for any."""
    known_tags: tuple[str, ...] | None
    """The entity tags that If-None-Match names."""
    last_event_id: int | None
    """The place in a stream that Last-Event-ID gives."""
    media_type: str
    """The media type of the response."""
    query: bytes
    """The query as it was sent."""
    others: tuple[tuple[str, str], ...]
    """The parameters of an open query beside the operation's own; see `Operation.open_query`."""
    context: RequestContext
    """The context, for the request's log line."""
    gone: Callable[[], Coroutine[Any, Any, None]]
    """Returns when the client is gone."""

    @property
    def spending(self) -> Spending:
        """Counts what is computed for the request, to settle its cost at the end."""
        if self.context.spending is None:
            self.context.spending = Spending(key_of(self.context.address))
        return self.context.spending


class Request(LitestarRequest[Any, Any, State]):
    """A request as Litestar delivers it."""

    __slots__ = ("_raw", "context", "prepared", "services")

    _raw: bytes | None

    services: ServiceContext
    context: RequestContext
    prepared: PreparedRequest

    def __init__(self, scope: Scope, receive: Receive = empty_receive, send: Send = empty_send) -> None:
        super().__init__(scope, receive, send)
        self.services = self.app.state["services"]
        self.context = context_of(scope)
        self._raw = None

    async def body(self) -> bytes:
        """The body's bytes, at most 64 KiB. Raises Problem."""
        if self._raw is None:
            self._raw = await bodies.read(self.context, self.receive)
        return self._raw

    async def gone(self) -> None:
        """Returns when the client is gone. Must not be called before the body was read."""
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def json(self) -> Any:
        """The prepared body: Litestar calls this where a handler takes `data`."""
        return self.prepared.body
