"""Recording, `python -m tests.lab.golden.record [game …]`, looks for what a game's recorded games do not show.

Recorded games are kept whose acts are still taken. For what none of those shows, strangers play the game by its
`habits.py`, with one seed after another. A game that shows some of it is recorded; after the deal that does, all agree
to end it. Chance brings some things too seldom, so the search ends once it brings nothing new, and what it has not come
across is named: that takes a game whose acts somebody writes into the file, without results.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import cycle, groupby, islice, pairwise
from time import monotonic
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.ledger import LineAt
from domain.seats import Bot
from domain.table.actions import (
    AbandonSeat,
    Act,
    ActAsBot,
    BotSeat,
    CloseTable,
    Command,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    ProposeEnd,
    RemoveBot,
    RuleDispute,
    SeatBot,
    TakeSeat,
)
from domain.table.deadlines import timer_of
from domain.table.events import DealScored, SeatTaken, TablePayload, TableSecret
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.talk import has_own_talk
from tests.golden.games import Played, Recording, RefusedStep, all_open, file, play, recordings, written
from tests.golden.labels import Golden, labels
from tests.golden.notation import ARBITER, Step
from tests.golden.wanted import GOLDEN, LATE, SHORTEST, TABLES
from tests.support.games import BOTS, EVERYBODY, OPENER, Live, chance, deals_allowed, deals_for_all, step
from tests.support.habits import Habits, options_of, tempers
from tests.support.helpers import helper
from tests.support.long import end_by_agreement, enough
from tests.support.picking import pick, whose
from tests.support.recording import offered_to_all
from tests.support.registry import GAMES

TRIES = 2000
"""At most so many games are played to come across what is missing."""
PATIENCE_S = 60
"""Nor are more played once so many seconds brought nothing new: what is missing then may be impossible."""
WISHING = 0.8
"""How often somebody wishes for something."""
LONGEST = 1500
"""A game is not played on once it has so many events."""


def search(golden: Golden, missing: set[str], tries: int) -> Iterator[tuple[str, Live]]:
    """Games that show what is missing, named after some of it. Takes from `missing` what they show."""
    since = monotonic()
    for number in range(tries if missing else 0):
        if monotonic() > since + PATIENCE_S:
            return
        ended = []
        for stage in stages(golden, number):
            if stage.table.status == "playing":
                end_by_agreement(stage)
            ended.append((missing & labels(golden, all_open(stage.records)), stage))
            if enough(golden.live.game, stage.table):
                break
        shown, live = max(ended, key=lambda one: len(one[0]), default=(set[str](), None))
        if shown and live:
            missing -= shown
            since = monotonic()
            yield "-".join((*re.findall(r"\w+", min(shown).lower()), str(number))), live
        if not missing:
            return


def stages(golden: Golden, number: int) -> Iterator[Live]:
    """The game that strangers play with this seed, as it stands after each deal."""
    game, rng = golden.live.game, chance((golden.name, number))
    habits: Habits = helper(golden.name, "habits")
    options = msgspec.convert(options_of(habits, number), game.options)
    players = tempers(habits, number, wishing=rng.random() < WISHING)
    live = golden.live.started(
        deals=deals_for_all(game, options),
        options=options,
        seed=sha256(f"{golden.name} {number}".encode()).digest(),
        entropies=tuple(islice(cycle((golden.name.encode(), None, b"\x00\xff", b"")), len(players))),
    )
    idle = rng.choice((0.0, 0.0, 0.02, 1.0))
    while live.table.status == "playing" and live.version < LONGEST:
        scored = live.table.scored
        if timer_of(game, live.table) and rng.random() < idle:
            live.run_out()
        else:
            offered = offered_to_all(game, live.table)
            seat = whose(offered, rng, players)
            live.take(seat, pick(offered[seat], rng, players[seat]))
        if live.table.scored > scored:
            yield live.branch()


def left_and_closed(golden: Golden) -> Live:
    """A table that never came to a game."""
    game = golden.live.game
    live = golden.live.opened(deals=list(deals_allowed(game, game.options()))[-1])
    live.command(TakeSeat(EVERYBODY[0], min(2, live.seats[-1]), b"entropy"))
    # At a table for two, the game would start with the second.
    sit, leave = TakeSeat(OPENER), LeaveSeat(EVERYBODY[0])
    for command in (sit, leave) if len(live.seats) > 2 else (leave, sit):
        live.command(command)
    live.command(CloseTable(OPENER))
    return live


def expired(golden: Golden) -> Live:
    """A table that did not fill."""
    live = golden.live.opened(deals=next(deals_allowed(golden.live.game, golden.live.game.options())))
    for player in EVERYBODY[:3]:
        live.command(TakeSeat(player))
        live.command(LeaveSeat(player))
    live.time_up()
    return live


def under_clock(golden: Golden) -> Live:
    """A game with a clock and talk: one was absent and came back, one left it, and the others agreed to end it."""
    clock, talk = Clock(seconds=20, reserve=30, increment=5, absent_after=1), not has_own_talk(golden.live.game)
    own = TableOptions(clock=clock, talk=talk)
    live = begun(golden, own)
    # Where nobody must act during a deal, the seats' clocks run before it.
    live = live if live.to_act else started(golden, own)
    live.time_up()
    assert live.table.leaving is not None
    (absent,) = live.table.leaving.bots
    if talk:
        live.act(0, "talk", text="Is anybody there?")
        live.act(absent, "talk", text="Still here: “un momento” 🂡")
    live.command(TakeSeat(EVERYBODY[absent]))
    live.command(ProposeEnd(EVERYBODY[0], agree=True))
    live.command(ProposeEnd(EVERYBODY[1], agree=False))
    play_on(live, 3)
    live.command(AbandonSeat(EVERYBODY[1]))
    play_on(live, 3)
    for seat in live.seats:
        if seat != 1:
            live.command(ProposeEnd(EVERYBODY[seat], agree=True))
    return live


def abandoned(golden: Golden) -> Live:
    """A game that ended as somebody left it."""
    live = begun(golden, TableOptions(on_abandon="end"))
    play_on(live, 5)
    live.command(AbandonSeat(EVERYBODY[1]))
    return live


def with_bots(golden: Golden) -> Live:
    """A game of people and bots: one bot was removed, another played on for a player who had left."""
    game = golden.live.game
    deals = list(deals_allowed(game, game.options()))[-1]
    live = golden.live.opened(deals=deals, bots=(BotSeat(1, BOTS[0], Bot("quick", 1)),))
    live.command(RemoveBot(OPENER, 1))
    live.command(TakeSeat(EVERYBODY[0], 0, b"entropy"))
    *others, last = live.seats[1:]
    for seat in others:
        # The game can go on among people and bots where two people are left.
        bot = SeatBot(EVERYBODY[0], BOTS[seat], Bot("strong" if seat == 1 else "random", 1))
        live.command(bot)
    live.command(TakeSeat(EVERYBODY[last], last))
    live.pass_gate()
    play_on(live, 4)
    live.command(AbandonSeat(EVERYBODY[last]))
    live.command(SeatBot(OPENER, "", Bot("quick", 1), last))
    play_on(live, 4)
    live.command(ProposeEnd(EVERYBODY[0], agree=True))
    return live


def late(golden: Golden, delay: SpectatorDelay) -> Live:
    """A game of two deals, which spectators see late."""
    live = golden.live.started(deals=2, table=TableOptions(spectator_delay=delay))
    while not live.table.over:
        play_on(live, 1)
    return live


def begun(golden: Golden, table: TableOptions) -> Live:
    """A table with these options, its first deal dealt."""
    live = started(golden, table)
    live.pass_gate()
    return live


def started(golden: Golden, table: TableOptions) -> Live:
    """A table with these options, its game started."""
    return golden.live.started(deals=list(deals_allowed(golden.live.game, golden.live.game.options()))[-1], table=table)


def play_on(live: Live, acts: int) -> None:
    """So many acts, the same in every run."""
    for _ in range(acts):
        step(live, chance(live.version), rare=0)


MADE: Sequence[Callable[[Golden], Live]] = (left_and_closed, expired, under_clock, abandoned, with_bots)
"""What makes each of `TABLES`."""


def disputed(golden: Golden) -> Live:
    """A game of which two lines were disputed: one was taken back, the other stayed."""
    games = (game for number in range(TRIES) for game in stages(golden, number))
    live = next(game for game in games if game.table.status == "finished" and len(with_lines(game)) > 1)
    first, second, *_ = with_lines(live)
    live.command(OpenDispute(EVERYBODY[1], (LineAt(first.version, 0),), None, "Declarer never said so."))
    live.command(RuleDispute(ARBITER, 1, "upheld", "The deal does not count."))
    live.command(OpenDispute(EVERYBODY[min(2, live.seats[-1])], (), second.deal, "And neither should this one."))
    live.command(RuleDispute(ARBITER, 2, "rejected", "The record is clear."))
    return live


def with_lines(live: Live) -> list[Event[Any]]:
    """The events that scored a deal and booked something."""
    return [event for event in live.events if isinstance(event.public, DealScored) and event.public.lines]


def recording(name: str, live: Live) -> Recording:
    """What was done at the table from its opening on, each act as its event tells it."""
    happened = zip(live.records, live.events, strict=True)
    opened, *made = [[event for _, event in some] for _, some in groupby(happened, lambda one: one[0].action)]
    secret, table = opened[0].section("house", TableSecret), live.table
    assert secret is not None
    bots = tuple(
        BotSeat(taken.seat, taken.player, taken.opponent)
        for taken in (event.public for event in opened)
        if isinstance(taken, SeatTaken) and taken.opponent
    )
    seed = bytes.fromhex(secret.seed)
    opening = OpenTable(secret.opener, table.deals, table.options, seed, table.table_options, bots=bots)
    waits = [after - before for before, after in pairwise([0, *(waited for waited, _ in live.commands)])]
    steps = [
        Step(as_told(live.game, command, event), wait)
        for (_, command), wait, (event, *_) in zip(live.commands, waits, made, strict=True)
    ]
    return Recording(name, live.game.rulebook.version, opening, tuple(steps))


def as_told(game: Game, command: Command, event: Event[Any]) -> Command:
    """The command with the act as the event that it made tells it."""
    if not isinstance(command, Act | ActAsBot) or isinstance(event.public, TablePayload):
        return command
    return replace(command, action=game.decider.action_of(event))


def kept(of: str, recorded: Iterable[Recording]) -> Iterator[Played]:
    """The recorded games whose acts the game's newest rules take. Says which others there were."""
    for one in recorded:
        try:
            yield play(of, replace(one, rules=GAMES[of].rulebook.version))
        except RefusedStep as refused:
            sys.stdout.write(f"{refused}\n")


