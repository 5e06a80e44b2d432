"""KG-4: what each negative deal costs whom."""

import pytest

from domain.games.king import KING
from tests.games.king.checker import PENALTIES
from tests.games.king.tables import KingLive, Plan, negative, planned, won_by
from tests.support.for_each import for_each
from tests.support.games import chance, finished


def test_kg_4_1_20_a_trick() -> None:
    live = negative(1, planned(won_by(5, 4, 3, 1)))
    assert live.points() == [-100, -80, -60, -20]
    assert live.lines() == {
        0: [("KG-4.1", -100)],
        1: [("KG-4.1", -80)],
        2: [("KG-4.1", -60)],
        3: [("KG-4.1", -20)],
    }
    assert live.score.outcome == "played-out"


def test_kg_4_1_the_aim_is_no_tricks_whatever_they_hold() -> None:
    assert negative(1, planned([2] * 13)).points() == [0, 0, -260, 0]


def test_kg_4_1_the_view_says_what_tricks_have_cost_so_far() -> None:
    live = negative(1, planned(won_by(5, 4, 3, 1)))
    won = [number for number, event in enumerate(live.events, 1) if event.public.TYPE == "trick-won"]
    points = [live.view("public", at)["points"] for at in won]
    assert [sum(each) for each in points] == [-20 * tricks for tricks in range(1, 14)]
    assert list(points[-1]) == live.points()


def test_kg_4_2_20_a_heart() -> None:
    # Three tricks of four hearts for three players; the last heart goes to who wins the last trick.
    winners = [0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 1]
    live = negative(2, planned(winners))
    assert live.points() == [0, -100, -80, -80]
    assert live.lines()[0] == []


def test_kg_4_3_50_a_queen() -> None:
    live = negative(3, planned([0, 1, 1, 3, *[0] * 8]))
    assert live.points() == [-50, -100, 0, -50]
    assert live.lines()[1] == [("KG-4.3", -100)]


# In the first trick, seat 0 takes the king and the jack of spades, in the second the king of hearts, and so on.
MEN = ("As Ks Js Ts", "Ah Kh 9h 8h", "Ad Jd 9d 8d", "Qc Jc Tc 9c", "Kd Qd 7d 6d", "Kc 8c 7c 6c", "Qh Jh 7h 6h")


def test_kg_4_4_30_a_king_or_jack() -> None:
    rest = ["Qs 9s 8s 7s", "6s 5s 4s 3s", "Th 5h 4h 3h", "Td 5d 4d 3d", "Ac 5c 4c 3c"]
    winners = [0, 0, 0, 1, 1, 2, 3, *[0] * 5]
    live = negative(4, planned(winners, [*MEN, *rest]))
    assert live.points() == [-120, -60, -30, -30]
    assert live.lines()[0] == [("KG-4.4", -120)]
    assert live.score.outcome == "stopped"
    assert len([event for event in live.events if event.public.TYPE == "trick-won"]) == 7


@pytest.mark.parametrize("captor", range(4))
def test_kg_4_5_160_for_the_king_of_hearts(captor: int) -> None:
    fours = ["As Ks Qs Js", "Ts 9s 8s 7s", "6s 5s 4s 3s", "Ad Kd Qd Jd", "Td 9d 8d 7d", "Ah Kh Qh Jh", "6d 5d 4d 3d"]
    fours += ["Ac Kc Qc Jc", "Tc 9c 8c 7c", "6c 5c 4c 3c", "Th 9h 8h 7h", "6h 5h 4h 3h"]
    live = negative(5, planned([*[0] * 5, captor, *[0] * 6], fours))
    assert live.points() == [-160 if seat == captor else 0 for seat in range(4)]
    assert live.lines()[captor] == [("KG-4.5", -160)]
    assert len([event for event in live.events if event.public.TYPE == "trick-won"]) == 6


def test_kg_4_6_90_for_each_of_the_last_two_tricks() -> None:
    assert negative(6, planned([0] * 11 + [2])).points() == [0, 0, -180, 0]
    live = negative(6, split_end())
    assert live.points() == [0, 0, -90, -90]
    assert live.lines() == {0: [], 1: [], 2: [("KG-4.6", -90)], 3: [("KG-4.6", -90)]}


def split_end() -> Plan:
    """A plan in which seat 2 wins trick 12 and seat 3 the last."""
    tricks = planned([0] * 11 + [2]).tricks[:11]
    left = [{0: "4c", 1: "2s", 2: "6c", 3: "2c"}, {2: "3c", 3: "5c", 0: "2h", 1: "2d"}]
    return Plan([*tricks, *left])


def test_kg_4_7_the_four_scores_are_1300_below_zero_after_deal_6() -> None:
    for number in range(2):
        live = finished(KingLive.started(seed=bytes([number]) * 32), chance(number))
        sixth = [event.public for event in live.events if event.public.TYPE == "deal-scored"][5]
        assert sum(sixth.totals) == -1300


@for_each("deal, total", [*enumerate((-260, -260, -200, -240, -160, -180), 1)])
def test_kg_4_7_what_a_deal_costs_all_together(deal: int, total: int) -> None:
    row = KING.rulebook.tables["contracts"][deal - 1]
    assert total == row.each * (len(row.cards) or len(row.tricks))
    assert {*row.cards} == {*PENALTIES[deal].cards}
