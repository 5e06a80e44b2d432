"""Tables: opening, listing, viewing and closing; taking and leaving a seat."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response
from msgspec.structs import replace

from domain.kernel.table_view import TableView
from domain.opponents import VERSION
from domain.opponents.choosing import STRONGEST
from domain.seats import HOUSE, PUBLIC, Bot, Level, seat_audience
from domain.table.actions import BotSeat, CloseTable, LeaveSeat, SeatBot, TakeSeat
from domain.table.events import SubstituteSeated
from domain.table.options import DEFAULT
from projections.cursors import TABLES
from projections.lobby import TableSummary
from service.commands.handler import ATTEMPTS, CommandResult, KeyConflict, PreconditionFailed, Refused
from service.http import body as bodies
from service.http import guards, schemas
from service.http.acting import carried_out, seen_after
from service.http.examples import CURSORS, ENTROPY, PLAYERS, Sample, SampleTable
from service.http.faults import one_of
from service.http.min_version import awaited_version
from service.http.operation import READS_TABLE, operation
from service.http.parameters import After, GameName, Limit, MinVersion, Wait, cursor_parameter, query
from service.http.problems import Problem, invalid_field
from service.http.request import Request
from service.http.responses import at_version, json, page
from service.moments import new_id
from service.store.bots_alone import MOST_OF_ALL, MOST_OF_PLAYER
from service.store.database import StoreUnavailable

PLAYING = (guards.authenticated, guards.table_exists, guards.may_play)
"""The guards of players' operations at a table."""

BOTS_AFTER_S = 60
"""Seconds after which a player may ask again for a table at which only bots play: such games take minutes."""

SETTLED = ("table-closed", "table-finished", "already-started")
OF_TABLE = ("getTable", "getOffers", "listEvents", "getReplayRange", "getTableLedger", "listDisputes")
THIS_TABLE = {"table": "$response.body#/table"}


def _openings(sample: Sample) -> Mapping[str, Any]:
    game = sample.played.game
    options = game.options()
    deals = game.course.deals(options)
    twice = 2 * deals.default
    return {
        "as the game has it": {"game": game.name},
        "settled": {
            "game": game.name,
            "deals": twice if deals.allows(twice) else deals.most,
            "options": msgspec.to_builtins(options),
            "table": {
                "clock": {"seconds": 30, "reserve": 300, "increment": 5, "absent_after": 3},
                "spectator_delay": {"seconds": 60},
            },
        },
        "with bots": {"game": game.name, "bots": {str(seat): "quick" for seat in range(1, game.course.seats(options))}},
    }


@operation(
    "POST",
    "/v1/tables",
    tag="Tables",
    summary="Open a table",
    description="Opens a table for a game. The opener does not get a seat, and may take one like anyone else. `bots` "
    "play on their seats from the beginning (TL-7.1); a table with a bot on every seat starts at once. Of tables at "
    f"which only bots play, a player may have {MOST_OF_PLAYER} running, and all players {MOST_OF_ALL}.",
    answers="The table is open.",
    status=201,
    cost=6,
    records="tables",
    guards=(guards.authenticated, guards.may_play),
    client_scope="seat",
    headers=("Idempotency-Key",),
    body=schemas.TableRequest,
    problems=("rule-violation", "no-such-seat", "too-many-bot-tables"),
    links=(
        ("sit", "takeSeat", THIS_TABLE),
        ("close", "closeTable", THIS_TABLE),
        *((name, name, THIS_TABLE) for name in OF_TABLE),
    ),
    answer_headers=("ETag",),
    requests=_openings,
    example=lambda sample: sample.played.view(1, PUBLIC),
    by_game=True,
)
async def open_table(request: Request) -> Response[TableView]:
    """Opens a table. Raises Refused for a wrong number of deals.

    Raises Problem for an unknown game, invalid options, and if too many tables are running at which only bots play.
    """
    services, wanted = request.services, request.body
    game = services.reader.games.get(wanted.game)
    if game is None:
        raise invalid_field("/game", f"must be {one_of(tuple(services.reader.games))}")
    options = bodies.convert(wanted.options or {}, game.options, under="/options")
    deals = game.course.deals(options).default if wanted.deals is None else wanted.deals
    table_options, bots = wanted.table or DEFAULT, _bots(wanted.bots)
    await count_bots(request, len(bots))
    table, alone = new_id(), len(bots) == game.course.seats(options)
    if alone:
        await _begin_alone(request, table)
    try:
        result = await services.tables.commands.open(
            request.player, game, deals, options, request.receipt, table_options, bots=bots, table=table
        )
    except (Refused, KeyConflict):
        if alone:
            await services.players.bots_alone.end(table)
        raise
    request.notes.table = result.table
    view = services.edge.queries.view_after(result.records, PUBLIC)
    location = f"/v1/tables/{result.table}"
    return json(view.body, status=201, location=location, replayed=result.replayed, version=view.version)


