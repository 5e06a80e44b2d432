"""The operator's commands for the archive."""

import typer

from service.cli.progress import show_progress
from service.cli.settings import settings

archive = typer.Typer(name="archive", help="Build the archive of finished deals.", no_args_is_help=True)


@archive.callback()
def _archive() -> None:
    """Build the archive of finished deals."""


@archive.command()
def rebuild() -> None:
    """Build the archive in Postgres anew from the log. The service may run meanwhile; searches answer 503."""
    from service.cli import operate

    with show_progress("building the archive", "events") as progress:
        operate.rebuild_archive(settings(), progress)
