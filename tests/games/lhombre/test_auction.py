"""LH-4: the auction. With three players and seat 2 dealing, forehand is seat 1, middlehand seat 0, backhand seat 2."""

from typing import Any, NamedTuple

import pytest

from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.events import BidMade, DealWashedOut
from domain.games.lhombre.state import Auction, Declaration
from domain.kernel.rejection import Code
from domain.parts.auction import BidPassed
from tests.games.lhombre.checker import BIDS, CONTRACTS, REDEFINED, Bidding, can_show
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive
from tests.support.for_each import for_each
from tests.support.games import parsed

ORDER = (1, 0, 2)
BLACK_ACES = ("As", "Ac")


def dealt(aces: int | None = None, **fields: Any) -> LhombreLive:
    """A table at its auction; who is at the place `aces` was dealt both black aces, else nobody was."""
    hands = {0: BLACK_ACES[:1], 1: BLACK_ACES[1:]} if aces is None else {aces: BLACK_ACES}
    return LhombreLive.around(hands, **fields)


def say(live: LhombreLive, *calls: str) -> LhombreLive:
    """After these calls, each by whose turn it is."""
    for call in calls:
        if call in BIDS:
            live.do("bid", contract=call)
        else:
            live.do(call)
    return live


def won_by(live: LhombreLive) -> tuple[int, str] | None:
    """Who has won the auction with which bid; None while it is on."""
    won = live.table.deal_state.common.bidding.won
    assert (won is None) is (live.phase == "auction")
    return None if won is None else (won.seat, won.bid)


class Speaking(NamedTuple):
    """Whose turn it is in the auction, and what may be said."""

    seat: int
    bids: tuple[str, ...]
    may_self: bool

    @property
    def calls(self) -> tuple[str, ...]:
        """Everything that may be said."""
        return (*self.bids, *(("self",) if self.may_self else ()), "pass")


class Won(NamedTuple):
    """Who has won the auction with which bid; nobody if all have passed."""

    seat: int | None
    bid: str | None


def expected_of(bidding: Bidding, hands: tuple[Any, ...]) -> Speaking | Won:
    """Where the auction stands by the checker."""
    seat = bidding.turn
    if seat is None:
        return Won(bidding.bidder, bidding.bid)
    hand = hands[seat].known
    bids = tuple(bid for bid in BIDS if bidding.outranked_by(bid) and can_show(hand, bid))
    return Speaking(seat, bids, bidding.may_self(seat) and can_show(hand, bidding.bid or ""))


def auction_of(state: Any) -> Speaking | Won:
    """Where the deal's auction stands by the offers."""
    if isinstance(state, Auction):
        (seat,) = LHOMBRE.decider.to_act(state)
        assert all(LHOMBRE.decider.offers(state, other) == () for other in range(3) if other != seat)
        offered = {offer.type: offer.describe()["fields"] for offer in LHOMBRE.decider.offers(state, seat)}
        assert offered.pop("pass") == {}
        bids = offered.pop("bid", {"contract": {"one_of": ()}})
        may_self = offered.pop("self", None) == {}
        assert not offered
        return Speaking(seat, bids["contract"]["one_of"], may_self)  # type: ignore[index] # as described
    if isinstance(state, Declaration):
        return Won(state.declarer, state.bid)
    return Won(None, None)


@pytest.mark.parametrize("aces", [None, 0, 1, 2])
def test_lh_4_2_to_4_5_every_auction_there_can_be(aces: int | None) -> None:
    begun = 0

    def after(state: Any, bidding: Bidding) -> None:
        nonlocal begun
        begun += 1
        expected = expected_of(bidding, hands)
        assert auction_of(state) == expected, bidding
        if isinstance(expected, Won):
            return
        seat = expected.seat
        for call in expected.calls:
            wire = {"type": "bid", "contract": call} if call in BIDS else {"type": call}
            said = bidding.after(seat, {"pass": None, "self": bidding.bid}.get(call, call))
            event = LHOMBRE.decider.decide(state, seat, parsed(wire, LHOMBRE))
            assert LHOMBRE.decider.action_of(event) == parsed(wire, LHOMBRE)
            nxt = LHOMBRE.decider.evolve(state, event)
            follows = LHOMBRE.decider.next_automatic(nxt)
            washed_out = not said.left
            declared = isinstance(nxt, Declaration) and nxt.bid not in REDEFINED
            assert (follows is not None) is (washed_out or declared)
            after(LHOMBRE.decider.evolve(nxt, follows) if washed_out and follows else nxt, said)

    begin = dealt(aces).table.deal_state
    hands = begin.hands
    after(begin, Bidding(ORDER, ORDER))
    assert begun > 9000