def _bots(levels: Mapping[str, Level]) -> tuple[BotSeat, ...]:
    """New bots of these levels, by seat."""
    wanted = sorted((int(seat), level) for seat, level in levels.items())
    return tuple(BotSeat(seat, new_id(), Bot(level, VERSION)) for seat, level in wanted)


async def count_bots(request: Request, number: int) -> None:
    """Takes what seating this number of bots takes from the caller's quotas. Raises Problem."""
    if number and request.notes.taken is not None:
        await request.notes.taken.recording("bots", request.player, number)


async def _begin_alone(request: Request, table: str) -> None:
    """Counts a table, which is to begin, among those at which only bots play.

    Raises Problem if there are too many of them, unless the request was answered before.
    """
    services, receipt = request.services, request.receipt
    if receipt is not None and (await services.log.store.head_and_receipt(table, receipt.scope))[1] is not None:
        return
    outcome = await services.players.bots_alone.begin(table, request.player, datetime.now(UTC))
    if outcome != "begun":
        who, most = ("a player", MOST_OF_PLAYER) if outcome == "player" else ("all players together", MOST_OF_ALL)
        detail = f"{who} may have {most} running tables at which only bots play"
        raise Problem("too-many-bot-tables", detail, headers={"Retry-After": str(BOTS_AFTER_S)})


def table_summary(played: SampleTable, version: int) -> TableSummary:
    """A summary of the table at a version."""
    return TableSummary.of(played.history(version).table, played.records[0].at, played.records[version - 1].at)


@operation(
    "GET",
    "/v1/tables",
    tag="Tables",
    summary="Current and past tables",
    description="The tables of this status, game and player; by default all, newest first. A table with "
    "`spectator_delay` is listed as it was before the running deal. Unlisted and private tables are shown only to "
    "their own players, in queries with `player`.",
    answers="A page of tables, newest first.",
    cost=3,
    client_scope="read",
    links=(("table", "getTable", {"table": "$response.body#/items/0/table"}),),
    example=lambda sample: {
        "items": [table_summary(sample.played, sample.played.version)],
        "next": CURSORS[TABLES],
    },
)
async def list_tables(
    request: Request,
    status: Annotated[
        Literal["open", "playing", "finished", "closed"] | None, query("status", "Only tables of this status.", "open")
    ] = None,
    game: GameName = None,
    player: Annotated[UUID | None, query("player", "Only tables where this player sits.", PLAYERS[0])] = None,
    cursor: Annotated[str | None, cursor_parameter(CURSORS[TABLES])] = None,
    limit: Limit = 50,
) -> Response[schemas.TablePage]:
    """A page of tables. Raises ReadModelsUnavailable."""
    listed = await request.services.edge.queries.models.tables(
        status=status,
        game=game,
        player=None if player is None else str(player),
        own=player is not None and str(player) == request.player,
        cursor=cursor,
        limit=limit,
    )
    return page(listed)


def _view_example(sample: Sample) -> Any:
    version, seat, _ = sample.played.midway()
    return sample.played.view(version, seat_audience(seat))


@operation(
    "GET",
    "/v1/tables/{table:uuid}",
    tag="Tables",
    summary="A table",
    description="The caller's view of the table: all that the caller may know, and nothing else. At a table with "
    "`spectator_delay`, callers who do not sit there follow a running deal late: they see the table at an earlier "
    "version, in every response and stream (TL-6.1).",
    answers="The view.",
    **READS_TABLE,
    links=(("replay", "getReplay", THIS_TABLE | {"version": "$response.body#/version"}),),
    example=_view_example,
    by_game=True,
    fast=True,
)
async def get_table(
    request: Request, min_version: MinVersion = None, after: After = None, wait: Wait = None
) -> Response[TableView]:
    """The caller's view, at `min_version` or later and beyond `after`. Raises what `awaited_version` raises."""
    services = request.services
    floor = await awaited_version(request, min_version, after, wait)
    audience = await services.tables.seating.audience(request.table, request.player)
    view = await services.edge.queries.view(request.table, audience, request.spending, floor)
    return at_version(view, request.known_tags)


@operation(
    "DELETE",
    "/v1/tables/{table:uuid}",
    tag="Tables",
    summary="Close a table",
    description="Closes a table that has not started. Only its opener may close it.",
    answers="The table is closed.",
    cost=6,
    guards=(*PLAYING, guards.opened_it),
    client_scope="seat",
    headers=("If-Match",),
    problems=SETTLED,
    example=lambda sample: sample.played.view(1, PUBLIC) | {"version": 2, "status": "closed"},
)
async def close_table(request: Request) -> Response[TableView]:
    """Closes a table that has not started. Raises Refused or PreconditionFailed."""
    result = await carried_out(request, CloseTable(request.player))
    audience = await request.services.tables.seating.audience(request.table, request.player)
    return await seen_after(request, result, audience)


def _seated_example(sample: Sample) -> Any:
    played = sample.played
    seated = 1 + len(played.view(1, PUBLIC)["seats"])
    return played.view(seated - 1, seat_audience(seated - 3))


