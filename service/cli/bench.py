"""The command that measures a deployment under load."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.text import Text

from service.cli.client import Unreachable
from service.cli.progress import show_progress
from service.cli.settings import settings
from service.cli.shared_options import Url
from service.cli.terminal_text import console, counted, table
from service.run.running import url_of
from service.run.serve_error import ServeError

if TYPE_CHECKING:
    from service.cli.load_test import Load, LoadReport

bench = typer.Typer(name="bench", help="Measure a deployment.", no_args_is_help=True)


@bench.callback()
def _bench() -> None:
    """Keeps `load` a subcommand, although it is the only one."""


@bench.command("load")
def load(
    url: Url = None,
    game: Annotated[str | None, typer.Option(help="The game to play. Default: the first one offered.")] = None,
    deals: Annotated[int | None, typer.Option(min=1, help="Deals a game. Default: the game's own.")] = None,
    tables: Annotated[
        int, typer.Option(min=1, max=10_000, help="Tables played at once, each over its own connection.")
    ] = 16,
    players: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Players to register. Default: one a seat.")
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Tokens of existing players, one a line, if registration is closed."),
    ] = None,
    think: Annotated[
        float, typer.Option(min=0, max=3600, metavar="SECONDS", help="Average time to think before an action.")
    ] = 0.0,
    seconds: Annotated[float, typer.Option(min=0.1, max=86_400, help="Stop after this time.")] = 30.0,
    actions: Annotated[int, typer.Option(min=1, max=100_000_000, help="Stop after this many actions.")] = 100_000,
    seed: Annotated[int | None, typer.Option(help="Seed of the players' choices; the cards still differ.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Play many tables at once through the interface, and report throughput, latencies and errors.

    The players know no rules: they look at their table, get their offers, think, and act. Their tables stay in the log.

    Exits with 1 if any request failed.
    """
    # Imported late: other commands need not wait for it.
    from service.cli.load_test import Load

    report = _play(
        url or url_of(settings()),
        Load(
            game=game,
            deals=deals,
            tables=tables,
            players=players,
            tokens=read_tokens(tokens),
            think_s=think,
            seconds=seconds,
            actions=actions,
            seed=seed,
        ),
    )
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode() + "\n")
    else:
        _print(report)
    if report.errors:
        raise typer.Exit(1)


def _play(url: str, load: "Load") -> "LoadReport":
    import asyncio

    import uvloop

    from service.cli.load_test import CannotPlay, play

    with show_progress("playing", "actions") as progress, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            return runner.run(play(url, load, progress))
        except (CannotPlay, Unreachable) as error:
            raise ServeError(str(error)) from error


def read_tokens(path: Path | None) -> list[str]:
    """The tokens in the file, between white space; none without a file. Raises BadParameter."""
    if path is None:
        return []
    try:
        return path.read_text("utf-8-sig", "replace").split()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {path}: {error.strerror}", param_hint="--tokens") from None


def _print(report: "LoadReport") -> None:
    output = console()
    output.print(
        f"{counted(report.tables, 'table')} of {report.game}, {counted(report.players, 'player')}, "
        f"{report.seconds:.1f} s at {report.url}\n"
        f"{report.actions_per_s:,.0f} actions a second, {report.requests_per_s:,.0f} requests a second; "
        f"{counted(report.actions, 'action')}, {counted(report.games_finished, 'game')} finished\n"
    )
    rows = (
        (name, f"{one.count:8,}", f"{one.p50_ms:8.2f}", f"{one.p90_ms:8.2f}", f"{one.p99_ms:8.2f}")
        for name, one in report.latencies.items()
    )
    output.print(table(("request", "answers", "p50 ms", "p90 ms", "p99 ms"), rows))
    if report.held_back:
        output.print(f"\nheld back (429 and 503): {report.held_back:,}")
    for error, count in report.errors.items():
        output.print(Text(f"error  {count:,} × {error}", "red"))
