"""ND-1, ND-2: table, sides, pitcher, target, pack, deal, and the hand that waits for the first card."""

from collections import Counter
from typing import Any

import pytest

from domain.fair.deck import card_commitment
from domain.games.don import DON
from domain.games.don.events import HandOpened, OpenedHand
from domain.games.don.meta import Options
from domain.games.don.state import Pitching
from domain.kernel.rejection import Code, Rejected
from domain.parts.tricks import CardPlayed
from domain.record.history import record_command
from domain.seats import HOUSE, seat_audience
from domain.table.actions import Act
from domain.table.events import CardsDealt, DealScored, GameFinished, GameStarted
from tests.games.dealing import assert_deal_moves, assert_deals, assert_full, assert_no_options, positions
from tests.games.don.tables import NOTHING, PACK, TENS, WORTHLESS, DonLive, Target, begun, dealt, planned, play, played
from tests.property.strategies import texts
from tests.support.games import EVERYBODY, chance, finished, moment, parsed


def test_nd_1_1_four_seats_clockwise() -> None:
    live = DonLive.started()
    assert_full(live, 4)
    first = live.turn
    for _ in range(4):
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert [event.seat for event in live.of(CardPlayed)] == [(first + step) % 4 for step in range(4)]


def test_nd_1_2_partners_sit_opposite() -> None:
    assert DON.course.sides(Options()) == ((0, 2), (1, 3))
    assert [DON.course.side_of(seat, Options()) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert [side["seats"] for side in dealt({}).view("public")["sides"]] == [[0, 2], [1, 3]]


@pytest.mark.parametrize("dealer", range(4))
def test_nd_1_3_the_dealers_left_pitches(dealer: int) -> None:
    live = dealt({}, dealer=dealer)
    view = live.view("public")
    assert (live.turn, view["pitcher"], view["dealer"]) == ((dealer + 1) % 4, (dealer + 1) % 4, dealer)


def test_nd_1_4_every_seat_is_drawn_as_first_pitcher() -> None:
    tables = [DonLive.started(seed=bytes([n]) * 32) for n in range(60)]
    pitchers = Counter(live.turn for live in tables)
    assert set(pitchers) == set(range(4))
    assert all(live.of(GameStarted)[0].first_dealer == (live.turn - 1) % 4 for live in tables)
    assert all(live.of(GameStarted)[0].draws == () for live in tables)


def test_nd_1_5_the_pitcher_deals_next() -> None:
    live = finished(DonLive.started(deals=5), chance("five"))
    assert_deal_moves(live)


@pytest.mark.parametrize("target", [121, 91])
def test_nd_1_6_the_first_side_with_the_target_wins(target: Target) -> None:
    for number in range(4):
        live = finished(DonLive.started(options=Options(target=target), seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        *before, last = [scored.totals for scored in live.of(DealScored)]
        assert end.reason == "target reached"
        assert max(last) >= target > max(max(totals) for totals in before)
        assert end.winners == ((0, 2) if last[0] > last[1] else (1, 3))
        assert min(last) < target


def test_nd_1_6_121_by_default_or_91() -> None:
    assert Options() == Options(target=121)
    assert_no_options(Options, {"target": 120}, {"target": None}, {"target": "91"}, {"goal": 91})


def test_nd_1_7_games_of_one_to_99_deals_at_most() -> None:
    assert_deals(DonLive, "ND-1.7", may=[1, 2, 50, 99], never=[-1, 0, 100])


def test_nd_1_7_99_deals_by_default() -> None:
    assert DonLive.opened().table.deals == 99


def test_nd_1_7_after_the_last_deal_the_side_with_more_points_wins_and_equals_share() -> None:
    winners = Counter[tuple[int, ...]]()
    for number in range(60):
        live = finished(DonLive.started(deals=1, seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        assert end.reason == "last deal scored"
        assert list(end.winners) == [seat for seat in range(4) if end.totals[seat] == max(end.totals)]
        winners[end.winners] += 1
    assert set(winners) == {(0, 2), (1, 3), (0, 1, 2, 3)}


# cards and deal


def test_nd_2_1_52_cards_ace_high() -> None:
    assert set(DON.pack) == {rank + suit for suit in "shdc" for rank in "AKQJT98765432"}
    assert DON.pack.cards == PACK


@pytest.mark.parametrize("dealer", range(4))
def test_nd_2_2_nine_each_one_at_a_time_from_the_pitcher_and_sixteen_aside(dealer: int) -> None:
    event = dealt({}, dealer=dealer).events[-1]
    pitcher, partner = (dealer + 1) % 4, (dealer + 3) % 4
    for place in (0, 1, 3):
        assert positions(event, seat_audience((pitcher + place) % 4)) == list(range(place, 36, 4))
    assert positions(event, HOUSE) == [*range(2, 36, 4), *range(36, 52)]
    assert set(event.sealed) == {HOUSE, *(seat_audience(seat) for seat in range(4) if seat != partner)}
    assert len(event.public.card_commitments) == 52


def test_nd_2_2_nobody_sees_what_is_set_aside() -> None:
    plan = planned(WORTHLESS, [0] * 9)
    live = begun(plan)
    aside = set(PACK) - {card for hand in plan.hands().values() for card in hand}
    start = live.version
    play(live, plan)
    for version in range(start, live.version - 1):
        for audience in live.audiences:
            view = live.view(audience, version)
            assert view["aside"] == {"known": [], "hidden": 16}
            assert not aside & names(view)


def names(value: Any) -> set[str]:
    """All cards named in a value."""
    return {*texts(value)} & {*PACK}


@pytest.mark.parametrize("dealer", range(4))
def test_nd_2_3_the_pitchers_partner_sees_no_card_until_the_first_is_led(dealer: int) -> None:
    plan = planned(WORTHLESS, [(dealer + 1) % 4] * 9)
    live = begun(plan, dealer=dealer)
    pitcher, partner = live.turn, (dealer + 3) % 4
    hidden = {*plan.hands()[partner]}
    for audience in live.audiences:
        view = live.view(audience)
        hands = [seat["hand"] for seat in view["seats"]]
        assert not hidden & names(view)
        assert view["waiting"] == {"known": [], "hidden": 9}
        for seat in range(4):
            own = audience == seat_audience(seat)
            size = 0 if seat == partner else 9
            assert hands[seat] == {"known": hands[seat]["known"], "hidden": 0 if own else size}
            assert len(hands[seat]["known"]) == (size if own else 0)
    live.do("play", card=plan.tricks[0][pitcher])
    for audience in live.audiences:
        view = live.view(audience)
        assert view["waiting"] == {"known": [], "hidden": 0}
        known = {*view["seats"][partner]["hand"]["known"]}
        assert known == (hidden if audience == seat_audience(partner) else set())


def test_nd_2_3_the_hand_is_opened_by_an_event_of_its_own_with_what_proves_it() -> None:
    plan = planned(WORTHLESS, [0] * 9)
    live = begun(plan)
    commitments = live.of(CardsDealt)[-1].card_commitments
    played_card, opened = live.do("play", card=plan.tricks[0][0])
    assert opened.public == HandOpened(2)
    assert (opened.actor, set(opened.sealed)) == (HOUSE, {"seat:2"})
    section = opened.section("seat:2", OpenedHand)
    assert section is not None
    assert [each.card for each in section.cards] == plan.hands()[2]
    assert [each.position for each in section.cards] == list(range(2, 36, 4))
    for each in section.cards:
        assert commitments[each.position] == card_commitment(bytes.fromhex(each.salt), each.card)
    assert played_card.sealed == {}


def test_nd_2_3_nothing_is_known_offered_or_done_in_between() -> None:
    plan = planned(WORTHLESS, [0] * 9)
    live = begun(plan)
    for audience in (*live.audiences, HOUSE):
        state = live.known_to(audience).deal_state
        assert isinstance(state, Pitching)
        assert state.hands[2].size == 0
        assert len(state.waiting) == 9
        assert (audience == HOUSE) == (None not in state.waiting)
    assert live.types(2) == set()
    live.refuses(2, "play", Code.NOT_YOUR_TURN, "ND-3.1", card=plan.tricks[0][2])
    live.do("play", card=plan.tricks[0][0])
    between = live.version - 1
    for audience in (*live.audiences, HOUSE):
        assert live.view(audience, between)["to_act"] == []
    assert live.view("seat:2", between)["seats"][2]["hand"] == {"known": [], "hidden": 0}
    assert live.to_act == (1,)


def test_nd_2_3_a_partner_who_asks_to_play_learns_nothing_from_the_refusal() -> None:
    live = begun(planned(WORTHLESS, [0] * 9))
    told = set()
    for card in PACK:
        with pytest.raises(Rejected) as refused:
            record_command(DON, live.history, Act(EVERYBODY[2], parsed({"type": "play", "card": card}, DON)), moment(1))
        told.add((refused.value.code, refused.value.detail, refused.value.rule))
    assert len(told) == 1


def test_nd_2_4_a_seat_knows_its_own_cards_and_what_was_played() -> None:
    plan = planned(WORTHLESS, [0, 3, 2, 1, 0, 3, 2, 1, 0])
    live = play(begun(plan), plan, 4)
    live.do("play", card=plan.tricks[4][live.turn])
    for seat in range(4):
        hands = [each["hand"] for each in live.view(seat_audience(seat))["seats"]]
        assert hands[seat]["known"] == list(live.hand(seat))
        assert all(hands[other]["known"] == [] for other in range(4) if other != seat)


def test_nd_2_4_nobody_may_talk() -> None:
    assert [action.__struct_config__.tag for action in DON.action_types] == ["play"]


def test_the_cards_of_a_deal_are_open_when_it_is_over() -> None:
    live = played([*NOTHING, *TENS], [0] * 9)
    view = live.view(HOUSE, next(e.version for e in live.events if isinstance(e.public, CardsDealt)))
    assert len(view["waiting"]["known"]) == 9
    assert len(view["aside"]["known"]) == 16


def test_the_next_deal_follows_at_once() -> None:
    live = played(WORTHLESS, [0] * 9)
    assert [event.public.TYPE for event in live.events[-2:]] == ["deal-scored", "cards-dealt"]
    assert live.phase == "pitch"
