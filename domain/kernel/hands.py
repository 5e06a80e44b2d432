"""Cards that an audience knows, and cards of which it knows only that they are there.

One fold serves the house, a player's client and a replay: the house knows every card, others some.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.kernel.cards import Card
from domain.kernel.seats import Seat

Pile: TypeAlias = tuple[Card | None, ...]
"""Cards in order from the top; None where the audience does not know the card."""


class Hand(Struct, frozen=True, gc=False):
    """The cards known to be in a hand, sorted, and the number of others."""

    known: tuple[Card, ...] = ()
    hidden: int = 0

    @property
    def size(self) -> int:
        """How many cards the hand holds."""
        return len(self.known) + self.hidden


Hands: TypeAlias = tuple[Hand, ...]
"""Every seat's hand, by seat; empty for who sits out."""


def gathered(pile: Pile, order: Mapping[Card, int]) -> Hand:
    """The pile's cards as a hand, its order forgotten."""
    known = [card for card in pile if card is not None]
    known.sort(key=order.__getitem__)
    return Hand(tuple(known), len(pile) - len(known))


def without(hand: Hand, cards: Iterable[Card]) -> Hand:
    """The hand after these cards left it openly; one not known to be in it was among the others."""
    gone = set(cards)
    known = tuple([card for card in hand.known if card not in gone])
    return Hand(known, hand.hidden - (len(gone) - (len(hand.known) - len(known))))


def less(hand: Hand, card: Card) -> Hand:
    """The hand after this one card left it openly."""
    known = hand.known
    try:
        place = known.index(card)
    except ValueError:
        return Hand(known, hand.hidden - 1)
    return Hand(known[:place] + known[place + 1 :], hand.hidden)


def shown(hand: Hand, cards: Sequence[Card], order: Mapping[Card, int]) -> Hand:
    """The hand after its owner showed these cards of it, which stay in it."""
    rest = without(hand, cards)
    return Hand(tuple(sorted((*rest.known, *cards), key=order.__getitem__)), rest.hidden)


def exchanged(hand: Hand, discarded: Sequence[Card] | None, count: int, drawn: Pile, order: Mapping[Card, int]) -> Hand:
    """The hand after its owner discarded `count` cards and drew others.

    Whoever does not know what was discarded no longer knows any card of the hand but those drawn openly.
    """
    if count == 0:
        return hand
    kept = Hand(hidden=hand.size - count) if discarded is None else without(hand, discarded)
    new = gathered(drawn, order)
    known = sorted(kept.known + new.known, key=order.__getitem__)
    return Hand(tuple(known), kept.hidden + new.hidden)


def put(hands: Hands, seat: Seat, hand: Hand) -> Hands:
    """The hands with another one for this seat."""
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)
