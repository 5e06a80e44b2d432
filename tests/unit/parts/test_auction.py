"""Auctions: who speaks, what may be said, when it is over; held against a plain reading for every auction there is."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from domain.parts.auction import PASS, Bidding, Call
from tests.support.for_each import for_each

RANKS = {"low": 1, "one": 2, "other": 2, "high": 3}
"""Four bids, two of them equal."""
ORDER = (2, 0, 3, 1)


class Turn(NamedTuple):
    """Who speaks and what may be said."""

    seat: int
    bids: tuple[str, ...]
    may_hold: bool


def turn(bidding: Bidding[str]) -> Turn | None:
    """Where the auction stands; None when it is over."""
    seat = bidding.turn
    return None if seat is None else Turn(seat, bidding.higher, bidding.may_hold(seat))


def read_plainly(order: tuple[int, ...], calls: tuple[Call, ...], *, hold: bool) -> Turn | None:
    """Where the auction stands if turns simply go round among those who have not passed."""
    passed = {call.seat for call in calls if call.bid == PASS}
    bids = [call for call in calls if call.bid != PASS]
    standing = bids[-1] if bids else None
    higher = tuple(bid for bid in RANKS if standing is None or RANKS[bid] > RANKS[standing.bid])

    def may_hold(seat: int) -> bool:
        return hold and standing is not None and order.index(seat) < order.index(standing.seat)

    def has_a_choice(seat: int) -> bool:
        return seat not in passed and not (standing and standing.seat == seat) and bool(higher or may_hold(seat))

    if not any(has_a_choice(seat) for seat in order):
        return None
    start = order.index(calls[-1].seat) + 1 if calls else 0
    for step in range(len(order)):
        seat = order[(start + step) % len(order)]
        if seat not in passed and not (standing and standing.seat == seat):
            return Turn(seat, higher, may_hold(seat))
    return None


def auctions(bidding: Bidding[str]) -> Iterator[Bidding[str]]:
    """The auction after every way it can go on from here, this one first."""
    yield bidding
    at = turn(bidding)
    if at is None:
        return
    held = [bidding.high_bid.bid] if at.may_hold and bidding.high_bid else []
    for bid in (*at.bids, *held, PASS):
        yield from auctions(bidding.called(Call(at.seat, bid)))


@for_each("players, hold", list(product([2, 3, 4], [False, True])))
def test_every_auction_in_which_turns_go_round(players: int, *, hold: bool) -> None:
    order = ORDER[:players]
    number = 0
    for bidding in auctions(Bidding(order, RANKS, hold=hold)):
        assert turn(bidding) == read_plainly(order, bidding.calls, hold=hold), bidding.calls
        number += 1
    assert number > 20


@pytest.mark.parametrize("hold", [False, True])
def test_two_at_once_are_all_where_there_are_two(*, hold: bool) -> None:
    for bidding in auctions(Bidding(ORDER[:2], RANKS, hold=hold, at_once=2)):
        assert turn(bidding) == read_plainly(ORDER[:2], bidding.calls, hold=hold), bidding.calls


@pytest.mark.parametrize("players", [3, 4])
def test_of_two_at_once_the_next_comes_in_when_one_has_passed(players: int) -> None:
    order = ORDER[:players]
    for bidding in auctions(Bidding(order, RANKS, hold=True, at_once=2)):
        at = turn(bidding)
        if at is not None:
            passed = {call.seat for call in bidding.calls if call.bid == PASS}
            assert at.seat in [seat for seat in order if seat not in passed][:2]


@pytest.mark.parametrize("at_once", [None, 2, 3])
def test_pass_is_final_and_nobody_outbids_the_own_bid(at_once: int | None) -> None:
    for bidding in auctions(Bidding(ORDER[:3], RANKS, hold=True, at_once=at_once)):
        seat = bidding.turn
        if seat is not None:
            assert Call(seat, PASS) not in bidding.calls
            assert bidding.high_bid is None or bidding.high_bid.seat != seat


def test_what_stands_and_who_is_left() -> None:
    bidding = Bidding(ORDER[:3], RANKS)
    assert (bidding.high_bid, bidding.left, bidding.higher) == (None, (2, 0, 3), ("low", "one", "other", "high"))
    bidding = bidding.called(Call(2, "low")).called(Call(0, PASS))
    assert (bidding.high_bid, bidding.left) == (Call(2, "low"), (2, 3))
    assert (bidding.turn, bidding.higher) == (3, ("one", "other", "high"))
    bidding = bidding.called(Call(3, "other"))
    assert (bidding.high_bid, bidding.turn, bidding.higher) == (Call(3, "other"), 2, ("high",))
    assert bidding.calls == (Call(2, "low"), Call(0, PASS), Call(3, "other"))


def test_what_is_held_is_the_standing_bid() -> None:
    with pytest.raises(ValueError, match="nobody has bid"):
        _ = Bidding(ORDER[:3], RANKS).called(Call(2, PASS)).to_hold
    assert Bidding(ORDER[:3], RANKS, hold=True).called(Call(2, PASS)).called(Call(0, "low")).to_hold == "low"


@pytest.mark.parametrize(("first", "second"), [("one", "other"), ("other", "one")])
def test_of_equal_bids_the_one_bid_first_shuts_out_the_other(first: str, second: str) -> None:
    bidding = Bidding(ORDER[:3], RANKS).called(Call(2, first))
    assert second not in bidding.higher
    assert bidding.higher == ("high",)


@pytest.mark.parametrize(
    ("hold", "bidder", "may"), [(True, 3, [2, 0]), (True, 0, [2]), (True, 2, []), (False, 3, []), (False, 0, [])]
)
def test_who_comes_earlier_than_the_standing_bidder_may_hold(bidder: int, may: list[int], *, hold: bool) -> None:
    bidding = Bidding(ORDER[:3], RANKS, hold=hold, calls=(Call(bidder, "one"),))
    assert [seat for seat in ORDER[:3] if bidding.may_hold(seat)] == may


def test_nothing_can_be_held_before_a_bid() -> None:
    assert not any(Bidding(ORDER, RANKS, hold=True).may_hold(seat) for seat in ORDER)


def test_over_when_all_have_passed_or_one_is_left_who_bid() -> None:
    assert Bidding((0, 1), RANKS).called(Call(0, PASS)).called(Call(1, PASS)).turn is None
    assert Bidding((0, 1), RANKS).called(Call(0, "low")).called(Call(1, PASS)).turn is None
    assert Bidding((0, 1), RANKS).called(Call(0, PASS)).turn == 1
    assert Bidding((0, 1), RANKS).called(Call(0, "high")).turn is None
    assert Bidding((0, 1), RANKS, hold=True).called(Call(0, "low")).called(Call(1, "high")).turn == 0
