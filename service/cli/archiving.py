"""The operator's commands for the archive."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from service.cli.progress import show_progress
from service.cli.settings import settings
from service.cli.terminal_text import console, counted
from service.run.serve_error import ServeError

FIRST_MONTH = "2000-01"

archive = typer.Typer(
    name="archive", help="Build the archive of finished deals, and write dumps of games.", no_args_is_help=True
)


@archive.command()
def rebuild() -> None:
    """Build the archive in Postgres anew from the log. The service may run meanwhile; searches answer 503."""
    from service.cli import operate

    with show_progress("building the archive", "events") as progress:
        operate.rebuild_archive(settings(), progress)


@archive.command()
def dump(
    month: Annotated[str, typer.Option(metavar="YYYY-MM", help="The month in which the games were finished, by UTC.")],
    out: Annotated[Path, typer.Option(metavar="DIR", file_okay=False, help="The folder to write to.")],
) -> None:
    """Write the records of all games of a month, of tables that lists show, as the public sees them.

    They are packed by Zstandard, and a manifest beside them has what is in them. A dump of this month that is there
    is replaced. `codille verify DIR` checks them. The service serves those in CODILLE_DUMPS_DIR.
    """
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", month) or month < FIRST_MONTH:
        raise typer.BadParameter("must be a month, as 2026-11", param_hint="--month")
    if month > datetime.now(UTC).strftime("%Y-%m"):
        raise typer.BadParameter("this month has not begun", param_hint="--month")
    from service.cli import operate
    from service.queries.dump_records import ArchiveBehind

    try:
        with show_progress("writing the dump", "records") as progress:
            manifest, left_out = operate.dump_archive(settings(), month, out, progress)
    except ArchiveBehind as error:
        raise ServeError(str(error)) from error
    except OSError as error:
        raise typer.BadParameter(f"{out}: {error.strerror or error}", param_hint="--out") from None
    console().print(f"{out / manifest.file}: {counted(manifest.records, 'record')}", soft_wrap=True)
    if left_out:
        console().print(f"{counted(left_out, 'table')} left out: this version cannot read the records")
