"""Notices: what a player's stream and webhooks tell. It is the player's turn, or something became of one of the games.

A notice follows from one event and goes to who sits at its table. One event may have two notices for a player.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.events import DealScored, DisputeRuled, GameFinished, GameStarted
from service.live.live_event import Turn

Kind: TypeAlias = Literal["your-turn", "game-started", "deal-scored", "game-over", "dispute-ruled"]
KINDS: tuple[Kind, ...] = get_args(Kind)

OF_EVENTS: Mapping[str, Kind] = {
    GameStarted.TYPE: "game-started",
    DealScored.TYPE: "deal-scored",
    GameFinished.TYPE: "game-over",
    DisputeRuled.TYPE: "dispute-ruled",
}
"""By the type of an event, what it is to the players of its table."""


def notices_of(record: Recorded, turn: Turn, seat: Seat) -> tuple[Kind, ...]:
    """The notices of an event for the player in a seat; `turn` is whose turn it is after the event."""
    of_event = OF_EVENTS.get(record.type)
    own: tuple[Kind, ...] = () if of_event is None else (of_event,)
    return (*own, "your-turn") if seat in turn.entering else own
