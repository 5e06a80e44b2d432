"""A program that does the same acts of every game in process, for `make instructions`: `python in_process.py GAME…`.

It runs under Valgrind, in another checkout too, so it uses only what every checkout has had for long. For each part and
game it writes the counts of Valgrind to a dump that names them, and prints how often the part was done.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from domain.kernel.game import Game, check
from domain.kernel.rejection import Rejected
from domain.picking import pick
from domain.registry import GAMES
from domain.seats import HOUSE
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.decide import decide, open_table
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import view

TABLE = "01970000-0000-7000-8000-000000000001"
ACTS = 120
"""So many acts of a game are done."""
WARM, COUNTED = 2, 3
"""So often all of them are done before counting, and while counting."""


class Point(NamedTuple):
    """What a seat did at a table, and what it may not do."""

    table: Table
    state: Any
    seat: int
    action: Any
    wrong: Any


def played(game: Game, rng: random.Random) -> tuple[Table, list[tuple[int, Any]], list[Point]]:
    """A table as its first deal begins, what seats then do at random, and those acts of a deal as points."""
    options = game.options()
    command = OpenTable("0", game.course.deals(options).default, options, sha256(b"in process").digest())
    table, _ = open_table(game, TABLE, command)
    every = range(game.course.seats(options))
    for seat in every:
        table, _ = decide(game, table, TakeSeat(str(seat)))
    begun, acts, points = table, [], list[Point]()
    while len(acts) < ACTS and table.status == "playing":
        seats = [seat for seat in every if own(game, table, seat)]
        seat = rng.choice(seats)
        offered = own(game, table, seat)
        action = msgspec.convert(pick(rng.choice(offered), rng.randrange), game.actions)
        if table.deal_state is not None:
            others = [point.action for point in points if type(point.action) is type(action)]
            points.append(Point(table, table.deal_state, seat, action, rng.choice(others) if others else action))
        acts.append((seat, action))
        table, _ = decide(game, table, Act(str(seat), action))
    return begun, acts, points


def own(game: Game, table: Table, seat: int) -> list[Any]:
    """What the seat is offered but for talk, concessions and a word that it is stuck, which end what is measured."""
    offered = offers(game, table, seat)
    kept = [offer for offer in offered if offer.type not in ("talk", "concede", "abandon", "offer-surrender", "stuck")]
    return kept or [offer for offer in offered if offer.type == "stuck"]


def parts(game: Game) -> Iterator[tuple[str, int, Callable[[], None]]]:
    """Each part with its name, and how many acts it does."""
    begun, acts, points = played(game, random.Random(1))  # noqa: S311 (the same in every run)
    decider = game.decider

    def playout() -> None:
        table = begun
        for seat, action in acts:
            offers(game, table, seat)
            table, _ = decide(game, table, Act(str(seat), action))

    def decided() -> None:
        for _, state, seat, action, _ in points:
            decider.decide(state, seat, action)

    def offered() -> None:
        for _, state, seat, _, _ in points:
            decider.offers(state, seat)

    def refused() -> None:
        for _, state, seat, _, wrong in points:
            with suppress(Rejected):
                check(game, state, seat, wrong)

    def viewed() -> None:
        for table, *_ in points:
            view(game, table, HOUSE)

    yield "playout", len(acts), playout
    yield "decide", len(points), decided
    yield "offers", len(points), offered
    yield "refusals", len(points), refused
    yield "views", len(points), viewed


def control(*arguments: str) -> None:
    """Says something to the Valgrind around this process."""
    subprocess.run(["/usr/bin/callgrind_control", *arguments, str(os.getpid())], stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    """Does each part of the games, and prints its name, the game's, and the acts that were counted."""
    for name in sys.argv[1:]:
        for part, acts, do in parts(GAMES[name]):
            for _ in range(WARM):
                do()
            control("-i", "on")
            for _ in range(COUNTED):
                do()
            control("-i", "off")
            control(f"--dump={part} {name}")
            print(part, name, acts * COUNTED, flush=True)


if __name__ == "__main__":
    main()