@for_each("standing", BIDS)
def test_lh_4_1_bids_low_to_high_the_solo_in_spades_equal_to_the_pure_nolo(standing: str) -> None:
    live = say(dealt(0), standing)
    higher = tuple(bid for bid in BIDS if CONTRACTS[bid].rank > CONTRACTS[standing].rank and bid != "grand-tourne")
    if standing == "nolo-ouvert":
        assert won_by(live) == (1, "nolo-ouvert")
        return
    assert live.offered(0, "bid") == [{"contract": {"one_of": higher}}]
    for lower in BIDS:
        if CONTRACTS[lower].rank <= CONTRACTS[standing].rank:
            live.refuses(0, "bid", Code.RULE_VIOLATION, "LH-4.3", contract=lower)


@pytest.mark.parametrize(("first", "second"), [("pure-nolo", "spade-solo"), ("spade-solo", "pure-nolo")])
def test_lh_4_1_of_equal_bids_the_one_bid_first_shuts_out_the_other(first: str, second: str) -> None:
    live = say(dealt(), "simple-game", first)
    assert live.types(1) == {"bid", "self", "pass"}
    live.refuses(1, "bid", Code.RULE_VIOLATION, "LH-4.3", contract=second)
    say(live, "self")
    assert live.of(BidMade)[-1] == BidMade(1, first, True, ())  # type: ignore[arg-type] # as named in the rules
    live.refuses(0, "bid", Code.RULE_VIOLATION, "LH-4.3", contract=second)
    say(live, "nolo-ouvert", "self")
    assert won_by(live) == (1, "nolo-ouvert")


@for_each(
    "calls, turn",
    [
        ((), 1),
        (("pass",), 0),
        (("pass", "tourne"), 2),
        (("pass", "pass"), 2),
        (("tourne",), 0),
        (("tourne", "pass"), 2),
        (("tourne", "solo"), 1),
        (("tourne", "solo", "self"), 0),
        (("tourne", "solo", "self", "pass"), 2),
        (("tourne", "solo", "pass"), 2),
        (("tourne", "pass", "solo"), 1),
        (("tourne", "pass", "solo", "self"), 2),
        (("pass", "tourne", "solo"), 0),
        (("pass", "tourne", "solo", "self"), 2),
        (("pass", "tourne", "solo", "pure-nolo"), 2),
    ],
)
def test_lh_4_2_forehand_and_middlehand_first_then_backhand_with_who_is_left(calls: tuple[str, ...], turn: int) -> None:
    live = say(dealt(), *calls)
    assert (live.phase, live.to_act) == ("auction", (turn,))
    for other in {0, 1, 2} - {turn}:
        assert live.offers(other) == ()
        live.refuses(other, "pass", Code.NOT_YOUR_TURN, "LH-4.2")
        live.refuses(other, "self", Code.NOT_YOUR_TURN, "LH-4.2")
        live.refuses(other, "bid", Code.NOT_YOUR_TURN, "LH-4.2", contract="nolo-ouvert")


@pytest.mark.parametrize("dealer", range(4))
def test_lh_4_2_who_sits_out_never_speaks(dealer: int) -> None:
    live = dealt(dealer=dealer, options=FOUR)
    (sitter,) = live.sitting_out
    for call in ("simple-game", "spade-game", "pass", "solo", "self", "nolo-ouvert"):
        assert live.turn != sitter
        assert live.offers(sitter) == ()
        live.refuses(sitter, "bid", Code.NOT_YOUR_TURN, "LH-1.2", contract="nolo-ouvert")
        live.refuses(sitter, "pass", Code.NOT_YOUR_TURN, "LH-1.2")
        say(live, call)


def test_lh_4_3_a_pass_is_final() -> None:
    live = say(dealt(), "tourne", "pass", "solo", "self")
    live.refuses(0, "bid", Code.NOT_YOUR_TURN, "LH-4.2", contract="nolo-ouvert")
    say(live, "nolo-ouvert")
    live.refuses(0, "bid", Code.NOT_YOUR_TURN, "LH-4.2", contract="nolo-ouvert")


def test_lh_4_3_who_comes_before_the_standing_bidder_may_make_the_bid_a_self() -> None:
    live = say(dealt(), "simple-game", "tourne")
    assert live.offered(1, "self") == [{}]
    say(live, "self")
    assert live.of(BidMade)[-1] == BidMade(1, "tourne", True, ())
    assert b'"self":true' in live.records[-1].public
    assert live.turn == 0
    live.refuses(0, "self", Code.RULE_VIOLATION, "LH-4.3")
    live.refuses(0, "bid", Code.RULE_VIOLATION, "LH-4.3", contract="tourne")
    say(live, "simple-nolo", "self", "pass", "pass")
    assert won_by(live) == (1, "simple-nolo")


