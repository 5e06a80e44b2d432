"""Playing: what a seat may do now, and doing it."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody

from domain.table.actions import Act
from domain.table.offers import offers
from domain.table.state import seat_of
from domain.table.view import to_act
from service.commands.handler import PreconditionFailed, Refused
from service.http import guards, schemas
from service.http.commands import send
from service.http.context import ACTION
from service.http.fast_path import DIRECT
from service.http.guards import guarded
from service.http.min_version import at_least
from service.http.parameters import IdempotencyKey, IfMatch, IfNoneMatch, MinVersion, TableId
from service.http.request import Ask
from service.http.responses import READING, REPLAYED, WRITING, at_version, json
from service.queries.tables import Shown


@get(
    "/tables/{table:uuid}/offers",
    operation_id="getOffers",
    summary="What the caller may do now",
    description="Who must act, and every action that the caller's seat may take at this version; "
    "an empty list for anyone else.",
    tags=["Play"],
    opt=guarded(guards.table_exists) | DIRECT,
    responses=READING,
)
async def offers_of(
    request: Ask, table: TableId, min_version: MinVersion = None, if_none_match: IfNoneMatch = None
) -> Response[schemas.Offers]:
    """The caller's offers, as of the log's head."""
    key = str(table)
    await at_least(request, key, min_version)
    state = (await request.edge.tables.current(key)).table
    game = await request.edge.reads.game(key)
    seat = None if request.caller is None else seat_of(state, request.caller)
    own = () if seat is None else offers(game, state, seat)
    body = msgspec.json.encode(
        {"version": state.version, "to_act": to_act(game, state), "offers": [offer.describe() for offer in own]}
    )
    return at_version(Shown(state.version, body), if_none_match)


@post(
    "/tables/{table:uuid}/actions",
    operation_id="act",
    summary="Act",
    description="Takes an action for the caller's seat. The answer holds the events that it led to, as told to the "
    "actor, and comes after they are durable.",
    tags=["Play"],
    security=[{"bearer": []}],
    responses=WRITING,
    opt=guarded(guards.authenticated, guards.table_exists, guards.may_play, guards.seated) | DIRECT | ACTION,
)
async def act(
    request: Ask,
    table: TableId,
    data: JSONBody[Any],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.Acted]:
    """Takes an action."""
    edge, key, player = request.edge, str(table), request.bearer.player
    game, kind = (await edge.reads.game(key)).name, str(data.__struct_config__.tag)
    try:
        answer = await send(request, key, Act(player, data), if_match, idempotency_key)
    except Refused as refused:
        edge.metrics.action(game, kind, refused.rejected.code)
        raise
    except PreconditionFailed:
        edge.metrics.action(game, kind, "precondition-failed")
        raise
    edge.metrics.action(game, kind, "replayed" if answer.replayed else "accepted")
    after = answer.history.table if answer.history else None
    told = await edge.reads.told(key, answer.records, player, after)
    first, count = answer.records[0].version, len(answer.records)
    headers = {"Location": f"/v1/tables/{key}/events?after={first - 1}&limit={count}"}
    return json(told, status=201, headers=headers | (REPLAYED if answer.replayed else {}), version=told.version)


HANDLERS = (offers_of, act)
