"""A player without foresight: what a seat does by a rule of thumb, so that deals come to a sensible end cheaply."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.kernel.offers import Offer, OneOf
from domain.seats import Seat

Policy: TypeAlias = Callable[[Any, Seat, Sequence[Offer], Callable[[int], int]], Offer | None]
"""The offer that a seat takes, which may be narrowed to some of its values, from a state as any audience knows it, the
seat's own offers, of which there is one at least, and chance: given n ≥ 1, a number from 0 to n − 1. None: nothing is
worth doing now.
"""


class RuleOfThumb(Struct, frozen=True):
    """How seats play without foresight in a game that cards played by chance would not bring to a sensible end."""

    policy: Policy
    alone: bool = False
    """Whether the rule decides alone, since looking ahead brings nothing in a race."""
    horizon: int = 0
    """The number of acts after which a deal is valued as if it were over; 0: it is played to its end."""
    over: Callable[[Any, int], Any] | None = None
    """The house's state as if the deal had ended with the event of this version."""


def cards_in(offer: Offer) -> tuple[Card, ...]:
    """The cards that the offer's field `card` lists; none if it has no such field."""
    field = offer.fields.get("card")
    return tuple([value for value in field.values if isinstance(value, str)]) if isinstance(field, OneOf) else ()


def narrowed(offer: Offer, card: Card) -> Offer:
    """The offer with this card alone."""
    return Offer(offer.type, {**offer.fields, "card": OneOf((card,))})
