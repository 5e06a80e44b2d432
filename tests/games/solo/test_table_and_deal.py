"""SO-1.1, SO-1.2: table, pack, deal, and the suit that is color."""

import pytest

from domain.games.solo import SOLO
from domain.games.solo.meta import Options
from domain.kernel.dealing import DealtHand
from domain.table.events import CardsDealt, DealScored, GameFinished
from tests.games.dealing import (
    assert_deal_moves,
    assert_deals,
    assert_full,
    assert_no_options,
    first_dealers,
    positions,
)
from tests.games.solo.tables import PACK, SoloLive, dealt, played
from tests.support.for_each import for_each
from tests.support.games import READER, chance, finished


def test_so_1_1_four_seats() -> None:
    live = SoloLive.started()
    assert_full(live, 4)


def test_so_1_1_games_of_four_to_96_deals_divisible_by_four() -> None:
    assert_deals(SoloLive, "SO-1.1", may=[4, 8, 12, 48, 96], never=[-4, 0, 1, 2, 3, 5, 6, 95, 97, 98, 100])


def test_so_1_1_twelve_deals_by_default() -> None:
    assert SoloLive.opened().table.deals == SOLO.course.deals(SOLO.options()).default == 12


def test_so_1_1_32_cards_each_dealt_once() -> None:
    assert len(SOLO.pack) == 32
    assert set(SOLO.pack) == {rank + suit for suit in "shdc" for rank in "AKQJT987"}
    live = SoloLive.started()
    assert sorted(card for seat in range(4) for card in live.hand(seat)) == sorted(PACK)
    assert all(len(live.hand(seat)) == 8 for seat in range(4))


@pytest.mark.parametrize("dealer", range(4))
def test_so_1_1_two_batches_of_four_from_the_dealers_left_on(dealer: int) -> None:
    event = dealt({}, dealer=dealer).events[-1]
    for place in range(4):
        hand = event.section(f"seat:{(dealer + 1 + place) % 4}", DealtHand)
        assert hand is not None
        first, second = range(4 * place, 4 * place + 4), range(16 + 4 * place, 20 + 4 * place)
        assert [opening.position for opening in hand.cards] == [*first, *second]


def test_so_1_1_nothing_is_left_over() -> None:
    live = SoloLive.started()
    event = next(event for event in live.events if isinstance(event.public, CardsDealt))
    assert positions(event, "house") == []
    assert len(event.public.card_commitments) == 32


def test_so_1_1_the_deal_passes_to_the_left() -> None:
    live = finished(SoloLive.started(deals=8), chance("eight"))
    assert_deal_moves(live)
    assert [scored.deal for scored in live.of(DealScored)] == list(range(1, 9))


def test_so_1_1_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(SoloLive, 60) == {0, 1, 2, 3}


def test_so_1_1_most_points_win_and_equals_share() -> None:
    shared = 0
    for number in range(30):
        live = finished(SoloLive.started(deals=4, seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        assert end.totals == live.table.totals
        assert list(end.winners) == [seat for seat in range(4) if end.totals[seat] == max(end.totals)]
        shared += len(end.winners) > 1
    assert shared


@for_each("color", "shdc")
@for_each("trump", "shdc")
@for_each("game, suit, in_color", [("simple", 1, 2), ("solo", 3, 4), ("tout", 5, 6)])
def test_so_1_2_the_game_in_color_is_the_next_higher(
    color: str, trump: str, game: str, suit: int, in_color: int
) -> None:
    live = dealt({}, color=color)
    live.asked_out(0)
    called = "Ah" if game == "simple" else None
    live.do("declare", game=game, trump=trump, called=called)
    contract = live.view("public")["contract"]
    assert contract["level"] == (in_color if trump == color else suit)
    values = (2, 4, 4, 8, 16, 32)
    assert contract["value"] == values[contract["level"] - 1]


def test_so_1_2_clubs_by_default() -> None:
    assert Options() == Options(color="c")
    assert SoloLive.opened().view("public")["options"] == {"color": "c"}


def test_so_1_2_nothing_but_a_suit() -> None:
    assert_no_options(Options, {"color": "x"}, {"color": None}, {"colour": "c"})


def test_so_1_2_color_is_the_same_for_the_whole_game() -> None:
    live = finished(SoloLive.started(deals=4, options=Options(color="h")), chance("hearts"))
    assert READER.fold(None, live.records).options == Options(color="h")
    for event in live.events:
        if event.public.TYPE == "contract-declared":
            assert (event.public.level % 2 == 0) == (event.public.trump == "h")


def test_the_next_deal_follows_at_once() -> None:
    live = played(3, [0] * 8)
    assert [event.public.TYPE for event in live.events[-2:]] == ["deal-scored", "cards-dealt"]
    assert live.phase == "auction"
