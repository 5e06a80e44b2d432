"""How the cards of a deal are drawn and dealt, which audiences learn them, and what is booked with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from domain.cards import Card, Pack
from domain.fair.deck import Deck, Opening
from domain.kernel.course import Standing, dealer_of
from domain.kernel.hands import Hand, Pile
from domain.kernel.ledger import Transfer
from domain.seats import HOUSE, PUBLIC, Audience, Seat, seat_audience

HAND = "hand"
TALON = "talon"

Shuffle: TypeAlias = Callable[[str, Sequence[Card]], list[Card]]
"""Shuffles cards under a label, with the deal's seed and all entropies."""


class Drawn(Struct, frozen=True, gc=False):
    """The cards of a deal from the top, and the orders that were rejected before this one."""

    cards: tuple[Card, ...]
    rejected: tuple[tuple[Card, ...], ...] = ()


class Portion(Struct, frozen=True, gc=False):
    """Places of the drawn cards that are dealt together as one pile, to a seat or (None) to the table.

    `learns` are the audiences that get the openings: seats, or the public. If empty, only the house knows the cards. A
    card that its own seat does not learn is in no hand, so no offer can be read from it.
    """

    places: tuple[int, ...]
    to: Seat | None
    pile: str
    learns: tuple[Audience, ...] = ()


def hand_of(seat: Seat, places: Iterable[int]) -> Portion:
    """The portion that is a seat's hand, which its player alone learns."""
    return Portion(tuple(places), seat, HAND, (seat_audience(seat),))


def face_down(pile: str, places: Iterable[int], to: Seat | None = None) -> Portion:
    """The portion that is a pile nobody may look at."""
    return Portion(tuple(places), to, pile)


def face_up(pile: str, places: Iterable[int], to: Seat | None = None) -> Portion:
    """The portion that is a pile everybody sees."""
    return Portion(tuple(places), to, pile, (PUBLIC,))


def in_batches(order: Sequence[Seat], batches: Sequence[int]) -> dict[Seat, list[int]]:
    """The places of each seat's hand, dealt from the top: each batch gives that many cards to each seat of `order` in
    turn.
    """
    places: dict[Seat, list[int]] = {seat: [] for seat in order}
    place = 0
    for batch in batches:
        for seat in order:
            places[seat] += range(place, place + batch)
            place += batch
    return places


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=256)
def hands_and_talon(order: tuple[Seat, ...], batches: tuple[int, ...], cards: int) -> tuple[Portion, ...]:
    """Hands dealt in batches to the seats of `order`; the rest of the `cards` cards is the talon, face down."""
    hands = in_batches(order, batches)
    dealt = len(order) * sum(batches)
    talon = (face_down(TALON, range(dealt, cards)),) if dealt < cards else ()
    return (*(hand_of(seat, places) for seat, places in hands.items()), *talon)


@lru_cache(maxsize=256)
def places_learnt(portions: tuple[Portion, ...]) -> Mapping[Audience, tuple[int, ...]]:
    """The places whose openings each audience gets with the deal, ascending. The house gets those that nobody else
    gets.
    """
    places: dict[Audience, list[int]] = {}
    for portion in portions:
        for audience in portion.learns or (HOUSE,):
            places.setdefault(audience, []).extend(portion.places)
    return {audience: tuple(sorted(learnt)) for audience, learnt in places.items()}


class Dealt(Struct, frozen=True, gc=False):
    """The start of a deal: the standing, and the cards as far as the audience knows them."""

    standing: Standing
    deck: Deck
    portions: tuple[Portion, ...]
    order: Mapping[Card, int]
    """Each card's index in the sorted pack."""
    version: int
    """The version of the event that dealt the cards."""

    def pile(self, name: str, seat: Seat | None = None) -> Pile:
        """The pile of this name, on the table or of a seat; empty if nothing was dealt to it."""
        cards = self.deck.cards
        return tuple(
            [cards[place] for each in self.portions if each.to == seat and each.pile == name for place in each.places]
        )

    def hand(self, seat: Seat) -> Hand:
        """The hand that was dealt to the seat; empty if the seat sits out."""
        return Hand.of(self.pile(HAND, seat), self.order)

    @property
    def options(self) -> Any:
        """The options of the table."""
        return self.standing.options

    @property
    def dealer(self) -> Seat:
        """The dealer. Raises ValueError in a game without one."""
        return dealer_of(self.standing)

    @property
    def talon(self) -> Pile:
        """The cards left on the table once the hands are dealt."""
        return self.pile(TALON)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Every seat's hand, by seat."""
        return tuple([self.hand(seat) for seat in range(len(self.standing.totals))])


class DealtHand(Struct, frozen=True, gc=False):
    """The openings that a seat learns with the deal: its own cards, in the order of their places."""

    cards: tuple[Opening, ...]


class DealtTalon(Struct, frozen=True, gc=False):
    """The house's secrets of a deal: the cards that nobody learns, by their places, and the seed in hex."""

    talon: tuple[Opening, ...]
    seed: str


def nothing_booked(*_: object) -> tuple[Transfer, ...]:
    """No transfers: the game books nothing but the scores of deals."""
    return ()


class Dealing(Struct, frozen=True):
    """How cards are drawn and dealt in a game."""

    draw: Callable[[Standing, Shuffle], Drawn]
    portions: Callable[[Standing], tuple[Portion, ...]]
    """Where each drawn card goes; every place is in exactly one portion."""
    antes: Callable[[Standing, int], tuple[Transfer, ...]] = nothing_booked
    """Payments when the cards are dealt; the number is the version of `cards-dealt`."""
    shares: Callable[[Standing, int], tuple[Transfer, ...]] = nothing_booked
    """Payments at the end; the number is the version of `game-finished`."""
    undealt: frozenset[Card] = frozenset()
    """The cards of the pack that are never dealt, which everybody knows."""


def whole_pack(pack: Pack) -> Callable[[Standing, Shuffle], Drawn]:
    """A draw that shuffles the whole pack, under the label `codille-deal`."""

    def draw(_: Standing, shuffle: Shuffle) -> Drawn:
        return Drawn(tuple(shuffle("codille-deal", pack.cards)))

    return draw
