"""A player who knows no rules, at a table where nobody has to act and acts can be taken back and forth."""

from collections import Counter
from collections.abc import Sequence

from domain.kernel.canonical import canonical
from domain.kernel.offers import Chance, Offer

TRIES = 4
"""So many actions are drawn of each offer, to pick from."""


class Explorer:
    """Picks acts that lead on, by what came of earlier ones.

    It remembers the situations that it was in. An act after which it is where it was before has led round in a circle,
    with all acts since; one that alone leads back to where it was taken has changed nothing. In each situation the
    player takes what it took least there, and of that first what never led round: acts that cannot be undone. Of the
    others, those that change nothing, such as giving up, come last where the situation is new, and else first.

    It is for one deal: in another, other acts lead on.
    """

    def __init__(self, deal: object) -> None:
        self.deal = deal
        self._path: list[tuple[bytes, str]] = []
        """The situations so far, each with the act that was taken there."""
        self._places: dict[bytes, int] = {}
        """Where on the path each situation was last."""
        self._taken: Counter[tuple[bytes, str]] = Counter()
        self._round: set[str] = set()
        self._idle: set[str] = set()

    def pick(self, situation: object, offers: Sequence[Offer], draw: Chance) -> dict[str, object]:
        """An action that one of the offers describes. `situation` is what the player's acts change, as JSON has it."""
        here = canonical(situation)
        self._look_back(here)
        drawn = [offer.pick(draw) for offer in offers for _ in range(TRIES)]
        first = draw(len(drawn))
        action = min((*drawn[first:], *drawn[:first]), key=lambda action: self._rank(here, str(action)))
        self._taken[here, str(action)] += 1
        self._places[here] = len(self._path)
        self._path.append((here, str(action)))
        return action

    def _look_back(self, here: bytes) -> None:
        """Learns from where the last acts have led."""
        place = self._places.get(here)
        if place is None:
            return
        circle = [act for _, act in self._path[place:]]
        self._round.update(circle)
        if len(circle) == 1:
            self._idle.update(circle)

    def _rank(self, here: bytes, act: str) -> tuple[int, ...]:
        idle, returned = act in self._idle, here in self._places
        return self._taken[here, act], act in self._round, idle != returned
