"""The way around a table at which everything goes clockwise."""

from itertools import pairwise

import pytest

from domain.kernel.course import Standing
from domain.parts.turns import Clockwise


def standing(dealer: int | None) -> Standing:
    return Standing(None, 4, 1, dealer, (0,) * 4, {})


@pytest.mark.parametrize("size", [3, 4])
def test_turns_go_from_the_dealers_left_to_the_dealer(size: int) -> None:
    turns = Clockwise(size)
    assert turns.seats(None) == size
    for dealer in range(size):
        order = turns.order_of_turns(dealer)
        assert sorted(order) == list(range(size))
        assert (order[0], order[-1]) == (turns.left(dealer), dealer)
        assert all(turns.left(seat) == following for seat, following in pairwise(order))


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_the_deal_passes_to_the_left(dealer: int, following: int) -> None:
    assert Clockwise(4).left(dealer) == Clockwise(4).next_dealer(standing(dealer)) == following


def test_no_deal_passes_where_nobody_deals() -> None:
    with pytest.raises(ValueError, match="no seat deals"):
        Clockwise(4).next_dealer(standing(None))
