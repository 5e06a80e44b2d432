"""OM-1: table and game."""

from hashlib import sha256
from itertools import pairwise

from domain.games.ombre.meta import Options
from domain.table.events import CardsDealt, DealScored, GameFinished, GameStarted
from tests.games.dealing import assert_deals, assert_full, assert_no_options
from tests.games.ombre.checker import CHECKER
from tests.games.ombre.tables import OmbreLive, played
from tests.golden.games import all_open
from tests.support.for_each import for_each
from tests.support.games import TABLE, chance, finished


def test_om_1_1_three_seats_no_fourth_and_everything_goes_counter_clockwise() -> None:
    live = OmbreLive.started()
    assert_full(live, 3)
    first = live.turn
    live.do("bid", contract="entrada")
    second = live.turn
    live.do("bid", contract="vuelta")
    third = live.turn
    live.do("bid", contract="solo")
    assert [second, third, live.turn] == [(first - 1) % 3, (first - 2) % 3, first]


@for_each("dealer", range(3))
def test_om_1_1_eldest_sits_at_the_dealers_right(dealer: int) -> None:
    live = OmbreLive.around({}, dealer=dealer)
    assert live.turn == (dealer - 1) % 3
    assert live.view("public")["order"] == ((dealer - 1) % 3, (dealer - 2) % 3, dealer)


@for_each("chips", [40, 100, 1_000_000])
def test_om_1_2_starting_chips_are_shown_and_not_booked(chips: int) -> None:
    options = Options(chips=chips)
    opened = OmbreLive.opened(options=options)
    assert (opened.view("public")["chips"], opened.view("public")["pool"]) == ((chips,) * 3, 0)
    live = OmbreLive.around({}, dealer=1, options=options)
    view = live.view("public")
    assert (view["chips"], view["totals"], view["pool"]) == ((chips, chips - 5, chips), (0, -5, 0), 5)


@for_each("chips", [39, 0, -100, 1_000_001, 50.5, "100", None])
def test_om_1_2_no_other_number_of_chips(chips: object) -> None:
    assert_no_options(Options, {"chips": chips})


def test_om_1_2_a_hundred_chips_by_default() -> None:
    assert Options() == Options(chips=100, hold=True)


def test_om_1_2_balances_go_below_zero() -> None:
    live = OmbreLive.started(options=Options(chips=40))
    while min(live.view("public")["chips"]) >= 0:
        live.bid_out(live.turn, "entrada")
        live.do("declare", trump="c")
        live.exchanged().surrendered(True, True)
    assert (live.table.status, live.phase) == ("playing", "auction")
    assert sum(live.table.balances.values()) == 0


def test_om_1_2_the_pool_carries_over_from_deal_to_deal() -> None:
    live = OmbreLive.started().passed(2)
    assert live.pool == live.view("seat:0")["pool"] == 15
    assert live.table.deal_state.common.pool == 15


def draws(seed: bytes) -> OmbreLive:
    return OmbreLive.started(seed=sha256(seed).digest())


@for_each("number", range(40))
def test_om_1_3_the_highest_card_deals_first_and_only_ties_draw_again(number: int) -> None:
    live = draws(bytes([number]))
    started = live.of(GameStarted)[0]
    dealt = all_open(live.records)[-1]
    assert CHECKER.lots is not None
    dealer, drawn = CHECKER.lots(bytes.fromhex(dealt["sealed"]["house"]["data"]["seed"]), TABLE, [b""] * 3)
    assert dealer == started.first_dealer == live.of(CardsDealt)[0].dealer
    assert drawn == [{"seat": one.seat, "card": one.card} for one in started.draws]
    assert len({one.card for one in started.draws}) == len(started.draws)


def test_om_1_3_ties_happen_and_every_seat_is_drawn() -> None:
    started = [draws(bytes([number])).of(GameStarted)[0] for number in range(40)]
    assert {one.first_dealer for one in started} == {0, 1, 2}
    assert {len(one.draws) for one in started} > {3}


def test_om_1_3_the_deal_passes_to_the_right() -> None:
    live = OmbreLive.started(deals=6).passed(6)
    dealers = [dealt.dealer for dealt in live.of(CardsDealt)]
    assert len(dealers) == 6
    assert all(after == (before - 1) % 3 for before, after in pairwise(dealers))


def test_om_1_4_games_of_three_to_99_deals_divisible_by_three() -> None:
    assert_deals(OmbreLive, "OM-1.4", may=[3, 6, 12, 51, 99], never=[-3, 0, 1, 2, 4, 98, 100, 102, 300])


def test_om_1_4_twelve_deals_by_default() -> None:
    assert OmbreLive.game.course.deals(OmbreLive.game.options()).default == 12


def test_om_1_4_deals_passed_out_count_and_the_pool_is_shared_at_the_end() -> None:
    live = OmbreLive.started(deals=3).passed(3)
    assert live.table.status == "finished"
    end = live.of(GameFinished)[0]
    assert [(line.account, line.counter, line.amount, line.kind, line.rule) for line in end.lines[::2]] == [
        (f"player:{live.table.players[seat]}", "pool", 5, "share", "OM-1.4") for seat in range(3)
    ]
    assert (end.totals, end.winners, live.pool) == ((0, 0, 0), (0, 1, 2), 0)
    assert "bank" not in live.table.accounts


def test_om_1_4_an_odd_rest_of_the_pool_goes_to_the_bank() -> None:
    live = played("entrada", (1, 1, 1, 1, 2, 2, 2, 2, 0))
    assert live.pool == 6 + 5
    live.passed(11)
    assert live.table.status == "finished"
    end = live.of(GameFinished)[0]
    left = 6 + 11 * 5
    assert left % 3 == 1
    assert [(line.account, line.amount) for line in end.lines[::2]] == [
        *((f"player:{player}", left // 3) for player in live.table.players),
        ("bank", 1),
    ]
    assert live.table.accounts == {"pool": 0, "bank": 1}
    assert sum(live.table.balances.values()) == 0
    assert str(left) in end.lines[0].text


def test_om_1_4_nothing_is_shared_of_an_empty_pool() -> None:
    games = (finished(draws(bytes([number])), chance(number)) for number in range(256))
    live = next(live for live in games if live.score.outcome == "win")
    assert live.of(GameFinished)[0].lines == ()


@for_each("number", range(9))
def test_om_1_4_most_chips_win(number: int) -> None:
    live = finished(draws(bytes([number])), chance(number))
    end = live.of(GameFinished)[0]
    booked = [line for event in live.of(CardsDealt) + live.of(DealScored) + [end] for line in event.lines]
    sums = tuple(sum(line.amount for line in booked if line.seat == seat) for seat in range(3))
    assert end.totals == live.table.totals == sums
    assert end.winners == tuple(seat for seat in range(3) if sums[seat] == max(sums))
    assert live.view("public")["chips"] == tuple(100 + one for one in sums)
