"""Cards, suits and packs.

A card has a name. The name of a plain card is its rank, then its suit: `Ks`, `7h`, `Td` for the ten of diamonds. In a
pack that holds a card more than once, the number of the copy follows after a dot (`9h.1`). In packs that belong to
seats, the owner comes first, before a dot (`2.7h`). Jokers are `Jo.1`, `Jo.2`. A card's face says what its name means;
no code reads the characters of the name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

Suit: TypeAlias = Literal["s", "h", "d", "c"]
"""Spades, hearts, diamonds, clubs: the order in which public lists of cards are sorted."""

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")
RANKS = "AKQJT98765432"

SIGNS: Mapping[Suit, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

JOKER = "Jo"
"""The rank of a joker, which has no suit."""

_RANKS_WRITTEN = {"T": "10", JOKER: "★"}
"""The ranks that people write differently."""

_PLAIN = tuple(rank + suit for suit in SUITS for rank in RANKS)

NAMES: tuple[str, ...] = (
    *_PLAIN,
    *(f"{card}.{copy}" for card in _PLAIN for copy in (1, 2)),
    *(f"{JOKER}.{number}" for number in range(1, 5)),
    *(f"{owner}.{card}" for owner in range(4) for card in _PLAIN),
)
"""The names that a card can have: plain, one of two copies, one of four jokers, or one from the packs of four seats."""

# A decoder knows the names, so it refuses any other, and every table in memory shares one string for each.
if TYPE_CHECKING:
    Card: TypeAlias = str
else:
    Card = Literal[NAMES]


class Face(Struct, frozen=True, gc=False):
    """The face of a card: its rank, its suit (None for a joker), its copy, from 1, and the seat that owns it."""

    rank: str
    suit: Suit | None = None
    copy: int | None = None
    owner: int | None = None

    @property
    def name(self) -> str:
        owner = "" if self.owner is None else f"{self.owner}."
        copy = "" if self.copy is None else f".{self.copy}"
        return f"{owner}{self.rank}{self.suit or ''}{copy}"

    @property
    def written(self) -> str:
        """The card as people write it: `K♠`, `10♥`; a joker is `★`."""
        return _RANKS_WRITTEN.get(self.rank, self.rank) + ("" if self.suit is None else SIGNS[self.suit])


_WORD = re.compile(r"[\w.]*\w", re.ASCII)
"""What may be the name of a card in a text."""


class Pack(Struct, frozen=True, dict=True, eq=False):
    """The cards of a game, each once, in sorted order. They are shuffled from this order, and public lists use it.

    Sorted by owner, suit (spades, hearts, diamonds, clubs), rank (high to low in the game's plain order) and copy, the
    jokers of each owner last. A pack is equal to itself alone, so that it can be a key.
    """

    faces: Mapping[Card, Face]

    @classmethod
    def of(cls, faces: Iterable[Face]) -> "Pack":
        """The pack of these faces, in their order. Raises ValueError if a name occurs twice or is unknown."""
        faces = tuple(faces)
        pack = cls({face.name: face for face in faces})
        if len(pack.faces) != len(faces):
            raise ValueError("a pack has each card once")
        if not pack.faces.keys() <= set(NAMES):
            raise ValueError("a pack has only cards that can be named")
        return pack

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The names of the cards, in sorted order."""
        return tuple(self.faces)

    @cached_property
    def order(self) -> Mapping[Card, int]:
        """Each card's index in sorted order; its `__getitem__` is the key that sorts cards."""
        return {card: index for index, card in enumerate(self.faces)}

    @cached_property
    def bit(self) -> Mapping[Card, int]:
        """Each card's bit in a set of cards: 1 shifted by its index in sorted order."""
        return {card: 1 << index for card, index in self.order.items()}

    @cached_property
    def bits(self) -> Callable[[tuple[Card, ...]], int]:
        """The function that turns cards of the pack into a set: the sum of their bits."""
        bit = self.bit.__getitem__

        # Most hands are unchanged since the previous call.
        @lru_cache(maxsize=64)
        def bits(cards: tuple[Card, ...]) -> int:
            return sum(map(bit, cards))

        return bits

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in sorted order."""
        return tuple(sorted(cards, key=self.order.__getitem__))

    def suit(self, card: Card) -> Suit:
        """The suit printed on the card. Raises ValueError for a joker."""
        suit = self.faces[card].suit
        if suit is None:
            raise ValueError(f"{card} has no suit")
        return suit

    def rank(self, card: Card) -> str:
        """The rank printed on the card."""
        return self.faces[card].rank

    def of_suit(self, suit: Suit) -> tuple[Card, ...]:
        """The cards of this suit, in sorted order."""
        return tuple(card for card, face in self.faces.items() if face.suit == suit)

    def written(self, text: str) -> str:
        """The text with its names of cards of this pack as people write those."""
        return _WORD.sub(lambda word: self.faces[word[0]].written if word[0] in self.faces else word[0], text)

    def __contains__(self, card: object) -> bool:
        return card in self.faces

    def __iter__(self) -> Iterator[Card]:
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)


def pack_of(ranks: str | Mapping[Suit, str], *, copies: int = 1, jokers: int = 0, owners: Sequence[int] = ()) -> Pack:
    """The pack of these ranks, high to low, in four suits; a mapping gives the ranks of each suit where they differ.

    With `copies` above 1 the pack has that many of each card; with `owners`, each of these seats has a pack of its own.
    """
    by_suit = dict.fromkeys(SUITS, ranks) if isinstance(ranks, str) else ranks
    numbers = range(1, copies + 1) if copies > 1 else (None,)
    return Pack.of(
        face
        for owner in owners or (None,)
        for face in (
            *(Face(rank, suit, copy, owner) for suit in SUITS for rank in by_suit[suit] for copy in numbers),
            *(Face(JOKER, None, number, owner) for number in range(1, jokers + 1)),
        )
    )
