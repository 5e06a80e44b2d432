"""What playouts learn from each other: how much each move brought, and after which cards of its trick."""

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from domain.cards import Card
from domain.kernel.action import Action
from domain.seats import Seat

FEW = 3
"""What a move brought in such a trick counts once it was made there so often, beside what it brought elsewhere."""

ENOUGH = 8
"""From so many times on nothing else counts."""

KNOWN = 9
"""The fewest cards that must have been played before discards are chosen by what cards brought."""


class Mean:
    """The mean of what was gained."""

    __slots__ = ("_sum", "number", "value")

    def __init__(self) -> None:
        self.number, self._sum, self.value = 0, 0.0, float("-inf")

    def add(self, gained: float) -> None:
        """Takes in what was gained once more."""
        self.number += 1
        self._sum += gained
        self.value = self._sum / self.number


Move: TypeAlias = Action | tuple[object, ...]
"""An act as playouts tell it from others: the act, or its type and what was chosen from lists, such as its card."""

Before: TypeAlias = tuple[Move, ...]
"""What lies before a move in its trick: nothing, the first move, or the first and the last."""


class Lessons:
    """What the moves of each seat brought to it, after what lay before them and after anything."""

    def __init__(self, seats: int) -> None:
        self._means: list[dict[Before, dict[Move, Mean]]] = [{(): {}} for _ in range(seats)]

    def knows(self, seat: Seat, move: Move) -> bool:
        """Whether the seat made this move in a playout."""
        return move in self._means[seat][()]

    def add(self, seat: Seat, before: Before, move: Move, gained: float) -> None:
        """Takes in what a playout brought to a seat that made this move."""
        own = self._means[seat]
        for length in range(len(before) + 1):
            means = own.get(before[:length])
            if means is None:
                means = own[before[:length]] = {}
            mean = means.get(move)
            if mean is None:
                mean = means[move] = Mean()
            mean.add(gained)

    def best(self, seat: Seat, before: Before, moves: Sequence[Move], first: int) -> int:
        """The index of the move that brought most in the mean, of equal ones the next from the first on; one that was
        never made comes before all.
        """
        own = self._means[seat]
        means = own[()]
        special = [own[before[:length]] for length in range(1, len(before) + 1) if before[:length] in own]
        best, most = first, float("-inf")
        for index in chain(range(first, len(moves)), range(first)):
            move = moves[index]
            mean = means.get(move)
            if mean is None:
                return index
            value = mean.value
            for each in special:
                mean = each.get(move)
                if mean is not None and mean.number >= FEW:
                    value = mean.value if mean.number >= ENOUGH else (mean.value + value) / 2
            if value > most:
                best, most = index, value
        return best

    def leads(self, seat: Seat, cards: Sequence[Card]) -> list[tuple[float, Card]]:
        """The cards, each with what it brought to the seat beyond the mean of all that it played, the least first.

        A card that it did not play counts as the mean. No cards while it has played few.
        """
        worth: dict[Card, float] = {}
        for move, mean in self._means[seat][()].items():
            card = getattr(move, "card", None)
            if isinstance(card, str):
                worth[card] = mean.value
        if len(worth) < KNOWN:
            return []
        middle = sum(worth.values()) / len(worth)
        return sorted((worth.get(card, middle) - middle, card) for card in cards)
