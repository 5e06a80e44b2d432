"""Hands and piles as an audience knows them: known cards, and a count of the hidden ones.

One fold serves the house, a player's client and a replay: the house knows every card, the others know some. A card that
the audience does not know to be in a hand counts as one of its hidden cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.seats import Seat

Pile: TypeAlias = tuple[Card | None, ...]
"""Cards in order from the top; None where the audience does not know the card."""


class Hand(Struct, frozen=True, gc=False):
    """The cards known to be in a hand, sorted, and the number of others."""

    known: tuple[Card, ...] = ()
    hidden: int = 0

    @classmethod
    def of(cls, pile: Pile, order: Mapping[Card, int]) -> "Hand":
        """The cards of a pile as a hand, sorted by `order`, so that the order of the pile is forgotten."""
        known = [card for card in pile if card is not None]
        known.sort(key=order.__getitem__)
        return Hand(tuple(known), len(pile) - len(known))

    @property
    def size(self) -> int:
        """How many cards the hand holds."""
        return len(self.known) + self.hidden

    def without(self, cards: Iterable[Card]) -> "Hand":
        """The hand after these cards left it openly."""
        gone = set(cards)
        known = tuple([card for card in self.known if card not in gone])
        return Hand(known, self.hidden - (len(gone) - (len(self.known) - len(known))))

    def played(self, card: Card) -> "Hand":
        """The hand after this card was played from it: `without` for one card, which is the most frequent case."""
        known = self.known
        try:
            index = known.index(card)
        except ValueError:
            return Hand(known, self.hidden - 1)
        return Hand(known[:index] + known[index + 1 :], self.hidden)

    def revealed(self, cards: Sequence[Card], order: Mapping[Card, int]) -> "Hand":
        """The hand after its owner showed these cards to everybody; they stay in it."""
        rest = self.without(cards)
        return Hand(tuple(sorted((*rest.known, *cards), key=order.__getitem__)), rest.hidden)

    def exchanged(self, discarded: Sequence[Card] | None, count: int, drawn: Pile, order: Mapping[Card, int]) -> "Hand":
        """The hand after its owner discarded `count` cards and drew others.

        An audience to which the discards are unknown (None) no longer knows any card of the hand, except those drawn
        openly.
        """
        if count == 0:
            return self
        kept = Hand(hidden=self.size - count) if discarded is None else self.without(discarded)
        return kept.joined(drawn, order)

    def joined(self, drawn: Pile, order: Mapping[Card, int]) -> "Hand":
        """The hand after these cards came to it."""
        new = Hand.of(drawn, order)
        known = sorted(self.known + new.known, key=order.__getitem__)
        return Hand(tuple(known), self.hidden + new.hidden)


Hands: TypeAlias = tuple[Hand, ...]
"""Every seat's hand, by seat; empty for a seat that sits out."""


def with_hand(hands: Hands, seat: Seat, hand: Hand) -> Hands:
    """The hands with the seat's replaced by this one."""
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)
