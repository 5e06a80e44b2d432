"""The mildest act that a seat is offered, which is taken when its player's clock has run out.

A game lists the types of act that may be taken so, mildest first, and the order in which cards are given up. Acts that
a seat is free not to take, such as a concession, are not listed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from domain.cards import SUITS, Card, Pack
from domain.kernel.action import Action, tag_of
from domain.kernel.offers import Choice, Field, Offer, OneOf, OneOfLists, SetsOf, SomeOf, Text
from domain.seats import Seat

NO_PREFERENCE: Mapping[str, Choice] = {}


def low_first(pack: Pack, last: Sequence[Card] = ()) -> tuple[Card, ...]:
    """The cards from low to high in the game's plain order, whatever the suit; then jokers, then the cards of
    `last`.
    """
    ranks = {suit: tuple(dict.fromkeys(map(pack.rank, pack.of_suit(suit)))) for suit in SUITS}

    def height(card: Card) -> int:
        suit = pack.faces[card].suit
        return 1 if suit is None else -ranks[suit].index(pack.rank(card))

    plain = sorted(pack, key=height)
    return (*(card for card in plain if card not in last), *last)


def mildest(
    offers: Callable[[Any, Seat], tuple[Offer, ...]],
    cards: Sequence[Card],
    acts: Sequence[type[Action]],
    preferred: Mapping[str, Choice] = NO_PREFERENCE,
) -> Callable[[Any, Seat], Action]:
    """The default action of a game: among the acts of these types, mildest first, the first that the seat is offered.

    As few cards as possible are given up, in the order of `cards`. Other fields get the value `preferred` for their
    name if it is offered, otherwise the first. The function raises ValueError if no such act is offered.
    """
    worth = {card: index for index, card in enumerate(cards)}

    def rank(value: Choice) -> int:
        return worth.get(str(value), 0)

    def default_action(state: Any, seat: Seat) -> Action:
        offered = offers(state, seat)
        for act in acts:
            for offer in offered:
                if offer.type == tag_of(act):
                    return act(**{name: fill(name, field) for name, field in offer.fields.items()})
        raise ValueError(f"seat {seat} is offered no act that may be taken for its player")

    def fill(name: str, field: Field) -> object:
        match field:
            case OneOf(values):
                if name in preferred and preferred[name] in values:
                    return preferred[name]
                return min(values, key=rank)
            case SomeOf(values):
                return tuple(sorted(values, key=rank)[: field.min])
            case OneOfLists(values):
                return min(values, key=len)
            case SetsOf():
                return min(field.examples, key=len)
            case Text():
                return "." * field.min
            case _:
                assert_never(field)

    return default_action
