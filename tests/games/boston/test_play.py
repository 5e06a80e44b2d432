"""BO-6: leads, following suit, who wins a trick, where play stops."""

import pytest

from domain.games.boston.meta import Options
from domain.kernel.rejection import Code
from domain.parts.tricks import TrickWon
from tests.games.boston.checker import LADDER, TRICKS
from tests.games.boston.tables import dealt, declared, planned, played, shared_out
from tests.support.for_each import for_each

WIDE = Options(piccolissimo=True)
FREE = [name for name in LADDER if name != "four-ace-misere"]


@for_each("contract", FREE)
@for_each("eldest", [0, 3])
def test_bo_6_1_eldest_leads_in_every_contract(contract: str, eldest: int) -> None:
    live = declared(contract, planned(shared_out(5), "s"), eldest=eldest, declarer=1, options=WIDE)
    assert live.to_act == (eldest,)
    live.refuses((eldest + 1) % 4, "play", Code.NOT_YOUR_TURN, "BO-6.1", card=live.hand((eldest + 1) % 4)[0])


def test_bo_6_1_the_winner_of_a_trick_leads_to_the_next() -> None:
    plan = planned([2, 1, 3, *[0] * 10], "s")
    live = declared("nine", plan)
    for place, leader in enumerate([0, 2, 1, 3]):
        assert live.turn == leader
        for _ in range(4):
            live.do("play", card=plan[place][live.turn])


def test_bo_6_1_is_cited_where_a_card_is_led_that_is_not_held() -> None:
    live = declared("nine", planned(shared_out(5), "s"))
    other = live.hand(1)[0]
    assert live.refuses(0, "play", Code.RULE_VIOLATION, "BO-6.1", card=other) == f"you do not hold {other}"


def test_bo_6_2_follow_suit_else_play_anything() -> None:
    live = dealt({0: "Ah", 1: "2h 3h As 2c", 2: "Ks Kd"}, void=[(2, "h")])
    live.bid_out(0, "nine", "s")
    assert live.playable(0) == set(live.hand(0))
    live.do("play", card="Ah")
    assert live.playable(1) == {c for c in live.hand(1) if c[1] == "h"}
    detail = live.refuses(1, "play", Code.RULE_VIOLATION, "BO-6.2", card="As")
    assert detail.startswith("you can follow suit: Ah is led, play ")
    live.do("play", card="2h")
    assert live.playable(2) == set(live.hand(2))
    detail = live.refuses(2, "play", Code.RULE_VIOLATION, "BO-6.2", card="3h")
    assert detail.startswith("you do not hold 3h: Ah is led, play ")


@pytest.mark.parametrize(("contract", "winner"), [("nine", 2), ("boston", 2), ("grande-misere", 3)])
def test_bo_6_3_the_highest_trump_else_the_highest_of_the_suit_led(contract: str, winner: int) -> None:
    live = dealt({0: "5h", 1: "2s As", 2: "3s Ks", 3: "6h"}, void=[(1, "h"), (2, "h")])
    live.bid_out(0, contract, "s")
    for card in ("5h", "2s", "3s", "6h"):
        live.do("play", card=card)
    assert [won.seat for won in live.of(TrickWon)] == [winner]


def test_bo_6_3_tricks_count_apart() -> None:
    live = declared("six", planned(shared_out(6, 4), "s"), supporter=2)
    plan = planned(shared_out(6, 4), "s")
    live.play_out(plan[:12])
    assert [seat["tricks"] for seat in live.view("public")["seats"]] == [6, 2, 4, 0]


@for_each("place", [1, 5, 12])
@for_each("contract", ["petite-misere", "grande-misere", "petite-misere-ouverte", "grande-misere-ouverte"])
def test_bo_6_5_a_misere_stops_at_declarers_first_trick(contract: str, place: int) -> None:
    winners = [1] * 13
    winners[place - 1] = 0
    assert len(played(contract, winners).of(TrickWon)) == place


@pytest.mark.parametrize("second", [2, 7, 12])
def test_bo_6_5_piccolissimo_stops_at_the_second(second: int) -> None:
    winners = [0] + [1] * 12
    winners[second - 1] = 0
    assert len(played("piccolissimo", winners, options=WIDE).of(TrickWon)) == second


@for_each("place", [1, 6, 13])
@for_each("contract", ["boston", "boston-ouvert"])
def test_bo_6_5_a_boston_stops_at_the_first_trick_lost(contract: str, place: int) -> None:
    winners = [0] * 13
    winners[place - 1] = 1
    assert len(played(contract, winners).of(TrickWon)) == place


@for_each("won", [0, 1, 5, 12, 13])
@for_each("contract", TRICKS)
def test_bo_6_5_five_to_twelve_are_played_out(contract: str, won: int) -> None:
    assert len(played(contract, shared_out(won)).of(TrickWon)) == 13
