"""Reports of names and words to the operator."""

from datetime import UTC, datetime

from service.commands.cache import NoSuchTable
from service.http import guards, schemas
from service.http.examples import PLAYERS, TABLE
from service.http.guards import looks
from service.http.operation import operation
from service.http.problems import Problem, unauthenticated
from service.http.request import Request
from service.moments import new_id
from service.store.reports import ReportedName, ReportedText


@operation(
    "POST",
    "/v1/reports",
    tag="Players",
    summary="Report a name, or words",
    description="Asks the operator to look at a player's name, or at words at a table: talk, the reason of a dispute, "
    "the text of a ruling. Each player reports the same thing once. Only the operator learns who reported it.",
    answers="The report is kept.",
    status=204,
    cost=6,
    records="reports",
    guards=(guards.authenticated,),
    body=schemas.Report,
    problems=("no-such-player", "no-such-table", "nothing-to-report", "already-reported"),
    requests=lambda _: {"a name": {"about": f"player:{PLAYERS[1]}"}, "words": {"about": f"event:{TABLE}/31"}},
)
async def report(request: Request) -> None:
    """Keeps a report. Raises NoSuchTable, and Problem if its thing is not there or the caller has made it before."""
    kind, _, of = request.body.about.partition(":")
    thing = await (_name(request, of) if kind == "player" else _words(request, of))
    outcome = await request.services.players.reports.add(new_id(), request.player, thing, datetime.now(UTC))
    if outcome == "repeated":
        raise Problem("already-reported", "you have reported it before; the operator will look at it")
    if outcome == "unknown":
        raise unauthenticated("the token in use was revoked", presented=True)


async def _name(request: Request, player: str) -> ReportedName:
    """The player's name. Raises Problem if there is none."""
    profile = await request.services.players.accounts.player(player)
    if profile is None:
        raise Problem("no-such-player", "no player has this id")
    if profile.name is None:
        raise Problem("nothing-to-report", "the player's name is erased")
    return ReportedName(player, profile.name)


async def _words(request: Request, place: str) -> ReportedText:
    """The words of an event that the caller may read. Raises Problem if it has none, and NoSuchTable."""
    table, _, number = place.partition("/")
    services, version = request.services, int(number)
    if not await looks(services, table, b"", request.bearer):
        raise NoSuchTable(table)
    history = await services.tables.spectators.seen(table, request.player)
    if version not in history.table.texts:
        raise Problem("nothing-to-report", f"event {version} of the table has no words that can be read")
    return ReportedText(table, version)
