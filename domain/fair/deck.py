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
    """SHA-256 over the salt and the card's name, in hex."""
    return sha256(salt + card.encode()).hexdigest()


class Deck(Struct, frozen=True, gc=False):
    """The cards of one deal by their places, from the top, as far as the audience knows them.

    Cards that are shuffled anew during the deal get new places after the others, so a place never holds two cards.
    Only the house knows the seed, and so only the house can make openings.
    """

    table: str
    deal: int
    cards: tuple[Card | None, ...]
    seed: bytes | None = None
    entropies: tuple[bytes, ...] = ()
    """What the seats added to the shuffle, in seat order."""

    def shuffled(self, label: str, cards: Sequence[Card]) -> list[Card]:
        """The cards shuffled under this label. Raises ValueError where the seed is not known."""
        if self.seed is None:
            raise ValueError("only the house can shuffle")
        return shuffled(cards, label=label, seed=self.seed, table=self.table, deal=self.deal, entropies=self.entropies)

    def renewed(self, cards: Iterable[Card | None]) -> "Deck":
        """The deck with these cards, which were shuffled anew, at new places after the others."""
        return replace(self, cards=(*self.cards, *cards))

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
        """The openings of these cards. Raises ValueError where the seed or one of the cards is not known.

        A card that was shuffled anew is opened at the last place that it was given.
        """
        last, backwards = len(self.cards) - 1, self.cards[::-1]
        return self.openings([last - backwards.index(card) for card in cards])

    def commitments(self, start: int = 0) -> tuple[str, ...]:
        """The commitment to each card from this place on. Raises ValueError where the seed or a card is not known."""
        cards = [card for card in self.cards[start:] if card is not None]
        if len(cards) < len(self.cards) - start:
            raise ValueError("only the house can commit to a card")
        return tuple(map(card_commitment, self._salts[start:], cards))

    @property
    def _salts(self) -> tuple[bytes, ...]:
        if self.seed is None:
            raise ValueError("only the house can open a card")
        return card_salts(self.seed, self.table, self.deal, len(self.cards))
