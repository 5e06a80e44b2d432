"""Games under a clock whose players are late, absent, leave, or want to end, and talk; bots play at some of them."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from domain.seats import Bot
from domain.table.actions import AbandonSeat, BotSeat, Command, ProposeEnd, SeatBot, TakeSeat
from domain.table.deadlines import deadline_of
from domain.table.options import Clock, TableOptions
from domain.table.talk import has_own_talk
from tests.property.strategies import every_options
from tests.support.games import BOTS, EVERYBODY, OPENER, Live, chance, deals_for_all, step


@cache
def lively(tables: type[Live], number: int) -> Live:
    """A game in which times run out and players leave, by chance that is the same in every run.

    In every second one a bot takes part, where two people are left beside it.
    """
    rng = chance(("lively", tables.game.name, number))
    clock = Clock(seconds=rng.randint(1, 9), reserve=rng.choice([0, 20]), increment=rng.randint(0, 3), absent_after=2)
    options = rng.choice(every_options(tables.game))
    ending: Any = rng.choice(["play-on", "play-on", "end"])
    own = TableOptions(clock=clock, on_abandon=ending, talk=not has_own_talk(tables.game))
    last = tables.game.course.seats(options) - 1
    bots = [BotSeat(last, BOTS[last], Bot("quick", 1))] if number % 2 and last > 1 else []
    deals = deals_for_all(tables.game, options)
    live = tables.opened(options=options, deals=deals, seed=rng.randbytes(32), table=own, bots=bots)
    for seat in live.seats:
        if live.table.players[seat] is None:
            live.command(TakeSeat(EVERYBODY[seat], seat))
    while live.table.status == "playing":
        live.waited += rng.choice([-1, 0, 1, 7])
        command = next(wanted(live, rng), None)
        if command is not None:
            live.command(command)
        elif rng.random() < 0.05 and deadline_of(live.game, live.table) is not None:
            live.time_up()
        else:
            step(live, rng)
    return live


def wanted(live: Live, rng: random.Random) -> Iterator[Command]:
    """What a player may want besides playing."""
    leaving = live.table.leaving
    agreed, abandoned, bots = (leaving.agreed, leaving.abandoned, leaving.bots) if leaving else ((), (), ())
    if leaving and leaving.unattended and rng.random() < 0.1:
        yield SeatBot(OPENER, "", Bot("strong", 1))
    for seat in live.seats:
        if seat in abandoned or seat in live.table.opponents:
            continue
        if seat in bots and rng.random() < 0.1:
            yield TakeSeat(EVERYBODY[seat])
        if rng.random() < 0.004:
            yield AbandonSeat(EVERYBODY[seat])
        if seat not in agreed and rng.random() < 0.01:
            yield ProposeEnd(EVERYBODY[seat], agree=True)
        if agreed and rng.random() < 0.05:
            yield ProposeEnd(EVERYBODY[seat], agree=False)
