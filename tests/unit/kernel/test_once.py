"""Functions that remember what they answered about the state that they were asked about last."""

import pytest

from domain.kernel.once import once_a_seat, once_a_state

State = tuple[int, ...]


def test_a_state_is_asked_about_once() -> None:
    asked: list[State] = []

    @once_a_state
    def total(state: State) -> int:
        asked.append(state)
        return sum(state)

    one, equal, other = tuple(range(1, 3)), tuple(range(1, 3)), (3, 4)
    assert one is not equal
    assert [total(state) for state in (one, one, equal, other, other, one)] == [3, 3, 3, 7, 7, 3]
    assert asked == [one, equal, other, one]


def test_each_seat_is_asked_about_by_itself() -> None:
    asked: list[tuple[State, int]] = []

    @once_a_seat
    def held(state: State, seat: int) -> int:
        asked.append((state, seat))
        return state[seat]

    state, other = (5, 6), (7, 8)
    of = [(state, 0), (state, 0), (state, 1), (other, 1), (other, 1), (state, 1)]
    assert [held(*one) for one in of] == [5, 5, 6, 8, 8, 6]
    assert asked == [(state, 0), (state, 1), (other, 1), (state, 1)]


def test_an_error_is_not_remembered() -> None:
    @once_a_seat
    def held(state: State, seat: int) -> int:
        return state[seat]

    state = (5, 6)
    for _ in range(2):
        with pytest.raises(IndexError):
            held(state, 2)
    assert held(state, 1) == 6
