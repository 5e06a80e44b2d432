"""The way around a table at which everything goes clockwise."""

from itertools import pairwise

import pytest
from msgspec import Struct

from domain.kernel.course import Standing
from domain.kernel.offers import Offer
from domain.parts import turns
from domain.parts.turns import Clockwise, in_turn, one_at_a_time


def standing(dealer: int | None) -> Standing:
    return Standing(None, 4, 1, dealer, (0,) * 4, {})


@pytest.mark.parametrize("size", [3, 4])
def test_turns_go_from_the_dealers_left_to_the_dealer(size: int) -> None:
    way = Clockwise(size)
    assert way.seats(None) == size
    for dealer in range(size):
        order = way.order_of_turns(dealer)
        assert sorted(order) == list(range(size))
        assert (order[0], order[-1]) == (way.left(dealer), dealer)
        assert all(way.left(seat) == following for seat, following in pairwise(order))


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_the_deal_passes_to_the_left(dealer: int, following: int) -> None:
    assert Clockwise(4).left(dealer) == Clockwise(4).next_dealer(standing(dealer)) == following


def test_no_deal_passes_where_nobody_deals() -> None:
    with pytest.raises(ValueError, match="no seat deals"):
        Clockwise(4).next_dealer(standing(None))


@pytest.mark.parametrize("dealer", range(4))
def test_the_way_around_follows_from_the_standing_alone(dealer: int) -> None:
    assert turns.next_dealer(standing(dealer)) == Clockwise(4).left(dealer)
    assert turns.order_of_turns(standing(dealer)) == Clockwise(4).order_of_turns(dealer)


class Phase(Struct, frozen=True):
    """A phase with a turn."""

    turn: int | None
    due: bool = False
    end: str | None = None


@pytest.mark.parametrize(
    ("state", "seats"), [(Phase(2), (2,)), (Phase(None), ()), (Phase(2, due=True), ()), (Phase(2, end="won"), ())]
)
def test_the_seat_in_turn_must_act_and_alone_has_acts(state: Phase, seats: tuple[int, ...]) -> None:
    to_act = one_at_a_time(lambda state: state.end, lambda state: state.due)
    offers = in_turn(to_act, lambda _, seat: (Offer(f"of {seat}"),))
    assert to_act(state) == seats
    assert [offers(state, seat) for seat in range(4)] == [
        (Offer(f"of {seat}"),) if seat in seats else () for seat in range(4)
    ]
