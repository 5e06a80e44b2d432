"""BO-3: the auction over contracts and suits."""

import pytest

from domain.games.boston import BOSTON
from domain.games.boston.acts import Bid, Play
from domain.games.boston.events import BidMade, GameScored
from domain.games.boston.meta import Options
from domain.kernel.game import Game
from domain.kernel.rejection import Code
from domain.table.why import why_not
from tests.games.boston.checker import LADDER, height
from tests.games.boston.tables import ACES, SUITS, BostonLive, dealt, hands_of, planned
from tests.support.for_each import for_each

HOLDER = "As Ah Ad Ac"


def test_bo_3_1_eldest_speaks_first_then_clockwise() -> None:
    live = dealt({}, dealer=1)
    for seat in (2, 3, 0, 1):
        assert live.turn == seat
        live.do("bid", contract="five", suit=SUITS[(seat + 2) % 4])


def test_bo_3_1_who_has_passed_is_not_asked_again() -> None:
    live = dealt({})
    live.do("bid", contract="five", suit="s")
    live.do("pass")
    live.do("bid", contract="five", suit="c")
    live.do("pass")
    assert live.turn == 0
    live.do("bid", contract="five", suit="d")
    assert live.turn == 2
    live.refuses(1, "bid", Code.NOT_YOUR_TURN, "BO-3.1", contract="twelve", suit="h")
    live.refuses(3, "pass", Code.NOT_YOUR_TURN, "BO-3.1")


def test_bo_3_1_each_is_offered_a_pass_and_bids_alone() -> None:
    live = dealt({})
    assert live.types(0) == {"bid", "pass"}
    assert [live.types(seat) for seat in (1, 2, 3)] == [set(), set(), set()]


@for_each("suit", SUITS)
@for_each("contract", [row for row in LADDER if row not in ("four-ace-misere", "piccolissimo")])
def test_bo_3_2_a_bid_is_a_contract_and_a_suit(contract: str, suit: str) -> None:
    live = dealt({})
    live.bid_out(0, contract, suit)
    shown = live.view("public")["contract"]
    assert (shown["declarer"], shown["contract"], shown["suit"]) == (0, contract, suit)
    assert shown["trump"] == (None if "misere" in contract else suit)


def test_bo_3_2_a_bid_names_both() -> None:
    live = dealt({})
    assert all(set(fields) == {"contract", "suit"} for fields in live.offered(0, "bid"))


@for_each("suit", SUITS)
@for_each("contract", [row for row in LADDER if row != "four-ace-misere"])
def test_bo_3_3_what_outranks_a_bid(contract: str, suit: str) -> None:
    live = dealt({}, options=Options(piccolissimo=True))
    live.do("bid", contract=contract, suit=suit)
    every = [(other, its) for other in LADDER for its in SUITS if other != "four-ace-misere"]
    higher = [bid for bid in every if height(*bid) > height(contract, suit)]
    assert sorted(live.offered_bids(1) if live.phase == "auction" else []) == sorted(higher)


def test_bo_3_3_a_lower_bid_is_refused() -> None:
    live = dealt({})
    live.do("bid", contract="six", suit="d")
    for contract, suit in (("six", "d"), ("six", "c"), ("five", "h")):
        live.refuses(1, "bid", Code.RULE_VIOLATION, "BO-3.3", contract=contract, suit=suit)


@pytest.mark.parametrize(
    ("standing", "bid", "detail"),
    [
        ("six d", "six c", "six in c does not outrank six in d: bid six in h or a higher contract"),
        (
            "six s",
            "five h",
            "five does not outrank six in s: bid six in c, six in d, six in h or a higher contract",
        ),
        ("ten h", "nine s", "nine does not outrank ten in h: bid a higher contract"),
        ("boston-ouvert d", "five s", "five does not outrank boston-ouvert in d: bid boston-ouvert in h"),
        (
            "boston-ouvert d",
            "boston-ouvert s",
            "a bid in s does not outrank boston-ouvert in d: bid boston-ouvert in h",
        ),
    ],
)
def test_bo_3_3_a_refusal_says_which_bid_stands_and_what_outranks_it(standing: str, bid: str, detail: str) -> None:
    live = dealt({})
    contract, suit = standing.split()
    live.do("bid", contract=contract, suit=suit)
    contract, suit = bid.split()
    assert live.refuses(1, "bid", Code.RULE_VIOLATION, "BO-3.3", contract=contract, suit=suit) == detail


def test_bo_3_3_of_half_a_bid_too_it_is_said_that_it_is_too_low() -> None:
    live = dealt({})
    live.do("bid", contract="boston-ouvert", suit="c")
    low = why_not(live.game, live.table, 1, Bid, {"contract": "five"})
    assert low is not None
    above = "boston-ouvert in d or boston-ouvert in h"
    assert (low.rule, low.detail) == ("BO-3.3", f"five does not outrank boston-ouvert in c: bid {above}")
    low = why_not(live.game, live.table, 1, Bid, {"suit": "s"})
    assert low is not None
    assert (low.rule, low.detail) == ("BO-3.3", f"a bid in s does not outrank boston-ouvert in c: bid {above}")
    assert why_not(live.game, live.table, 1, Bid, {"contract": "boston-ouvert"}) is None
    assert why_not(live.game, live.table, 1, Bid, {"suit": "d"}) is None


