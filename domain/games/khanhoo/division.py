"""The division of a hand into melds: whether one leaves no rest, and which is the best (KH-7.1, KH-8.3, KH-8.4).

The search works on faces, since no rule tells copies apart, and solves each rest of the hand only once, whichever melds
led to it. In the best division no sequence has more than five cards: six in a row are worth more as two sequences
(KH-5.13), and leave no more rest. So only shorter ones are tried.

A rest is one number with three bits for each face: the number of its cards, below a bit that is always 0. If that bit
is set for every face, a meld can be taken away exactly when its subtraction clears none of these bits.
"""

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from domain.cards import JOKER, Card
from domain.games.khanhoo.contracts import FACE, FACES, MELDS, PATTERNS, ROWS, Cards, Face, Meld, Melds
from domain.games.khanhoo.meta import PACK

LONGEST_SEQUENCE = 5

_BITS = 3
_ONE: Mapping[Face, int] = {face: 1 << _BITS * index for index, face in enumerate(FACES)}
_GUARDS = sum(one << _BITS - 1 for one in _ONE.values())


_Faces: TypeAlias = tuple[int, tuple[int, ...]]
"""A meld by the index of its row and the indexes of its faces, by which melds are compared (KH-8.4)."""
_Division: TypeAlias = tuple[int, int, tuple[_Faces, ...]]
"""Melds that some cards can form: minus their points, minus their cards, and the melds. The least is best."""
_NOTHING: _Division = (0, 0, ())


class _Way(Struct, frozen=True, gc=False):
    """One way to make a meld: the cards that it takes from a hand, and its addition to a division."""

    takes: int
    points: int
    cards: int
    melds: tuple[_Faces]


def _ways() -> Iterator[_Way]:
    rows = {row.meld: number for number, row in enumerate(MELDS)}
    for pattern in PATTERNS:
        if pattern.meld == "sequence" and len(pattern.faces) > LONGEST_SEQUENCE:
            continue
        replaced = {(*_without(pattern.faces, face), JOKER) for face in pattern.faces}
        for faces in (pattern.faces, *sorted(replaced)):
            indexes = tuple(map(FACES.index, faces))
            takes, points = sum(_ONE[face] for face in faces), ROWS[pattern.meld].points
            yield _Way(takes, points, len(faces), ((rows[pattern.meld], indexes),))


def _without(faces: Sequence[Face], face: Face) -> Sequence[Face]:
    index = faces.index(face)
    return (*faces[:index], *faces[index + 1 :])


_WAYS: tuple[_Way, ...] = tuple(dict.fromkeys(_ways()))


def _by_first(hand: int) -> Mapping[int, tuple[_Way, ...]]:
    """The ways that the hand has cards for, by the first face from which they take a card."""
    ways: dict[int, list[_Way]] = {}
    guarded = hand | _GUARDS
    for way in _WAYS:
        if (guarded - way.takes) & _GUARDS == _GUARDS:
            ways.setdefault(_first(way.takes), []).append(way)
    return {first: tuple(some) for first, some in ways.items()}


def _first(hand: int) -> int:
    """One card of the first face that is in the hand."""
    bit = (hand & -hand).bit_length() - 1
    return 1 << bit - bit % _BITS


class Search:
    """The search through one hand, which remembers its result for each rest."""

    def __init__(self, cards: Cards) -> None:
        self.hand = hand = packed(cards)
        self._ways = _by_first(hand)
        self._whole: dict[int, bool] = {0: True}
        self._best: dict[int, _Division] = {0: _NOTHING}
        self._exact: dict[int, _Division | None] = {0: _NOTHING}

    @property
    def rests(self) -> int:
        """The number of rests that were divided in the best way, which is the cost of the search."""
        return len(self._best)

    def after(self, hand: int) -> Iterator[tuple[_Way, int]]:
        """The melds with the hand's first card, each with the rest that it leaves."""
        guarded = hand | _GUARDS
        for way in self._ways.get(_first(hand), ()):
            left = guarded - way.takes
            if left & _GUARDS == _GUARDS:
                yield way, left ^ _GUARDS

    def whole(self, hand: int) -> bool:
        """Whether all cards can be melded."""
        known = self._whole.get(hand)
        if known is None:
            known = self._whole[hand] = any(self.whole(left) for _, left in self.after(hand))
        return known

    def best(self, hand: int) -> _Division:
        """The best division; it may leave a rest."""
        known = self._best.get(hand)
        if known is None:
            known = self.best(hand - _first(hand))
            for way, left in self.after(hand):
                known = min(known, _with(way, self.best(left)))
            self._best[hand] = known
        return known

    def exact(self, hand: int) -> _Division | None:
        """The best division without a rest; None if there is none."""
        if hand not in self._exact:
            made = [_with(way, rest) for way, left in self.after(hand) if (rest := self.exact(left)) is not None]
            self._exact[hand] = min(made) if made else None
        return self._exact[hand]


def _with(way: _Way, division: _Division) -> _Division:
    points, cards, melds = division
    together = [*melds]
    insort(together, way.melds[0])
    return points - way.points, cards - way.cards, tuple(together)


def packed(cards: Sequence[Card]) -> int:
    """The cards as one number."""
    return sum(_ONE[FACE[card]] for card in cards)


# A player who is to discard asks for offers several times with the same hand.
@lru_cache(maxsize=1 << 10)
def cards_to_go_out(hand: Cards) -> Cards:
    """The cards of the hand without which all others can be melded (KH-7.1)."""
    search = Search(hand)
    return tuple([card for card in hand if search.whole(search.hand - _ONE[FACE[card]])])


def divides(hand: Cards) -> bool:
    """Whether all cards of the hand can be melded."""
    search = Search(hand)
    return search.whole(search.hand)


def best_division(hand: Cards, *, without_rest: bool) -> Melds:
    """The hand's division of most points; with `without_rest`, all cards must be melded. Ties go by KH-8.4.

    Raises ValueError if no division without a rest exists although one is required.
    """
    search = Search(hand)
    division = search.exact(search.hand) if without_rest else search.best(search.hand)
    if division is None:
        raise ValueError("the hand cannot be divided without rest")
    return tuple(_with_copies(hand, division[2]))


def _with_copies(hand: Cards, melds: Sequence[_Faces]) -> Iterator[Meld]:
    """The melds with the cards of the hand: the first of two copies goes to the first meld that has the face."""
    copies = {index: [card for card in PACK.sorted(hand) if FACE[card] == face] for index, face in enumerate(FACES)}
    for row, indexes in melds:
        yield Meld(MELDS[row].meld, tuple([copies[index].pop(0) for index in indexes]))
