"""Placing cards of which only the possible places are known: all consistent placings are equally likely.

Cards with the same possible places form a class. How many of a class lie in a place decides how many placings there
are, so the numbers are drawn first, by the numbers of placings that each leaves; then cards of the class are drawn.
"""

from collections.abc import Mapping
from math import comb
from typing import Generic, TypeVar

from domain.cards import Card
from domain.picking import Chance

P = TypeVar("P")
"""A place, such as a seat's hand or the stock."""


class Impossible(Exception):
    """No placing is consistent."""


class Placing(Generic[P]):
    """All ways to place these cards, each in one of its possible places, so that every place is full."""

    def __init__(self, possible: Mapping[Card, frozenset[P]], room: Mapping[P, int]) -> None:
        """`possible` has the possible places of each card, and `room` the number of cards that a place takes.

        Raises Impossible if there is no way.
        """
        self._places = tuple(room)
        classes: dict[tuple[int, ...], list[Card]] = {}
        for card, places in possible.items():
            among = tuple([index for index, place in enumerate(self._places) if place in places])
            classes.setdefault(among, []).append(card)
        # The fewer the places, the sooner a class is placed: what is left over then differs least.
        self._classes = sorted(classes.items(), key=lambda one: len(one[0]))
        self._room = tuple(room.values())
        # The last class whose cards may lie in each place, which has to fill it.
        self._last = {index: number for number, (among, _) in enumerate(self._classes) for index in among}
        self._known: dict[tuple[int, int, int, tuple[int, ...]], int] = {}
        self.number = self._ways(0, 0, self._size(0), self._room) if sum(self._room) == len(possible) else 0
        """The number of ways."""
        if not self.number:
            raise Impossible

    def draw(self, chance: Chance) -> dict[P, tuple[Card, ...]]:
        """One of the ways, each equally likely: the cards in each place."""
        placed: dict[P, list[Card]] = {place: [] for place in self._places}
        room = self._room
        for number, (among, cards) in enumerate(self._classes):
            left = list(cards)
            for step, place in enumerate(among):
                count, room = self._drawn(number, step, len(left), room, chance)
                placed[self._places[place]] += [left.pop(chance(len(left))) for _ in range(count)]
        return {place: tuple(cards) for place, cards in placed.items()}

    def _drawn(
        self, number: int, step: int, left: int, room: tuple[int, ...], chance: Chance
    ) -> tuple[int, tuple[int, ...]]:
        """How many of a class's remaining cards go to its next place, and the room that is then left."""
        chosen = chance(self._ways(number, step, left, room))
        for count, after in self._choices(number, step, left, room):
            chosen -= comb(left, count) * self._ways(number, step + 1, left - count, after)
            if chosen < 0:
                return count, after
        raise Impossible

    def _ways(self, number: int, step: int, left: int, room: tuple[int, ...]) -> int:
        """The number of ways to place the rest: `left` cards of a class from its place `step` on, then the others."""
        if number == len(self._classes):
            return 1
        if step == len(self._classes[number][0]):
            return 0 if left else self._ways(number + 1, 0, self._size(number + 1), room)
        key = (number, step, left, room)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = sum(
                comb(left, count) * self._ways(number, step + 1, left - count, after)
                for count, after in self._choices(number, step, left, room)
            )
        return known

    def _choices(self, number: int, step: int, left: int, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """The numbers of cards that may go to a class's place, each with the room that is then left."""
        among = self._classes[number][0]
        place = among[step]
        # The last place of a class takes all that is left of it, and the last class of a place fills it.
        least = max(left if step + 1 == len(among) else 0, room[place] if self._last[place] == number else 0)
        return [
            (count, (*room[:place], room[place] - count, *room[place + 1 :]))
            for count in range(least, min(left, room[place]) + 1)
        ]

    def _size(self, number: int) -> int:
        return len(self._classes[number][1]) if number < len(self._classes) else 0
