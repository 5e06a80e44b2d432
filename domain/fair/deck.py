"""The fair deal: a chain of seeds fixed at opening, a pack drawn from seed and entropies, and card commitments.

The layouts are those of `api-spec/record.md`, which has the test vectors.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from struct import unpack
from typing import TypeVar

from msgspec import Struct

from domain.kernel.cards import Card

T = TypeVar("T")

SEED_BYTES = 32


def seed_before(seed: bytes, steps: int = 1) -> bytes:
    """The seed that stands `steps` before this one in the chain: seed(k - 1) = SHA-256(seed(k))."""
    for _ in range(steps):
        seed = sha256(seed).digest()
    return seed


class SeedChain(Struct, frozen=True, gc=False):
    """The seeds of a table's deals as far as they are known: that of `deal`, and so all before it."""

    deal: int
    seed: bytes

    def at(self, deal: int) -> bytes:
        """The seed of this deal; seed(0) is the commitment. Raises ValueError where it is not known."""
        if deal > self.deal:
            raise ValueError(f"the seed of deal {deal} is not known")
        return seed_before(self.seed, self.deal - deal)


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _message(label: str, table: str, deal: int, entropies: Sequence[bytes]) -> bytes:
    parts = [label.encode(), table.encode(), deal.to_bytes(4, "big"), *entropies]
    return b"".join(map(_prefixed, parts))


def keyed(key: bytes, prefix: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 under this key of messages that begin with this prefix, by the rest of the message.

    A deal takes some fifty of them under one key: what they begin with is hashed once, and the state copied.
    """
    begun = hmac.new(key, prefix, "sha256")

    def digest(rest: bytes) -> bytes:
        whole = begun.copy()
        whole.update(rest)
        return whole.digest()

    return digest


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    """32-bit words, big-endian, of HMAC-SHA256(seed, message ‖ counter), the counter 64 bits from 0."""
    digest = keyed(seed, message)
    counter = 0
    while True:
        yield from unpack(">8I", digest(counter.to_bytes(8, "big")))
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform number below `bound`: words in the last, incomplete range are rejected."""
    limit = 2**32 - 2**32 % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words has no end")


def shuffled(
    pack: Sequence[T], *, label: str, seed: bytes, table: str, deal: int, entropies: Sequence[bytes]
) -> list[T]:
    """The pack in an order drawn by Fisher–Yates, from the last place down, every order equally likely."""
    cards = list(pack)
    words = _words(seed, _message(label, table, deal, entropies))
    for last in range(len(cards) - 1, 0, -1):
        other = _below(last + 1, words)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def drawn_number(bound: int, *, label: str, seed: bytes, table: str, entropies: Sequence[bytes]) -> int:
    """A uniform number below `bound`, drawn under a label of its own (deal 0)."""
    return _below(bound, _words(seed, _message(label, table, 0, entropies)))


class Opening(Struct, frozen=True, gc=False):
    """What proves that a card was dealt: its place in the pack, the card, and its salt in hex."""

    position: int
    card: Card
    salt: str


# A deal's salts are asked for when it is dealt, as its cards are drawn, and in its audit.
@lru_cache(maxsize=256)
def card_salts(seed: bytes, table: str, deal: int, cards: int) -> tuple[bytes, ...]:
    """The salts (32 bytes each) of so many cards, by their places in the pack."""
    digest = keyed(seed, _message("codille-card", table, deal, ()))
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
        """The openings of the cards at these positions. Raises ValueError where the audience cannot make them."""
        salts = self._salts
        found = []
        for position in positions:
            card = self.cards[position]
            if card is None:
                raise ValueError("only the house can open a card")
            found.append(Opening(position, card, salts[position].hex()))
        return tuple(found)

    def opening(self, position: int) -> Opening:
        """The opening of the card at `position`. Raises ValueError where the audience cannot make it."""
        return self.openings((position,))[0]

    def openings_of(self, cards: Iterable[Card]) -> tuple[Opening, ...]:
        """The openings of these cards. Raises ValueError where the audience cannot make them."""
        return self.openings(map(self.cards.index, cards))

    def commitments(self) -> tuple[str, ...]:
        """The commitment to each card of the pack, from the top."""
        return tuple(card_commitment(salt, card) for salt, card in zip(self._salts, self.cards, strict=True) if card)

    @property
    def _salts(self) -> tuple[bytes, ...]:
        if self.seed is None:
            raise ValueError("only the house can open a card")
        return card_salts(self.seed, self.table, self.deal, len(self.cards))
