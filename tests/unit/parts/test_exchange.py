"""Exchanging with the talon: the event, and what becomes of talon, queue and hands for each audience."""

from typing import Any

import pytest

from domain.cards import Card
from domain.fair.deck import Deck
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.hands import Hand, Hands
from domain.parts.exchange import (
    CardsExchanged,
    Exchange,
    Exchanged,
    ExchangedCards,
    evolve_exchange,
    exchange_event,
    still_to_exchange,
)
from domain.parts.matadors import PACK
from domain.parts.piles import openings_of_pile
from tests.support.games import Live, chance, finished, redacted
from tests.support.registry import GAMES

ORDER = PACK.order
HAND: tuple[Card, ...] = ("Ks", "Qs", "Kh", "Ah", "2c")
TALON: tuple[Card, ...] = ("7h", "As", "3d", "Ac")
DECK = Deck("a table", 1, (*HAND, *TALON), bytes(32))
HANDS: Hands = (Hand(), Hand(HAND), Hand((), 5))


def started(queue: tuple[int, ...] = (1, 2)) -> Exchange:
    """An exchange as the house knows it."""
    return Exchange(TALON, queue)


def evolved(exchange: Exchange, hands: Hands, event: Event[CardsExchanged]) -> tuple[Exchange, Hands]:
    """The exchange and the hands after the event."""
    return evolve_exchange(exchange, hands, event, event.public, ORDER)


def exchanged(*discard: Card) -> Event[CardsExchanged]:
    """The event of seat 1's exchange."""
    return exchange_event(started(), DECK, ORDER, 1, discard)


@pytest.mark.parametrize(("queue", "turn"), [((1, 2), 1), ((2,), 2), ((), None)])
def test_the_first_in_the_queue_is_next(queue: tuple[int, ...], turn: int | None) -> None:
    assert started(queue).turn == turn


@pytest.mark.parametrize(
    ("queue", "left", "next_"), [((1, 2, 0), 3, (2, 0)), ((1, 2, 0), 0, ()), ((1,), 5, ()), ((1, 2), 1, (2,))]
)
def test_for_whom_no_card_is_left_is_passed_over(queue: tuple[int, ...], left: int, next_: tuple[int, ...]) -> None:
    assert still_to_exchange(queue, left) == next_


def test_the_event_tells_all_how_many_and_the_seat_which() -> None:
    event = exchanged("2c", "Ks", "Kh")
    assert event.public == CardsExchanged(1, 3)
    assert set(event.sealed) == {"seat:1"}
    own = event.section("seat:1", ExchangedCards)
    assert own is not None
    assert own.discarded == ("Ks", "Kh", "2c")
    assert own.drawn == tuple(DECK.opening(position) for position in (5, 6, 7))


def test_openings_are_of_the_cards_given() -> None:
    assert openings_of_pile(DECK, ("As", None, "7h")) == (DECK.opening(6), DECK.opening(5))
    assert openings_of_pile(DECK, ()) == ()


@pytest.mark.parametrize("audience", ["house", "seat:1"])
def test_who_knows_the_cards_knows_the_new_hand(audience: str) -> None:
    talon = TALON if audience == "house" else (None,) * 4
    event = redacted(exchanged("2c", "Ks"), audience)
    exchange, hands = evolved(Exchange(talon, (1, 2)), HANDS, event)
    assert hands == (Hand(), Hand(("Qs", "As", "Kh", "Ah", "7h")), Hand((), 5))
    assert exchange == Exchange(talon[2:], (2,), (Exchanged(1, 2),))


def test_others_know_how_many() -> None:
    hands: Hands = (Hand(), Hand((), 5), Hand(HAND))
    event = redacted(exchanged("2c", "Ks"), "public")
    exchange, after = evolved(Exchange((None,) * 4, (1, 2)), hands, event)
    assert after == hands
    assert exchange == Exchange((None, None), (2,), (Exchanged(1, 2),))


def test_a_turned_card_is_drawn_first_and_openly() -> None:
    exchange = Exchange((None,) * 4, (1, 2)).turned("7h")
    assert exchange == Exchange(("7h", None, None, None), (1, 2))
    hands: Hands = (Hand(), Hand((), 5), Hand())
    left, after = evolved(exchange, hands, redacted(exchanged("2c", "Ks"), "public"))
    assert after[1] == Hand(("7h",), 4)
    assert left.talon == (None, None)


def test_a_turned_card_that_is_not_drawn_stays_on_top() -> None:
    exchange = Exchange((None,) * 4, (1, 2)).turned("7h")
    left, hands = evolved(exchange, HANDS, redacted(exchanged(), "public"))
    assert left == Exchange(("7h", None, None, None), (2,), (Exchanged(1, 0),))
    assert hands == HANDS


def test_an_exchange_that_empties_the_talon_is_the_last() -> None:
    exchange, _ = evolved(started((1, 2, 0)), HANDS, exchanged("2c", "Ks", "Kh", "Ah"))
    assert exchange == Exchange((), (), (Exchanged(1, 4),))
    assert exchange.turn is None


def test_exchanges_are_remembered_in_their_order() -> None:
    exchange, hands = evolved(started(), HANDS, exchanged("2c"))
    own = Event(CardsExchanged(2, 1), {"seat:2": ExchangedCards(("Kd",), (DECK.opening(6),))})
    exchange, hands = evolved(exchange, hands, own)
    assert exchange.done == (Exchanged(1, 1), Exchanged(2, 1))
    assert exchange.talon == ("3d", "Ac")
    assert hands[2] == Hand(("As",), 4)


EXCHANGING = [game for game in GAMES.values() if CardsExchanged.TYPE in {event.TYPE for event in game.events}]


@pytest.mark.parametrize("game", EXCHANGING, ids=lambda game: game.name)
def test_as_many_cards_are_drawn_as_are_discarded(game: Game) -> None:
    tables: type[Live] = type("Tables", (Live,), {"game": game})
    exchanges = 0
    for seed in range(20):
        for event in finished(tables.started(), chance(("exchanges", seed))).events:
            public: Any = event.public
            if public.TYPE == CardsExchanged.TYPE:
                own = event.section(f"seat:{public.seat}", ExchangedCards)
                assert own is not None
                assert len(own.discarded) == public.count == len(own.drawn) + len(getattr(public, "taken", ()))
                exchanges += 1
    assert exchanges
