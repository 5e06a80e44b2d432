"""Sending a command to a table, as a conditional and idempotent request."""

from domain.table.actions import Command
from service.commands.handler import CommandResult, PreconditionFailed
from service.http.request import PreparedRequest


async def send(request: PreparedRequest, command: Command) -> CommandResult:
    """The command's result. Raises what `CommandHandler.handle` raises."""
    handle, table, receipt, versions = (
        request.services.commands.handle,
        request.table,
        request.receipt,
        request.expected,
    )
    if versions is None:
        return await handle(table, command, receipt=receipt)
    expected = versions[0]
    for _ in versions:
        try:
            return await handle(table, command, expected=expected, receipt=receipt)
        except PreconditionFailed as failed:
            if failed.version not in versions:
                raise
            expected = failed.version
    return await handle(table, command, expected=expected, receipt=receipt)
