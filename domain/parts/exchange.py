"""Exchanging cards with the talon: each seat in turn discards face down and draws as many from the top."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from domain.cards import Card, Pack, Suit
from domain.fair.deck import Deck, Opening
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Count, Row
from domain.kernel.event import Event, Payload, Reveals
from domain.kernel.hands import Hands, Pile, with_hand
from domain.kernel.unseen import Unseen, UnseenDraw
from domain.parts.piles import openings_of_pile
from domain.seats import Seat, seat_audience


class ExchangeCards(Action, frozen=True, tag="exchange"):
    """Discard cards and draw as many. A game's own action names the rule."""

    discard: tuple[Card, ...] = ()


class TalonTurned(Payload, frozen=True, gc=False):
    """The talon's top card was turned up and fixes trumps."""

    TYPE: ClassVar = "talon-turned"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = Reveals(to_all="card")

    card: Card
    trump: Suit
    opening: Opening


class ExchangedCards(Struct, frozen=True, gc=False):
    """The cards discarded (sorted) and drawn unseen (in the order drawn)."""

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
    """The number of cards that a player exchanged."""

    seat: Seat
    count: int


class Exchange(Struct, frozen=True, gc=False):
    """An exchange in progress: the cards left to draw, the seats still to exchange, in turn, and the exchanges made."""

    talon: Pile
    queue: tuple[Seat, ...]
    done: tuple[Exchanged, ...] = ()

    @property
    def turn(self) -> Seat | None:
        """The seat that exchanges next; None when all have."""
        return self.queue[0] if self.queue else None

    def turned(self, card: Card) -> "Exchange":
        """The exchange after the talon's top card was turned up."""
        return Exchange((card, *self.talon[1:]), self.queue, self.done)


def turn_up_event(deck: Deck, pack: Pack, place: int) -> Event[TalonTurned]:
    """The event that turns up the card at this place in the pack. Raises ValueError on any deck but the house's."""
    opening = deck.opening(place)
    return Event(TalonTurned(opening.card, pack.suit(opening.card), opening))


def still_to_exchange(queue: Sequence[Seat], left: int) -> tuple[Seat, ...]:
    """The queue after its first seat has exchanged: empty if no card is left to draw."""
    return tuple(queue[1:]) if left else ()


def exchange_event(
    exchange: Exchange, deck: Deck, order: Mapping[Card, int], seat: Seat, discard: Sequence[Card]
) -> Event[CardsExchanged]:
    """The event of a seat's exchange; its section holds the cards. Raises ValueError on any deck but the house's."""
    drawn = openings_of_pile(deck, exchange.talon[: len(discard)])
    cards = ExchangedCards(tuple(sorted(discard, key=order.__getitem__)), drawn)
    return Event(CardsExchanged(seat, len(discard)), {seat_audience(seat): cards})


def evolve_exchange(
    exchange: Exchange, hands: Hands, event: Event[Payload], public: CardsExchanged, order: Mapping[Card, int]
) -> tuple[Exchange, Hands]:
    """The exchange and the hands after the event with this payload, as far as the audience knows the cards."""
    cards = event.section(seat_audience(public.seat), ExchangedCards)
    drawn: Pile = tuple(opening.card for opening in cards.drawn) if cards else exchange.talon[: public.count]
    hand = hands[public.seat].exchanged(cards.discarded if cards else None, public.count, drawn, order)
    talon = exchange.talon[public.count :]
    done = (*exchange.done, Exchanged(public.seat, public.count))
    return Exchange(talon, still_to_exchange(exchange.queue, len(talon)), done), with_hand(hands, public.seat, hand)


def unseen_exchange(kind: type[ExchangeCards], pile: str) -> Unseen:
    """What an exchange moves unseen: the discards, out of play, and as many cards from the top of the pile."""

    def act(_state: object, _payload: CardsExchanged, discard: tuple[Card, ...], _later: object) -> Action:
        return kind(discard)

    return Unseen(
        leaving=lambda public: public.count,
        draws=lambda _, public: (UnseenDraw(public.seat, pile, number=public.count),),
        known=lambda section: section.discarded,
        act=act,
    )


def talon_left(rule: str) -> Count:
    """The rule that no more cards are discarded than the talon has."""

    def left(state: Any, _seat: Seat, _: object) -> tuple[int, int]:
        return 0, len(state.exchange.talon)

    def too_few(state: Any, _: Seat, action: Any) -> str:
        return not_left(len(state.exchange.talon), len(action.discard))

    return Count(rule, "discard", left, too_few)


def not_left(left: int, number: int) -> str:
    """The sentence that the talon has too few cards to draw this many."""
    return f"the talon holds {left} cards, and {number} would be drawn"


def exchanging(action: type[ExchangeCards], order: Mapping[Card, int], *rows: Row) -> ActRules:
    """The rules of an exchange in a phase that has one; its event seals the cards for the seat."""

    def exchanged(state: Any, seat: Seat, exchange: ExchangeCards) -> Event[CardsExchanged]:
        return exchange_event(state.exchange, state.common.deck, order, seat, exchange.discard)

    def exchange_of(event: Event[CardsExchanged]) -> ExchangeCards | None:
        cards = event.section(seat_audience(event.public.seat), ExchangedCards)
        return None if cards is None else action(cards.discarded)

    return ActRules(action, CardsExchanged, rows, make=exchanged, read=exchange_of)
