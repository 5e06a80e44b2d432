"""The deck of a deal: the commitments to its cards, and the openings that prove them.

The layouts are those of `api-spec/record.md`, which has the test vectors.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from domain.cards import Card
from domain.fair.shuffle import keyed, keyed_message


class Opening(Struct, frozen=True, gc=False):
    """What proves that a card was dealt: its place in the pack, the card, and its salt in hex."""

    position: int
    card: Card
    salt: str


# A deal's salts are needed when it is dealt, whenever cards are drawn, and in its audit.
@lru_cache(maxsize=256)
def card_salts(seed: bytes, table: str, deal: int, cards: int) -> tuple[bytes, ...]:
    """The salts (32 bytes each) of so many cards, by their places in the pack."""
    digest = keyed(seed, keyed_message("codille-card", table, deal, ()))
    return tuple([digest(place.to_bytes(4, "big")) for place in range(cards)])


def card_commitment(salt: bytes, card: Card) -> str:
    """SHA-256 over the salt and the card's two characters, in hex."""
    return sha256(salt + card.encode()).hexdigest()


class Deck(Struct, frozen=True, gc=False):
    """The pack of one deal, from the top, as far as the audience knows it.

    Only the house knows the seed, and so only the house can make openings.
    """

    table: str
    deal: int
    cards: tuple[Card | None, ...]
    seed: bytes | None = None

    def openings(self, positions: Iterable[int]) -> tuple[Opening, ...]:
        """The openings of the cards at these positions. Raises ValueError where the seed or a card is not known."""
        salts = self._salts
        made = []
        for position in positions:
            card = self.cards[position]
            if card is None:
                raise ValueError("only the house can open a card")
            made.append(Opening(position, card, salts[position].hex()))
        return tuple(made)

    def opening(self, position: int) -> Opening:
        """The opening of the card at `position`. Raises ValueError where the seed or the card is not known."""
        return self.openings((position,))[0]

    def openings_of(self, cards: Iterable[Card]) -> tuple[Opening, ...]:
        """The openings of these cards. Raises ValueError where the seed or one of the cards is not known."""
        return self.openings(map(self.cards.index, cards))

    def commitments(self) -> tuple[str, ...]:
        """The commitment to each card of the pack, from the top. Raises ValueError where the seed is not known."""
        return tuple(card_commitment(salt, card) for salt, card in zip(self._salts, self.cards, strict=True) if card)

    @property
    def _salts(self) -> tuple[bytes, ...]:
        if self.seed is None:
            raise ValueError("only the house can open a card")
        return card_salts(self.seed, self.table, self.deal, len(self.cards))
