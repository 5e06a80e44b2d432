"""Sample tables, played with fixed chance. All examples come from them, so every example is part of a real game."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.kernel.ledger import LineAt
from domain.kernel.offers import Field, Offer, OneOf, SomeOf
from domain.record.envelope import served
from domain.record.history import History, Moment, Reader, record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import HOUSE, Audience
from domain.table.actions import (
    Act,
    CloseTable,
    Command,
    Entry,
    EraseText,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    RuleDispute,
    TakeSeat,
)
from domain.table.disputes import transfers_of
from domain.table.events import events_of
from domain.table.offers import offers
from domain.table.view import to_act, view
from service.http.examples import ARBITER, DAY, ENTROPY, JUDGEMENT, PLAYERS, REASON, TABLE

T = TypeVar("T")

FIRST_POSITION = 90_000
MAIN_FROM = 6
"""The number of the first game that may become the main table."""
MIN_ACTIONS = 20
"""The main table's first deal has at least so many actions."""
MAX_GAMES = 2_000
"""An event that does not happen in so many games counts as impossible."""
_KEPT: "dict[int, tuple[Game, OneOfEach]]" = {}
"""What `one_of_each` found, by the game's identity: it may have to play hundreds of games."""

REMARKS = ("Lead low, I have the rest.", "Trumps, please.")


