"""What an event does with cards that its public payload does not name, for readers who may not open its sections.

An opponent at the table needs it to imagine the cards that it does not see.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.action import Action
from domain.kernel.event import Payload
from domain.seats import Audience, Seat


class UnseenDraw(NamedTuple):
    """Cards that come unseen to a seat's hand, from the top of a pile on the table or of a seat."""

    seat: Seat
    pile: str
    of: Seat | None = None
    number: int | None = None
    """How many cards; None for the whole pile."""


class Renewal(NamedTuple):
    """A pile of known cards in an order that nobody knows, at new places of the deal."""

    pile: str
    cards: tuple[Card, ...]
    sealed: Callable[[tuple[Opening, ...]], Mapping[Audience, Struct]]
    """The event's sections for these openings."""


def nothing_leaves(_: Any) -> int:
    """No card leaves the hand unseen."""
    return 0


def nowhere(_: Any) -> None:
    """The cards that leave the hand are out of play."""


def nothing_drawn(_state: Any, _payload: Any) -> tuple[UnseenDraw, ...]:
    """No card comes to a hand."""
    return ()


def nothing_known(_: Any) -> tuple[Card, ...]:
    """The section names no card that left a hand."""
    return ()


class Unseen(Struct, frozen=True):
    """How an event moves cards unseen. Its functions take the state before it, as any audience knows it, and the
    payload.
    """

    leaving: Callable[[Any], int] = nothing_leaves
    """How many cards that the payload does not name leave the hand of its seat."""
    to: Callable[[Any], Seat | str | None] = nowhere
    """The seat to whose hand they go, or the pile on the table, in the order of their places; None out of play."""
    draws: Callable[[Any, Any], tuple[UnseenDraw, ...]] = nothing_drawn
    """The cards that come to hands, after those left."""
    renewal: Callable[[Any], Renewal] | None = None
    """The pile that is made anew."""
    known: Callable[[Any], Sequence[Card]] = nothing_known
    """The cards that left the hand, from the section of a seat that may open one."""
    act: Callable[[Any, Any, tuple[Card, ...], Sequence[Payload]], Action | None] | None = None
    """The act behind the event, for the house's state before it, the payload, the cards that left the hand unseen, and
    the payloads of the deal that followed so far; it is None if the hand does not allow one. Without this function the
    event is automatic.
    """
