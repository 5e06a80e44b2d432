"""Functions that are asked several times about the same state: by a decision, its answer, offers and views."""

from collections.abc import Callable
from typing import Any, TypeVar

from domain.seats import Seat

T = TypeVar("T")


def once_a_state(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """The function of a frozen state, which remembers its last answer. States are compared by identity."""
    last: tuple[Any, T] | None = None

    def remembering(state: Any) -> T:
        nonlocal last
        kept = last
        if kept is not None and kept[0] is state:
            return kept[1]
        answer = function(state)
        last = state, answer
        return answer

    return remembering


def once_a_seat(function: Callable[[Any, Seat], T]) -> Callable[[Any, Seat], T]:
    """The same for a function of a frozen state and a seat."""
    last: tuple[Any, Seat, T] | None = None

    def remembering(state: Any, seat: Seat) -> T:
        nonlocal last
        kept = last
        if kept is not None and kept[0] is state and kept[1] == seat:
            return kept[2]
        answer = function(state, seat)
        last = state, seat, answer
        return answer

    return remembering
