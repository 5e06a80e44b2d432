"""The deck of a deal: the commitments to its cards, and the openings that prove them.

The layouts are those of `api-spec/record.md`, which has the test vectors.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.shuffle import keyed, keyed_message, shuffled


class Opening(Struct, frozen=True, gc=False):
    """The proof that a card was dealt: its place in the pack, the card, and its salt in hex."""

    position: int
    card: Card
    salt: str


# A deal's salts are needed when it is dealt, whenever cards are drawn, and in its audit.
@lru_cache(maxsize=256)
def card_salts(seed: bytes, table: str, deal: int, cards: int) -> tuple[bytes, ...]:
    """The salts (32 bytes each) of the first `cards` places of the pack."""
    digest = keyed(seed, keyed_message("codille-card", table, deal, ()))
    return tuple([digest(place.to_bytes(4, "big")) for place in range(cards)])


def card_commitment(salt: bytes, card: Card) -> str:
    """SHA-256 over the salt and the card's name, in hex."""
    return sha256(salt + card.encode()).hexdigest()


class Deck(Struct, frozen=True, gc=False):
    """The cards of one deal by their places, from the top, as far as the audience knows them.

    Cards that are shuffled again during the deal get new places after the others, so a place never holds two cards.
    Only the house knows the seed, so only the house can make openings.
    """

    table: str
    deal: int
    cards: tuple[Card | None, ...]
    seed: bytes | None = None
    entropies: tuple[bytes, ...] = ()
    """The entropy that each seat added to the shuffle, in seat order."""

    def shuffled(self, label: str, cards: Sequence[Card]) -> list[Card]:
        """The cards shuffled under this label. Raises ValueError if the seed is unknown."""
        if self.seed is None:
            raise ValueError("only the house can shuffle")
        return shuffled(cards, label=label, seed=self.seed, table=self.table, deal=self.deal, entropies=self.entropies)

    def renewed(self, cards: Iterable[Card | None]) -> "Deck":
        """The deck with these cards, newly shuffled, at new places after the others."""
        return replace(self, cards=(*self.cards, *cards))

    def openings(self, positions: Iterable[int]) -> tuple[Opening, ...]:
        """The openings of the cards at these places. Raises ValueError if the seed or a card is unknown."""
        salts = self._salts
        made = []
        for position in positions:
            card = self.cards[position]
            if card is None:
                raise ValueError("only the house can open a card")
            made.append(Opening(position, card, salts[position].hex()))
        return tuple(made)

    def opening(self, position: int) -> Opening:
        """The opening of the card at this place. Raises ValueError if the seed or the card is unknown."""
        return self.openings((position,))[0]

    def openings_of(self, cards: Iterable[Card]) -> tuple[Opening, ...]:
        """The openings of these cards. Raises ValueError if the seed or a card is unknown.

        A card that was shuffled again is opened at its newest place.
        """
        last, backwards = len(self.cards) - 1, self.cards[::-1]
        return self.openings([last - backwards.index(card) for card in cards])

    def commitments(self, start: int = 0) -> tuple[str, ...]:
        """The commitment to each card from place `start` on. Raises ValueError if the seed or a card is unknown."""
        cards = [card for card in self.cards[start:] if card is not None]
        if len(cards) < len(self.cards) - start:
            raise ValueError("only the house can commit to a card")
        return tuple(map(card_commitment, self._salts[start:], cards))

    @property
    def _salts(self) -> tuple[bytes, ...]:
        if self.seed is None:
            raise ValueError("only the house can open a card")
        return card_salts(self.seed, self.table, self.deal, len(self.cards))
