"""Commands at a table, charged to the caller."""

from typing import Annotated

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.kernel.table_view import TableView
from domain.record.envelope import served
from domain.seats import Audience, Seat
from domain.table.actions import Command
from domain.table.view import to_act
from service.commands.handler import CommandResult
from service.http.request import Request
from service.http.responses import json

BOT = "bot:"
"""The prefix of the actor of an act that the house takes for a seat."""

HOUSE_ACT_S = 0.0005
"""CPU seconds of such an act and its consequences: appending, projecting, streaming and auditing."""


class Acted(Struct, frozen=True):
    """The result of an action: the table's version, its events as the actor sees them, and the seats that must act."""

    version: int
    events: Annotated[
        tuple[msgspec.Raw, ...], Meta(description="The events that follow from the action, as the actor may see them.")
    ]
    to_act: tuple[Seat, ...]


async def carried_out(request: Request, command: Command) -> CommandResult:
    """Handles the command at the path's table. Raises what `CommandHandler.handle` raises.

    The request is charged for the acts that the house then takes for its seats.
    """
    result = await request.services.tables.commands.handle(
        request.table, command, expected=request.expected, receipt=request.receipt
    )
    if not result.replayed:
        for record in result.records:
            if record.actor.startswith(BOT):
                request.spending.add(HOUSE_ACT_S)
    return result


async def seen_after(
    request: Request, result: CommandResult, audience: Audience | None = None, *, status: int = 200
) -> Response[TableView]:
    """The response to a command: the view after all its consequences, by default the actor's."""
    # The actor of the first record is an audience too: `seat:N`.
    audience = audience or result.records[0].actor
    view = await request.services.edge.queries.view_at(request.table, result.records[-1].version, audience)
    location = f"/v1/tables/{request.table}" if status == 201 else None
    return json(view.body, status=status, location=location, replayed=result.replayed, version=view.version)


async def act_answer(request: Request, result: CommandResult) -> Acted:
    """The response to an act for its seat."""
    services, records = request.services, result.records
    actor, version = records[0].actor, records[-1].version
    if result.history is None:
        after = await services.edge.queries.house_at(result.table, version)
    else:
        after = result.history.table
    events = tuple([msgspec.Raw(served(record, actor, over=False)) for record in records])
    return Acted(version, events, to_act(services.reader.of(after), after))
