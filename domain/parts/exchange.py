"""Exchanging cards with the talon: each in turn discards face down and draws as many from the top."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from domain.cards import Card, Suit, suit_of
from domain.fair.deck import Deck, Opening
from domain.kernel.event import Event, Payload, Reveals
from domain.kernel.hands import Hands, Pile, with_hand
from domain.seats import Seat, seat_audience


class TalonTurned(Payload, frozen=True, gc=False):
    """The talon's top card was turned up and fixes trumps."""

    TYPE: ClassVar = "talon-turned"
    REVEALS: ClassVar = Reveals(to_all="card")

    card: Card
    trump: Suit
    opening: Opening


class ExchangedCards(Struct, frozen=True, gc=False):
    """What was discarded (sorted) and drawn unseen (in the order drawn)."""

    discarded: tuple[Card, ...]
    drawn: tuple[Opening, ...]


class CardsExchanged(Payload, frozen=True, gc=False):
    """A player discarded `count` cards and drew as many."""

    TYPE: ClassVar = "cards-exchanged"
    SECTIONS: ClassVar = {"seat": ExchangedCards}
    REVEALS: ClassVar = Reveals(to_seats="drawn", hides=True)

    seat: Seat
    count: int


class Exchanged(Struct, frozen=True, gc=False):
    """How many cards a player exchanged."""

    seat: Seat
    count: int


class Exchange(Struct, frozen=True, gc=False):
    """An exchange under way: what can still be drawn, who is still to exchange, in turn, and what was exchanged."""

    talon: Pile
    queue: tuple[Seat, ...]
    done: tuple[Exchanged, ...] = ()

    @property
    def turn(self) -> Seat | None:
        """Who exchanges next; None when all have."""
        return self.queue[0] if self.queue else None

    def turned(self, card: Card) -> "Exchange":
        """With the talon's top card face up."""
        return Exchange((card, *self.talon[1:]), self.queue, self.done)


def turning(deck: Deck, place: int) -> Event[TalonTurned]:
    """The event of turning up the card at this place in the pack."""
    opening = deck.opening(place)
    return Event(TalonTurned(opening.card, suit_of(opening.card), opening))


def still_to_exchange(queue: Sequence[Seat], left: int) -> tuple[Seat, ...]:
    """Who comes after the first in the queue; for whom no card is left is passed over."""
    return tuple(queue[1:]) if left else ()


def openings(deck: Deck, cards: Pile) -> tuple[Opening, ...]:
    """What proves these cards to who draws them."""
    return deck.openings_of(card for card in cards if card is not None)


def exchanging(
    exchange: Exchange, deck: Deck, order: Mapping[Card, int], seat: Seat, discard: Sequence[Card]
) -> Event[CardsExchanged]:
    """The event of a seat's exchange; only the seat is told the cards."""
    drawn = openings(deck, exchange.talon[: len(discard)])
    cards = ExchangedCards(tuple(sorted(discard, key=order.__getitem__)), drawn)
    return Event(CardsExchanged(seat, len(discard)), {seat_audience(seat): cards})


def after(
    exchange: Exchange, hands: Hands, event: Event[CardsExchanged], order: Mapping[Card, int]
) -> tuple[Exchange, Hands]:
    """The exchange and the hands after the event, as far as the audience was told of it."""
    public = event.public
    own = event.section(seat_audience(public.seat), ExchangedCards)
    drawn: Pile = tuple(opening.card for opening in own.drawn) if own else exchange.talon[: public.count]
    hand = hands[public.seat].exchanged(own.discarded if own else None, public.count, drawn, order)
    talon = exchange.talon[public.count :]
    done = (*exchange.done, Exchanged(public.seat, public.count))
    return Exchange(talon, still_to_exchange(exchange.queue, len(talon)), done), with_hand(hands, public.seat, hand)
