"""KG-5: who names trumps, the auction, and the direction."""

from collections.abc import Sequence

import pytest

from domain.kernel.rejection import Code
from tests.games.king.tables import KingLive, in_deal, planned, positive, won_by
from tests.support.for_each import for_each

FREE = {"auction_opening": "free"}
FINAL = {"auction_pass": "final"}


def choosing(*, dealer: int = 0, deal: int = 7, options: dict[str, str] | None = None) -> KingLive:
    """A positive deal right after the cards were dealt."""
    return in_deal(deal, {}, dealer=dealer, options=options)


def auctioned(*calls: int | None, options: dict[str, str] | None = None) -> KingLive:
    """A positive deal of dealer 0 after these calls."""
    live = choosing(options=options)
    live.do("auction")
    live.auction(*calls)
    return live


@for_each("deal", range(7, 11))
@for_each("trump", ["s", "h", "d", "c", None])
def test_kg_5_1_the_dealer_names_trumps(deal: int, trump: str | None) -> None:
    live = choosing(deal=deal, dealer=2)
    assert (live.phase, live.to_act, live.types(2)) == ("choice", (2,), {"name-trumps", "auction"})
    live.refuses(1, "name-trumps", Code.NOT_YOUR_TURN, "KG-5.1", trump="s")
    live.do("name-trumps", trump=trump)
    assert live.phase == "direction"
    assert live.view("public")["trumps"] == {"namer": 2, "trump": trump, "price": None}


def test_kg_5_1_or_puts_them_up_for_auction_among_the_others() -> None:
    live = auctioned()
    assert (live.phase, live.to_act) == ("auction", (1,))
    assert live.types(0) == set()


@for_each("deal", range(1, 7))
def test_kg_5_1_no_trumps_are_named_in_a_negative_deal(deal: int) -> None:
    live = in_deal(deal, {}, dealer=0)
    live.refuses(0, "name-trumps", Code.WRONG_PHASE, "KG-3.1", trump="s")
    live.refuses(0, "auction", Code.WRONG_PHASE, "KG-3.1")


@pytest.mark.parametrize("dealer", range(4))
def test_kg_5_2_clockwise_from_the_dealers_left_without_the_dealer(dealer: int) -> None:
    live = choosing(dealer=dealer)
    live.do("auction")
    for step, seat in enumerate([1, 2, 3, 1, 2, 3, 1]):
        assert live.turn == (dealer + seat) % 4
        live.refuses(dealer, "bid", Code.NOT_YOUR_TURN, "KG-5.2", tricks=13)
        live.do("bid", tricks=step + 1)


def test_kg_5_2_a_bid_is_1_to_13_and_higher_than_the_last() -> None:
    live = auctioned()
    assert live.offered(1, "bid") == [{"tricks": {"one_of": tuple(range(1, 14))}}]
    for tricks in (0, 14, -1):
        live.refuses(1, "bid", Code.RULE_VIOLATION, "KG-5.2", tricks=tricks)
    live.do("bid", tricks=5)
    live.refuses(2, "bid", Code.RULE_VIOLATION, "KG-5.2", tricks=5)
    live.refuses(2, "bid", Code.RULE_VIOLATION, "KG-5.2", tricks=4)
    assert live.offered(2, "bid") == [{"tricks": {"one_of": tuple(range(6, 14))}}]


def test_kg_5_3_the_dealers_left_must_open() -> None:
    live = auctioned()
    assert live.types(1) == {"bid"}
    live.refuses(1, "pass", Code.RULE_VIOLATION, "KG-5.3")


@pytest.mark.parametrize("passing", ["open", "final"])
def test_kg_5_3_free_three_passes_give_trumps_back_to_the_dealer(passing: str) -> None:
    live = auctioned(None, None, None, options={**FREE, "auction_pass": passing})
    assert (live.phase, live.to_act, live.types(0)) == ("naming", (0,), {"name-trumps"})
    live.refuses(0, "auction", Code.WRONG_PHASE, "KG-5.3")
    live.refuses(1, "name-trumps", Code.NOT_YOUR_TURN, "KG-5.3", trump="d")
    live.do("name-trumps", trump="d")
    assert live.view("public")["trumps"] == {"namer": 0, "trump": "d", "price": None}


def test_kg_5_3_after_three_passes_nothing_is_paid() -> None:
    live = positive((6, 4, 2, 1), "up", calls=(None, None, None), options=FREE)
    assert live.points() == [150, 100, 50, 25]
    assert (live.score.buyer, live.score.price) == (None, None)


@pytest.mark.parametrize(
    ("calls", "options", "bidder", "price"),
    [
        ((1, None, None), {}, 1, 1),
        ((None, None, 3, None, None), FREE, 3, 3),
        ((None, 2, None, 3, None, None), FREE, 1, 3),
    ],
)
def test_kg_5_4_a_pass_is_not_final(
    calls: Sequence[int | None], options: dict[str, str], bidder: int, price: int
) -> None:
    live = auctioned(*calls[:-1], options=options)
    assert live.phase == "auction"
    live.auction(calls[-1])
    assert (live.phase, live.to_act) == ("naming", (bidder,))
    live.do("name-trumps", trump=None)
    assert live.view("public")["trumps"] == {"namer": bidder, "trump": None, "price": price}


