"""Acts at a table, at the expense of who takes them."""

from domain.table.actions import Command
from service.commands.handler import CommandResult
from service.http.request import PreparedRequest

BOT = "bot:"
"""What the actor begins with of an act that the house does for a seat."""

HOUSE_ACT_S = 0.0005
"""CPU seconds that such an act takes, with what follows it: it is appended, projected, told and audited."""


async def carried_out(request: PreparedRequest, command: Command) -> CommandResult:
    """Handles the command at the path's table. Raises what `CommandHandler.handle` raises.

    The request is charged for what the house does after it for the seats that it plays.
    """
    result = await request.services.commands.handle(
        request.table, command, expected=request.expected, receipt=request.receipt
    )
    if not result.replayed:
        acts = sum(record.actor.startswith(BOT) for record in result.records)
        if acts:
            request.spending.add(acts * HOUSE_ACT_S)
    return result
