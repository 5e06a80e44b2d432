"""Leaving a running game, and ending it together."""

from litestar import Response

from domain.kernel.table_view import TableView
from domain.seats import seat_audience
from domain.table.actions import AbandonSeat, ProposeEnd
from service.http import guards, schemas
from service.http.acting import carried_out, seen_after
from service.http.examples import Sample
from service.http.operation import operation
from service.http.operations.tables import PLAYING, THIS_TABLE
from service.http.request import Request

REFUSALS = ("table-closed", "table-finished", "not-started", "abandoned")
LINKS = (("table", "getTable", THIS_TABLE), ("events", "listEvents", THIS_TABLE))


def _example(leaving: dict[str, list[int]], sample: Sample) -> object:
    version, seat, _ = sample.played.midway()
    return sample.played.view(version, seat_audience(seat)) | {"version": version + 1, "leaving": leaving}


@operation(
    "POST",
    "/v1/tables/{table:uuid}/end",
    tag="Tables",
    summary="Agree to end the game",
    description="Agrees to end the running game at once or, if `agree` is false, refuses, which cancels what others "
    "have agreed to. The game ends when all players who have not abandoned it agree (TL-4.1). The running deal then "
    "books nothing (TL-4.2).",
    answers="The answer is recorded, and the game has ended if all agree.",
    cost=6,
    records="seats",
    guards=(*PLAYING, guards.seated),
    client_scope="seat",
    headers=("If-Match", "Idempotency-Key"),
    body=schemas.EndRequest,
    problems=(*REFUSALS, "rule-violation"),
    links=LINKS,
    requests=lambda _: {"agree": {"agree": True}, "decline": {"agree": False}},
    example=lambda sample: _example({"agreed": [sample.played.midway()[1]], "abandoned": [], "bots": []}, sample),
)
async def propose_end(request: Request) -> Response[TableView]:
    """Records whether the caller agrees to end the game. Raises Refused or PreconditionFailed."""
    return await seen_after(request, await carried_out(request, ProposeEnd(request.player, request.body.agree)))


@operation(
    "POST",
    "/v1/tables/{table:uuid}/seats/me/abandon",
    tag="Tables",
    summary="Abandon the game",
    description="Leaves the running game for good. The house plays on for the seat or, with the table's option "
    "`on_abandon` set to `end`, the game ends (TL-3.3).",
    answers="The game is abandoned.",
    cost=6,
    records="seats",
    guards=(*PLAYING, guards.seated),
    client_scope="seat",
    headers=("If-Match", "Idempotency-Key"),
    problems=REFUSALS,
    links=LINKS,
    example=lambda sample: _example(
        {"agreed": [], "abandoned": [sample.played.midway()[1]], "bots": [sample.played.midway()[1]]}, sample
    ),
)
async def abandon_seat(request: Request) -> Response[TableView]:
    """Abandons the game for the caller. Raises Refused or PreconditionFailed."""
    return await seen_after(request, await carried_out(request, AbandonSeat(request.player)))
