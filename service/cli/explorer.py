"""A player who knows no rules, for tables where nobody has to act and acts can be taken back and forth."""

from collections import Counter
from collections.abc import Sequence

from domain.kernel.canonical import canonical
from domain.kernel.offers import Offer
from domain.picking import Chance, pick

TRIES = 4
"""The number of actions drawn from each offer, to pick from."""


class Explorer:
    """Picks acts that make progress, by the effects of earlier ones.

    It remembers its situations. An act that leads back to an earlier one has gone in a circle, along with all acts
    since; if it leads back to where it was taken, it has changed nothing. In each situation it picks the act that it
    has taken least there, and among these first one that was never part of a circle, as such acts cannot be undone. Of
    the others, those that change nothing, such as giving up, come last in a new situation, and first in a known one.

    It is for one deal, since other acts make progress in another.
    """

    def __init__(self, deal: object) -> None:
        self.deal = deal
        self._path: list[tuple[bytes, str]] = []
        """The situations so far, each with the act that was taken there."""
        self._last_at: dict[bytes, int] = {}
        """The index of each situation's last occurrence in the path."""
        self._taken: Counter[tuple[bytes, str]] = Counter()
        self._round: set[str] = set()
        self._idle: set[str] = set()

    def pick(self, situation: object, offers: Sequence[Offer], draw: Chance) -> dict[str, object]:
        """An action from one of the offers. `situation` is what the player's acts change, as JSON."""
        here = canonical(situation)
        self._look_back(here)
        drawn = [pick(offer, draw) for offer in offers for _ in range(TRIES)]
        first = draw(len(drawn))
        action = min((*drawn[first:], *drawn[:first]), key=lambda action: self._rank(here, str(action)))
        self._taken[here, str(action)] += 1
        self._last_at[here] = len(self._path)
        self._path.append((here, str(action)))
        return action

    def _look_back(self, here: bytes) -> None:
        """Learns from the effects of the last acts."""
        index = self._last_at.get(here)
        if index is None:
            return
        circle = [act for _, act in self._path[index:]]
        self._round.update(circle)
        if len(circle) == 1:
            self._idle.update(circle)

    def _rank(self, here: bytes, act: str) -> tuple[int, ...]:
        idle, returned = act in self._idle, here in self._last_at
        return self._taken[here, act], act in self._round, idle != returned