class SampleTable(Struct, frozen=True):
    """A table's record, with the table's state at every version; see `service.http.examples.PlayedTable`."""

    game: Game
    records: tuple[Recorded, ...]
    actions: Mapping[int, tuple[int, Mapping[str, Any]]]
    """The seat and the action as its client sent it, by the version at which it was taken."""

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self.records)

    def history(self, version: int) -> History:
        """The table's history up to a version (from 1), as the house knows it."""
        history = _reader(self.game).history(self.records[:version])
        assert history is not None, "there is at least one record"  # noqa: S101 (for the type checker)
        return history

    def view(self, version: int, audience: Audience) -> Any:
        """The audience's view at a version, as JSON."""
        table = _reader(self.game).fold(None, self.records[:version], audience)
        assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
        return plain(view(self.game, table))

    def views(self, audience: Audience) -> Iterator[Any]:
        """The audience's views at all versions, in order, as JSON."""
        table = None
        for record in self.records:
            table = _reader(self.game).fold(table, (record,), audience)
            assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
            yield plain(view(self.game, table))

    def offers(self, version: int, seat: int) -> Any:
        """The seat's offers at a version, as JSON."""
        return plain([offer.describe() for offer in offers(self.game, self.history(version).table, seat)])

    def to_act(self, version: int) -> list[int]:
        """The seats that must act at a version."""
        return list(to_act(self.game, self.history(version).table))

    def event(self, version: int, audience: Audience, *, over: bool = False) -> Any:
        """The event of a version, as JSON; `over` opens every section that a finished deal opens."""
        return msgspec.json.decode(served(self.records[version - 1], audience, over=over))

    @property
    def first_deal(self) -> list[int]:
        """The versions at which the actions of the first deal were taken."""
        return [version for version in self.actions if self.records[version - 1].deal == 1]

    def midway(self) -> tuple[int, int, Mapping[str, Any]]:
        """A version amid the first deal, and the seat and action that came next."""
        version = self.first_deal[len(self.first_deal) * 2 // 3]
        return version, *self.actions[version]


class OneOfEach(Struct, frozen=True):
    """One event, one action and one offer of each type of a game, by type."""

    events: dict[str, Any]
    """With all sections open."""
    actions: dict[str, Any]
    offers: dict[str, Any]


def main_table(game: Game) -> SampleTable:
    """The table that most examples are taken from."""
    return _main_table_in_play(game).sampled()


def _main_table_in_play(game: Game) -> "_TableInPlay":
    """The first game whose first deal has at least `MIN_ACTIONS` actions, so that its examples are worth reading."""
    tables = (_played_out(game, number) for number in range(MAIN_FROM, MAX_GAMES))
    return next(table for table in tables if len(table.sampled().first_deal) >= MIN_ACTIONS)


def one_of_each(game: Game) -> OneOfEach:
    """One event of each type of the game and of a table, and one action and one offer of each type of the game.

    Raises LookupError if one of them does not happen in `MAX_GAMES` games.
    """
    if id(game) not in _KEPT:
        _KEPT[id(game)] = game, _one_of_each(game)
    return _KEPT[id(game)][1]


def _one_of_each(game: Game) -> OneOfEach:
    types = [payload.TYPE for payload in events_of(game)]
    acts = [str(action.__struct_config__.tag) for action in get_args(game.actions)]
    events: dict[str, Any] = {}
    actions: dict[str, Any] = {}
    offered: dict[str, Any] = {}
    for table in sample_tables(game):
        for record in table.records:
            if record.type not in events:
                events[record.type] = table.event(record.version, HOUSE, over=True)
        for version, (seat, action) in table.actions.items():
            act = action["type"]
            if act not in actions:
                actions[act] = action
                offered[act] = next(offer for offer in table.offers(version, seat) if offer["type"] == act)
        if events.keys() == set(types) and actions.keys() == set(acts):
            return OneOfEach(
                {type: events[type] for type in types},
                {act: actions[act] for act in acts},
                {act: offered[act] for act in acts},
            )
    never = (set(types) - events.keys()) | (set(acts) - actions.keys())
    raise LookupError(f"never happened in {MAX_GAMES} games: {', '.join(sorted(never))}")


def sample_tables(game: Game) -> Iterator[SampleTable]:
    """Tables of the game that together hold every event and action: the main table, four around it, then more games."""
    yield main_table(game)
    yield disputed_table(game)
    yield _erased_table(game)
    yield _closed_table(game)
    for number in range(MAX_GAMES):
        yield _played_out(game, number).sampled()


def fewest_deals(game: Game, options: Struct | None = None) -> int:
    """The smallest number of deals that the game allows under the options."""
    return game.course.deals(options or game.options()).least


def _reader(game: Game) -> Reader:
    return Reader({game.name: game})


def plain(value: object) -> Any:
    """The value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


class _TableInPlay:
    """A table while it is played; changed in place."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.number = number
        self.actions: dict[int, tuple[int, Mapping[str, Any]]] = {}
        seed = sha256(f"seed {number}".encode()).digest()
        command = OpenTable(PLAYERS[0], fewest_deals(game), game.options(), seed)
        self.history, self.records = record_opening(game, TABLE, command, self._moment(0))

    def _moment(self, version: int) -> Moment:
        minutes, seconds = divmod(7 * version, 60)
        hours, minutes = divmod(minutes, 60)
        return Moment(
            f"{DAY}T{10 + hours:02}:{minutes:02}:{seconds:02}.250000Z",
            f"019752d0-6c00-7000-9000-{version:012x}",
            sha256(f"chance {self.number} {version}".encode()).digest(),
        )

    def command(self, command: Command) -> None:
        """Appends the events of a command. Raises Rejected."""
        moment = self._moment(self.history.version)
        self.history, records = record_command(self.game, self.history, command, moment)
        self.records += records

    def sampled(self) -> SampleTable:
        """The table so far, with positions from `FIRST_POSITION` on."""
        records = tuple(
            msgspec.structs.replace(record, position=FIRST_POSITION + record.version) for record in self.records
        )
        return SampleTable(self.game, records, self.actions)


def _closed_table(game: Game) -> SampleTable:
    """A table that a player joined and left, and that was closed before the start."""
    table = _TableInPlay(game, 0)
    table.command(TakeSeat(PLAYERS[1], 1, None))
    table.command(LeaveSeat(PLAYERS[1]))
    table.command(CloseTable(PLAYERS[0]))
    return table.sampled()


def disputed_table(game: Game) -> SampleTable:
    """The main table after a line was disputed and the ledger corrected."""
    return _disputed(_main_table_in_play(game)).sampled()


def _erased_table(game: Game) -> SampleTable:
    """The disputed table after the dispute's reason was erased."""
    table = _disputed(_main_table_in_play(game))
    table.command(EraseText(table.history.table.texts[0]))
    return table.sampled()


def _disputed(table: "_TableInPlay") -> "_TableInPlay":
    """The same table with its first booked line disputed and the dispute upheld."""
    booked = table.history.table.booked[0]
    seat = next(line.seat for line in booked.lines if line.seat is not None)
    table.command(OpenDispute(PLAYERS[seat], (LineAt(booked.version, 0),), None, REASON))
    (pair,) = transfers_of(booked.lines[:2])
    entry = Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
    table.command(RuleDispute(ARBITER, 1, "upheld", JUDGEMENT, (entry,)))
    return table


def _played_out(game: Game, number: int) -> "_TableInPlay":
    """A table whose game is played to the end. Its actions are picked from the offers; `number` seeds all chance."""
    chance = Random(number)  # noqa: S311 (examples)
    table = _TableInPlay(game, number)
    for seat in range(len(table.history.table.players)):
        table.command(TakeSeat(PLAYERS[seat], seat, bytes.fromhex(ENTROPY) if seat == 0 else None))
    while table.history.table.status == "playing":
        seat, action = _pick(game, table.history, chance)
        table.actions[table.history.version] = seat, action
        table.command(Act(PLAYERS[seat], msgspec.convert(action, game.actions)))
    return table


def _pick(game: Game, history: History, chance: Random) -> tuple[int, dict[str, Any]]:
    """A seat and its action: mostly of a seat that must act, sometimes of one that may act out of turn."""
    turns = to_act(game, history.table)
    seats = range(len(history.table.players))
    offered = {seat: offers(game, history.table, seat) for seat in seats}
    free = [seat for seat in seats if seat not in turns and offered[seat]]
    seat = chance.choice(free if free and chance.random() < 0.05 else turns)
    types = list(dict.fromkeys(offer.type for offer in offered[seat]))
    # Acts that end a deal early, and talk, are picked seldom, so that deals are played to their end.
    weights = [0.05 if _is_free(history, name) else 1.0 for name in types]
    name = chance.choices(types, weights)[0]
    offer = _weighted_choice([offer for offer in offered[seat] if offer.type == name], chance)
    return seat, _action(offer, chance)


def _is_free(history: History, name: str) -> bool:
    return name in history.table.deal_state.FREE


def _action(offer: Offer, chance: Random) -> dict[str, Any]:
    return {"type": offer.type} | {name: _value(field, chance) for name, field in offer.fields.items()}


def _weighted_choice(values: Sequence[T], chance: Random) -> T:
    """One of the values, the first ones more likely: the lowest bids, the contract that was bid, no bonus."""
    return chance.choices(values, [0.6**place for place in range(len(values))])[0]


def _value(field: Field, chance: Random) -> Any:
    match field:
        case OneOf():
            return _weighted_choice(field.values, chance)
        case SomeOf():
            return chance.sample(field.values, chance.randint(field.min, field.max))
        case _:
            return chance.choice(REMARKS)
