"""The seats' clocks (TL-2), computed from the times of recorded events alone.

A clock runs while the game waits for its seat. It stops while the game waits for nobody, as between automatic events.
If the game waits for the seat again at the same moment, the clock goes on; at a later moment, its time for an act
begins again.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from struct import Struct as Packing
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.action import Phase, tag_of
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.seats import CLOCK, PUBLIC, Seat, bot_in, seat_in
from domain.table.events import (
    Allowance,
    CardsDealt,
    DealScored,
    GameFinished,
    PlayerReady,
    SeatResumed,
    SubstituteSeated,
    TablePayload,
)
from domain.table.options import Clock

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_TIME = Packing("<q")


def micros(at: str) -> int:
    """A recorded time, in microseconds since 1970."""
    return (datetime.fromisoformat(at) - _EPOCH) // _MICROSECOND


def written(at: int) -> str:
    """The recorded form of a time, given in microseconds since 1970."""
    return f"{_EPOCH + timedelta(microseconds=at):%Y-%m-%dT%H:%M:%S.%fZ}"


class SeatClock(Struct, frozen=True, gc=False):
    """A seat's clock."""

    reserve_ms: int
    """The reserve, in milliseconds, that was left when the clock began to run."""
    run_out: int = 0
    """The number of acts in a row that the house made since the time had expired."""
    since: int | None = None
    """When the clock began to run, in microseconds since 1970; None while it does not run."""


class SeatAct(Struct, frozen=True, gc=False):
    """An act that the game waited for: by the seat's player or bot, or by the house when the time had expired."""

    seat: Seat
    by_player: bool


