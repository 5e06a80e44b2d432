"""CR-4: the auction. Seat 0 is eldest, seat 2 deals."""

import pytest

from domain.games.crocodile.events import BidMade, CascoForced
from domain.kernel.rejection import Code
from domain.parts.auction import BidPassed
from tests.games.crocodile.checker import BIDS
from tests.support.for_each import for_each
from tests.support.games import Live, around


def auction(*calls: str) -> Live:
    """A table after these calls, each by whose turn it is."""
    live = around({})
    for call in calls:
        if call == "pass":
            live.do("pass")
        else:
            live.do("bid", contract=call)
    return live


@for_each(
    "calls, turn",
    [
        ((), 0),
        (("pass",), 1),
        (("play",), 1),
        (("play", "pass"), 2),
        (("play", "pass", "grand"), 0),
        (("play", "pass", "grand", "tournee"), 2),
        (("pass", "play", "grand"), 1),
        (("pass", "play", "grand", "tournee"), 2),
        (("play", "grand", "tournee"), 0),
        (("play", "grand", "tournee", "pass"), 1),
        (("play", "grand", "tournee", "pass", "exchange-nolo"), 2),
        (("play", "grand", "pass"), 0),
        (("pass", "pass"), 2),
    ],
)
def test_cr_4_1_eldest_first_then_clockwise_among_those_who_have_not_passed(calls: tuple[str, ...], turn: int) -> None:
    live = auction(*calls)
    assert (live.phase, live.to_act) == ("auction", (turn,))
    assert live.types(turn) == {"bid", "pass"}
    for other in {0, 1, 2} - {turn}:
        assert live.offers(other) == ()
        live.refuses(other, "pass", Code.NOT_YOUR_TURN, "CR-4.1")
        live.refuses(other, "bid", Code.NOT_YOUR_TURN, "CR-4.1", contract="nolo-ouvert")


def test_cr_4_2_who_has_passed_cannot_come_in_again() -> None:
    live = auction("play", "pass", "grand")
    live.refuses(1, "bid", Code.NOT_YOUR_TURN, "CR-4.1", contract="solo")
    live.do("bid", contract="tournee")
    live.refuses(1, "bid", Code.NOT_YOUR_TURN, "CR-4.1", contract="solo")


def test_cr_4_2_bids_and_passes_are_told_to_all() -> None:
    live = auction("play", "pass", "grand", "pass")
    calls = [event.public for event in live.events if isinstance(event.public, (BidMade, BidPassed))]
    assert calls == [BidMade(0, "play"), BidPassed(1), BidMade(2, "grand"), BidPassed(0)]
    assert live.view("public")["auction"] == (
        {"seat": 0, "bid": "play"},
        {"seat": 1, "bid": "pass"},
        {"seat": 2, "bid": "grand"},
        {"seat": 0, "bid": "pass"},
    )


@for_each("standing", range(8))
def test_cr_4_3_a_bid_must_rank_higher_than_the_last(standing: int) -> None:
    live = auction(BIDS[standing])
    assert live.offered(1, "bid") == [{"contract": {"one_of": BIDS[standing + 1 :]}}]
    for lower in BIDS[: standing + 1]:
        live.refuses(1, "bid", Code.RULE_VIOLATION, "CR-4.3", contract=lower)
    live.do("bid", contract=BIDS[standing + 1])


def test_cr_4_3_the_first_bid_may_be_any_but_casco() -> None:
    live = auction()
    assert live.offered(0, "bid") == [{"contract": {"one_of": BIDS}}]
    live.refuses(0, "bid", Code.RULE_VIOLATION, "CR-4.3", contract="casco")


def test_cr_4_3_a_player_may_raise_the_own_bid_after_others() -> None:
    live = auction("play", "grand", "pass", "tournee", "pass")
    assert (live.phase, live.turn, live.table.deal_state.bid) == ("declaration", 0, "tournee")


@for_each(
    "calls, declarer, bid",
    [
        (("play", "pass", "pass"), 0, "play"),
        (("pass", "grand", "pass"), 1, "grand"),
        (("pass", "pass", "solo"), 2, "solo"),
        (("play", "grand", "pass", "pass"), 1, "grand"),
        (("play", "grand", "tournee", "pass", "pass"), 2, "tournee"),
        (("play", "grand", "tournee", "solo", "pass", "pass"), 0, "solo"),
        (("pass", "play", "grand", "pass"), 2, "grand"),
    ],
)
def test_cr_4_4_the_last_who_has_bid_is_declarer(calls: tuple[str, ...], declarer: int, bid: str) -> None:
    live = auction(*calls)
    assert (live.phase, live.to_act, live.table.deal_state.bid) == ("declaration", (declarer,), bid)


def test_cr_4_4_the_third_may_still_pass_or_bid() -> None:
    live = auction("pass", "pass")
    assert live.types(2) == {"bid", "pass"}
    assert live.offered(2, "bid") == [{"contract": {"one_of": BIDS}}]


def test_cr_4_5_when_all_pass_eldest_must_play_casco() -> None:
    live = auction("pass", "pass", "pass")
    assert live.events[-1].public == CascoForced(0)
    assert live.events[-1].actor == "house"
    assert (live.to_act, live.types(0)) == ((0,), {"take-casco"})


@pytest.mark.parametrize("before", [(), ("pass",), ("pass", "pass"), ("play", "solo"), ("play", "grand", "nolo")])
def test_cr_4_6_nolo_ouvert_ends_the_auction_at_once(before: tuple[str, ...]) -> None:
    live = auction(*before)
    bidder = live.turn
    live.do("bid", contract="nolo-ouvert")
    assert (live.phase, live.to_act) == ("declaration", (bidder,))
    live.refuses(bidder, "pass", Code.WRONG_PHASE, "CR-6.1")
    live.refuses((bidder + 1) % 3, "pass", Code.WRONG_PHASE, "CR-6.1")


@for_each("kind", ["declare", "play", "exchange", "concede", "talk", "take-casco", "offer-priority"])
def test_nothing_but_calls_has_a_place_in_the_auction(kind: str) -> None:
    live = auction("play")
    fields = {"declare": {"contract": "play", "trump": "s"}, "play": {"card": "Ks"}, "talk": {"text": "hello"}}
    with_fields = {"take-casco": {"keep": "Ks"}, **fields}.get(kind, {})
    for seat in range(3):
        live.refuses(seat, kind, Code.WRONG_PHASE, "CR-4.2", **with_fields)
