"""Tëtka's fixed facts: cards, deal, seats."""

from collections.abc import Mapping

from msgspec import Struct

from domain.cards import RANKS, Card, pack_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import HAND, Portion, hand_of, in_batches
from domain.parts.ranks import ranking
from domain.parts.turns import Clockwise
from domain.seats import PUBLIC, Seat, seat_audience

SEATS = 4
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (TE-1.1, TE-1.3)."""

PACK = pack_of(RANKS)
"""52 cards, high to low in every suit (TE-2.1)."""
RANKING = ranking(PACK)
"""The only ranking: there are no trumps (TE-2.1)."""
TRICKS = len(PACK) // SEATS

LAST_PLACE = len(PACK) - 1
"""The place of the bum card, which the dealer gets (TE-2.2, TE-2.3)."""

DEFAULT_DEALS = 4
MAX_DEALS = 96


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The only choice when a table is opened is the number of deals (TE-1.2)."""


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed (TE-1.2)."""
    return Deals(DEFAULT_DEALS, SEATS, MAX_DEALS, "TE-1.2", multiple_of=SEATS)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: one at a time from the dealer's left on, the last one shown to all (TE-2.2, TE-2.3)."""
    return _PORTIONS[dealer_of(standing)]


def _portions(dealer: Seat) -> tuple[Portion, ...]:
    places = in_batches(TURNS.order_of_turns(dealer), (1,) * TRICKS)
    hands = [hand_of(seat, [place for place in own if place != LAST_PLACE]) for seat, own in places.items()]
    return (*hands, Portion((LAST_PLACE,), dealer, HAND, (PUBLIC, seat_audience(dealer))))


_PORTIONS: Mapping[Seat, tuple[Portion, ...]] = {dealer: _portions(dealer) for dealer in range(SEATS)}


def bum_card(cards: tuple[Card | None, ...]) -> Card:
    """The bum card among the cards of a deal by their places. Raises ValueError if it is not known."""
    card = cards[LAST_PLACE]
    if card is None:
        raise ValueError("everybody knows the bum card")
    return card
