"""Games of which even the shortest is long: tests play some deals of them, and then the players agree to end the game.

So many deals are enough to come across all that there is in such a game, whose kinds of deal come again and again.
"""

import random
from functools import cache

from domain.kernel.game import Game
from domain.table.actions import ProposeEnd
from domain.table.options import TableOptions
from domain.table.state import Table
from tests.support.games import EVERYBODY, L, Live, chance, deals_allowed, step

LONG = 12
"""A game is long that cannot be agreed for so few deals."""
ENOUGH = 8
"""So many deals of a long game are played."""


def is_long(game: Game, options: object) -> bool:
    """Whether even the shortest game under these options is long."""
    return next(deals_allowed(game, options)) > LONG


def enough(game: Game, table: Table) -> bool:
    """Whether a long game has come so far as tests play it."""
    return table.scored >= ENOUGH and is_long(game, table.options)


def end_by_agreement(live: Live) -> None:
    """All players agree to end the game."""
    for seat in live.seats:
        live.command(ProposeEnd(EVERYBODY[seat], agree=True))


def ended(live: L, rng: random.Random) -> L:
    """Plays the table to its end; a long game until the players agree to end it."""
    while live.table.status == "playing" and not enough(live.game, live.table):
        step(live, rng)
    if live.table.status == "playing":
        end_by_agreement(live)
    return live


@cache
def beginnings(tables: type[Live], options: object, table: TableOptions, number: int) -> tuple[Live, ...]:
    """One table of a long game, as it stands when each of the first deals is just dealt; another for each number."""
    rng = chance((tables.game.name, "beginnings", number))
    live = tables.started(options=options, seed=rng.randbytes(32), table=table)
    stages = [live.branch()]
    while live.table.scored < ENOUGH - 2:
        before = live.table.scored
        step(live, rng)
        if live.table.scored > before:
            stages.append(live.branch())
    return tuple(stages)
