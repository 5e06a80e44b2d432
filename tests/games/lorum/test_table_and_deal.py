"""LO-1 and LO-2: table, game, cards, deal, and who knows what."""

from functools import cache

import pytest

from domain.games.lorum import LORUM
from domain.kernel.dealing import DealtHand
from domain.table.events import CardsDealt, DealScored, GameFinished, GameStarted
from tests.games.dealing import assert_deals, assert_full, first_dealers, positions
from tests.games.lorum.tables import KINDS, PACK, LorumLive, in_deal
from tests.support.for_each import for_each
from tests.support.games import chance, finished, step


@cache
def game(number: int) -> LorumLive:
    """A finished game."""
    return finished(LorumLive.started(seed=bytes([number]) * 32), chance(number))


def test_lo_1_1_four_seats_each_alone() -> None:
    live = LorumLive.started()
    assert_full(live, 4)
    assert LORUM.course.sides(LORUM.options()) == ()


@pytest.mark.parametrize("kind", [1, 2, 3, 5])
def test_lo_1_1_everything_goes_clockwise(kind: int) -> None:
    live = in_deal(kind, {0: ["As"], 1: ["Ks"], 2: ["Qs"], 3: ["Js"]})
    for seat, card in enumerate(("As", "Ks", "Qs", "Js")):
        assert live.turn == seat
        live.play(card)


def test_lo_1_2_a_game_is_28_deals_or_a_multiple() -> None:
    assert LorumLive.opened().table.deals == 28
    assert LorumLive.opened(deals=84).table.deals == 84
    assert LorumLive.opened(deals=56).table.deals == 56
    assert_deals(LorumLive, "LO-1.2", never=[-28, 0, 1, 7, 14, 27, 29, 42, 83, 112])
    assert [public.deal for public in game(1).of(DealScored)] == list(range(1, 29))


def test_lo_1_2_each_deals_seven_times_in_a_row_then_the_deal_moves_left() -> None:
    live = game(2)
    first = live.of(GameStarted)[0].first_dealer
    assert [public.dealer for public in live.of(CardsDealt)] == [(first + step // 7) % 4 for step in range(28)]


def test_lo_1_2_the_kind_comes_from_the_number_of_the_deal() -> None:
    live = game(1)
    dealt = [event.version for event in live.events if isinstance(event.public, CardsDealt)]
    assert [live.view("public", version)["kind"] for version in dealt] == [*KINDS] * 4
    assert [row.kind for row in LORUM.rulebook.tables["contracts"]] == [*KINDS]


def test_lo_1_2_the_first_seven_deals_come_again_in_a_longer_game() -> None:
    live = LorumLive.started(deals=56)
    rng = chance("longer")
    while live.table.scored < 28:
        step(live, rng)
    first = live.of(GameStarted)[0].first_dealer
    assert (live.table.dealer, live.view("public")["kind"]) == (first, "no-hearts")
    assert live.table.status == "playing"


def test_lo_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(LorumLive, 40) == {0, 1, 2, 3}


@for_each("kind", range(1, 8))
@for_each("dealer", range(4))
def test_lo_1_4_eldest_begins_in_all_kinds(kind: int, dealer: int) -> None:
    live = in_deal(kind, {}, dealer=dealer)
    eldest = (dealer + 1) % 4
    assert live.to_act == (eldest,)
    assert list(live.view("public")["order"]) == [(eldest + step) % 4 for step in range(4)]


def test_lo_1_5_payment_is_in_chips_from_accounts_that_start_at_0() -> None:
    assert LORUM.unit == "chips"
    live = LorumLive.started()
    assert live.view("public")["totals"] == (0, 0, 0, 0)
    assert live.view("public")["pool"] == 0
    assert min(game(1).table.totals) < 0


def test_lo_1_5_the_pot_stays_from_deal_to_deal() -> None:
    live = game(1)
    pot = 0
    for event in live.events:
        if isinstance(event.public, DealScored):
            pot += sum(line.amount for line in event.public.lines if line.account == "pool")
            assert live.view("public", event.version)["pool"] == pot


def test_lo_1_6_most_chips_win_and_equals_share() -> None:
    live = game(1)
    (end,) = live.of(GameFinished)
    assert end.reason == "last deal scored"
    assert end.winners == tuple(seat for seat in range(4) if end.totals[seat] == max(end.totals))
    standing = live.table.standing
    equal = type(standing)(standing.options, 28, 28, 0, (5, 9, 9, -23), {})
    assert LORUM.course.winners(equal) == (1, 2)


def test_lo_2_1_32_cards() -> None:
    assert LORUM.pack.cards == PACK
    assert len(PACK) == 32
    assert [card[0] for card in PACK[:8]] == list("AKQJT987")


@for_each("kind", range(1, 8))
def test_lo_2_2_eight_cards_each_four_at_a_time_from_eldest(kind: int) -> None:
    live = in_deal(kind, {}, dealer=1)
    version = live.version
    cards = live.dealt(version)
    view = live.view("house")
    for place, seat in enumerate((2, 3, 0, 1)):
        own = {*cards[4 * place : 4 * place + 4], *cards[16 + 4 * place : 20 + 4 * place]}
        seen = view["seats"][seat]
        held = [*seen["hand"]["known"], *(card for one in seen["places"] for card in one["known"])]
        assert {*held} == own


@for_each("kind", [1, 2, 3, 5, 6, 7])
def test_lo_2_3_a_hand_is_its_owners_to_see(kind: int) -> None:
    live = in_deal(kind, {})
    dealt = live.events[-1]
    assert set(dealt.sealed) == {"seat:0", "seat:1", "seat:2", "seat:3", "house"}
    for seat in range(4):
        section = dealt.section(f"seat:{seat}", DealtHand)
        assert section is not None
        assert {opening.card for opening in section.cards} == set(live.hand(seat))
        for other in range(4):
            seen = live.view(f"seat:{seat}")["seats"][other]["hand"]
            assert (len(seen["known"]), seen["hidden"]) == ((8, 0) if other == seat else (0, 8))
    assert positions(dealt, "house") == []


def test_lo_2_3_what_is_still_held_at_the_end_is_shown_by_no_event() -> None:
    live = game(1)
    for number in range(1, 29):
        events = [event for event in live.events if event.deal == number]
        played = {event.public.card for event in events if hasattr(event.public, "card")}
        named = {card for event in events[1:] for card in PACK if f"'{card}'" in str(event.public)}
        assert named == played
        assert len(played) < 32 or number % 7 not in (6, 0)


def test_lo_2_3_nobody_may_talk_by_the_game() -> None:
    assert {action.__struct_config__.tag for action in LORUM.action_types} == {"play", "turn-up", "pass"}
