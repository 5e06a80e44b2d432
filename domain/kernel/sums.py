"""Subset sums: whether numbers can be split into sets of one total, and the choices of cards that form such sets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

_Items: TypeAlias = tuple[tuple[int, str], ...]
"""Values, high to low, each with its card; the card is empty for a value that is not chosen but must be in a set."""


def splits(numbers: Sequence[int], total: int) -> bool:
    """Whether the numbers, each at least 1, can be split into sets that each add up to the total."""
    refuted: set[_Items] = set()

    def split(items: _Items) -> bool:
        # The greatest number must be in some set. Trying it first leaves the fewest ways.
        if not items:
            return True
        if items in refuted:
            return False
        if any(split(left) for left in _left(items[1:], total - items[0][0])):
            return True
        refuted.add(items)
        return False

    return sum(numbers) % total == 0 and split(_items({}, numbers))


def choices(values: Mapping[str, int], total: int, least: int, beside: Iterable[int] = ()) -> Iterator[tuple[str, ...]]:
    """The choices of at least `least` cards that form sets of the total with the values beside them.

    First come those with no more sets than `least` cards need, then those with one set more. Of cards with the same
    value, only the first are chosen.
    """
    items = _items(values, beside)
    return chain(_choices(items, total, least), _choices(items, total, least + 1))


def _choices(items: _Items, total: int, least: int) -> Iterator[tuple[str, ...]]:
    bound = bool(items) and not items[0][1]
    if not bound and least <= 0:
        yield ()
        return
    tried = set()
    for index, (number, card) in enumerate(items[:1] if bound else items):
        if number <= total and number not in tried:
            tried.add(number)
            for left in _left(items[index + 1 :], total - number):
                kept = {name for _, name in left}
                taken = tuple(
                    name for name in (card, *(name for _, name in items[index + 1 :])) if name and name not in kept
                )
                yield from (taken + more for more in _choices(left, total, least - len(taken)))


def _items(values: Mapping[str, int], beside: Iterable[int] = ()) -> _Items:
    """The items of these cards and values, those of `beside` first."""
    cards = sorted(((number, card) for card, number in values.items()), key=itemgetter(0), reverse=True)
    return (*((number, "") for number in sorted(beside, reverse=True)), *cards)


def _left(items: _Items, missing: int) -> Iterator[_Items]:
    """The items left after taking some that add up to `missing`. Among cards of equal value the first are taken."""
    if missing == 0:
        yield items
        return
    tried = set()
    for index, (number, card) in enumerate(items):
        if number <= missing and (number, not card) not in tried:
            tried.add((number, not card))
            for left in _left(items[index + 1 :], missing - number):
                yield items[:index] + left
