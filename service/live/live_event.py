"""An event on its way to subscribers, encoded once for each audience."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence

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
    """By seat; when a rematch opens, the players for whom seats are kept, but for the one who opens it."""
    entering: frozenset[Seat]
    """The seats whose turn it has become by the event."""


NOBODYS = Turn((), frozenset())


def turn_of(game: Game, before: Table | None, after: Table) -> Turn:
    """Whose turn it is after an event; `before` and `after` are the table's folds around it.

    Only the house's fold knows who opens a rematch.
    """
    players = after.players
    if before is None and after.rematch is not None:
        players = tuple(None if player == after.opener else player for player in after.rematch.players)
    entering = frozenset(to_act(game, after)) - frozenset(to_act(game, before) if before else ())
    return Turn(players, entering)


class LiveEvent:
    """An event, with what has been made of it for subscribers."""

    __slots__ = ("_frames", "_making", "folds", "late", "more", "offers", "record", "turn", "views")

    def __init__(self, record: Recorded, *, more: bool, late: bool = False) -> None:
        self.record = record
        self.more = more
        """Whether another event of its act follows."""
        self.late = late
        """Whether it is on its way to spectators who follow late."""
        self._frames: dict[Hashable, bytes] = {}
        self._making: dict[str, asyncio.Event] = {}
        self.folds: dict[Audience, Table] = {}
        """The tables after the event, as the audiences know them: a subscriber may come to it when others are ahead."""
        self.views: dict[Audience, bytes] = {}
        """The views after the event, as JSON."""
        self.offers: dict[Audience, bytes] = {}
        """The offers after the event, as JSON."""
        self.turn: Turn | None = None
        """None until it is computed."""

    async def once(self, key: str, make: Callable[[], Awaitable[None]]) -> None:
        """Runs `make`, or waits while another caller runs it. Raises what `make` raises."""
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
        """The frames for this key, shared by all who read them. Raises what `make` raises."""
        frames = self._frames.get(key)
        if frames is None:
            frames = self._frames[key] = await make()
        return frames

    def frame(self, audience: Audience, form: Form, view: bytes | None, offers: bytes | None) -> bytes:
        """The event's frame in its table's stream, redacted as at the time of the event, with `view` and `offers` if
        given.
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
    """The event's JSON in a stream, redacted as at its time, with whether another event of its act follows."""
    return b'%b,"more":%b}' % (served(record, audience, over=False)[:-1], b"true" if more else b"false")


def seat_change(record: Recorded) -> tuple[Seat, str | None] | None:
    """The seat that changes hands by the event, and its new player; None if no seat does."""
    if record.type not in ("seat-taken", "seat-left"):
        return None
    public = msgspec.json.decode(record.public)
    return public["seat"], public.get("player")


def kept_seats(record: Recorded) -> Sequence[str]:
    """The players by seat for whom the event keeps the seats of a rematch; none at other tables."""
    if record.type != "table-opened":
        return ()
    rematch = msgspec.json.decode(record.public).get("rematch")
    return () if rematch is None else rematch["players"]
