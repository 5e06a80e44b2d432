"""Duplicate deals: the same cards are played once for each seat or side, with the better level there and another level
at all other seats.

What the cards give to a seat, they give to both levels in turn. What is left is the difference between the levels.
"""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.action import Action
from domain.kernel.event import Event, redact
from domain.kernel.game import Game
from domain.opponents.choosing import LEVELS
from domain.opponents.opponent import Opponent
from domain.opponents.playouts import Playouts
from domain.picking import Chance
from domain.seats import Seat, seat_audience
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.automatic import next_automatic
from domain.table.clock import micros, written
from domain.table.deadlines import deadline_of
from domain.table.decide import act, open_table
from domain.table.events import CardsDealt
from domain.table.seat_offers import default_action
from domain.table.state import Table, deal_of, evolve, opened, waiting_for

Chances: TypeAlias = Callable[[str], Chance]
"""A source of chance for each text. The same text must give the same numbers."""

TABLE = "01970000-0000-7000-8000-000000000000"
"""The table of every deal. Its cards follow from its seed."""

PAUSE_US = 600_000
"""The simulated microseconds from one event to the next. They count where a game has a time limit."""

MOST_ACTS = 5000
"""The acts after which a deal without a result is given up."""


class Pair(Struct, frozen=True, order=True):
    """Two levels that play against each other."""

    better: str
    """The level of one seat or side. Nothing depends on its being better; it is what the tournament is to show."""
    other: str
    """The level of all other seats."""

    @property
    def name(self) -> str:
        """The levels' names, with a hyphen between them."""
        return f"{self.better}-{self.other}"

    @classmethod
    def named(cls, name: str) -> "Pair":
        """The pair of this name. Raises ValueError if it does not name two levels."""
        better, _, other = name.partition("-")
        for level in (better, other):
            if level not in LEVELS:
                raise ValueError(f"{name!r} names no two of the levels {', '.join(LEVELS)}")
        return cls(better, other)


class Start(Struct, frozen=True):
    """A table right before a deal, which may be played any number of times."""

    house: Table
    own: tuple[Table, ...]
    """Each seat's own fold."""
    deal: int
    pack: str
    """The text from which the cards, and all chance of the deal, follow."""


class Play(Struct, frozen=True):
    """A deal that was played once."""

    gained: tuple[int, ...]
    """What each seat has won or lost."""
    acts: int
    """The number of acts of players."""
    ended: bool
    """Whether there is a result. Nobody has gained anything if there is none."""


class Duplicate(Struct, frozen=True):
    """A deal that was played once for each seat or side."""

    difference: float
    """The mean over the plays: what a seat of the better level gained, less what a seat of the other level gained."""
    deal: int
    """The number of the deal in its game."""
    acts: int
    unended: int
    """How many of the plays were given up. Each of them counts as no difference."""


def duplicate(game: Game, pair: Pair, number: int, seed: str, chances: Chances) -> Duplicate:
    """The deal of this number, with the better level at each seat or side in turn.

    The deal follows from the game, the seed and the number, so all pairs play the same deals. A seat's chance follows
    from these, the seat and the version, so a level has no advantage over itself: the difference is then 0.
    """
    start = started(game, f"{seed}/{game.name}/{number}", chances)
    seats, sides, plays = range(len(start.own)), sides_of(game), []
    # Fractions, so that what cancels comes to 0 exactly.
    difference = Fraction(0)
    for side in sides:
        played = play(game, start, [pair.better if seat in side else pair.other for seat in seats], chances)
        difference += _mean(played.gained, side) - _mean(played.gained, [seat for seat in seats if seat not in side])
        plays.append(played)
    acts, unended = sum(one.acts for one in plays), sum(not one.ended for one in plays)
    return Duplicate(float(difference / len(sides)), start.deal, acts, unended)


def sides_of(game: Game) -> tuple[tuple[Seat, ...], ...]:
    """The seats that win and lose together, under the default options; one seat each in a game without sides."""
    options = game.options()
    return game.course.sides(options) or tuple((seat,) for seat in range(game.course.seats(options)))


def started(game: Game, pack: str, chances: Chances) -> Start:
    """A table under the default options before one of the deals that a game has at least.

    The deals of some games differ, as the ten of King do, so chance names the deal. Those before it are played by
    chance. Raises ValueError if one of these does not end.
    """
    options = game.options()
    limits = game.course.deals(options)
    deals = max(limits.default, limits.least)
    deal = 1 + chances(f"{pack}/deal")(limits.least)
    seats = range(game.course.seats(options))
    house, events = open_table(
        game, TABLE, OpenTable(_player(0), deals, options, sha256(pack.encode()).digest()), written(0)
    )
    own = [opened(game, TABLE, _seen(events[0], seat)) for seat in seats]
    playing = _Playing(game, house)
    playouts = Playouts(game, chances(f"{pack}/before"), len(seats))

    def any_act(seat: Seat) -> Action:
        return playouts.any_act(game.decider.offers(playing.table.deal_state, seat))

    while playing.acts < MOST_ACTS * deals:
        event = playing.next(any_act)
        if event is None:
            break
        if isinstance(event.public, CardsDealt) and event.public.deal == deal:
            return Start(playing.table, tuple(own), deal, pack)
        playing.follow(event)
        own = [evolve(game, table, _seen(event, seat)) for seat, table in enumerate(own)]
    raise ValueError(f"{pack}: deal {deal} is never dealt")


