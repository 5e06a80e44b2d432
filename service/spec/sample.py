"""Sample tables, played with fixed chance. Every example is part of a real game."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import tee
from random import Random
from typing import Any, Self, TypeAlias

import msgspec
from msgspec import Struct

from domain.kernel.action import tag_of
from domain.kernel.game import Game
from domain.kernel.ledger import LineAt
from domain.kernel.offers import Offer
from domain.opponents import VERSION
from domain.opponents.choosing import STRONGEST
from domain.picking import Chance, pick, pick_seldom_done
from domain.record.history import History, Moment, record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import HOUSE, Bot
from domain.table.actions import (
    AbandonSeat,
    Act,
    CloseTable,
    Command,
    Entry,
    EraseText,
    ExpireTable,
    LeaveSeat,
    OpenDispute,
    OpenTable,
    ProposeEnd,
    RuleDispute,
    RunOut,
    SeatBot,
    TakeSeat,
)
from domain.table.deadlines import EXPIRES_AFTER_S, deadline_of, timer_of
from domain.table.disputes import transfers_of
from domain.table.events import Rematch, events_of
from domain.table.options import DEFAULT, Clock, SpectatorDelay, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.talk import action_types_of, actions_of, has_own_talk
from domain.table.view import to_act
from service.http.examples import (
    ARBITER,
    BEFORE,
    DAY,
    ENTROPY,
    JUDGEMENT,
    PLAYERS,
    REASON,
    REMARK,
    TABLE,
    OneOfEach,
    Sample,
    SampleTable,
    plain,
)

BEGINNING = datetime.fromisoformat(f"{DAY}T10:00:00.250000")
FIRST_POSITION = 90_000
MAIN_AMONG = 40
"""The number of games from which the main table is chosen."""
MIN_ACTIONS = 20
"""The fewest actions of the main table's first deal, if one of those games has as many."""
MAX_GAMES = 2_000
"""The number of games after which an event that has not happened counts as impossible."""
PLAIN_GAMES = 8
"""The number of games with default options; later games vary the options."""

SELDOM = 0.05
"""How often an act out of turn is chosen (probability, or weight against 1): most end a deal early, or are talk."""


class SampleTables:
    """The tables of a game that together hold every event and action: the main table, five around it, then more games.

    Each is played when it is first needed, and cached.
    """

    def __init__(self, game: Game) -> None:
        (self._first,) = tee(_sample_tables(game), 1)

    def __iter__(self) -> Iterator[SampleTable]:
        return copy(self._first)


def _main_table_in_play(game: Game) -> "_TableInPlay":
    """The first game with lines of seat 0 and a long first deal; if there is none, the one closest to that."""
    best, worth = _begun(game, 0), (False, -1)
    for number in range(MAIN_AMONG):
        table = _Play(game, number).to_end(_begun(game, number))
        lines = any(line.seat == 0 for booked in table.history.table.booked for line in booked.lines)
        actions = len(table.sampled().first_deal)
        if (lines, actions) > worth:
            best, worth = table, (lines, actions)
        if worth >= (True, MIN_ACTIONS):
            break
    return best


def sample_of(game: Game) -> Sample:
    """Plays the sample tables of a game. The result is the same each time."""
    tables = SampleTables(game)
    return Sample(game, tables, _one_of_each(game, tables))


def _one_of_each(game: Game, tables: Iterable[SampleTable]) -> OneOfEach:
    """One event of each type of the game and of a table, and one action and one offer of each type of the game.

    Raises LookupError if one of them does not happen in `MAX_GAMES` games.
    """
    types = [payload.TYPE for payload in events_of(game)]
    acts = [tag_of(action) for action in action_types_of(game)]
    events: dict[str, Any] = {}
    actions: dict[str, Any] = {}
    offered: dict[str, Any] = {}
    for table in tables:
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


