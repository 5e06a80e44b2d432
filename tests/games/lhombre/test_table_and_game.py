"""LH-1: table and game."""

from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.meta import Options
from domain.games.lhombre.rules import RULES
from domain.kernel.rejection import Code, Rejected
from domain.table.actions import TakeSeat
from domain.table.events import CardsDealt, DealScored, GameFinished
from tests.games.dealing import assert_no_options
from tests.games.lhombre.checker import turns
from tests.games.lhombre.tables import FOUR, SITTER_FREE, THREE, LhombreLive
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, READER, chance, finished, step

TABLES = [THREE, FOUR]


def washed_out(options: Options, deals: int, count: int | None = None) -> LhombreLive:
    """A game in which everybody passes, deal after deal."""
    live = LhombreLive.started(deals=deals, options=options)
    for _ in range(3 * (deals if count is None else count)):
        live.do("pass")
    return live


def test_lh_1_1_four_players_by_default() -> None:
    assert Options() == Options(players=4, sitter_pays=True)
    assert len(LhombreLive.started().table.players) == 4


@pytest.mark.parametrize("players", [3, 4])
def test_lh_1_1_three_or_four_players(players: Any) -> None:
    live = LhombreLive.opened(options=Options(players=players))
    for seat in range(players):
        assert live.table.status == "open"
        live.command(TakeSeat(EVERYBODY[seat]))
    assert live.table.status == "playing"
    assert live.refused(TakeSeat("somebody else")).code is Code.TABLE_FULL


@pytest.mark.parametrize("players", [2, 5, "4", None])
def test_lh_1_1_no_other_number_of_players(players: object) -> None:
    assert_no_options(Options, {"players": players})


@for_each("options", TABLES)
@for_each("dealer", range(4))
def test_lh_1_1_everything_goes_counter_clockwise_who_sits_out_skipped(options: Options, dealer: int) -> None:
    players = options.players
    if dealer >= players:
        dealer = 0
    live = LhombreLive.around({}, dealer=dealer, options=options)
    spoke = []
    for call in ("tourne", "pass", "pass"):
        spoke.append(live.turn)
        live.do("pass") if call == "pass" else live.do("bid", contract=call)
    assert spoke == turns(dealer, players)
    seat = dealer
    walked = []
    for _ in range(players):
        seat = (seat - 1) % players
        walked.append(seat)
    assert [seat for seat in walked if seat in spoke] == spoke


@pytest.mark.parametrize(
    ("dealer", "order", "sitter"), [(0, (3, 1, 0), 2), (1, (0, 2, 1), 3), (2, (1, 3, 2), 0), (3, (2, 0, 3), 1)]
)
def test_lh_1_2_of_four_the_one_opposite_the_dealer_sits_out(dealer: int, order: tuple[int, ...], sitter: int) -> None:
    live = LhombreLive.around({}, dealer=dealer, options=FOUR)
    assert live.sitting_out == (sitter,)
    for audience in live.audiences:
        view = live.view(audience)
        assert view["order"] == order
        assert view["seats"][sitter]["hand"] == {"known": (), "hidden": 0}
        assert [view["seats"][seat]["hand"] != {"known": (), "hidden": 0} for seat in order] == [True] * 3


@pytest.mark.parametrize(("dealer", "order"), [(0, (2, 1, 0)), (1, (0, 2, 1)), (2, (1, 0, 2))])
def test_lh_1_2_of_three_nobody_sits_out(dealer: int, order: tuple[int, ...]) -> None:
    live = LhombreLive.around({}, dealer=dealer, options=THREE)
    assert live.view("public")["order"] == order
    assert live.sitting_out == ()
    assert live.turn == order[0]


@for_each("options", [FOUR, SITTER_FREE])
@for_each("seed", range(6))
def test_lh_1_2_who_sits_out_has_no_cards_no_bids_no_play_and_sees_what_everybody_sees(
    options: Options, seed: int
) -> None:
    rng = chance(seed)
    live = LhombreLive.started(deals=4, options=options, seed=bytes([seed]) * 32)
    while live.table.status == "playing":
        (sitter,) = live.sitting_out
        assert live.offers(sitter) == ()
        assert sitter not in live.to_act
        step(live, rng)
    playing: set[str] = set()
    for event, record in zip(live.events, live.records, strict=True):
        if isinstance(event.public, CardsDealt):
            dealer = event.public.dealer
            assert (f"seat:{(dealer + 2) % 4}" in event.sealed) is False
            playing = {f"seat:{seat}" for seat in range(4) if seat != (dealer + 2) % 4}
        if event.deal is not None and not isinstance(event.public, DealScored):
            assert event.actor in {*playing, "house"}
            assert set(event.sealed) <= {*playing, "house"}, record.type
    (end,) = (event.version for event in live.events if isinstance(event.public, DealScored) and event.public.deal == 1)
    dealer = live.of(CardsDealt)[0].dealer
    for version in range(1, end):
        seat = (dealer + 2) % 4
        assert live.view(f"seat:{seat}", version) == live.view("public", version) | {"you": seat}


