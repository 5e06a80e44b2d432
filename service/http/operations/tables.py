"""Tables: opening, listing, looking at, closing; sitting down and leaving."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter

from domain.kernel.view import TableView
from domain.seats import PUBLIC
from domain.table.actions import CloseTable, LeaveSeat, TakeSeat
from service.http import guards, schemas
from service.http.commands import send
from service.http.fast_path import DIRECT
from service.http.guards import guarded
from service.http.min_version import at_least
from service.http.parameters import (
    Cursor,
    GameName,
    IdempotencyKey,
    IfMatch,
    IfNoneMatch,
    Limit,
    MinVersion,
    TableId,
)
from service.http.preconditions import receipt
from service.http.problems import invalid_body
from service.http.request import Ask
from service.http.responses import READING, REPLAYED, WRITING, at_version, json, page, problems

PLAYING = (guards.authenticated, guards.table_exists, guards.may_play)


@post(
    "/tables",
    operation_id="openTable",
    summary="Open a table",
    description="Opens a table for a game. The opener may sit down at it like anyone.",
    tags=["Tables"],
    opt=guarded(guards.authenticated, guards.may_play),
    security=[{"bearer": []}],
    responses=problems(400, 403, 409, 413, 415),
)
async def open_table(
    request: Ask, data: JSONBody[schemas.Opening], idempotency_key: IdempotencyKey = None
) -> Response[TableView]:
    """Opens a table."""
    edge = request.edge
    game = edge.games.get(data.game)
    if game is None:
        raise invalid_body(msgspec.ValidationError(f"must be one of {', '.join(edge.games)} - at `$.game`"))
    try:
        options = msgspec.convert(data.options or {}, game.options)
    except msgspec.ValidationError as error:
        raise invalid_body(error, under="/options") from None
    once = await receipt(request, idempotency_key)
    deals = game.default_deals if data.deals is None else data.deals
    answer = await edge.tables.open(request.bearer.player, game, deals, options, once)
    request.exchange.table = answer.table
    shown = edge.reads.shown(answer.records, PUBLIC)
    headers = {"Location": f"/v1/tables/{answer.table}"} | (REPLAYED if answer.replayed else {})
    return json(shown.body, status=201, headers=headers, version=shown.version)


@get(
    "/tables",
    operation_id="listTables",
    summary="Tables",
    description="Current and past tables, newest first.",
    tags=["Tables"],
    responses=problems(),
)
async def tables(
    request: Ask,
    status: Annotated[
        Literal["open", "playing", "finished", "closed"] | None,
        QueryParameter(name="status", description="Only tables of this status."),
    ] = None,
    game: GameName = None,
    player: Annotated[
        UUID | None, QueryParameter(name="player", description="Only tables where this player sits.")
    ] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response[schemas.TablePage]:
    """A page of tables."""
    found = await request.edge.reads.models.tables(
        status=status, game=game, player=None if player is None else str(player), cursor=cursor, limit=limit
    )
    return page(found)


@get(
    "/tables/{table:uuid}",
    operation_id="getTable",
    summary="A table",
    description="The caller's view of the table: all it may know, and nothing else.",
    tags=["Tables"],
    opt=guarded(guards.table_exists) | DIRECT,
    responses=READING,
)
async def table_of(
    request: Ask, table: TableId, min_version: MinVersion = None, if_none_match: IfNoneMatch = None
) -> Response[TableView]:
    """The caller's view."""
    reads, key = request.edge.reads, str(table)
    floor = await at_least(request, key, min_version)
    audience = await reads.audience(key, request.caller)
    return at_version(await reads.view(key, audience, floor), if_none_match)


@delete(
    "/tables/{table:uuid}",
    operation_id="closeTable",
    summary="Close a table",
    description="Closes a table that has not started; only who opened it may.",
    tags=["Tables"],
    opt=guarded(*PLAYING, guards.opened_it),
    status_code=200,
    security=[{"bearer": []}],
    responses=problems(400, 403, 404, 409, 412),
)
async def close_table(request: Ask, table: TableId, if_match: IfMatch = None) -> Response[TableView]:
    """Closes a table."""
    key, player = str(table), request.bearer.player
    answer = await send(request, key, CloseTable(player), if_match, None)
    audience = await request.edge.reads.audience(key, player)
    shown = await request.edge.reads.view_at(key, answer.records[-1].version, audience)
    return json(shown.body, version=shown.version)


@post(
    "/tables/{table:uuid}/seats",
    operation_id="takeSeat",
    summary="Sit down",
    description="Takes a seat, the lowest free one if none is named. The game starts when all seats are taken.",
    tags=["Tables"],
    opt=guarded(*PLAYING),
    security=[{"bearer": []}],
    responses=WRITING,
)
async def take_seat(
    request: Ask,
    table: TableId,
    data: JSONBody[schemas.Seating],
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response[TableView]:
    """Sits down."""
    key = str(table)
    entropy = None if data.entropy is None else bytes.fromhex(data.entropy)
    command = TakeSeat(request.bearer.player, data.seat, entropy)
    answer = await send(request, key, command, if_match, idempotency_key)
    # The actor of the first record is the audience that its player now is: `seat:N`.
    shown = await request.edge.reads.view_at(key, answer.records[-1].version, answer.records[0].actor)
    headers = {"Location": f"/v1/tables/{key}"} | (REPLAYED if answer.replayed else {})
    return json(shown.body, status=201, headers=headers, version=shown.version)


@delete(
    "/tables/{table:uuid}/seats/me",
    operation_id="leaveSeat",
    summary="Leave one's seat",
    description="Gets up from the table before the game starts.",
    tags=["Tables"],
    opt=guarded(*PLAYING, guards.seated),
    status_code=200,
    security=[{"bearer": []}],
    responses=problems(400, 403, 404, 409, 412),
)
async def leave_seat(request: Ask, table: TableId, if_match: IfMatch = None) -> Response[TableView]:
    """Leaves the table."""
    key = str(table)
    answer = await send(request, key, LeaveSeat(request.bearer.player), if_match, None)
    shown = await request.edge.reads.view_at(key, answer.records[-1].version, PUBLIC)
    return json(shown.body, version=shown.version)


HANDLERS = (open_table, tables, table_of, close_table, take_seat, leave_seat)
