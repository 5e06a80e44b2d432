"""The melds that a player can make of a discard and cards of the hand, to bump or to challenge (KH-6.2, KH-6.4)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product

from domain.cards import JOKER, Card
from domain.games.khanhoo.contracts import FACE, PATTERNS, Cards, Face, MeldName
from domain.games.khanhoo.meta import PACK


# Called again for each of a seat's requests, and for each attempt to act.
@lru_cache(maxsize=1 << 10)
def claims(hand: Cards, discard: Card, *, sequences: bool) -> Mapping[MeldName, tuple[Cards, ...]]:
    """The lists of cards, sorted, that form a meld with the discard, by kind of meld; they may include the joker.

    The joker stands for any one card (KH-5.11). Sequences are left out if they do not count (KH-6.2).
    """
    held: dict[Face, list[Card]] = {}
    for card in hand:
        held.setdefault(FACE[card], []).append(card)
    made: dict[MeldName, dict[Cards, None]] = {}
    for pattern in PATTERNS:
        if sequences or pattern.meld != "sequence":
            for missing in _missing(pattern.faces, FACE[discard], joker=JOKER in held):
                for cards in _held(held, missing):
                    made.setdefault(pattern.meld, {})[cards] = None
    return {meld: tuple(lists) for meld, lists in made.items()}


def _missing(faces: tuple[Face, ...], discard: Face, *, joker: bool) -> Iterator[tuple[Face, ...]]:
    """The faces that such a meld needs besides the discard."""
    if discard == JOKER:
        yield from _all_but_one(faces)
    elif discard in faces:
        index = faces.index(discard)
        others = faces[:index] + faces[index + 1 :]
        yield others
        if joker:
            yield from ((*rest, JOKER) for rest in _all_but_one(others))


def _all_but_one(faces: tuple[Face, ...]) -> Iterator[tuple[Face, ...]]:
    for face in dict.fromkeys(faces):
        index = faces.index(face)
        yield faces[:index] + faces[index + 1 :]


def _held(held: Mapping[Face, list[Card]], faces: tuple[Face, ...]) -> Iterator[Cards]:
    """All choices of held cards with these faces."""
    needed = Counter(faces)
    if all(len(held.get(face, ())) >= number for face, number in needed.items()):
        for chosen in product(*(combinations(held[face], number) for face, number in needed.items())):
            yield PACK.sorted(card for cards in chosen for card in cards)