def test_lh_4_3_the_view_shows_which_bids_were_a_self() -> None:
    live = say(dealt(), "pass", "tourne", "solo", "self")
    for audience in live.audiences:
        taken_over = [(call["seat"], call["bid"]) for call in live.view(audience)["auction"] if call["self"]]
        assert taken_over == [(0, "solo")]


@pytest.mark.parametrize(("calls", "seat"), [(("tourne",), 0), (("pass", "tourne"), 2), (("tourne", "pass"), 2)])
def test_lh_4_3_nobody_after_the_standing_bidder_bids_a_self(calls: tuple[str, ...], seat: int) -> None:
    live = say(dealt(), *calls)
    assert live.types(seat) == {"bid", "pass"}
    live.refuses(seat, "self", Code.RULE_VIOLATION, "LH-4.3")


def test_lh_4_3_nothing_stands_that_could_be_made_a_self() -> None:
    live = dealt()
    live.refuses(1, "self", Code.RULE_VIOLATION, "LH-4.3")
    say(live, "pass")
    live.refuses(0, "self", Code.RULE_VIOLATION, "LH-4.3")


@for_each("bid", ["spade-game", "solo", "nolo-ouvert"])
@for_each("before, seat", [(("pass", "simple-game"), 0), (("simple-game", "pass"), 1)])
def test_lh_4_3_forehand_and_middlehand_make_backhands_bid_a_self(bid: str, before: tuple[str, ...], seat: int) -> None:
    live = say(dealt(), *before, bid)
    assert live.turn == seat
    say(live, "self")
    assert live.of(BidMade)[-1] == BidMade(seat, bid, True, ())  # type: ignore[arg-type] # as named in the rules


def test_calls_are_told_to_all() -> None:
    live = say(dealt(), "tourne", "solo", "self", "pass", "pass")
    calls = [event.public for event in live.events if isinstance(event.public, (BidMade, BidPassed))]
    assert calls == [
        BidMade(1, "tourne", False, ()),
        BidMade(0, "solo", False, ()),
        BidMade(1, "solo", True, ()),
        BidPassed(0),
        BidPassed(2),
    ]
    assert live.view("public")["auction"] == (
        {"seat": 1, "bid": "tourne", "self": False},
        {"seat": 0, "bid": "solo", "self": False},
        {"seat": 1, "bid": "solo", "self": True},
        {"seat": 0, "bid": "pass", "self": False},
        {"seat": 2, "bid": "pass", "self": False},
    )


@for_each("bid", BIDS)
def test_lh_4_4_after_two_passes_backhand_bids_anything_and_wins(bid: str) -> None:
    live = say(dealt(2), "pass", "pass")
    assert live.offered(2, "bid") == [{"contract": {"one_of": BIDS}}]
    say(live, bid)
    assert won_by(live) == (2, bid)


@pytest.mark.parametrize("options", [THREE, FOUR])
def test_lh_4_4_three_passes_are_a_wash_out(options: Any) -> None:
    live = say(dealt(options=options), "pass", "pass", "pass")
    (washed,) = [event for event in live.events if isinstance(event.public, DealWashedOut)]
    assert (washed.actor, washed.deal) == ("house", 1)
    assert (live.score.outcome, live.score.lines, set(live.score.totals)) == ("washed-out", (), {0})
    assert (live.table.deal, live.phase) == (2, "auction")


@pytest.mark.parametrize(
    "calls",
    [
        ("nolo-ouvert",),
        ("pass", "nolo-ouvert"),
        ("tourne", "pass", "nolo-ouvert", "self"),
        ("solo", "nolo-ouvert", "self"),
    ],
)
def test_lh_4_4_over_as_soon_as_nobody_could_do_anything_but_pass(calls: tuple[str, ...]) -> None:
    live = dealt()
    for call in calls:
        assert live.phase == "auction"
        bidder = live.turn
        say(live, call)
    assert won_by(live) == (bidder, "nolo-ouvert")
    for seat in range(3):
        live.refuses(seat, "pass", Code.WRONG_PHASE, "LH-7.1")


@pytest.mark.parametrize("calls", [("solo", "nolo-ouvert"), ("pass", "tourne", "nolo-ouvert")])
def test_lh_4_4_not_while_somebody_may_make_it_a_self(calls: tuple[str, ...]) -> None:
    live = say(dealt(), *calls)
    assert live.phase == "auction"
    assert live.types(live.turn) == {"self", "pass"}
    bidder = live.of(BidMade)[-1].seat
    say(live, "pass")
    assert won_by(live) == (bidder, "nolo-ouvert")


