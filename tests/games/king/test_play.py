"""KG-3: turns, following suit, who wins a trick, leads of hearts, and when play stops."""

import pytest

from domain.games.king import KING
from domain.kernel.rejection import Code
from tests.games.king.checker import PENALTIES
from tests.games.king.tables import KingLive, Plan, in_deal, negative, planned, positive, won_by
from tests.support.for_each import for_each

HEARTS = [rank + "h" for rank in "AKQJT98765432"]


@pytest.mark.parametrize("dealer", range(4))
def test_kg_3_1_the_dealers_left_leads(dealer: int) -> None:
    live = in_deal(1, {}, dealer=dealer)
    left = (dealer + 1) % 4
    assert live.to_act == (left,)
    live.refuses(dealer, "play", Code.NOT_YOUR_TURN, "KG-3.1", card=live.hand(dealer)[0])


@pytest.mark.parametrize("namer", range(1, 4))
def test_kg_3_1_the_dealers_left_leads_whoever_named_trumps(namer: int) -> None:
    live = in_deal(7, {}, dealer=0)
    live.do("auction")
    live.auction(*(seat if seat <= namer else None for seat in range(1, 4)), *[None] * (namer - 1))
    assert live.turn == namer
    live.do("name-trumps", trump="s")
    live.do("declare-direction", direction="up")
    assert live.to_act == (1,)


def test_kg_3_1_the_winner_leads_to_the_next() -> None:
    live = in_deal(1, {0: ["2s"], 1: ["3s"], 2: ["As"], 3: ["4s"]})
    live.trick("2s", "3s", "As", "4s")
    assert live.to_act == (2,)


def test_kg_3_2_suit_is_followed() -> None:
    live = in_deal(1, {0: ["2s"], 1: ["3s", "Ah"], 2: HEARTS[1:]})
    live.do("play", card="2s")
    refused = live.refuses(1, "play", Code.RULE_VIOLATION, "KG-3.2", card="Ah")
    assert refused.startswith("you can follow suit: 2s is led, play ")
    live.do("play", card="3s")


@pytest.mark.parametrize("trump", ["s", "h", None])
def test_kg_3_2_without_the_suit_led_any_card_may_be_played(trump: str | None) -> None:
    live = in_deal(7, {0: ["2s"], 1: [*HEARTS[:6], "Ac", "Kc", "Qc", "Jc", "Tc", "9c", "8c"]}, dealer=3)
    live.do("name-trumps", trump=trump)
    live.do("declare-direction", direction="up")
    live.do("play", card="2s")
    (fields,) = live.offered(1, "play")
    assert sorted(fields["card"]["one_of"]) == sorted(live.hand(1))


@pytest.mark.parametrize(
    ("trump", "winner"),
    [(None, 2), ("s", 2), ("h", 3), ("d", 1), ("c", 2)],
)
def test_kg_3_3_the_highest_trump_wins_else_the_highest_of_the_suit_led(trump: str | None, winner: int) -> None:
    hands = {
        0: ["Ts"],
        1: ["2d", *(rank + "c" for rank in "AKQJT9876543")],
        2: ["Js"],
        3: ["2h", *(rank + "h" for rank in "AKQJT9876543")],
    }
    live = in_deal(7, hands, dealer=3)
    live.do("name-trumps", trump=trump)
    live.do("declare-direction", direction="up")
    live.trick("Ts", "2d", "Js", "2h")
    assert live.turn == winner


def test_kg_3_3_of_two_trumps_the_higher_wins() -> None:
    others = [card for card in HEARTS if card != "3h"]
    hands = {0: ["As"], 1: ["3h", *(rank + "c" for rank in "AKQJT9876543")], 2: ["Js"], 3: [*others, "2c"]}
    live = in_deal(7, hands, dealer=3)
    live.do("name-trumps", trump="h")
    live.do("declare-direction", direction="down")
    live.trick("As", "3h", "Js", "4h")
    assert live.turn == 3


@for_each("deal", range(1, 7))
def test_kg_3_3_negative_deals_have_no_trumps(deal: int) -> None:
    hands = {0: ["3s"], 1: ["2s"], 2: ["4s"], 3: [*HEARTS[:12], "Ac"]}
    live = in_deal(deal, hands)
    live.trick("3s", "2s", "4s", "Ac")
    assert live.turn == 2


@for_each("deal", range(1, 11))
@for_each("heart_leads", ["free", "restricted"])
def test_kg_3_4_hearts_may_be_led_unless_restricted_in_deals_2_and_5(deal: int, heart_leads: str) -> None:
    live = in_deal(deal, {0: ["Ah", "2h", "As"]}, options={"heart_leads": heart_leads})
    if deal > 6:
        live.do("name-trumps")
        live.do("declare-direction", direction="down")
    (fields,) = live.offered(0, "play")
    restricted = heart_leads == "restricted" and deal in (2, 5)
    assert ({"Ah", "2h"} & {*fields["card"]["one_of"]} == set()) == restricted
    if restricted:
        refused = live.refuses(0, "play", Code.RULE_VIOLATION, "KG-3.4", card="Ah")
        assert refused.startswith("you hold other suits than hearts, of which one is led: play ")
    else:
        live.do("play", card="Ah")