@pytest.mark.parametrize("version", [BOSTON, *BOSTON.earlier], ids=lambda game: f"version {game.rulebook.version}")
def test_bo_3_1_is_cited_where_a_card_is_played_in_the_auction_not_bo_6_2(version: Game) -> None:
    live = type("Versioned", (BostonLive,), {"game": version}).stacked(hands_of(planned([0] * 13, "s")), ())
    card = live.hand(live.turn)[0]
    detail = live.refuses(live.turn, "play", Code.WRONG_PHASE, "BO-3.1", card=card)
    assert detail == "play has no place in the phase auction, whose acts are: bid, pass"
    asked = why_not(live.game, live.table, live.turn, Play, {})
    assert asked is not None
    assert (asked.code, asked.rule) == (Code.WRONG_PHASE, "BO-3.1")


def test_bo_3_4_the_last_is_declarer_in_the_contract_bid() -> None:
    live = dealt({})
    live.do("pass")
    live.do("bid", contract="nine", suit="c")
    live.do("pass")
    live.do("bid", contract="ten", suit="s")
    live.do("pass")
    contract = live.view("public")["contract"]
    assert (live.phase, contract["declarer"], contract["contract"], contract["suit"]) == ("play", 3, "ten", "s")


def test_bo_3_4_the_fourth_may_bid_when_three_have_passed_and_is_declarer_at_once() -> None:
    live = dealt({})
    for _ in range(3):
        live.do("pass")
    assert live.types(3) == {"bid", "pass"}
    live.do("bid", contract="five", suit="s")
    assert (live.phase, live.turn) == ("support", 3)


def test_bo_3_5_all_pass_and_the_deal_is_thrown_in() -> None:
    live = dealt({})
    before = live.table.standing.dealer
    for _ in range(4):
        live.do("pass")
    assert [event.public.TYPE for event in live.events[-3:]] == ["bid-passed", "deal-scored", "cards-dealt"]
    (scored,) = live.of(GameScored)
    assert (scored.outcome, scored.lines, scored.totals) == ("thrown-in", (), (0, 0, 0, 0))
    assert (scored.declarer, scored.supporter, scored.contract, scored.suit) == (None,) * 4
    assert live.table.standing.dealer == (before + 1) % 4  # type: ignore[operator] # somebody deals


def test_bo_3_6_boston_ouvert_in_hearts_ends_the_auction() -> None:
    live = dealt({})
    live.do("bid", contract="boston-ouvert", suit="h")
    assert live.phase == "play"
    assert live.said() == [(0, "boston-ouvert", "h")]


def test_bo_3_6_in_diamonds_it_does_not() -> None:
    live = dealt({})
    live.do("bid", contract="boston-ouvert", suit="d")
    assert (live.phase, live.turn) == ("auction", 1)
    assert live.offered_bids(1) == [("boston-ouvert", "h")]


def test_bo_3_7_four_ace_misere_is_offered_to_the_holder_of_all_aces_alone() -> None:
    live = dealt({1: HOLDER})
    assert "four-ace-misere" not in {contract for contract, _ in live.offered_bids(0)}
    detail = live.refuses(0, "bid", Code.RULE_VIOLATION, "BO-3.7", contract="four-ace-misere", suit="s")
    assert detail == "four-ace-misere takes all four aces, and you do not hold As"
    live.do("bid", contract="ten", suit="c")
    # By their order, who lacks the aces breaks BO-3.3 before BO-3.7.
    live.refuses(1, "bid", Code.RULE_VIOLATION, "BO-3.3", contract="four-ace-misere", suit="s")
    live = dealt({1: HOLDER})
    live.do("pass")
    assert {suit for contract, suit in live.offered_bids(1) if contract == "four-ace-misere"} == set(SUITS)


def test_bo_3_7_three_aces_are_not_enough() -> None:
    live = dealt({0: "As Ah Ad", 1: "Ac"})
    assert "four-ace-misere" not in {contract for contract, _ in live.offered_bids(0)}


def four_aces() -> BostonLive:
    """A table at which seat 0 has bid Four-ace misère."""
    live = dealt({0: f"{HOLDER} 2s 2h 2d 2c 3s 3h 3d 3c 4s"})
    live.do("bid", contract="four-ace-misere", suit="c")
    return live


def test_bo_3_7_the_aces_are_shown_with_the_bid() -> None:
    live = four_aces()
    (made,) = live.of(BidMade)
    assert made.shown == ACES
    for audience in live.audiences:
        known, hidden = live.hand_seen(audience, 0)
        assert set(ACES) <= set(known)
        assert hidden == (0 if audience == "seat:0" else 9)


def test_bo_3_7_everybody_sees_them_until_they_are_played() -> None:
    live = four_aces()
    for _ in range(3):
        live.do("pass")
    live.do("play", card="Ah")
    assert live.hand_seen("public", 0) == (["As", "Ad", "Ac"], 9)


def test_bo_3_7_they_stay_known_when_another_is_declarer() -> None:
    live = four_aces()
    live.do("bid", contract="twelve", suit="s")
    for _ in range(3):
        live.do("pass")
    assert live.hand_seen("seat:2", 0) == ([*ACES], 9)


def test_bo_3_7_after_a_discard_nobody_knows_whether_an_ace_is_gone() -> None:
    """Their holder may bid on, and put one of them down."""
    live = four_aces()
    live.do("bid", contract="ten", suit="s")
    live.do("pass")
    live.do("pass")
    live.do("bid", contract="petite-misere-ouverte", suit="s")
    live.do("pass")
    version = live.version + 1
    live.do("put-down", card="Ac")
    assert live.hand_seen("public", 0, version) == ([], 12)
    assert live.hand_seen("public", 0, version + 1) == ([*live.hand(0)], 0)


def test_other_bids_show_nothing() -> None:
    live = dealt({0: HOLDER})
    live.do("bid", contract="five", suit="s")
    assert live.of(BidMade)[0].shown == ()
    assert live.hand_seen("public", 0) == ([], 13)
