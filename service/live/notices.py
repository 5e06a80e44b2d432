"""Notices for a player's stream and webhooks: it is the player's turn, or one of the player's games has changed.

A notice follows from one event and goes to a player at its table. One event may cause two notices for a player.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.events import (
    DealScored,
    DisputeRuled,
    GameFinished,
    GameStarted,
    TableClosed,
    TableExpired,
    TableOpened,
)
from service.live.live_event import Turn

Kind: TypeAlias = Literal[
    "your-turn", "game-started", "deal-scored", "game-over", "table-closed", "dispute-ruled", "rematch"
]
KINDS: tuple[Kind, ...] = get_args(Kind)

OF_EVENTS: Mapping[str, Kind] = {
    GameStarted.TYPE: "game-started",
    DealScored.TYPE: "deal-scored",
    GameFinished.TYPE: "game-over",
    TableClosed.TYPE: "table-closed",
    TableExpired.TYPE: "table-closed",
    DisputeRuled.TYPE: "dispute-ruled",
    TableOpened.TYPE: "rematch",
}
"""The notice that an event of each type is to all players of its table; a table has players when it opens if it is a
rematch.
"""


def notices_of(record: Recorded, turn: Turn, seat: Seat) -> tuple[Kind, ...]:
    """The notices of an event for the player in a seat; `turn` is the turn after the event."""
    of_event = OF_EVENTS.get(record.type)
    own: tuple[Kind, ...] = () if of_event is None else (of_event,)
    return (*own, "your-turn") if seat in turn.entering else own
