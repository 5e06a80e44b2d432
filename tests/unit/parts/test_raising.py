"""Auctions over numbers: every auction there can be, held against a plain telling of the rules."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from domain.parts.raising import NumberCall, Raising
from domain.seats import Seat

ORDER = (2, 3, 0)
HIGHEST = 3


def auctions(*, final: bool, must_open: bool) -> Iterator[Raising]:
    """Every auction that is over."""
    waiting = [Raising(ORDER, HIGHEST, final, must_open)]
    while waiting:
        auction = waiting.pop()
        if auction.turn is None:
            yield auction
            continue
        waiting += [auction.called(auction.turn, number) for number in auction.open_numbers]
        if auction.may_pass:
            waiting.append(auction.called(auction.turn, None))


def plain(numbers: Sequence[int | None], *, final: bool) -> tuple[list[Seat], bool]:
    """Who says each of these, in turn, and whether the auction is over with the last and not before."""
    speakers: list[Seat] = []
    out: set[Seat] = set()
    best: tuple[Seat, int] | None = None
    row = place = 0
    for said, number in enumerate(numbers, 1):
        while final and ORDER[place % 3] in out:
            place += 1
        seat = ORDER[place % 3]
        place += 1
        speakers.append(seat)
        if number is None:
            out.add(seat)
            row += 1
        else:
            best, row = (seat, number), 0
        passes = len(out) if final else row
        if passes == 3 or (best is not None and (passes == 2 or best[1] == HIGHEST)):
            return speakers, said == len(numbers)
    return speakers, False


@pytest.mark.parametrize(("final", "must_open"), list(product((True, False), repeat=2)))
def test_every_auction_goes_as_the_rules_tell(*, final: bool, must_open: bool) -> None:
    found = 0
    for auction in auctions(final=final, must_open=must_open):
        numbers = [call.number for call in auction.calls]
        speakers, over = plain(numbers, final=final)
        assert over, numbers
        assert [call.seat for call in auction.calls] == speakers
        bids = [number for number in numbers if number is not None]
        assert bids == sorted(set(bids))
        assert (numbers[0] is None) <= (not must_open)
        assert auction.high_bid == (None if not bids else auction.calls[numbers.index(bids[-1])])
        found += 1
    assert found > 10


def test_who_passed_may_bid_again_only_where_a_pass_is_not_final() -> None:
    for final, turn in ((False, 3), (True, 0)):
        auction = Raising(ORDER, HIGHEST, final, must_open=False)
        for seat, number in ((2, 1), (3, None), (0, 2), (2, None)):
            auction = auction.called(seat, number)
        assert auction.turn == (None if final else turn)
        assert auction.high_bid == NumberCall(0, 2)


def test_a_bid_is_higher_than_the_last() -> None:
    auction = Raising(ORDER, HIGHEST, final=False, must_open=True)
    assert list(auction.open_numbers) == [1, 2, 3]
    assert not auction.may_pass
    auction = auction.called(2, 2)
    assert list(auction.open_numbers) == [3]
    assert auction.may_pass
