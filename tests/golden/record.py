"""Recording: `python -m tests.golden.record [game …]` plays and records all games, or those of the games named, anew.

The games change only when the domain, the wishes or the tempers of the players do. A game whose deals do not yield
what is wished for is tried with another seed.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count, cycle, islice
from typing import Any, cast

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
    LeaveSeat,
    OpenDispute,
    OpenTable,
    ProposeEnd,
    RemoveBot,
    RuleDispute,
    SeatBot,
    TakeSeat,
)
from domain.table.events import TablePayload
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.talk import has_own_talk
from tests.golden import games
from tests.golden.games import Played, Recording, all_open, play, written
from tests.golden.notation import ARBITER, Step
from tests.golden.playing import Golden, Plan, Wish, deals, labels
from tests.support.games import BOTS, EVERYBODY, OPENER, READER, Live, chance, deals_allowed, step
from tests.support.helpers import helper
from tests.support.long import end_by_agreement
from tests.support.registry import GAMES

GOLDEN: Mapping[str, Golden] = {name: helper(name, "golden") for name in GAMES}
ATTEMPTS = 250


def granted(golden: Golden, live: Live, wish: Wish, seed: object) -> Live | None:
    """The table after a deal that shows what is wished for, if some attempt does."""
    live.pass_gate()
    if not golden.fits(live, wish):
        return None
    start = max(event.version for event in live.events if event.public.TYPE == "cards-dealt") - 1
    options = cast("dict[str, Any]", msgspec.to_builtins(live.table.options))
    for attempt in range(ATTEMPTS):
        tried = live.branch()
        if not golden.play(tried, wish, chance((seed, attempt))):
            continue
        deal = next(deals(all_open(tried.records[start:])))
        if wish.shows <= set(golden.deal_labels(deal, options)):
            return tried
    return None


def recorded(golden: Golden, plan: Plan) -> Live:
    """The first game whose deals show what is wished for."""
    for number in count():
        seed = sha256(f"{plan.name} {number}".encode()).digest()
        seats = golden.live.game.course.seats(plan.options)
        entropies = tuple(islice(cycle((plan.name.encode(), None, b"\x00\xff", b"")), seats))
        live: Live | None = golden.live.started(
            deals=plan.agreed or len(plan.deals), options=plan.options, seed=seed, entropies=entropies
        )
        for place, wish in enumerate(plan.deals):
            live = granted(golden, live, wish, (plan.name, number, place)) if live else None
        if live and plan.agreed is not None:
            end_by_agreement(live)
        if live and plan.shows <= labels(golden, all_open(live.records)):
            return live
    raise AssertionError("there is always another seed")


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


TABLES: Mapping[str, Callable[[Golden], Live]] = {
    "left-and-closed": left_and_closed,
    "table-expired": expired,
    "table-under-clock": under_clock,
    "table-abandoned": abandoned,
    "table-with-bots": with_bots,
}
"""Tables whose games never came to their end: their recorded games show the events of a table's life."""

LATE: Mapping[str, SpectatorDelay] = {
    "table-late-by-events": SpectatorDelay(events=12),
    "table-late-by-time": SpectatorDelay(seconds=7),
}
"""Tables that spectators see late, of one game alone: their recorded games say how far spectators see (TL-6.1)."""

SHORTEST = "don"
"""The game with the fewest events in a deal."""


def disputed(golden: Golden) -> Live:
    """A game of which two lines were disputed: one was taken back, the other stayed."""
    live = recorded(golden, golden.disputed)
    first, second, *_ = [event for event in live.events if event.public.TYPE == "deal-scored"]
    live.command(OpenDispute(EVERYBODY[1], (LineAt(first.version, 0),), None, "Declarer never said so."))
    live.command(RuleDispute(ARBITER, 1, "upheld", "The deal does not count."))
    live.command(OpenDispute(EVERYBODY[min(2, live.seats[-1])], (), second.deal, "And neither should this one."))
    live.command(RuleDispute(ARBITER, 2, "rejected", "The record is clear."))
    return live


def recording(golden: Golden, name: str, live: Live) -> Recording:
    """What was done at the table, from its opening on."""
    game, first = golden.live.game, all_open(live.records[:1])[0]
    public, secret = first["public"], first["sealed"]["house"]["data"]
    opening = OpenTable(
        secret["opener"],
        public["deals"],
        live.table.options,
        bytes.fromhex(secret["seed"]),
        live.table.settings,
        bots=tuple(
            BotSeat(each["public"]["seat"], each["public"]["player"], Bot(**each["public"]["opponent"]))
            for each in all_open(live.records)
            if each["type"] == "seat-taken" and each["action"] == first["action"]
        ),
    )
    waited = [0, *(waited for waited, _ in live.commands)]
    steps = [Step(command, now - before) for before, (now, command) in zip(waited, live.commands, strict=False)]
    return Recording(name, game.rulebook.version, opening, tuple(steps))


def as_told(one: Played) -> Recording:
    """The same recording, the cards of each act in the order in which its event tells them."""
    made = [READER.read(record) for record, *_ in one.made[1:]]
    told = [told_step(one.game, *each) for each in zip(one.recording.steps, made, strict=True)]
    return replace(one.recording, steps=tuple(told))


def told_step(game: Game, done: Step, event: Event[Any]) -> Step:
    """The step as the event that it made tells it."""
    if not isinstance(done.command, Act | ActAsBot) or isinstance(event.public, TablePayload):
        return done
    action = game.decider.action_of(event)
    assert unordered(action) == unordered(done.command.action), f"{event.public.TYPE} tells another act"
    return replace(done, command=replace(done.command, action=action))


def unordered(value: Any) -> Any:
    """The value as it stands on the wire, its lists sorted."""
    match msgspec.to_builtins(value):
        case dict() as members:
            return {name: unordered(member) for name, member in members.items()}
        case list() | tuple() as items:
            return sorted(map(unordered, items), key=repr)
        case other:
            return other


def lives(golden: Golden) -> Iterator[tuple[str, Live]]:
    """The tables to be recorded, by name."""
    yield "disputed", disputed(golden)
    for name, made in TABLES.items():
        yield name, made(golden)
    for name, delay in LATE.items() if golden.name == SHORTEST else ():
        yield name, late(golden, delay)
    for plan in golden.plans():
        yield plan.name, recorded(golden, plan)


def record(golden: Golden) -> None:
    """Records the game's games. Raises SystemExit if together they do not show all that is wanted."""
    made, shown = [], set[str]()
    for name, live in lives(golden):
        one = play(golden.name, as_told(play(golden.name, recording(golden, name, live))))
        assert one.records == live.records, f"{name} is not as it was played"
        made.append(one)
        shown |= labels(golden, all_open(one.records))
        sys.stdout.write(f"{golden.name} {name}\n")
        sys.stdout.flush()
    games.file(golden.name).write_text(written(sorted(made, key=lambda one: one.recording.name)), encoding="utf-8")
    if golden.shows - shown:
        sys.exit(f"no game shows: {', '.join(sorted(golden.shows - shown))}")


def main(named: Sequence[str]) -> None:
    """Records the games' games, all of them if none is named."""
    for name in named or GOLDEN:
        record(GOLDEN[name])


if __name__ == "__main__":
    main(sys.argv[1:])
