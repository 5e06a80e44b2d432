"""A request as the handlers see it."""

from typing import Any, cast

from litestar import Request
from litestar.connection.base import empty_receive, empty_send
from litestar.datastructures import State
from litestar.exceptions import InternalServerException
from litestar.types import Empty, HTTPRequestEvent, Receive, Scope, Send

from service.http import body as bodies
from service.http.content_negotiation import JSON, acceptable
from service.http.context import Edge
from service.http.problems import Problem
from service.http.query import check_query
from service.http.request_context import Exchange, exchange_of, header
from service.store.accounts import Bearer

_JSON = JSON.encode()


class Ask(Request[Any, Any, State]):
    """A request to the interface, with the services it is answered from."""

    __slots__ = ("edge", "exchange")

    edge: Edge
    """The services."""
    exchange: Exchange
    """What is known of the request."""

    def __init__(self, scope: Scope, receive: Receive = empty_receive, send: Send = empty_send) -> None:
        super().__init__(scope, receive, send)
        self.edge = self.app.state["edge"]
        self.exchange = exchange_of(scope)

    @property
    def bearer(self) -> Bearer:
        """Who calls, for handlers that are guarded."""
        bearer = self.exchange.bearer
        if bearer is None:
            raise InternalServerException("the handler is not guarded")
        return bearer

    @property
    def caller(self) -> str | None:
        """The player who calls; None without a token."""
        bearer = self.exchange.bearer
        return bearer.player if bearer else None

    async def body(self) -> bytes:
        """The body, at most 64 KiB, its media type and length checked. Raises Problem."""
        if self._body is Empty:
            raw = await self._read()
            acceptable(self, JSON)
            _json_only([value for name, value in self.scope["headers"] if name == b"content-type"])
            if not raw:
                raise Problem("malformed-body", "the body is empty")
            self._body = raw
        return self._body

    async def json(self) -> Any:
        """The body as what the handler takes; an action as its table's game has it. Raises Problem."""
        raw = await self.body()
        value = bodies.decode(raw, await self.edge.decoder(self.route_handler, self.path_params.get("table")))
        check_query(self.scope, self.route_handler)
        return value

    async def _read(self) -> bytes:
        announced = header(self.scope, b"content-length") or b""
        if announced.isdigit() and int(announced) > bodies.MAX_BYTES:
            raise _too_large()
        raw = bytearray()
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Problem("malformed-body", "the body is not complete")
            raw += cast("HTTPRequestEvent", message)["body"]
            if len(raw) > bodies.MAX_BYTES:
                raise _too_large()
            if not message.get("more_body", False):
                return bytes(raw)


def _too_large() -> Problem:
    return Problem("body-too-large", f"a body may have {bodies.MAX_BYTES} bytes")


def _json_only(given: list[bytes]) -> None:
    if given == [_JSON]:
        return
    media_type, _, parameters = given[0].decode("latin-1").partition(";") if len(given) == 1 else ("", "", "")
    charset = parameters.strip().lower().replace('"', "")
    if media_type.strip().lower() != JSON or charset not in ("", "charset=utf-8"):
        raise Problem("unsupported-media-type", f"the body must be {JSON}", headers={"Accept": JSON})
