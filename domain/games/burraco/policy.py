"""A rule of thumb for Burraco: meld all that can be melded, and discard any card."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain.games.burraco.state import Drawing, State
from domain.kernel.offers import Offer
from domain.seats import Seat

SELDOM = 4
"""The pile is taken once in so many draws."""

HORIZON = 24
"""The acts that are played on before a deal is valued: four to six turns."""


def policy(_state: State, _seat: Seat, offers: Sequence[Offer], chance: Callable[[int], int]) -> Offer:
    """An offer to add, otherwise to lay, otherwise to discard; at a draw mostly the stock."""
    kinds = {offer.type for offer in offers}
    if "draw" in kinds:
        kind = "draw" if chance(SELDOM) else "take-pile"
    else:
        kind = next(kind for kind in ("add", "lay", "discard") if kind in kinds)
    among = [offer for offer in offers if offer.type == kind]
    return among[chance(len(among))]


def over(state: State, version: int) -> Drawing:
    """The deal as if the stock had come to its end."""
    return Drawing(replace(state.common, stock=()), state.turn, discarded=version)
