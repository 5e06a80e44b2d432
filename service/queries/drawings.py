"""Drawings of a table's views, and of its scores. Job processes import them when one is first drawn."""

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.seats import Audience
from domain.table.view import view
from projections.models import Stored
from service.commands.cache import NoSuchTable
from service.compute.byte_cache import Made
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.describe.drawing.scores import ScoresDrawing
from service.describe.drawing.table import TableDrawing
from service.describe.scores import ScoredLine, running_scores
from service.describe.texts import english


class _Booked(Struct, frozen=True):
    """The part of a ledger that is drawn."""

    lines: tuple[ScoredLine, ...]


_ledgers = msgspec.json.Decoder(_Booked)


async def drawn(heavy: HeavyReads, table: str, version: int, audience: Audience, spending: Spending) -> Stored:
    """The drawing in SVG of the audience's view at a version, cached as the view is. Raises Busy and JobLost."""
    body = await heavy.kept(
        ("drawing", table, version, audience),
        lambda: heavy.run(spending, draw_view, table, version, audience, events=version),
    )
    return Stored(version, body)


async def draw_view(context: JobContext, table: str, version: int, audience: Audience) -> Made:
    """A job: the drawing of the audience's view of a table at a version. Raises NoSuchTable."""
    history = await context.folds.at(table, version, audience)
    if history is None:
        raise NoSuchTable(table)
    state = history.table
    game = context.reader.of(state)
    seen = msgspec.to_builtins(view(game, state, audience))
    return Made(TableDrawing(game, seen, english()).svg())


async def scores_drawn(heavy: HeavyReads, table: str, game: Game, options: Struct, ledger: Stored) -> Stored:
    """The drawing in SVG of a table's running scores, from its ledger as served."""

    async def made() -> Made:
        seats, sides = game.course.seats(options), game.course.sides(options)
        scores = running_scores(_ledgers.decode(ledger.body).lines, seats, sides)
        return Made(ScoresDrawing(game, scores, english()).svg())

    return Stored(ledger.version, await heavy.kept(("scores", table, ledger.version), made))
