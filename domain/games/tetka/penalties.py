"""The penalties, one row each, and the parts of them that a deal's bum card decides (TE-4)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.tetka.meta import PACK, TRICKS
from domain.parts.scoring import Ending

PenaltyName: TypeAlias = Literal["bum-card", "tetka", "queen", "number", "last-trick", "most-tricks"]
Outcome: TypeAlias = Literal["nine-points", "eight-points"]

QUEEN = "Q"
QUEENS: tuple[Card, ...] = tuple(card for card in PACK if PACK.rank(card) == QUEEN)

NUMBERS: Mapping[str, int] = {rank: number for number, rank in enumerate("A23456789TJQK", 1)}
"""The number of the trick that goes with the bum card's rank (TE-4.4)."""


class Penalty(Struct, frozen=True, gc=False):
    """One penalty, and its points."""

    penalty: PenaltyName
    rule: str
    name: str
    points: int


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome: the number of points that a deal gives in all."""

    points: int


BUM_CARD = Penalty("bum-card", "TE-4.1", "the bum card", 1)
TETKA = Penalty("tetka", "TE-4.2", "Tëtka", 2)
OTHER_QUEEN = Penalty("queen", "TE-4.3", "another queen", 1)
NUMBER = Penalty("number", "TE-4.4", "the bum card's number", 1)
LAST_TRICK = Penalty("last-trick", "TE-4.5", "the last trick", 1)
MOST_TRICKS = Penalty("most-tricks", "TE-4.6", "the most tricks", 1)

PENALTIES: tuple[Penalty, ...] = (BUM_CARD, TETKA, OTHER_QUEEN, NUMBER, LAST_TRICK, MOST_TRICKS)

NINE = Result("nine-points", "TE-4.11", "nine points given", 9)
EIGHT = Result("eight-points", "TE-4.10", "eight points given, nobody having the most tricks", 8)

RESULTS: tuple[Result, ...] = (NINE, EIGHT)


class Bum(Struct, frozen=True, gc=False):
    """The bum card, and its consequences for the deal."""

    card: Card
    suit: Suit
    tetka: Card
    """The queen of that suit (TE-2.3)."""
    number: int
    """The number of the trick that costs a point for the card's rank (TE-4.4)."""

    def penalties(self, cards: Sequence[Card], number: int) -> Iterator[tuple[Penalty, Card | None]]:
        """The penalties of a trick of these cards, which is the one of this number, from 1; each with its card
        (TE-4.7).
        """
        if self.card in cards:
            yield BUM_CARD, self.card
        # A bum card that is a queen is Tëtka too (TE-4.8).
        if self.tetka in cards:
            yield TETKA, self.tetka
        for card in cards:
            if card in QUEENS and card != self.tetka:
                yield OTHER_QUEEN, card
        if number == self.number:
            yield NUMBER, None
        if number == TRICKS:
            yield LAST_TRICK, None


def bum(card: Card) -> Bum:
    """The bum card with its consequences."""
    suit = PACK.suit(card)
    return Bum(card, suit, f"{QUEEN}{suit}", NUMBERS[PACK.rank(card)])


BUMS: Mapping[Card, Bum] = {card: bum(card) for card in PACK}
"""The consequences, by bum card."""
CARD_POINTS: Mapping[Card, Mapping[Card, int]] = {
    card: {each: sum([penalty.points for penalty, _ in own.penalties((each,), 0)]) for each in {card, *QUEENS}}
    for card, own in BUMS.items()
}
"""The points for the cards that cost any, by bum card."""
OF_SUIT: Mapping[Suit, Mapping[Card, int]] = {
    own.suit: {card: 1 for card in PACK if PACK.suit(card) == own.suit} for own in BUMS.values()
}
"""One for each card of a suit."""