@pytest.mark.parametrize(
    ("calls", "options", "bidder"),
    [
        # Seat 2 has passed and is skipped; seats 3 and 1 go on.
        ((2, None, 4, 6, None), FINAL, 1),
        ((2, None, 4, None), FINAL, 3),
        ((2, None, None), FINAL, 1),
        ((None, 2, 3, None), {**FINAL, **FREE}, 3),
        # The last one left may bid, which ends the auction.
        ((None, None, 1), {**FINAL, **FREE}, 3),
    ],
)
def test_kg_5_4_a_pass_may_be_final(calls: Sequence[int | None], options: dict[str, str], bidder: int) -> None:
    live = auctioned(*calls[:-1], options=options)
    assert live.phase == "auction"
    live.auction(calls[-1])
    assert (live.phase, live.to_act) == ("naming", (bidder,))


def test_kg_5_4_the_last_one_left_may_also_pass() -> None:
    live = auctioned(None, None, options={**FINAL, **FREE})
    assert (live.to_act, live.types(3)) == ((3,), {"bid", "pass"})
    live.do("pass")
    assert (live.phase, live.to_act) == ("naming", (0,))


@pytest.mark.parametrize("calls", [(13,), (2, 13), (2, None, 13), (2, 3, None, 13)])
def test_kg_5_5_a_bid_of_13_ends_the_auction(calls: Sequence[int | None]) -> None:
    live = auctioned(*calls)
    assert (live.phase, live.to_act) == ("naming", ((len(calls) - 1) % 3 + 1,))


def test_kg_5_5_nobody_can_refuse_or_withdraw() -> None:
    live = auctioned(2, None, None)
    assert live.types(1) == {"name-trumps"}
    assert live.types(0) == set()
    live.refuses(1, "pass", Code.WRONG_PHASE, "KG-5.6")


@pytest.mark.parametrize("trump", ["s", "h", "d", "c", None])
def test_kg_5_6_the_high_bidder_names_trumps(trump: str | None) -> None:
    live = auctioned(2, 3, None, None)
    assert live.to_act == (2,)
    live.refuses(0, "name-trumps", Code.NOT_YOUR_TURN, "KG-5.6", trump="s")
    live.do("name-trumps", trump=trump)
    assert live.view("public")["trumps"] == {"namer": 2, "trump": trump, "price": 3}


@pytest.mark.parametrize("direction", ["up", "down"])
def test_kg_5_7_the_dealer_says_up_or_down_and_never_the_bidder(direction: str) -> None:
    live = auctioned(2, 3, None, None)
    live.do("name-trumps", trump="c")
    assert (live.phase, live.to_act) == ("direction", (0,))
    live.refuses(2, "declare-direction", Code.NOT_YOUR_TURN, "KG-5.7", direction=direction)
    live.do("declare-direction", direction=direction)
    for audience in live.audiences:
        view = live.view(audience)
        assert (view["aim"], view["trumps"]["trump"], len(view["auction"])) == (direction, "c", 4)


def test_kg_5_7_there_is_no_third_way() -> None:
    live = choosing()
    live.do("name-trumps", trump="c")
    assert live.offered(0, "declare-direction") == [{"direction": {"one_of": ("up", "down")}}]


@pytest.mark.parametrize("numbers", [(6, 5, 2, 0), (2, 0, 6, 5)])
def test_kg_5_8_the_bid_is_settled_alone_however_many_tricks_are_won(numbers: tuple[int, ...]) -> None:
    live = positive(numbers, "up", calls=(4, None, None))
    assert [entry for entry in live.lines()[1] if entry[0] == "KG-6.3"] == [("KG-6.3", -100)]
    assert [entry for entry in live.lines()[0] if entry[0] == "KG-6.3"] == [("KG-6.3", 100)]


def test_a_player_whose_clock_has_run_out_names_no_trumps_and_opens_no_auction() -> None:
    live = choosing()
    default = live.game.decider.default_action
    assert default(live.table.deal_state, 0) == live.game.action_types[0](trump=None)
    live.do("auction")
    assert default(live.table.deal_state, 1) == live.game.action_types[2](tricks=1)
    live.do("bid", tricks=1)
    assert default(live.table.deal_state, 2) == live.game.action_types[3]()


def test_a_plan_can_be_played_with_spades_as_trumps() -> None:
    plan = planned(won_by(6, 4, 2, 1))
    live = in_deal(7, plan.hands(), dealer=3)
    live.do("name-trumps", trump="s")
    live.do("declare-direction", direction="up")
    assert live.play_out(plan.tricks).points() == [150, 100, 50, 25]