@pytest.mark.parametrize("deal", [2, 5])
def test_kg_3_4_who_holds_nothing_else_leads_a_heart(deal: int) -> None:
    live = in_deal(deal, {0: HEARTS}, options={"heart_leads": "restricted"})
    (fields,) = live.offered(0, "play")
    assert list(fields["card"]["one_of"]) == HEARTS


def test_kg_3_4_hearts_may_be_played_to_other_suits() -> None:
    live = in_deal(2, {0: ["As"], 1: HEARTS}, options={"heart_leads": "restricted"})
    live.do("play", card="As")
    assert list(live.offered(1, "play")[0]["card"]["one_of"]) == HEARTS


def test_kg_3_4_is_a_reading_with_an_option() -> None:
    (rule,) = [rule for rule in KING.rulebook.rules if rule.id == "KG-3.4"]
    assert (rule.reading, rule.option) == (True, "heart_leads")


def stacked(deal: int, last: int) -> Plan:
    """A plan in which the last of the cards that count in the deal falls to the trick of this number."""
    fours = [" ".join(rank + suit for rank in ranks) for ranks in ("AKQJ", "T987", "6543") for suit in "shdc"]
    counting = {*PENALTIES[deal].cards}
    with_them = [four for four in fours if counting & {*four.split()}]
    others = [four for four in fours if four not in with_them]
    early = last - len(with_them)
    return planned([0] * 13, [*others[:early], *with_them, *others[early:]])


@for_each("deal, last", [(3, 4), (3, 12), (4, 4), (4, 7), (4, 12), (5, 1), (5, 6), (5, 12)])
def test_kg_3_5_play_stops_with_the_last_card_that_counts(deal: int, last: int) -> None:
    live = negative(deal, stacked(deal, last))
    assert live.table.scored == deal
    assert (len([event for event in live.events if event.public.TYPE == "trick-won"]), live.score.outcome) == (
        last,
        "stopped",
    )


def test_kg_3_5_deal_2_stops_with_the_thirteenth_heart() -> None:
    tricks = planned([0] * 13).tricks[:12]
    hearts = [trick for trick in tricks if trick[0][1] == "h"]
    others = [trick for trick in tricks if trick not in hearts]
    live = negative(2, Plan([*hearts, {0: "2h", 1: "2s", 2: "2d", 3: "2c"}, *others]))
    assert live.score.outcome == "stopped"
    assert len([event for event in live.events if event.public.TYPE == "trick-won"]) == 4


def test_kg_3_5_it_is_judged_only_by_cards_captured() -> None:
    # With the last queen led against an ace that must follow, nothing can change, and yet the trick is played.
    live = in_deal(5, {0: ["Kh"], 1: ["Ah"], 2: ["2h"], 3: ["3h"]})
    live.trick("Kh", "Ah", "2h")
    assert live.table.scored == 4
    live.do("play", card="3h")
    assert live.table.scored == 5


@pytest.mark.parametrize("deal", [1, 6])
def test_kg_3_5_deals_1_and_6_are_played_out(deal: int) -> None:
    assert negative(deal, planned([0] * 13)).score.outcome == "played-out"


@pytest.mark.parametrize("direction", ["up", "down"])
def test_kg_3_5_positive_deals_are_played_out(direction: str) -> None:
    live = positive((13, 0, 0, 0), direction)
    assert live.score.outcome == "played-out"
    assert won_by(13, 0, 0, 0) == [0] * 13


def test_kg_3_5_a_deal_of_which_the_last_card_falls_at_the_end_is_played_out() -> None:
    fours = ["As Ks Qs Js", "Ts 9s 8s 7s", "6s 5s 4s 3s", "Ad Kd Qd Jd", "Td 9d 8d 7d", "6d 5d 4d 3d"]
    fours += ["Ac Kc Qc Jc", "Tc 9c 8c 7c", "6c 5c 4c 3c", "Ah Qh Jh Th", "9h 8h 7h 6h", "5h 4h 3h 2h"]
    live = negative(5, planned([0] * 13, fours))
    assert (live.score.outcome, live.points()) == ("played-out", [-160, 0, 0, 0])


def test_somebody_else_may_not_play() -> None:
    live: KingLive = in_deal(1, {0: ["As"]})
    live.refuses(2, "play", Code.NOT_YOUR_TURN, "KG-3.1", card=live.hand(2)[0])
    live.refuses(0, "bid", Code.WRONG_PHASE, "KG-3.1", tricks=3)
