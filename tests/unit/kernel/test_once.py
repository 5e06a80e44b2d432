"""Functions that remember what they answered about the state that they were asked about last."""

import pytest

from domain.kernel.acts import once_a_state


def test_each_state_and_seat_is_asked_about_once() -> None:
    asked = []

    @once_a_state
    def held(state: tuple[int, ...], *seat: int) -> int:
        asked.append((state, *seat))
        return state[seat[0]] if seat else sum(state)

    one, equal, other = tuple(range(5, 7)), tuple(range(5, 7)), (7, 8)
    of = [(one, 0), (one, 0), (one, 1), (equal, 1), (other, 1), (other, 1), (other,), (other,), (one, 1)]
    assert [held(*each) for each in of] == [5, 5, 6, 6, 8, 8, 15, 15, 6]
    assert asked == [(one, 0), (one, 1), (equal, 1), (other, 1), (other,), (one, 1)]
    for _ in range(2):
        with pytest.raises(IndexError):
            held(one, 2)
    assert held(one, 1) == 6
