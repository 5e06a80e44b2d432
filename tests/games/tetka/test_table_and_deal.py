"""TE-1, TE-2: table and game, cards and deal, and who knows which card."""

from collections import Counter

import pytest

from domain.games.tetka import TETKA
from domain.games.tetka.meta import PACK, RANKING, Options
from domain.games.tetka.rules import RULES
from domain.kernel.rejection import Code
from domain.kernel.words import Filled, said
from domain.table.events import CardsDealt, DealScored, GameFinished
from tests.games.dealing import (
    assert_deal_moves,
    assert_deals,
    assert_full,
    assert_no_options,
    first_dealers,
    positions,
)
from tests.games.tetka.tables import PACK as CARDS
from tests.games.tetka.tables import RANKS, SUITS, TetkaLive, dealt, planned, played
from tests.support.for_each import for_each
from tests.support.games import chance, finished


def test_te_1_1_four_seats_each_alone() -> None:
    live = TetkaLive.started()
    assert_full(live, 4)
    assert TETKA.course.sides(TETKA.options()) == ()


def test_te_1_2_games_of_four_to_96_deals_divisible_by_four() -> None:
    assert_deals(TetkaLive, "TE-1.2", may=[4, 8, 48, 96], never=[-4, 0, 1, 2, 3, 5, 6, 95, 97, 98, 100])


def test_te_1_2_four_deals_by_default_and_nothing_else_to_settle() -> None:
    assert TetkaLive.opened().table.deals == 4
    assert TetkaLive.opened().view("public")["options"] == {}
    assert_no_options(Options, {"deals": 4})


def test_te_1_3_the_deal_moves_to_the_left_so_that_all_deal_equally_often() -> None:
    live = finished(TetkaLive.started(deals=8), chance("eight"))
    assert_deal_moves(live)
    dealers = [event.dealer for event in live.of(CardsDealt)]
    assert Counter(dealers) == dict.fromkeys(range(4), 2)


def test_te_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(TetkaLive, 60) == {0, 1, 2, 3}


def test_te_1_4_the_fewest_points_win_and_equals_share() -> None:
    shared = 0
    for number in range(20):
        live = finished(TetkaLive.started(seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        points = [-total for total in end.totals]
        assert (live.table.status, len(live.of(DealScored))) == ("finished", 4)
        assert list(end.winners) == [seat for seat in range(4) if points[seat] == min(points)]
        shared += len(end.winners) > 1
    assert shared


def test_te_2_1_52_cards_ace_high_and_no_trumps() -> None:
    assert tuple(PACK) == CARDS == tuple(rank + suit for suit in SUITS for rank in RANKS)
    assert RANKING.trump is None
    for suit in SUITS:
        cards = [rank + suit for rank in RANKS]
        assert sorted(cards, key=lambda card: -RANKING.power[card]) == cards
        assert {RANKING.suits[card] for card in cards} == {suit}


@pytest.mark.parametrize("dealer", range(4))
def test_te_2_2_thirteen_cards_each_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    event = dealt({}, bum="7h", dealer=dealer).events[-1]
    for place in range(4):
        assert positions(event, f"seat:{(dealer + 1 + place) % 4}") == list(range(place, 52, 4))
    assert positions(event, "house") == []


@for_each("dealer", range(4))
@for_each("bum", ["Qs", "7h", "Ad", "2c"])
def test_te_2_3_the_last_card_is_shown_to_all_and_is_the_dealers(dealer: int, bum: str) -> None:
    live = dealt({}, bum=bum, dealer=dealer)
    (shown,) = live.events[-1].public.shown
    assert (shown.card, shown.position) == (bum, 51)
    assert bum in live.hand(dealer)
    for audience in live.audiences:
        view = live.view(audience)
        assert (view["bum_card"], view["bum_suit"]) == (bum, bum[1])
        assert bum in view["seats"][dealer]["hand"]["known"]


def test_te_2_3_it_is_played_like_any_other() -> None:
    live = dealt({0: "Ah", 3: "Kh"}, bum="7h")
    live.do("play", card="Ah")
    while live.turn != 3:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert {"7h", "Kh"} <= set(live.offered(3, "play")[0]["card"]["one_of"])
    live.do("play", card="7h")
    assert "7h" not in live.hand(3)


def test_te_2_4_others_know_one_card_of_the_dealers_until_it_is_played() -> None:
    plan = planned([0, 3, 1, 2, *[0] * 8], "Ts", fours=("As Ks Qs Js", "Ts 9s 8s 7s"))
    live = played(plan)
    for version in range(1, live.version + 1):
        deal = next((e for e in live.events[:version][::-1] if e.deal is not None), None)
        if deal is None or deal.deal != 1 or live.events[version - 1].deal != 1:
            continue
        gone = {e.public.card for e in live.events[:version] if e.public.TYPE == "card-played"}
        for audience in ("public", "seat:0", "seat:1", "seat:2"):
            view = live.view(audience, version)
            known = {seat["seat"]: seat["hand"]["known"] for seat in view["seats"]}
            assert list(known[3]) == ([] if "Ts" in gone else ["Ts"])
            sizes = [len(seat["hand"]["known"]) + seat["hand"]["hidden"] for seat in view["seats"]]
            assert sum(sizes) == 52 - len(gone)
            for seat in range(3):
                own = audience == f"seat:{seat}"
                assert len(known[seat]) == (sizes[seat] if own else 0)


def test_te_2_4_nobody_may_talk() -> None:
    live = TetkaLive.started()
    assert {kind for seat in range(4) for kind in live.types(seat)} == {"play"}
    live.refuses(live.turn, "talk", Code.RULE_VIOLATION, "TL-5.1", text="Mind the queen.")


def test_te_2_3_the_view_is_summed_up_by_the_bum_card_its_suit_and_its_number() -> None:
    (parts,) = [said(group, dealt({}, bum="Jh").view("public")) for group in TETKA.words.status]
    assert parts is not None
    assert [part.value for part in parts if isinstance(part, Filled)] == ["Jh", "h", 11]


def test_the_rules_are_all_there() -> None:
    last = enumerate((4, 4, 3, 11, 2), 1)
    numbers = [f"TE-{chapter}.{number}" for chapter, most in last for number in range(1, most + 1)]
    assert [rule.id for rule in RULES] == numbers
