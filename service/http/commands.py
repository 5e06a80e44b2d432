"""Sending a command to a table, as a conditional and idempotent request."""

from domain.table.actions import Command
from service.commands.handler import Answer, PreconditionFailed
from service.http.preconditions import expected_versions, receipt
from service.http.request import Ask


async def send(ask: Ask, table: str, command: Command, if_match: str | None, key: str | None) -> Answer:
    """The command's answer. Raises what `Tables.command` raises, and Problem."""
    once = await receipt(ask, key)
    versions = expected_versions(if_match)
    if versions is None:
        return await ask.edge.tables.command(table, command, receipt=once)
    expected = versions[0]
    for _ in versions:
        try:
            return await ask.edge.tables.command(table, command, expected=expected, receipt=once)
        except PreconditionFailed as failed:
            if failed.version not in versions:
                raise
            expected = failed.version
    return await ask.edge.tables.command(table, command, expected=expected, receipt=once)