def _sample_tables(game: Game) -> Iterator[SampleTable]:
    main = _main_table_in_play(game)
    disputed = _disputed(main)
    yield main.sampled()
    yield disputed.sampled()
    # The dispute's reason is erased.
    yield disputed.after(EraseText(disputed.history.table.texts[0])).sampled()
    yield _closed_table(game)
    yield _expired_table(game)
    yield _left_table(game)
    yield from (table.sampled() for table in _varied_tables(game))


class _TableInPlay(Struct, frozen=True):
    """A table in play. It is immutable, so a game can be continued from any point in several ways."""

    game: Game
    number: int
    """The number that seeds all chance at the table."""
    history: History
    records: tuple[Recorded, ...]
    actions: Mapping[int, tuple[int, Mapping[str, Any]]] = {}
    waited: int = 0
    """The seconds waited for time limits to run out."""

    @classmethod
    def opened(
        cls,
        game: Game,
        number: int,
        table_options: TableOptions = DEFAULT,
        rematch: Rematch | None = None,
        options: Struct | None = None,
    ) -> Self:
        """A table at which only its opener sits."""
        seed, options = sha256(f"seed {number}".encode()).digest(), options or game.options()
        command = OpenTable(PLAYERS[0], game.course.deals(options).least, options, seed, table_options, rematch)
        history, records = record_opening(game, TABLE, command, _moment(number, 0))
        return cls(game, number, history, tuple(records))

    def after(self, command: Command) -> Self:
        """The table after a command. Raises Rejected."""
        moment = _moment(self.number, self.history.version, self.waited)
        history, records = record_command(self.game, self.history, command, moment)
        return msgspec.structs.replace(self, history=history, records=(*self.records, *records))

    def acted(self, seat: int, action: Mapping[str, Any]) -> Self:
        """The table after a seat's action, as its client sends it. Raises Rejected."""
        after = self.after(Act(PLAYERS[seat], msgspec.convert(action, actions_of(self.game))))
        return msgspec.structs.replace(after, actions={**self.actions, self.history.version: (seat, action)})

    def late(self, seconds: int, command: Command) -> Self:
        """The table after a command that comes this many seconds late."""
        return msgspec.structs.replace(self, waited=self.waited + seconds).after(command)

    def sampled(self) -> SampleTable:
        """The table so far, with positions from `FIRST_POSITION` on."""
        records = tuple(
            msgspec.structs.replace(record, position=FIRST_POSITION + record.version) for record in self.records
        )
        return SampleTable(self.game, records, self.actions)


def _moment(number: int, version: int, waited: int = 0) -> Moment:
    """The time, id and chance of the command after a version and a wait in seconds, at the table of this number."""
    at = BEGINNING + timedelta(seconds=7 * version + waited)
    return Moment(
        f"{at.isoformat(timespec='microseconds')}Z",
        f"019752d0-6c00-7000-9000-{version:012x}",
        sha256(f"chance {number} {version}".encode()).digest(),
    )


def _closed_table(game: Game) -> SampleTable:
    """A table that was closed before the start, after another player had joined and left."""
    table = _TableInPlay.opened(game, 0)
    other, opener = PLAYERS[1], PLAYERS[0]
    for command in (TakeSeat(other, 1, None), LeaveSeat(other), TakeSeat(opener, 0, None), CloseTable(opener)):
        table = table.after(command)
    return table.sampled()


def _expired_table(game: Game) -> SampleTable:
    """A table for a rematch that nobody joined in time."""
    rematch = Rematch(BEFORE, PLAYERS[: game.course.seats(game.options())])
    return _TableInPlay.opened(game, 0, rematch=rematch).late(EXPIRES_AFTER_S, ExpireTable()).sampled()


