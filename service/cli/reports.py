"""The operator's commands for what players have reported."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import msgspec
import typer

from service.cli.settings import done
from service.cli.terminal_text import counted, plain
from service.run.serve_error import ServeError

if TYPE_CHECKING:
    from service.services import Services
    from service.store.accounts import PlayerProfile
    from service.store.reports import OpenReport

reports = typer.Typer(name="reports", help="List what players have reported, and dismiss reports.")


@reports.callback(invoke_without_command=True)
def list_reports(context: typer.Context) -> None:
    """Print what players have reported, the most reported first: names, and words at tables, as they are now.

    Below each stand the command that erases it and the one that dismisses it. What is erased already, or was renamed
    since, is no longer listed.
    """
    if context.invoked_subcommand is not None:
        return

    async def work(services: "Services") -> "list[tuple[OpenReport, str]]":
        listed = await services.players.reports.open()
        names = await services.players.accounts.players([one.player for one in listed if one.player is not None])
        words = await words_of(services, listed)
        found = [(one, name_of(one, names) if one.player is not None else words.get(one.id)) for one in listed]
        return [(one, named) for one, named in found if named is not None]

    listed = done(work)
    for one, named in listed:
        typer.echo(
            f"{plain(named)}\n  reported by {counted(one.reporters, 'player')} since {one.first_at:%Y-%m-%d %H:%M}"
        )
        typer.echo(f"  {_command(one)}\n  codille reports dismiss {one.id}\n")
    if not listed:
        typer.echo("Nothing is reported.")


@reports.command("dismiss")
def dismiss(report: Annotated[UUID, typer.Argument(metavar="REPORT", help="The report, as listed.")]) -> None:
    """Settle a report and all others of the same thing, which stays. Who made one cannot report that thing again."""
    if not done(lambda services: services.players.reports.dismiss(str(report), datetime.now(UTC))):
        raise ServeError(f"there is no open report {report}")
    typer.echo("dismissed")


def name_of(report: "OpenReport", names: "Mapping[str, PlayerProfile]") -> str | None:
    """The reported name; None if the player has another one by now, or none."""
    from service.store.reports import ReportedName

    profile = names.get(report.player or "")
    if profile is None or profile.name is None:
        return None
    return profile.name if ReportedName(profile.id, profile.name).digest == report.thing else None


async def words_of(services: "Services", listed: "Sequence[OpenReport]") -> dict[str, str]:
    """The reported words that are not erased, by the reports' ids."""
    from domain.record.recorded import sections
    from domain.seats import PUBLIC

    places = {(one.table, one.version): one.id for one in listed if one.table is not None and one.version is not None}
    found: dict[str, str] = {}
    for record in await services.log.store.at_versions(list(places)):
        section = sections(record.sealed).get(PUBLIC)
        if section is not None:
            # Talk, reasons and rulings have their words as the only member.
            said = " ".join(msgspec.json.decode(section.data, type=dict[str, str]).values())
            found[places[record.table, record.version]] = f"{record.actor}: {said}"
    return found


def _command(report: "OpenReport") -> str:
    if report.player is not None:
        return f"codille players erase {report.player}"
    return f"codille tables erase-text {report.table} {report.version}"