def play(game: Game, start: Start, levels: Sequence[str], chances: Chances) -> Play:
    """The deal, played by opponents of these levels, one a seat.

    Seats act in turn. If several must act, the first of them is next; if none must, as in a game without turns, the
    next one that is offered something.
    """
    playing = _Playing(game, start.house)
    opponents = [Opponent(game, seat) for seat in range(len(levels))]
    for opponent, own in zip(opponents, start.own, strict=True):
        opponent.table = own

    def chosen(seat: Seat) -> Action | None:
        chance = chances(f"{start.pack}/{seat}/{playing.table.version}")
        return opponents[seat].choose(LEVELS[levels[seat]], chance)

    while playing.table.scored != start.deal:
        event = playing.next(chosen) if playing.acts < MOST_ACTS else None
        if event is None:
            return Play((0,) * len(levels), playing.acts, ended=False)
        playing.follow(event)
        for seat, opponent in enumerate(opponents):
            opponent.see(TABLE, _seen(event, seat))
    gained = zip(playing.table.totals, start.house.totals, strict=True)
    return Play(tuple(after - before for after, before in gained), playing.acts, ended=True)


class _Playing:
    """A table that is played without a service, in simulated time."""

    def __init__(self, game: Game, table: Table) -> None:
        self.table = table
        self.acts = 0
        self._game = game
        self._waited_us = 0
        self._last = -1
        """The seat that acted last."""

    def next(self, choose: Callable[[Seat], Action | None]) -> Event[Any] | None:
        """The event that comes next, with a seat's act chosen so; None if the table waits for ever."""
        event = next_automatic(self._game, self.table) or self._sitting() or self._acting(choose)
        if event is None:
            return None
        version, deal = self.table.version + 1, deal_of(self.table, event.public)
        return replace(event, version=version, deal=deal, at=written(self._now_us))

    def follow(self, event: Event[Any]) -> None:
        """Lets the event happen."""
        self.table = evolve(self._game, self.table, event)

    @property
    def _now_us(self) -> int:
        """The time of the next event."""
        return self.table.version * PAUSE_US + self._waited_us

    def _sitting(self) -> Event[Any] | None:
        """The next player sits down, if a seat is free."""
        if None not in self.table.players:
            return None
        seat = self.table.players.index(None)
        return act(self._game, self.table, TakeSeat(_player(seat), seat))

    def _acting(self, choose: Callable[[Seat], Action | None]) -> Event[Any] | None:
        """The act of the seat that is next, unless the rules' time limit runs out first."""
        limit = deadline_of(self._game, self.table) if self.table.timing is not None else None
        late = limit is not None and micros(limit.at) <= self._now_us
        chosen = None if late else self._chosen(choose)
        if chosen is not None:
            return act(self._game, self.table, chosen)
        if limit is None:
            return None
        self._waited_us += max(0, micros(limit.at) - self._now_us)
        return act(self._game, self.table, limit.command)

    def _chosen(self, choose: Callable[[Seat], Action | None]) -> Act | None:
        """The act of the seat that is next and wants one; None if nobody does."""
        if self.table.running_deal is None:
            waiting = waiting_for(self._game, self.table)[:1]
            return next((Act(_player(seat), default_action(self._game, self.table, seat)) for seat in waiting), None)
        for seat in self._next_seats():
            action = choose(seat)
            if action is not None:
                self.acts += 1
                self._last = seat
                return Act(_player(seat), action)
        return None

    def _next_seats(self) -> Sequence[Seat]:
        """The first of the seats that must act; if none must, all that are offered something, in turn."""
        state, decider, number = self.table.deal_state, self._game.decider, len(self.table.players)
        in_turn = [(self._last + step) % number for step in range(1, number + 1)]
        return decider.to_act(state)[:1] or [seat for seat in in_turn if decider.offers(state, seat)]


def _player(seat: Seat) -> str:
    return f"player-{seat}"


def _seen(event: Event[Any], seat: Seat) -> Event[Any]:
    """The event as it is redacted for the seat."""
    return replace(event, sealed=redact(event.sealed, seat_audience(seat)))


def _mean(amounts: Sequence[int], seats: Collection[Seat]) -> Fraction:
    return Fraction(sum(amounts[seat] for seat in seats), len(seats))
