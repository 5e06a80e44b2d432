"""Prepares a request for its operation. The checks run in this order, and the first failure decides the response:
existence and permission (401, 403, 404), size (413), media types (406, 415), syntax (400), schema (422), idempotency
key, precondition. The rate limit, tokens and routes come before, the table's state and the rules after.
"""

from hashlib import sha256
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.http import body as bodies
from service.http.content_negotiation import acceptable
from service.http.guards import player_of, table_of
from service.http.operation import Operation
from service.http.preconditions import expected_versions, idempotency_key, known_tags, last_event_id
from service.http.query import check_query
from service.http.request import PreparedRequest, Request
from service.http.schemas import RequestBody
from service.store.store import Receipt

EMPTY = b"{}"
"""The body of an operation without one, or of a request that leaves out an optional one."""


async def prepare(request: Request, operation: Operation, handler: HTTPRouteHandler) -> PreparedRequest:
    """The request in the form that its operation takes. Raises Problem, and what the guards raise."""
    services, context, scope = request.services, request.context, request.scope
    headers, takes = context.headers, operation.headers
    for guard in operation.guards:
        await guard(request)
    raw = None if operation.body is None else await request.body()
    media_type = operation.media_types[0]
    if not operation.lenient and headers.get(b"accept", b"*/*") != b"*/*":
        media_type = acceptable(context, scope, operation.media_types)
    body, game = None, ""
    if raw == b"" and not operation.body_required:
        body, raw = services.body_decoder(operation.body).decode(EMPTY), EMPTY
    elif raw is not None:
        bodies.check_media_type(context, scope)
        if operation.body is Any:
            rules = await services.tables.game(table_of(request))
            body, game = bodies.decode(raw, services.action_decoder(rules)), rules.name
        else:
            body = bodies.decode(raw, services.body_decoder(operation.body))
    others: tuple[tuple[str, str], ...] = ()
    if scope["query_string"] and not operation.lenient:
        others = check_query(scope, handler, opened_by=operation.open_query)
    receipt = expected = None
    if "Idempotency-Key" in takes and b"idempotency-key" in headers:
        receipt = _receipt(request, EMPTY if raw is None else raw, body)
    if "If-Match" in takes and b"if-match" in headers:
        expected = expected_versions(headers[b"if-match"])
    return PreparedRequest(
        services=services,
        player=player_of(request),
        bearer=context.bearer,
        table=context.table or "",
        seat=context.seat,
        game=game,
        profile=context.player,
        body=body,
        receipt=receipt,
        expected=expected,
        known_tags=known_tags(context) if "If-None-Match" in takes and b"if-none-match" in headers else None,
        last_event_id=last_event_id(context) if "Last-Event-ID" in takes else None,
        media_type=media_type,
        query=scope["query_string"],
        others=others,
        context=context,
        gone=request.gone,
    )


def _receipt(request: Request, raw: bytes, body: Any) -> Receipt:
    """The receipt that makes the request idempotent: its key with caller, method and path, and its body. Raises
    Problem.

    Addresses are shared, so a caller who sends a secret of the player's in the body is identified by the secret alone.
    """
    context, key = request.context, idempotency_key(request.context, request.scope)
    proof = body.proof if isinstance(body, RequestBody) else None
    if proof is not None:
        caller = f"secret:{sha256(proof.encode()).hexdigest()}"
    elif context.bearer:
        caller = f"player:{context.bearer.player}"
    else:
        caller = f"address:{context.address}"
    # Independent of the spelling of ids in the path.
    path = request.scope["path_template"].format_map(request.path_params)
    scope = sha256("\n".join((caller, request.method, path, key)).encode()).digest()
    return Receipt(scope, bodies.digest(raw))