def _left_table(game: Game) -> SampleTable:
    """A table with a clock, talk and late spectators.

    A player is absent and returns, proposes to end the game, and abandons it, and a bot plays on there.
    """
    clock, talk = Clock(seconds=30, absent_after=1), not has_own_talk(game)
    own = TableOptions(clock=clock, talk=talk, spectator_delay=SpectatorDelay(seconds=30))
    table = _seated(_TableInPlay.opened(game, 0, own))
    if talk:
        table = table.acted(0, {"type": "talk", "text": REMARK})
    due = deadline_of(game, table.history.table)
    if due is None or due.seat is None:
        return table.sampled()
    player = PLAYERS[due.seat]
    table = table.late(clock.seconds, due.command)
    bot = SeatBot(PLAYERS[0 if due.seat else 1], "", Bot(STRONGEST, VERSION), due.seat)
    for command in (TakeSeat(player), ProposeEnd(player, True), AbandonSeat(player), bot):
        table = table.after(command)
    return table.sampled()


def _disputed(table: _TableInPlay) -> _TableInPlay:
    """The same table with its first booked line disputed and the dispute upheld."""
    booked = table.history.table.booked[0]
    seat = next(line.seat for line in booked.lines if line.seat is not None)
    (pair,) = transfers_of(booked.lines[:2])
    entry = Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
    disputed = table.after(OpenDispute(PLAYERS[seat], (LineAt(booked.version, 0),), None, REASON))
    return disputed.after(RuleDispute(ARBITER, 1, "upheld", JUDGEMENT, (entry,)))


def _begun(game: Game, number: int, options: Struct | None = None) -> _TableInPlay:
    """A table whose first deal has begun."""
    return _seated(_TableInPlay.opened(game, number, options=options))


def _seated(table: _TableInPlay) -> _TableInPlay:
    """The table once all seats are taken."""
    for seat in range(len(table.history.table.players)):
        table = table.after(TakeSeat(PLAYERS[seat], seat, bytes.fromhex(ENTROPY) if seat == 0 else None))
    return table


def _varied_tables(game: Game) -> Iterator[_TableInPlay]:
    """Games that soon contain every event. All chance is seeded by their numbers, from 0.

    An act of a new type is taken as soon as it is offered, and a time limit of a new type is let run out. Another game
    then continues from that point without it, since what is rarely offered is also rarely declined.
    """
    taken: set[str] = set()
    left: list[tuple[_TableInPlay, str]] = []
    every = option_sets(game)
    for number in range(MAX_GAMES):
        options = every[number % len(every)] if number >= PLAIN_GAMES else every[0]
        table, without = left.pop() if left else (_begun(game, number, options), None)
        play = _Play(game, number, taken)
        yield play.to_end(table, without)
        left += play.left


def option_sets(game: Game) -> tuple[Struct, ...]:
    """The default options, and those for as many seats that differ from them in one named choice."""
    plain_options = game.options()
    seats = game.course.seats(plain_options)
    struct = msgspec.inspect.type_info(game.options)
    fields = struct.fields if isinstance(struct, msgspec.inspect.StructType) else ()
    others = (
        msgspec.structs.replace(plain_options, **{field.name: value})
        for field in fields
        for value in _named_values(field.type)
        if value != getattr(plain_options, field.name)
    )
    return (plain_options, *(options for options in others if game.course.seats(options) == seats))


def _named_values(field: msgspec.inspect.Type) -> tuple[Any, ...]:
    """The values of a field that is a choice among names; empty for other fields."""
    match field:
        case msgspec.inspect.Metadata():
            return _named_values(field.type)
        case msgspec.inspect.LiteralType():
            return field.values
        case msgspec.inspect.BoolType():
            return (True, False)
        case _:
            return ()


_Offered: TypeAlias = Mapping[int, tuple[Offer, ...]]
"""Offers by seat."""


