"""The command that puts load on a deployment."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.text import Text

from service.cli.client import Unreachable
from service.cli.progress import show_progress
from service.cli.settings import settings
from service.cli.terminal import console, table
from service.run.errors import ServeError
from service.run.running import url_of

if TYPE_CHECKING:
    from service.cli.load_test import Report

bench = typer.Typer(name="bench", help="Measure a deployment.", no_args_is_help=True)


@bench.callback()
def _bench() -> None:
    """Makes `load` a command of its own, though it is the only one."""


@bench.command("load")
def load(
    url: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="URL", help="Where the service is. Default: the one that runs in this directory."
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="The game to play.")] = "crocodile",
    deals: Annotated[int | None, typer.Option(min=1, help="Deals a game. Default: as the game has it.")] = None,
    tables: Annotated[
        int, typer.Option(min=1, max=10_000, help="Tables played at once, each over a connection of its own.")
    ] = 16,
    players: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Players to register. Default: one a seat.")
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Tokens of players there are, one a line, where nobody may register by itself."
        ),
    ] = None,
    think: Annotated[
        float, typer.Option(min=0, max=3600, metavar="SECONDS", help="Time to think before an action, on average.")
    ] = 0.0,
    seconds: Annotated[float, typer.Option(min=0.1, max=86_400, help="End after this time.")] = 30.0,
    actions: Annotated[int, typer.Option(min=1, max=100_000_000, help="End after so many actions.")] = 100_000,
    seed: Annotated[int | None, typer.Option(help="Choose the same way again (the cards still differ).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Play many tables at once through the interface, and report throughput, latencies and errors.

    Players look at their table, ask for their offers, think, and act. They know no rules. What they open stays in the
    log. Exits with 1 where anything was answered that should not have been.
    """
    # Only here, as the other commands have no need of it.
    import uvloop

    from service.cli.load_test import CannotPlay, Load, play

    asked = Load(
        game=game,
        deals=deals,
        tables=tables,
        players=players,
        tokens=_tokens(tokens),
        think_s=think,
        seconds=seconds,
        actions=actions,
        seed=seed,
    )
    with show_progress("playing", "actions") as progress, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            report = runner.run(play(url or url_of(settings()), asked, progress))
        except (CannotPlay, Unreachable) as error:
            raise ServeError(str(error)) from error
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode() + "\n")
    else:
        _print(report)
    if report.errors:
        raise typer.Exit(1)


def _tokens(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return path.read_text().split()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {path}: {error.strerror}", param_hint="--tokens") from None


def _print(report: "Report") -> None:
    shown = console()
    shown.print(
        f"{report.tables} tables of {report.game}, {report.players} players, {report.seconds:.1f} s at {report.url}\n"
        f"{report.actions_per_s:,.0f} actions a second, {report.requests_per_s:,.0f} requests a second; "
        f"{report.actions:,} actions, {report.games_finished:,} games finished\n"
    )
    rows = (
        (operation, *(_right(text) for text in (f"{times.count:,}", *_ms(times.p50_ms, times.p90_ms, times.p99_ms))))
        for operation, times in report.latencies.items()
    )
    shown.print(table(("request", "answers", "p50 ms", "p90 ms", "p99 ms"), rows))
    if report.held_back:
        shown.print(f"\nasked to come again later: {report.held_back:,}")
    for error, count in report.errors.items():
        shown.print(Text(f"error  {count:,} × {error}", "red"))


def _ms(*times: float) -> list[str]:
    return [f"{time:.2f}" for time in times]


def _right(text: str) -> str:
    return text.rjust(8)
