"""The recorded games' files; `python -m tests.golden.record [game …]` records all, or those of the games named, anew.

The games change only when the domain, the wishes or the tempers of the players do. A game whose deals do not yield
what is wished for is tried with another seed.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, cast

import msgspec

from domain.kernel.canonical import canonical
from domain.kernel.ledger import LineAt
from domain.record.envelope import served
from domain.record.recorded import Recorded
from domain.table.actions import AbandonSeat, CloseTable, LeaveSeat, OpenDispute, ProposeEnd, RuleDispute, TakeSeat
from domain.table.clock import micros
from domain.table.events import CardsDealt, DealScored, GameFinished
from domain.table.options import Clock, SpectatorDelay, TableOptions
from domain.table.spectators import visible
from domain.table.talk import has_own_talk
from tests.golden.playing import Golden, Plan, Served, Wish, deals, labels
from tests.support.games import EVERYBODY, OPENER, Live, chance, deals_allowed, step
from tests.support.helpers import helper
from tests.support.long import end_by_agreement
from tests.support.registry import GAMES

GOLDEN: Mapping[str, Golden] = {name: helper(name, "golden") for name in GAMES}
ATTEMPTS = 250
ARBITER = "an arbiter"
PLAIN = ("table", "game", "version", "deal", "type", "schema", "at", "actor", "action")


def folder(of: str) -> Path:
    """Where the recorded games of a game are."""
    return Path(__file__).parents[1] / "games" / of / "recorded"


def names(golden: Golden) -> list[str]:
    """The names of the recorded games."""
    return sorted(path.stem for path in folder(golden.name).glob("*.json"))


@cache
def game(of: str, name: str) -> dict[str, Any]:
    """A recorded game."""
    loaded: dict[str, Any] = json.loads((folder(of) / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def records(events: Sequence[Served]) -> list[Recorded]:
    """The records as they stood in the log."""
    return [
        Recorded(
            **{name: event[name] for name in PLAIN},
            public=canonical(event["public"]),
            seals=canonical(event["seals"]),
            sealed=canonical(event["sealed"]),
            hash=bytes.fromhex(event["hash"]),
        )
        for event in events
    ]


def played(live: Live, since: int = 0) -> list[Served]:
    """The events of the table after that version as served, everything opened."""
    return [cast("Served", msgspec.json.decode(served(record, "house", over=True))) for record in live.records[since:]]


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
        deal = next(deals(played(tried, start)))
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
        if live and plan.shows <= labels(golden, played(live)):
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


def late(golden: Golden, delay: SpectatorDelay) -> Live:
    """A game of two deals, which spectators see late."""
    live = golden.live.started(deals=2, table=TableOptions(spectator_delay=delay))
    while not live.table.over:
        play_on(live, 1)
    return live


def seen_late(live: Live) -> list[int]:
    """For each event the version that spectators see of the table when it is recorded (TL-6.1)."""
    delay, dealt = live.table.settings.spectator_delay, 0
    assert delay is not None
    seen, times, ends = [], list[int](), list[int]()
    for number, record in enumerate(live.records):
        if record.type == CardsDealt.TYPE:
            dealt, times, ends = record.version, [], []
        if record.type in (DealScored.TYPE, GameFinished.TYPE):
            dealt = 0
        if number and ends and record.action == live.records[number - 1].action:
            ends[-1] += 1
        else:
            times.append(micros(record.at))
            ends.append((ends or [0])[-1] + 1)
        seen.append(dealt - 1 + visible(delay, times, ends, times[-1]) if dealt else record.version)
    return seen


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


def saved(golden: Golden, name: str, live: Live, **more: object) -> set[str]:
    """Writes the game's file, an event a line, with this besides; answers what it shows."""
    events = played(live)
    header: dict[str, Any] = {
        "name": name,
        "options": events[0]["public"]["options"],
        "outcomes": [event["public"]["outcome"] for event in events if event["type"] == "deal-scored"],
        "totals": list(live.table.totals),
        "winners": None if live.table.winners is None else list(live.table.winners),
        **more,
    }
    lines = ",\n".join(msgspec.json.encode(event).decode() for event in events)
    text = msgspec.json.encode(header).decode()[:-1]
    (folder(golden.name) / f"{name}.json").write_text(f'{text},"events":[\n{lines}\n]}}\n', encoding="utf-8")
    return labels(golden, events)


def tables(golden: Golden) -> set[str]:
    """Records the tables whose games never came to their end; answers what they show."""
    shown: set[str] = set()
    for name, made in TABLES.items():
        shown |= saved(golden, name, made(golden))
    for name, delay in LATE.items() if golden.name == SHORTEST else ():
        live = late(golden, delay)
        shown |= saved(golden, name, live, seen=seen_late(live))
    return shown


def record(golden: Golden) -> None:
    """Records the game's games. Raises SystemExit if together they do not show all that is wanted."""
    folder(golden.name).mkdir(parents=True, exist_ok=True)
    for old in folder(golden.name).glob("*.json"):
        old.unlink()
    shown = saved(golden, "disputed", disputed(golden)) | tables(golden)
    for plan in golden.plans():
        shown |= saved(golden, plan.name, recorded(golden, plan))
        sys.stdout.write(f"{golden.name} {plan.name}\n")
        sys.stdout.flush()
    if golden.shows - shown:
        sys.exit(f"no game shows: {', '.join(sorted(golden.shows - shown))}")


def main(named: Sequence[str]) -> None:
    """Records the games' games, all of them if none is named."""
    for name in named or GOLDEN:
        record(GOLDEN[name])


if __name__ == "__main__":
    main(sys.argv[1:])
