"""A player for one seat of a table of any game."""

from collections.abc import Callable
from typing import Any

from domain.kernel.action import Action
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.opponents.beliefs import Belief, Undescribed
from domain.opponents.choosing import choose
from domain.picking import Chance
from domain.seats import Seat
from domain.table.events import CardsDealt
from domain.table.state import Table, evolve, opened


class Opponent:
    """Follows a table by the events as they are redacted for its seat, and chooses the seat's acts.

    It is never given what the seat cannot know, so that it cannot cheat.
    """

    def __init__(self, game: Game, seat: Seat) -> None:
        """`game` is of the version of its rules that the table was opened with."""
        self._game = game
        self._seat = seat
        self.belief: Belief | None = None
        """What the seat may believe of the running deal; None before a deal, and where worlds cannot be made."""
        self.table: Table | None = None
        """The seat's own fold; None before the first event."""

    def see(self, table_id: str, event: Event[Any]) -> None:
        """Follows the next event of the table."""
        if self.table is None:
            self.table = opened(self._game, table_id, event)
            return
        if isinstance(event.public, CardsDealt):
            self.belief = Belief(self._game, self.table, self._seat, event)
        elif self.belief is not None:
            try:
                self.belief.add(event)
            except Undescribed:
                self.belief = None
        # A belief folds the seat's events as well.
        self.table = evolve(self._game, self.table, event) if self.belief is None else self.belief.table

    def choose(self, worlds: int, chance: Chance, in_time: Callable[[], bool] = lambda: True) -> Action | None:
        """An act that the seat is offered, the best by its mean in so many worlds; with none, any act.

        None if the seat is offered nothing or, where nobody must act, nothing that is worth doing before another event.
        Asked before each world, `in_time` says whether there is time left for it. The same chance gives the same act if
        there is time for all.
        """
        if self.table is None:
            raise ValueError("no event has been seen")
        return choose(self._game, self.table, self._seat, self.belief, chance, worlds, in_time)
