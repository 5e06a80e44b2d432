"""The toy's fixed facts: cards, deal, seats and sides, options."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.cards import JOKER, Card, pack_of
from domain.fair.lots import FirstDealer, Lots
from domain.kernel.course import Deals, Standing
from domain.kernel.dealing import Drawn, Portion, Shuffle, face_down, face_up, hand_of, in_batches
from domain.parts.sides import OPPOSITE, highest_together, number_of
from domain.seats import Audience, Seat, clockwise, seat_audience

NAME = "toy"
TITLE = "Toy"
SEATS = 4
SIDES = OPPOSITE

side = number_of
"""The number of a seat's side."""
winners = highest_together()
"""The players of the side with more points, all if both have as many (TY-1.4)."""

VALUES = {JOKER: 5, "4": 4, "3": 3, "2": 2, "A": 1}
"""By rank (TY-1.2)."""
PACK = pack_of("432A", copies=2, jokers=1)
ORDER = PACK.order

HAND = 2
BATCHES = 2
"""How many batches of one card each are dealt during a deal (TY-3.5)."""
STOCK = 5

TABLE, BLIND, BROW, REST = "table", "blind", "brow", "stock"
"""The piles, besides hands."""
DEALT = 1 + SEATS * (HAND + 2) + STOCK

MOST_DEALS = 99


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a table may settle otherwise than by default."""

    target: Annotated[int, Meta(ge=1, le=100, description="The points that end the game (TY-1.4).")] = 6
    limit: Annotated[int, Meta(ge=0, le=3600, description="The seconds for a turn; 0 for no limit (TY-3.6).")] = 60


def seats(_: Options) -> int:
    """The number of seats (TY-1.1)."""
    return SEATS


def sides(_: Options) -> tuple[tuple[Seat, ...], ...]:
    """Partners sit opposite each other (TY-1.1)."""
    return SIDES


def partner(seat: Seat) -> Seat:
    """The seat opposite (TY-1.1)."""
    return (seat + 2) % SEATS


def others(seat: Seat) -> tuple[Audience, ...]:
    """All other seats."""
    return tuple(seat_audience(other) for other in range(SEATS) if other != seat)


def value(card: Card) -> int:
    """What the card counts (TY-1.2)."""
    return VALUES[PACK.rank(card)]


def deals(_: Options) -> Deals:
    """The bound of a game to a target (TY-1.4)."""
    return Deals(MOST_DEALS, 1, MOST_DEALS, "TY-1.4")


def nobody(_: Lots) -> FirstDealer:
    """No player deals (TY-1.1)."""
    return FirstDealer(None)


def no_dealer(_: Standing) -> None:
    """No player deals (TY-1.1)."""


def eldest(deal: int) -> Seat:
    """The seat that begins a deal (TY-1.1)."""
    return (deal - 1) % SEATS


def over(standing: Standing) -> str | None:
    """The reason why the game is over once a player has the points of the target (TY-1.4)."""
    return "target reached" if max(standing.totals) >= standing.options.target else None


def draw(_: Standing, shuffle: Shuffle) -> Drawn:
    """The cards that are dealt of the shuffled pack; shuffled anew for as long as an ace or the joker lies on top
    (TY-1.3).
    """
    cards = shuffle("codille-deal", PACK.cards)
    rejected: list[tuple[Card, ...]] = []
    while PACK.rank(cards[0]) in (JOKER, "A"):
        rejected.append((cards[0],))
        cards = shuffle(f"codille-redeal-{len(rejected)}", PACK.cards)
    return Drawn(tuple(cards[:DEALT]), tuple(rejected))


def portions(standing: Standing) -> tuple[Portion, ...]:
    """A card to the table; hands; a card that nobody sees, one that all others see; the rest (TY-1.3)."""
    order = clockwise(eldest(standing.deal), SEATS)
    at = [1 + SEATS * cards for cards in (0, HAND, HAND + 1, HAND + 2)]
    hands = in_batches(order, (1,) * HAND)
    return (
        face_up(TABLE, (0,)),
        *(hand_of(seat, [at[0] + place for place in places]) for seat, places in hands.items()),
        *(face_down(BLIND, (at[1] + place,), seat) for place, seat in enumerate(order)),
        *(Portion((at[2] + place,), seat, BROW, others(seat)) for place, seat in enumerate(order)),
        face_down(REST, range(at[3], DEALT)),
    )