class Timing(Struct, frozen=True, gc=False):
    """The times at a table with a clock, or of a game with its own time limits."""

    clock: Clock | None
    at: int
    """The time of the last event, in microseconds since 1970."""
    seats: tuple[SeatClock, ...]
    """The clocks by seat; empty at a table without clocks."""
    idle: int | None = None
    """When the game began to wait for no seat, in microseconds since 1970; None while it waits for one."""
    first: int = 1
    """The version of the first event in `times`."""
    times: bytes | None = None
    """The times of the deal's events, eight bytes each; None in a game without time limits."""

    def time_of(self, version: int) -> int:
        """The time of an event of the current deal, in microseconds since 1970. Raises ValueError in a game without
        time limits.
        """
        if self.times is None:
            raise ValueError("the times of events are not kept")
        time: int = _TIME.unpack_from(self.times, (version - self.first) * _TIME.size)[0]
        return time

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        """The allowances that the seats' clocks carry into the next deal."""
        return tuple(Allowance(seat.reserve_ms, seat.run_out) for seat in self.seats)

    def ends(self, seat: Seat) -> int | None:
        """When the seat's time expires, in microseconds since 1970; None while its clock does not run."""
        own = self.seats[seat] if self.clock is not None else None
        if self.clock is None or own is None or own.since is None:
            return None
        return own.since + self.clock.seconds * 1_000_000 + own.reserve_ms * 1000

    def recorded(self, at: str, version: int, *, first: bool) -> "Timing":
        """The times after an event of this time and version; `first` says that it begins a deal."""
        time = micros(at) if at else self.at
        if self.times is None:
            return replace(self, at=time)
        if first:
            return replace(self, at=time, first=version, times=_TIME.pack(time))
        return replace(self, at=time, times=self.times + _TIME.pack(time))

    def acted(self, act: SeatAct) -> "Timing":
        """The times after an act that the game waited for, made at the time of the last event."""
        clock, own = self.clock, self.seats[act.seat]
        if clock is None or own.since is None:
            return self
        used_ms = -((own.since - self.at) // 1000) - clock.seconds * 1000
        left_ms = max(0, own.reserve_ms - max(0, used_ms))
        after = SeatClock(left_ms, own.run_out + 1)
        if act.by_player:
            after = SeatClock(left_ms + clock.increment * 1000)
        return replace(self, seats=(*self.seats[: act.seat], after, *self.seats[act.seat + 1 :]))

    def stopped(self) -> "Timing":
        """The times with all clocks stopped, as at the end of a deal."""
        return replace(self, seats=tuple(replace(seat, since=None) for seat in self.seats), idle=None)

    def waiting_for(self, seats: Collection[Seat]) -> "Timing":
        """The times with the clocks of these seats running and all others stopped.

        The game waits for the seats after the last event.
        """
        if not seats:
            return self if self.idle is not None else replace(self, idle=self.at)
        anew = self.idle is not None and self.idle != self.at
        after = []
        for number, own in enumerate(self.seats):
            since = None if number not in seats else self.at if anew or own.since is None else own.since
            after.append(own if since == own.since else replace(own, since=since))
        return replace(self, seats=tuple(after), idle=None)

    def dealt(self, carried: Sequence[Allowance]) -> "Timing":
        """The times at the beginning of a deal, into which the seats' clocks carry these allowances."""
        return replace(self, seats=tuple(SeatClock(own.reserve_ms, own.run_out) for own in carried), idle=None)

    def resumed(self, seat: Seat) -> "Timing":
        """The times after the player of the seat has returned, or a substitute has come: the count of the house's acts
        begins again at 0.
        """
        after = tuple(replace(own, run_out=0) if number == seat else own for number, own in enumerate(self.seats))
        return replace(self, seats=after)


def timing_of(clock: Clock | None, seats: int, at: str, *, limits: bool) -> Timing | None:
    """The times of a table opened at this time. None if it has no clock and its game no time limits.

    `limits` says whether the game has time limits of its own.
    """
    if clock is None and not limits:
        return None
    own = () if clock is None else (SeatClock(clock.reserve * 1000),) * seats
    time = micros(at) if at else 0
    return Timing(clock, time, own, times=_TIME.pack(time) if limits else None)


def after_event(
    timing: Timing, game: Game, before: Phase | None, event: Event[Payload], bots: Collection[str]
) -> Timing:
    """The times after the event; `before` is the game's state before it, `bots` are the actors that play as bots then.

    The seats that the game now waits for are not considered yet. Everything follows from what everybody may know of the
    event.
    """
    public = event.public
    timing = timing.recorded(event.at, event.version, first=isinstance(public, CardsDealt))
    if timing.clock is None:
        return timing
    act = _act_of(game, before, event, bots)
    if act is not None:
        timing = timing.acted(act)
    match public:
        case CardsDealt():
            return timing.dealt(public.clocks or ())
        case DealScored() | GameFinished():
            return timing.stopped()
        case SeatResumed() | SubstituteSeated():
            return timing.resumed(public.seat)
        case _:
            return timing


def _act_of(game: Game, before: Any, event: Event[Payload], bots: Collection[str]) -> SeatAct | None:
    """The act that the game waited for, if the event is one; otherwise None."""
    public, actor = event.public, event.actor
    ready = isinstance(public, PlayerReady)
    if isinstance(public, TablePayload) and not ready:
        return None
    if actor == CLOCK:
        timer = None if ready else game.decider.timer(before)
        if timer is not None and type(timer.event) is type(public):
            return None
        return SeatAct(cast("Any", public).seat, by_player=False)
    seat = bot_in(actor) if actor in bots else seat_in(actor)
    if seat is None or (not ready and _needs_no_turn(game, before, event)):
        return None
    return SeatAct(seat, by_player=True)


def _needs_no_turn(game: Game, before: Any, event: Event[Payload]) -> bool:
    """Whether a seat's act is one that needs no turn. Talk is; an act whose section is not open counts as
    needing one.
    """
    if event.public.SECTIONS.keys() == {PUBLIC}:
        return True
    action = game.decider.action_of(event)
    return action is not None and tag_of(action) in before.FREE
