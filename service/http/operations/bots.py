"""Bots: the levels there are, and removing a bot from a table."""

from litestar import Response

from domain.kernel.table_view import TableView
from domain.seats import HOUSE, PUBLIC, Bot
from domain.table.actions import RemoveBot
from service.describe.bots import BotList, BotStrength
from service.http import guards
from service.http.acting import carried_out, seen_after
from service.http.operation import operation
from service.http.operations.tables import PLAYING, SETTLED
from service.http.request import Request
from service.http.responses import unless_unchanged


@operation(
    "GET",
    "/v1/bots",
    tag="Games",
    summary="The bots that may be seated",
    description="The levels of bots, what each costs, and how strong they are: what one level wins more than another "
    "in a deal, measured by playing the same deals on every seat.",
    answers="The levels.",
    client_scope="any",
    headers=("If-None-Match",),
    example=lambda sample: BotList(
        (Bot("random", 1), Bot("quick", 1)),
        {"random": 0, "quick": 24},
        (BotStrength(sample.played.game.name, "quick", "random", 2.3, (1.9, 2.7), 60),),
    ),
)
async def list_bots(request: Request) -> Response[BotList]:
    """The levels of bots, encoded once."""
    return unless_unchanged(request.interface.bots, request)


@operation(
    "DELETE",
    "/v1/tables/{table:uuid}/seats/{seat:int}",
    tag="Tables",
    summary="Remove a bot",
    description="Frees the seat of a bot before the game starts. Only the player who seated it, or who opened the "
    "table, may do so (TL-7.1). At a rematch the seats of bots are kept, like those of players.",
    answers="The seat is free.",
    cost=6,
    records="seats",
    guards=PLAYING,
    client_scope="seat",
    headers=("If-Match",),
    problems=(*SETTLED, "not-seated", "not-opener", "seat-taken"),
    example=lambda sample: sample.played.view(1, PUBLIC) | {"version": 3},
)
async def remove_bot(request: Request, seat: int) -> Response[TableView]:
    """Frees the seat of a bot. Raises Refused or PreconditionFailed."""
    guards.number(request, "seat")
    result = await carried_out(request, RemoveBot(request.player, seat))
    return await seen_after(request, result, PUBLIC if result.records[0].actor == HOUSE else None)