class _Play:
    """One way of playing a table to its end, picking from the offers.

    With `taken` it prefers acts and time limits whose types are not in it.
    """

    def __init__(self, game: Game, number: int, taken: set[str] | None = None) -> None:
        self._game = game
        self._chance = Random(number)  # noqa: S311 (examples)
        self._taken = taken
        self._draws: dict[int, Chance] = {}
        self._done: dict[int, Counter[str]] = {}
        """By seat, how often it has taken each act."""
        self.left: list[tuple[_TableInPlay, str]] = []
        """The points at which an act was taken for the first time, with its type."""

    def to_end(self, table: _TableInPlay, without: str | None = None) -> _TableInPlay:
        """The finished table. If anything else is offered, the first action is not of the type `without`."""
        while table.history.table.status == "playing":
            timer = timer_of(self._game, table.history.table)
            if timer is not None and self._is_new(timer.event.TYPE):
                self._take_first(timer.event.TYPE, table)
                table = table.late(timer.seconds, RunOut(timer.since))
                continue
            seat, action = self._pick(table, without)
            without = None
            table = table.acted(seat, action)
        return table

    def _pick(self, table: _TableInPlay, without: str | None) -> tuple[int, Mapping[str, Any]]:
        """A seat, and its choice among its offers."""
        state = table.history.table
        offered = {seat: offers(self._game, state, seat) for seat in range(len(state.players))}
        if (new := self._new(table, offered)) is not None:
            return self._picked(*new)
        others = {seat: tuple(offer for offer in own if offer.type != without) for seat, own in offered.items()}
        offered = others if any(others.values()) else offered
        return self._picked(*self._usual(state, offered)) if to_act(self._game, state) else self._unusual(offered)

    def _picked(self, seat: int, offer: Offer) -> tuple[int, Mapping[str, Any]]:
        return seat, plain(pick(offer, self._draw(seat)))

    def _unusual(self, offered: _Offered) -> tuple[int, Mapping[str, Any]]:
        """A seat, and an act that it has rarely taken."""
        seat = self._chance.choice([seat for seat, own in offered.items() if own])
        return seat, plain(pick_seldom_done(offered[seat], self._draw(seat), self._done.setdefault(seat, Counter())))

    def _new(self, table: _TableInPlay, offered: _Offered) -> tuple[int, Offer] | None:
        """A seat, and its offer of an act whose type is new, if there is one."""
        new = [(seat, offer) for seat, own in offered.items() for offer in own if self._is_new(offer.type)]
        if not new:
            return None
        seat, offer = self._chance.choice(new)
        self._take_first(offer.type, table)
        return seat, offer

    def _is_new(self, type: str) -> bool:
        return self._taken is not None and type not in self._taken

    def _take_first(self, type: str, table: _TableInPlay) -> None:
        if self._taken is not None:
            self._taken.add(type)
        self.left.append((table, type))

    def _usual(self, state: Table, offered: _Offered) -> tuple[int, Offer]:
        """Usually an offer to a seat that must act, sometimes to one that may act out of turn."""
        chance = self._chance
        turns = [seat for seat in to_act(self._game, state) if offered[seat]]
        free = [seat for seat, own in offered.items() if own and seat not in turns]
        seat = chance.choice(free if free and (not turns or chance.random() < SELDOM) else turns)
        types = list(dict.fromkeys(offer.type for offer in offered[seat]))
        seldom = frozenset() if state.running_deal is None else state.deal_state.FREE
        (chosen,) = chance.choices(types, [SELDOM if type in seldom else 1.0 for type in types])
        alike = [offer for offer in offered[seat] if offer.type == chosen]
        return seat, alike[self._draw(seat)(len(alike))]

    def _draw(self, seat: int) -> Chance:
        """The seat's way of choosing, the same throughout the game."""
        if seat not in self._draws:
            self._draws[seat] = _leaning(self._chance)
        return self._draws[seat]


def _leaning(chance: Random) -> Chance:
    """How a player picks: by preference the first of several things, the last, or any."""
    lean = chance.choice((-1, 0, 1))

    def draw(count: int) -> int:
        if lean == 0 or chance.random() < 0.2:
            return chance.randrange(count)
        index = min(int(chance.expovariate(1.5)), count - 1)
        return index if lean == 1 else count - 1 - index

    return draw