def record(golden: Golden, games: Iterable[Played], tries: int) -> tuple[list[Played], set[str]]:
    """These games and those that the search adds, by name; and what none of them shows."""
    of = {one.recording.name: one for one in games}

    def add(name: str, live: Live) -> None:
        of[name] = play(golden.name, recording(name, live))
        assert of[name].records == live.records, f"{name} is not as it was played"
        sys.stdout.write(f"{golden.name} {name}\n")

    made = {"disputed": disputed, **dict(zip(TABLES, MADE, strict=True))}
    if golden.name == SHORTEST:
        made |= {name: partial(late, delay=delay) for name, delay in LATE.items()}
    for name, table in made.items():
        if name not in of:
            add(name, table(golden))
    missing = set(golden.shows).difference(*(labels(golden, all_open(one.records)) for one in of.values()))
    if missing:
        sys.stdout.write(f"{golden.name} is played to come across: {', '.join(sorted(missing))}\n")
    for name, live in search(golden, missing, tries):
        add(name, live)
    return [of[name] for name in sorted(of)], missing


def main(named: Sequence[str]) -> None:
    """Records games of the games named, of all if none is. Raises SystemExit where something wanted is not shown."""
    missing = []
    for name in named or GOLDEN:
        recorded = recordings(name).values() if file(name).exists() else ()
        games, lacking = record(GOLDEN[name], kept(name, recorded), TRIES)
        file(name).write_text(written(games), encoding="utf-8")
        missing += [f"no game of {name} shows: {label}" for label in sorted(lacking)]
    if missing:
        sys.exit("\n".join(missing))


if __name__ == "__main__":
    main(sys.argv[1:])
