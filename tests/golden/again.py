"""A recorded game decided anew: the commands that its events tell, under the rules of its table."""

from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.ledger import LineAt
from domain.record.history import History, Moment, record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import CLOCK
from domain.table.actions import (
    AbandonSeat,
    Act,
    CloseTable,
    Command,
    ExpireTable,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    ProposeEnd,
    RuleDispute,
    TakeSeat,
)
from domain.table.deadlines import deadline_of
from domain.table.options import TableOptions
from tests.golden.playing import TABLE_ACTION_FROM, Golden, Served
from tests.golden.record import records
from tests.support.games import OPENER, moment, parsed, read


def command_of(golden: Golden, game: Game, event: Served, players: dict[int, str]) -> Command:
    """The command that made the event, and in `players` who sits where after it."""
    public = event["public"]
    if event["type"] == "table-expired":
        return ExpireTable()
    if event["type"] == "dispute-ruled":
        arbiter = event["actor"].removeprefix("arbiter:")
        return RuleDispute(arbiter, public["dispute"], public["ruling"], event["sealed"]["public"]["data"]["text"])
    seat = public["seat"]
    match event["type"]:
        case "dispute-opened":
            lines = tuple(LineAt(**place) for place in public["lines"])
            return OpenDispute(players[seat], lines, None, event["sealed"]["public"]["data"]["reason"])
        case "seat-taken":
            players[seat] = public["player"]
            entropy = public["entropy"]
            return TakeSeat(public["player"], seat, None if entropy is None else bytes.fromhex(entropy))
        case "seat-left":
            return LeaveSeat(players[seat])
        case "table-closed":
            return CloseTable(OPENER)
        case "end-proposed":
            return ProposeEnd(players[seat], public["agree"])
        case "seat-abandoned":
            return AbandonSeat(players[seat])
        case "seat-resumed":
            return TakeSeat(players[seat])
        case _:
            return Act(players[seat], parsed(action_of(golden, event), game))


def action_of(golden: Golden, event: Served) -> dict[str, Any]:
    """The action as it stood on the wire, from the event that it made."""
    public, sealed = event["public"], event["sealed"]
    section = sealed.get(f"seat:{public['seat']}") or sealed.get("public") or {}
    told = {**TABLE_ACTION_FROM, **golden.action_from}[event["type"]]
    return told(public | section.get("data", {}))


def opened_anew(game: Game, first: Served) -> tuple[History, tuple[Recorded, ...]]:
    """The table opened once more, as its first event tells."""
    public, secret = first["public"], first["sealed"]["house"]["data"]
    options = msgspec.convert(public["options"], game.options)
    own = msgspec.convert(public.get("table", {}), TableOptions)
    command = OpenTable(secret["opener"], public["deals"], options, bytes.fromhex(secret["seed"]), own)
    return record_opening(game, first["table"], command, Moment(first["at"], first["action"], moment(0).chance))


def decided_anew(
    golden: Golden, game: Game, events: list[Served], kept: int = 0
) -> tuple[History, tuple[Recorded, ...]]:
    """The table and its records, made from the commands once more; the first `kept` records are read as they stand."""
    again = tuple(records(events[:kept]))
    history, again = (read(again), again) if again else opened_anew(game, events[0])
    taken = [event["public"] for event in events[:kept] if event["type"] == "seat-taken"]
    players = {public["seat"]: public["player"] for public in taken}
    while len(again) < len(events):
        event = events[len(again)]
        at = Moment(event["at"], event["action"], moment(len(again)).chance)
        due = deadline_of(game, history.table)
        command = due.command if due and event["actor"] == CLOCK else command_of(golden, game, event, players)
        history, more = record_command(game, history, command, at)
        again = (*again, *more)
    return history, again
