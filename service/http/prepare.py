"""Preparing a request for its operation. What is checked here comes in this order, and the first failure answers:

existence and permission (401, 403, 404), size (413), media types (406, 415), syntax (400), schema (422), idempotency
key, precondition. The rate limit, tokens and routes come before, the table's state and the rules after.
"""

from hashlib import sha256
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler

from service.http import body as bodies
from service.http.content_negotiation import acceptable
from service.http.guards import table_of
from service.http.operation import Operation
from service.http.preconditions import expected_versions, idempotency_key, tags
from service.http.query import check_query
from service.http.request import PreparedRequest, Request
from service.store.store import Receipt


async def prepare(request: Request, operation: Operation, handler: HTTPRouteHandler) -> PreparedRequest:
    """The request as its operation takes it. Raises Problem, and what the guards raise."""
    services, context = request.services, request.context
    for guard in operation.guards:
        await guard(request)
    raw = None if operation.body is None else await request.body()
    media_type = operation.media_types[0]
    if not operation.lenient:
        media_type = acceptable(context, request.scope, operation.media_types)
    body = None
    if raw is not None:
        bodies.check_media_type(context, request.scope)
        body = bodies.decode(raw, await _decoder(request, operation))
    if not operation.lenient:
        check_query(request.scope, handler)
    headers = context.headers
    return PreparedRequest(
        services=services,
        caller=context.bearer,
        table=context.table or "",
        caller_seat=context.seat,
        player=context.player,
        body=body,
        receipt=_receipt(request, operation, raw),
        expected=expected_versions(headers.get(b"if-match")) if "If-Match" in operation.headers else None,
        known_tags=tags("If-None-Match", headers.get(b"if-none-match"))
        if "If-None-Match" in operation.headers
        else None,
        media_type=media_type,
        query=request.scope["query_string"],
        context=context,
    )


async def _decoder(request: Request, operation: Operation) -> "msgspec.json.Decoder[Any]":
    """What decodes the body: its own type, or the actions of the table's game under the table's rules."""
    if operation.body is Any:
        return await request.services.action_decoder(table_of(request))
    return request.services.body_decoder(operation.body)


def _receipt(request: Request, operation: Operation, raw: bytes | None) -> Receipt | None:
    """What makes the request idempotent, if it has a key. Raises Problem."""
    if raw is None or "Idempotency-Key" not in operation.headers:
        return None
    key = idempotency_key(request.context, request.scope)
    if key is None:
        return None
    context = request.context
    caller = f"player:{context.caller}" if context.caller else f"address:{context.address}"
    # However the ids in it are spelled.
    path = request.scope["path_template"].format_map(request.path_params)
    scope = sha256("\n".join((caller, request.method, path, key)).encode()).digest()
    return Receipt(scope, bodies.digest(raw))
