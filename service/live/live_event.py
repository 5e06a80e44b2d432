"""An event on its way to its readers: encoded once for all of an audience."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.record.envelope import served
from domain.record.recorded import Recorded
from domain.seats import Audience, Seat
from domain.table.state import Table
from domain.table.view import to_act
from service.live.frames import Form, table_frame


class Turn(Struct, frozen=True):
    """Whose turn it is after an event."""

    players: tuple[str | None, ...]
    """By seat."""
    entering: frozenset[Seat]
    """The seats whose turn it is now and was not before the event."""


NOBODYS = Turn((), frozenset())


def turn_of(game: Game, before: Table | None, after: Table) -> Turn:
    """Whose turn it is after an event, which led from one fold of its table to the next."""
    entering = frozenset(to_act(game, after)) - frozenset(to_act(game, before) if before else ())
    return Turn(after.players, entering)


class LiveEvent:
    """An event, with what was made of it for its readers."""

    __slots__ = ("_frames", "_making", "more", "offers", "record", "turn", "views")

    def __init__(self, record: Recorded, *, more: bool) -> None:
        self.record = record
        self.more = more
        """Whether another event of its act follows."""
        self._frames: dict[Hashable, bytes] = {}
        self._making: dict[str, asyncio.Event] = {}
        self.views: dict[Audience, bytes] = {}
        """The views after the event, as JSON."""
        self.offers: dict[Audience, bytes] = {}
        """The offers after the event, as JSON."""
        self.turn: Turn | None = None
        """None if it was not looked at."""

    async def once(self, key: str, make: Callable[[], Awaitable[None]]) -> None:
        """Makes something of the event, or waits for who makes it at the moment. Raises what `make` raises."""
        making = self._making.get(key)
        if making is not None:
            await making.wait()
            return
        done = self._making[key] = asyncio.Event()
        try:
            await make()
        finally:
            del self._making[key]
            done.set()

    async def made(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The frames of this key, which all who read them share. Raises what `make` raises."""
        frames = self._frames.get(key)
        if frames is None:
            frames = self._frames[key] = await make()
        return frames

    def frame(self, audience: Audience, form: Form, view: bytes | None, offers: bytes | None) -> bytes:
        """The event's frame in its table's stream, as it was told when it happened.

        With the view after it and with the offers after it, where they are given.
        """
        key = (audience, form, view is not None, offers is not None)
        made = self._frames.get(key)
        if made is None:
            made = self._frames[key] = event_frame(self.record, audience, form, self.more, view, offers)
        return made


def event_frame(
    record: Recorded, audience: Audience, form: Form, more: bool, view: bytes | None, offers: bytes | None
) -> bytes:
    """The frame of an event of a table's stream; see `LiveEvent.frame`."""
    event = streamed(record, audience, more=more)
    if view is not None:
        event = b'%b,"view":%b}' % (event[:-1], view)
    if offers is not None:
        event = b'%b,"offers":%b}' % (event[:-1], offers)
    return table_frame(form, "event", event, record.version)


def streamed(record: Recorded, audience: Audience, *, more: bool) -> bytes:
    """The event as a stream tells it: as it was told when it happened, and whether another one of its act follows."""
    return b'%b,"more":%b}' % (served(record, audience, over=False)[:-1], b"true" if more else b"false")


def seat_change(record: Recorded) -> tuple[Seat, str | None] | None:
    """The seat that changes hands by the event, and who takes it; None where none does."""
    if record.type not in ("seat-taken", "seat-left"):
        return None
    public = msgspec.json.decode(record.public)
    return public["seat"], public.get("player")
