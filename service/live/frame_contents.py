"""The contents of streams' frames: for each stream, its kinds of frames and the type of their JSON."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.state import Status
from service.live.frames import Dropped, Kind
from service.live.notices import Kind as NoticeKind
from service.observability.stream_metrics import StreamKind


class TableSnapshot(Struct, frozen=True):
    """Where a table's stream begins: the subscriber's view, and the version that it shows."""

    version: int
    view: Raw
    offers: Annotated[
        Raw | UnsetType, Meta(description="With `offers=true`: what the subscriber's seat may do at this version.")
    ] = UNSET


class SeatPresence(Struct, frozen=True):
    """Whether a seat's player is connected."""

    seat: Seat
    connected: Annotated[bool, Meta(description="false for a free seat, and for a bot's.")]


class PresenceChange(Struct, frozen=True):
    """Who is connected at a table, as it changes."""

    table: str
    seats: Annotated[tuple[SeatPresence, ...], Meta(description="All seats, in their order.")]


class PlayersTable(Struct, frozen=True):
    """A table at which a player sits, and whether it is the player's turn there."""

    table: str
    game: str
    status: Status
    version: int
    seat: Seat
    your_turn: Annotated[bool, Meta(description="Whether the player must act.")]


class PlayerSnapshot(Struct, frozen=True):
    """Where a player's stream begins: the tables at which the player sits and that are not over."""

    position: Annotated[int, Meta(description="The position of the log up to which it tells everything.")]
    player: str
    tables: Annotated[tuple[PlayersTable, ...], Meta(description="The tables, in no order.")]


class Notice(Struct, frozen=True):
    """What an event means to a player; there is one for each position of the log that concerns the player."""

    position: Annotated[int, Meta(description="The event's position in the log.")]
    table: str
    game: str
    version: Annotated[int, Meta(description="The event's version.")]
    at: Annotated[str, Meta(description="When the event happened (RFC 3339).")]
    seat: Seat
    notices: Annotated[tuple[NoticeKind, ...], Meta(description="What the player is told.")]
    more: Annotated[bool, Meta(description="Whether another event of the same act follows at the table.")]
    view: Annotated[
        Raw | UnsetType, Meta(description="With `view=true`: the player's view of the table after the event.")
    ] = UNSET


class LobbySnapshot(Struct, frozen=True):
    """Where the lobby's stream begins: the open and the running tables that lists show, the newest of each."""

    position: Annotated[int, Meta(description="The position of the log up to which it tells everything.")]
    tables: Annotated[tuple[Raw, ...], Meta(description="The open and the running tables, the newest of each first.")]


FRAMES: Mapping[StreamKind, Mapping[Kind, type[Struct]]] = {
    "table": {"snapshot": TableSnapshot, "event": Recorded, "presence": PresenceChange, "dropped": Dropped},
    "player": {"snapshot": PlayerSnapshot, "reset": PlayerSnapshot, "event": Notice, "dropped": Dropped},
    "lobby": {"snapshot": LobbySnapshot, "reset": LobbySnapshot, "event": Recorded, "dropped": Dropped},
}
"""The frames of each stream, and what their JSON holds; `Recorded` is an event as it is served."""
