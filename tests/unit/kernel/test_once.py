"""Functions that remember what they answered about the state that they were asked about last."""

import pytest

from domain.kernel.acts import once_a_seat, once_a_state

State = tuple[int, ...]


def test_each_state_and_seat_is_asked_about_once() -> None:
    asked: list[tuple[State, *tuple[int, ...]]] = []

    @once_a_seat
    def held(state: State, seat: int) -> int:
        asked.append((state, seat))
        return state[seat]

    @once_a_state
    def total(state: State) -> int:
        asked.append((state,))
        return sum(state)

    one, equal, other = tuple(range(5, 7)), tuple(range(5, 7)), (7, 8)
    of = [(one, 0), (one, 0), (one, 1), (equal, 1), (other, 1), (other, 1), (one, 1)]
    assert [held(*each) for each in of] == [5, 5, 6, 6, 8, 8, 6]
    assert [total(each) for each in (one, one, equal, other, other, one)] == [11, 11, 11, 15, 15, 11]
    assert asked == [(one, 0), (one, 1), (equal, 1), (other, 1), (one, 1), (one,), (equal,), (other,), (one,)]
    for _ in range(2):
        with pytest.raises(IndexError):
            held(one, 2)
    assert held(one, 1) == 6
