"""Games played with fixed chance, from which all examples are taken: what they show did happen in a real game."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.kernel.ledger import LineAt
from domain.kernel.offers import Field, Offer, OneOf, SomeOf
from domain.kernel.rejection import Rejected
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
from domain.table.events import EVENTS as TABLE_EVENTS
from domain.table.offers import offers
from domain.table.view import to_act, view
from service.http.examples import ARBITER, DAY, ENTROPY, JUDGEMENT, PLAYERS, REASON, TABLE

T = TypeVar("T")

FIRST_POSITION = 90_000
SHOWN = 6
MANY = 20
"""The actions of a deal in which there is something to see."""
MOST_GAMES = 2_000
"""After so many games in which an event did not happen, it is taken for one that cannot."""
SHOWING = {"crocodile": (0, 11), "lhombre": (0, 1, 133, 134), "ombre": (0, 1, 180), "solo": (0,)}
"""The games in which, together, everything happens: where these are played first, few others have to be."""

REMARKS = ("Lead low, I have the rest.", "Trumps, please.")


class SampleTable(Struct, frozen=True):
    """A table's record, with every state that it went through."""

    game: Game
    records: tuple[Recorded, ...]
    actions: Mapping[int, tuple[int, Mapping[str, Any]]]
    """The actions as clients sent them, with their seats, by the version that they were taken at."""

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self.records)

    def history(self, version: int) -> History:
        """The table at a version, as the house knows it."""
        history = _reader(self.game).history(self.records[:version])
        assert history is not None, "there is at least one record"  # noqa: S101 (for the type checker)
        return history

    def view(self, version: int, audience: Audience) -> Any:
        """The audience's view at a version."""
        table = _reader(self.game).fold(None, self.records[:version], audience)
        assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
        return plain(view(self.game, table))

    def views(self, audience: Audience) -> Iterator[Any]:
        """The audience's view at each version."""
        table = None
        for record in self.records:
            table = _reader(self.game).fold(table, (record,), audience)
            assert table is not None, "there is at least one record"  # noqa: S101 (for the type checker)
            yield plain(view(self.game, table))

    def offers(self, version: int, seat: int) -> Any:
        """What the seat is offered at a version."""
        return plain([offer.describe() for offer in offers(self.game, self.history(version).table, seat)])

    def to_act(self, version: int) -> list[int]:
        """Who must act at a version."""
        return list(to_act(self.game, self.history(version).table))

    def event(self, version: int, audience: Audience, *, over: bool = False) -> Any:
        """The event of a version as served."""
        return msgspec.json.decode(served(self.records[version - 1], audience, over=over))

    @property
    def first_deal(self) -> list[int]:
        """The versions at which the actions of the first deal were taken."""
        return [version for version in self.actions if self.records[version - 1].deal == 1]

    def midway(self) -> tuple[int, int, Mapping[str, Any]]:
        """A version in the midst of the first deal, and the seat and action that came next."""
        version = self.first_deal[len(self.first_deal) * 2 // 3]
        return version, *self.actions[version]


class Happened(Struct, frozen=True):
    """One of each kind of thing that happens in a game, by type."""

    events: dict[str, Any]
    """With all their sections open."""
    actions: dict[str, Any]
    offers: dict[str, Any]


def shown(game: Game) -> SampleTable:
    """The game that most examples are taken from."""
    return _shown(game).played()


def _shown(game: Game) -> "_TableInPlay":
    """The first game whose first deal is played, and not given up before there is something to see."""
    played = (_playing(game, number) for number in range(SHOWN, MOST_GAMES))
    return next(playing for playing in played if len(playing.played().first_deal) >= MANY)


def happened(game: Game) -> Happened:
    """An event of each type of the game and of a table's life, an action and an offer of each type."""
    kinds = [str(action.__struct_config__.tag) for action in get_args(game.actions)]
    types = {payload.TYPE for payload in (*TABLE_EVENTS, *game.events)}
    found = Happened({}, {}, {})
    for played in plays(game):
        for record in played.records:
            if record.type not in found.events:
                found.events[record.type] = played.event(record.version, HOUSE, over=True)
        for version, (seat, action) in played.actions.items():
            if action["type"] not in found.actions:
                found.actions[action["type"]] = action
                offered = played.offers(version, seat)
                found.offers[action["type"]] = next(offer for offer in offered if offer["type"] == action["type"])
        if found.events.keys() == types and found.actions.keys() == set(kinds):
            return Happened(
                {payload.TYPE: found.events[payload.TYPE] for payload in (*TABLE_EVENTS, *game.events)},
                {kind: found.actions[kind] for kind in kinds},
                {kind: found.offers[kind] for kind in kinds},
            )
    never = (types - found.events.keys()) | (set(kinds) - found.actions.keys())
    raise LookupError(f"never happened in {MOST_GAMES} games: {', '.join(sorted(never))}")


def plays(game: Game) -> Iterator[SampleTable]:
    """Tables of the game, in which all that can happen happens."""
    yield shown(game)
    yield disputed(game)
    yield _erased(game)
    yield _broken_off(game)
    for number in (*SHOWING.get(game.name, ()), *range(MOST_GAMES)):
        yield _play(game, number)


def fewest_deals(game: Game, options: Struct | None = None) -> int:
    """How many deals the shortest game has: all that can happen can happen there."""
    for deals in range(1, game.default_deals):
        try:
            game.check_deals(deals, options or game.options())
        except Rejected:
            continue
        return deals
    return game.default_deals


def _reader(game: Game) -> Reader:
    return Reader({game.name: game})


def plain(value: object) -> Any:
    """The value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


class _TableInPlay:
    """A table while it is played."""

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
        """Does the command."""
        moment = self._moment(self.history.version)
        self.history, records = record_command(self.game, self.history, command, moment)
        self.records += records

    def played(self) -> SampleTable:
        """The table's record by now, at its place in the log."""
        records = tuple(
            msgspec.structs.replace(record, position=FIRST_POSITION + record.version) for record in self.records
        )
        return SampleTable(self.game, records, self.actions)


def _broken_off(game: Game) -> SampleTable:
    """A table where somebody sat down and left, and which was closed."""
    playing = _TableInPlay(game, 0)
    playing.command(TakeSeat(PLAYERS[1], 1, None))
    playing.command(LeaveSeat(PLAYERS[1]))
    playing.command(CloseTable(PLAYERS[0]))
    return playing.played()


def disputed(game: Game) -> SampleTable:
    """The game that most examples are taken from, a line of it disputed, and the ledger corrected."""
    return _disputed(_shown(game)).played()


def _erased(game: Game) -> SampleTable:
    """The same, with the reason erased."""
    playing = _disputed(_shown(game))
    playing.command(EraseText(playing.history.table.texts[0]))
    return playing.played()


def _disputed(playing: "_TableInPlay") -> "_TableInPlay":
    booked = playing.history.table.booked[0]
    seat = next(line.seat for line in booked.lines if line.seat is not None)
    playing.command(OpenDispute(PLAYERS[seat], (LineAt(booked.version, 0),), None, REASON))
    (pair,) = transfers_of(booked.lines[:2])
    entry = Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
    playing.command(RuleDispute(ARBITER, 1, "upheld", JUDGEMENT, (entry,)))
    return playing


def _play(game: Game, number: int) -> SampleTable:
    """A whole game, its actions picked from the offers."""
    return _playing(game, number).played()


def _playing(game: Game, number: int) -> "_TableInPlay":
    chance = Random(number)  # noqa: S311 (examples)
    playing = _TableInPlay(game, number)
    for seat in range(len(playing.history.table.players)):
        playing.command(TakeSeat(PLAYERS[seat], seat, bytes.fromhex(ENTROPY) if seat == 0 else None))
    while playing.history.table.status == "playing":
        seat, action = _pick(game, playing.history, chance)
        playing.actions[playing.history.version] = seat, action
        playing.command(Act(PLAYERS[seat], msgspec.convert(action, game.actions)))
    return playing


def _pick(game: Game, history: History, chance: Random) -> tuple[int, dict[str, Any]]:
    """Mostly an act of a seat that must act, now and then one out of turn."""
    turns = to_act(game, history.table)
    seats = range(len(history.table.players))
    offered = {seat: offers(game, history.table, seat) for seat in seats}
    free = [seat for seat in seats if seat not in turns and offered[seat]]
    seat = chance.choice(free if free and chance.random() < 0.05 else turns)
    types = list(dict.fromkeys(offer.type for offer in offered[seat]))
    # What ends a deal early or only talks is picked seldom, so that there is something to see.
    weights = [0.05 if _is_free(history, name) else 1.0 for name in types]
    name = chance.choices(types, weights)[0]
    offer = _leaning([offer for offer in offered[seat] if offer.type == name], chance)
    return seat, _action(offer, chance)


def _is_free(history: History, name: str) -> bool:
    return name in history.table.deal_state.FREE


def _action(offer: Offer, chance: Random) -> dict[str, Any]:
    return {"type": offer.type} | {name: _value(field, chance) for name, field in offer.fields.items()}


def _leaning(values: Sequence[T], chance: Random) -> T:
    """One of these, the first ones more likely: the lowest bids, the contract that was bid, no bonus."""
    return chance.choices(values, [0.6**place for place in range(len(values))])[0]


def _value(field: Field, chance: Random) -> Any:
    match field:
        case OneOf():
            return _leaning(field.values, chance)
        case SomeOf():
            return chance.sample(field.values, chance.randint(field.min, field.max))
        case _:
            return chance.choice(REMARKS)