@pytest.mark.parametrize("options", TABLES)
def test_lh_1_3_every_seat_is_drawn_as_first_dealer(options: Options) -> None:
    drawn = {LhombreLive.started(options=options, seed=sha256(bytes([n])).digest()).table.dealer for n in range(25)}
    assert drawn == set(range(options.players))


@pytest.mark.parametrize("options", TABLES)
def test_lh_1_3_the_deal_passes_to_the_right_after_every_deal_wash_outs_included(options: Options) -> None:
    players = options.players
    for live in (washed_out(options, 12), finished(LhombreLive.started(deals=12, options=options), chance("deals"))):
        dealers = [dealt.dealer for dealt in live.of(CardsDealt)]
        assert all(after == (before - 1) % players for before, after in pairwise(dealers))
        assert [dealers.count(seat) for seat in range(players)] == [12 // players] * players


@for_each("players, deals", [(4, 4), (4, 8), (4, 12), (4, 96), (3, 3), (3, 6), (3, 9), (3, 12), (3, 51), (3, 99)])
def test_lh_1_4_a_game_is_a_number_of_deals_divisible_by_the_players(players: Any, deals: int) -> None:
    assert LhombreLive.opened(deals=deals, options=Options(players=players)).table.deals == deals


@for_each(
    "players, deals",
    [(4, n) for n in (-4, 0, 1, 3, 6, 9, 98, 99, 100)] + [(3, n) for n in (-3, 0, 1, 4, 8, 96 + 1, 100, 102)],
)
def test_lh_1_4_no_other_number_of_deals(players: Any, deals: int) -> None:
    with pytest.raises(Rejected) as refused:
        LhombreLive.opened(deals=deals, options=Options(players=players))
    assert (refused.value.code, refused.value.rule) == (Code.RULE_VIOLATION, "LH-1.4")
    most = {3: 99, 4: 96}[players]
    assert refused.value.detail == f"deals must be {players} to {most}, divisible by {players}"


def test_lh_1_4_twelve_deals_by_default() -> None:
    assert LHOMBRE.course.deals(LHOMBRE.options()).default == 12
    for options in TABLES:
        assert LhombreLive.opened(options=options).table.deals == 12


@pytest.mark.parametrize("options", TABLES)
def test_lh_1_4_wash_outs_count_and_equal_chips_share_the_win(options: Options) -> None:
    live = washed_out(options, 12, 11)
    assert live.table.status == "playing"
    live = washed_out(options, 12)
    assert [scored.outcome for scored in live.of(DealScored)] == ["washed-out"] * 12
    (end,) = live.of(GameFinished)
    assert (end.totals, end.winners, end.lines) == ((0,) * options.players, tuple(range(options.players)), ())
    assert (live.table.status, live.to_act) == ("finished", ())


@for_each("seed", range(6))
@for_each("options", TABLES)
def test_lh_1_4_most_chips_win(options: Options, seed: int) -> None:
    live = finished(LhombreLive.started(options=options, seed=sha256(bytes([seed])).digest()), chance(seed))
    (end,) = live.of(GameFinished)
    lines = [line for scored in live.of(DealScored) for line in scored.lines]
    sums = [sum(line.amount for line in lines if line.seat == seat) for seat in live.seats]
    assert list(end.totals) == sums
    assert list(end.winners) == [seat for seat in live.seats if sums[seat] == max(sums)]


def test_a_game_is_counted_in_chips_and_is_read_by_its_name() -> None:
    assert (LHOMBRE.name, LHOMBRE.unit) == ("lhombre", "chips")
    assert READER.history(LhombreLive.started().records) is not None


def test_rules_that_the_options_change_say_so() -> None:
    assert {rule.option: rule.id for rule in RULES if rule.option} == {"players": "LH-1.1", "sitter_pays": "LH-9.2"}


def test_readings_are_told_as_such() -> None:
    assert [rule.id for rule in RULES if rule.reading] == ["LH-1.2", "LH-1.4", "LH-9.2"]
