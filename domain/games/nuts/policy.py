"""A rule of thumb for Nuts: bring a card to the middle, or out of the reserve; otherwise turn the stock."""

from collections.abc import Callable, Sequence

from domain.games.nuts.acts import source_of
from domain.games.nuts.state import Layout, State
from domain.kernel.offers import Offer
from domain.kernel.policy import cards_in, narrowed
from domain.seats import Seat

_TURNED = 3
"""The cards that are turned at once (NU-4.1)."""


def policy(state: State, seat: Seat, offers: Sequence[Offer], _chance: Callable[[int], int]) -> Offer | None:
    """The offer by the rule of thumb; None if the seat has said that it is stuck, and nothing has changed since."""
    layout = state.layouts[seat]
    kinds = {offer.type: offer for offer in offers}
    if "nuts" in kinds:
        return kinds["nuts"]
    founds = [offer for offer in offers if offer.type == "found"]
    if founds:
        # A card of the reserve first: each card left there costs points (NU-9.2).
        return next((offer for offer in founds if cards_in(offer)[0] in layout.reserve[:1]), founds[0])
    builds = [(offer, card) for offer in offers if offer.type == "build" for card in cards_in(offer)]
    for source in ("reserve", "discards"):
        for offer, card in builds:
            if source_of(layout, card) == source:
                return narrowed(offer, card)
    if layout.stuck:
        return None
    if "stuck" in kinds and _in_vain(state, layout):
        return kinds["stuck"]
    return kinds.get("turn") or kinds.get("flip") or kinds.get("stuck")


def _in_vain(state: State, layout: Layout) -> bool:
    """Whether every player can have gone through the stock since the last progress."""
    cards = len(layout.stock) + len(layout.discards)
    return state.idle > len(state.layouts) * (cards // _TURNED + 2)