@operation(
    "POST",
    "/v1/tables/{table:uuid}/seats",
    tag="Tables",
    summary="Take a seat",
    description="Takes the requested seat, by default the lowest free one. The game starts when all seats are taken. "
    "A player whose seat is being played by the house takes it back, unless the player has abandoned the game. With "
    "`bot`, who opened the table or sits there seats a bot of that level (TL-7.1) or, once the game has started, has "
    "one of the strongest level play on at a seat that the house plays (TL-7.3). An opener without a seat, who "
    "follows the running deal late, is answered by what is to be seen: where the player has come back since, no bot is "
    "seated.",
    answers="The seat is taken.",
    status=201,
    cost=6,
    records="seats",
    guards=PLAYING,
    client_scope="seat",
    headers=("If-Match", "Idempotency-Key"),
    body=schemas.SeatRequest,
    problems=(
        "not-seated",
        "already-seated",
        "abandoned",
        "table-full",
        "no-such-seat",
        "seat-taken",
        "table-closed",
        "table-finished",
        "rule-violation",
        "too-many-bot-tables",
    ),
    links=(
        ("offers", "getOffers", THIS_TABLE),
        ("act", "act", THIS_TABLE),
        ("leave", "leaveSeat", THIS_TABLE),
        ("replay", "getReplay", THIS_TABLE | {"version": "$response.body#/version"}),
        *((name, name, THIS_TABLE) for name in OF_TABLE if name != "getOffers"),
    ),
    requests=lambda _: {
        "any seat": {},
        "a seat, and entropy": {"seat": 0, "entropy": ENTROPY},
        "a bot": {"seat": 1, "bot": "quick"},
        "the strongest bot": {"bot": True},
    },
    example=_seated_example,
)  # fmt: skip
async def take_seat(request: Request) -> Response[TableView]:
    """Takes a seat for the caller or a bot. Raises Refused or PreconditionFailed, and Problem for a bot's entropy."""
    wanted = request.body
    if wanted.bot:
        return await _seat_bot(request, wanted)
    entropy = None if wanted.entropy is None else bytes.fromhex(wanted.entropy)
    result = await carried_out(request, TakeSeat(request.player, wanted.seat, entropy))
    return await seen_after(request, result, status=201)


async def _seat_bot(request: Request, wanted: schemas.SeatRequest) -> Response[TableView]:
    """Seats a bot, which then is an empty seat's player or a substitute."""
    if wanted.entropy is not None:
        raise invalid_field("/entropy", "must be left out for a bot, which adds none")
    services, table = request.services, request.table
    await count_bots(request, 1)
    level = wanted.bot if isinstance(wanted.bot, str) else STRONGEST
    command = SeatBot(request.player, new_id(), Bot(level, VERSION), wanted.seat, STRONGEST)
    try:
        result = await _bot_seated(request, command)
    except Refused as refused:
        if not refused.unseen:
            raise
        # Why no bot is seated is seen later, as the bot is that is seated.
        result = None
    audience = PUBLIC if result is None or result.records[0].actor == HOUSE else result.records[0].actor
    # An opener who does not sit at the table sees it as a spectator does.
    hidden = audience == PUBLIC and await services.tables.spectators.late(table)
    if result is None or (hidden and result.records[0].type == SubstituteSeated.TYPE):
        view, replayed = await services.edge.queries.view(table, PUBLIC, request.spending), False
    else:
        view = await services.edge.queries.view_at(table, result.records[-1].version, audience)
        replayed = result.replayed
    return json(view.body, status=201, location=f"/v1/tables/{table}", replayed=replayed, version=view.version)


async def _bot_seated(request: Request, command: SeatBot) -> CommandResult:
    """Seats a bot. Raises Problem if it would be the last of a table at which only bots play, and these are too many.

    Raises Refused or PreconditionFailed.
    """
    for _ in range(ATTEMPTS):
        history = await request.services.tables.cache.current(request.table)
        expected, pinned = request.expected, request
        state, free = history.table, history.table.players.count(None)
        if state.status == "open" and free + len(state.opponents) == len(state.players):
            # No bot that is seated meanwhile makes this one the last.
            version = history.version
            pinned = replace(request, expected=(version,) if expected is None or version in expected else ())
            if free == 1:
                await _begin_alone(request, request.table)
        try:
            return await carried_out(pinned, command)
        except PreconditionFailed as failed:
            if expected is not None and failed.version not in expected:
                raise
    raise StoreUnavailable("the table is too busy")


@operation(
    "DELETE",
    "/v1/tables/{table:uuid}/seats/me",
    tag="Tables",
    summary="Leave the caller's seat",
    description="Frees the caller's seat before the game starts.",
    answers="The seat is free.",
    cost=6,
    records="seats",
    guards=(*PLAYING, guards.seated),
    client_scope="seat",
    headers=("If-Match",),
    problems=SETTLED,
    example=lambda sample: sample.played.view(1, PUBLIC) | {"version": 3},
)
async def leave_seat(request: Request) -> Response[TableView]:
    """Frees the caller's seat. Raises Refused or PreconditionFailed."""
    return await seen_after(request, await carried_out(request, LeaveSeat(request.player)), PUBLIC)
