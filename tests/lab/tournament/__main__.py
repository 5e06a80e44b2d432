"""The tournament: levels of opponents play duplicate deals against each other in each game, on all cores.

`python -m tests.lab.tournament [GAME…] [--levels BETTER-OTHER] [--hours N]`, or `make tournament`.
"""

import math
import os
from pathlib import Path
from typing import Annotated

import typer

from service.cli import main
from service.cli.settings import settings
from service.config import load_registry
from tests.lab.tournament.command import Asked, run
from tests.lab.tournament.duplicates import Pair

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")


@app.command()
def tournament(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Some games. Default: all.")] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(metavar="BETTER-OTHER", help="Two levels; may be repeated. Default: quick-random, strong-quick."),
    ] = None,
    deals: Annotated[int, typer.Option(min=8, help="The most deals of a game and two levels.")] = 1000,
    hours: Annotated[
        float,
        typer.Option(
            min=0,
            show_default=False,
            help="The time to play, after which the same command goes on. Deals that are begun are ended.",
        ),
    ] = math.inf,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes. Default: one a core.")] = None,
    seed: Annotated[str, typer.Option(help="The text from which all cards and chance follow.")] = "1",
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of the results.")] = Path(".tournament"),
    beside: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A strength.json, whose other games the results have too.")
    ] = None,
) -> None:
    """Measure how strong the opponents are: levels play against each other in duplicate deals, on all cores.

    Each deal is played once for each seat or side, with the better level there, so that luck with cards cancels out. A
    game's two levels are done when the 95 % interval of the difference excludes 0. An interrupted tournament goes on
    where it was.
    """
    chosen = settings().registry
    known = load_registry(chosen)
    for game in games or ():
        if game not in known:
            raise typer.BadParameter(f"{game} is not one of {', '.join(known)}", param_hint="GAME")
    try:
        pairs = [Pair.named(name) for name in levels or ("quick-random", "strong-quick")]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--levels") from None
    run(Asked(list(games or known), pairs, deals, jobs or os.cpu_count() or 1, seed, 3600 * hours, out, beside), chosen)


if __name__ == "__main__":
    main(app)
