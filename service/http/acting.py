"""Commands at a table, charged to the caller."""

from domain.table.actions import Command
from service.commands.handler import CommandResult
from service.http.request import Request

BOT = "bot:"
"""The prefix of the actor of an act that the house takes for a seat."""

HOUSE_ACT_S = 0.0005
"""CPU seconds of such an act and its consequences: appending, projecting, streaming and auditing."""


async def carried_out(request: Request, command: Command) -> CommandResult:
    """Handles the command at the path's table. Raises what `CommandHandler.handle` raises.

    The request is charged for the acts that the house then takes for its seats.
    """
    result = await request.services.commands.handle(
        request.table, command, expected=request.expected, receipt=request.receipt
    )
    if not result.replayed:
        for record in result.records:
            if record.actor.startswith(BOT):
                request.spending.add(HOUSE_ACT_S)
    return result