@pytest.mark.parametrize("aces", range(3))
def test_lh_4_5_only_who_was_dealt_both_black_aces_bids_grand_tourne(aces: int) -> None:
    live = dealt(aces)
    for place in range(3):
        seat = live.turn
        (offered,) = live.offered(seat, "bid")
        assert ("grand-tourne" in offered["contract"]["one_of"]) is (place == aces)
        if place != aces:
            live.refuses(seat, "bid", Code.RULE_VIOLATION, "LH-4.5", contract="grand-tourne")
            live.do("pass")
            continue
        live.do("bid", contract="grand-tourne")
        made = live.of(BidMade)[-1]
        assert made == BidMade(seat, "grand-tourne", False, ("As", "Ac"))
        for audience in live.audiences:
            hand = live.view(audience)["seats"][seat]["hand"]
            if audience != f"seat:{seat}":
                assert hand == {"known": ("As", "Ac"), "hidden": 7}
        return


@pytest.mark.parametrize("held", [{0: ("As",)}, {0: ("Ac",)}, {1: ("As", "Ac")}])
def test_lh_4_5_one_of_them_is_not_enough(held: dict[int, tuple[str, ...]]) -> None:
    talon = [card for card in BLACK_ACES if all(card not in cards for cards in held.values())]
    live = LhombreLive.around(held, talon=talon)
    live.refuses(1, "bid", Code.RULE_VIOLATION, "LH-4.5", contract="grand-tourne")


def test_lh_4_5_it_must_outrank_the_standing_bid_all_the_same() -> None:
    live = say(dealt(1), "solo")
    detail = live.refuses(0, "bid", Code.RULE_VIOLATION, "LH-4.3", contract="grand-tourne")
    bids = "pure-nolo, spade-solo, nolo-ouvert"
    assert detail == f"grand-tourne is no bid higher than solo: contract must be one of {bids}"


def test_lh_4_5_nobody_makes_it_a_self() -> None:
    """Forehand comes before its bidder, as LH-4.3 asks; what is not held are the aces that are shown with it."""
    live = say(dealt(1), "tourne", "grand-tourne")
    assert live.types(1) == {"bid", "pass"}
    detail = live.refuses(1, "self", Code.RULE_VIOLATION, "LH-4.5")
    assert detail == "grand-tourne was bid with As and Ac, which you do not hold"


def test_lh_4_5_is_cited_where_the_bid_outranks_the_standing_one_and_the_aces_are_not_held() -> None:
    live = say(dealt(1), "tourne")
    say(live, "simple-nolo")
    detail = live.refuses(1, "bid", Code.RULE_VIOLATION, "LH-4.5", contract="grand-tourne")
    assert detail == "grand-tourne is bid only by who was dealt As and Ac, and shows them"
    # What would be no bid either is not among those named as open.
    detail = live.refuses(1, "bid", Code.RULE_VIOLATION, "LH-4.3", contract="simple-nolo")
    assert detail.endswith("contract must be one of solo, pure-nolo, spade-solo, nolo-ouvert")


def test_lh_4_3_where_nothing_outranks_the_bid_none_is_named() -> None:
    live = say(dealt(), "solo", "nolo-ouvert")
    detail = live.refuses(1, "bid", Code.RULE_VIOLATION, "LH-4.3", contract="nolo-ouvert")
    assert detail == "nolo-ouvert is no bid higher than nolo-ouvert: there is none"


def test_lh_4_3_is_cited_with_what_keeps_a_seat_from_a_self() -> None:
    live = dealt()
    detail = live.refuses(1, "self", Code.RULE_VIOLATION, "LH-4.3")
    assert detail == "nobody has bid, so there is no bid to make your own"
    say(live, "tourne")
    detail = live.refuses(0, "self", Code.RULE_VIOLATION, "LH-4.3")
    assert detail == "you do not come before the player whose bid of tourne stands"


@pytest.mark.parametrize(("count", "known"), [(0, ("As", "Ac")), (1, ())])
def test_lh_4_5_shown_aces_are_known_until_their_owner_exchanges(count: int, known: tuple[str, ...]) -> None:
    live = say(dealt(1), "tourne", "grand-tourne", "solo", "pass", "pass")
    live.do("declare", contract="solo", trump="h")
    for audience in ("public", "seat:1", "seat:2"):
        assert live.view(audience)["seats"][0]["hand"] == {"known": ("As", "Ac"), "hidden": 7}
    live.act(0, "exchange", discard=live.hand(0)[:count])
    for audience in ("public", "seat:1", "seat:2"):
        assert live.view(audience)["seats"][0]["hand"] == {"known": known, "hidden": 9 - len(known)}


@pytest.mark.parametrize("kind", ["declare", "exchange", "play", "stop", "abandon"])
def test_nothing_but_calls_has_a_place_in_the_auction(kind: str) -> None:
    live = say(dealt(), "tourne")
    fields = {"declare": {"contract": "tourne"}, "play": {"card": "Ks"}}.get(kind, {})
    for seat in range(3):
        live.refuses(seat, kind, Code.WRONG_PHASE, "LH-4.3", **fields)
