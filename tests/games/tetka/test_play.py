"""TE-3: turn, following suit, who wins a trick, and that all are played."""

from collections import Counter

import pytest

from domain.games.tetka.state import Play
from domain.kernel.rejection import Code
from domain.parts.tricks import TrickWon
from tests.games.tetka.tables import TetkaLive, dealt, laid, planned, played
from tests.support.checker.record import following, taker
from tests.support.games import chance, finished, step


@pytest.mark.parametrize("dealer", range(4))
def test_te_3_1_the_dealers_left_leads_any_card(dealer: int) -> None:
    live = dealt({}, bum="7h", dealer=dealer)
    first = (dealer + 1) % 4
    assert (live.phase, live.to_act) == ("play", (first,))
    assert live.view("public")["order"] == tuple((first + step) % 4 for step in range(4))
    assert live.offered(first, "play") == [{"card": {"one_of": live.hand(first)}}]


def test_te_3_1_clockwise_and_the_winner_leads_to_the_next() -> None:
    plan = planned([2, 2, 1, *[0] * 9], "2h")
    live, turns = laid(plan), []
    for trick in plan.tricks[:3]:
        for _ in range(4):
            turns.append(live.turn)
            live.do("play", card=trick[live.turn])
    assert turns == [0, 1, 2, 3, 2, 3, 0, 1, 2, 3, 0, 1]
    assert live.turn == 1
    assert [(won.seat, won.trick) for won in live.of(TrickWon)] == [(2, 1), (2, 2), (1, 3)]


def test_te_3_1_out_of_turn_nothing_is_open() -> None:
    live = dealt({}, bum="7h")
    for seat in (1, 2, 3):
        assert live.offers(seat) == ()
        live.refuses(seat, "play", Code.NOT_YOUR_TURN, "TE-3.1", card=live.hand(seat)[0])


def test_te_3_2_follow_suit_if_you_can() -> None:
    live = dealt({0: "5s", 1: "Ks 8s Qd"}, bum="7h")
    live.do("play", card="5s")
    following = {card for card in live.hand(1) if card[1] == "s"}
    (offer,) = live.offered(1, "play")
    assert set(offer["card"]["one_of"]) == following
    for card in set(live.hand(1)) - following:
        live.refuses(1, "play", Code.RULE_VIOLATION, "TE-3.2", card=card)


def test_te_3_2_otherwise_any_card() -> None:
    live = dealt({0: "5s", 1: "Ah Kh Qh Jh Th 9h 8h 6h Ad Kd Qd Jd Td"}, bum="7h")
    live.do("play", card="5s")
    assert live.offered(1, "play") == [{"card": {"one_of": live.hand(1)}}]


def test_te_3_1_no_card_of_another_is_led() -> None:
    live = dealt({}, bum="7h")
    card = live.hand(1)[0]
    assert live.refuses(0, "play", Code.RULE_VIOLATION, "TE-3.1", card=card) == f"you do not hold {card}"


def test_te_3_2_no_card_of_another_follows() -> None:
    live = dealt({0: "5s", 1: "Ks 8s Qd"}, bum="7h")
    live.do("play", card="5s")
    card, own = live.hand(2)[0], [card for card in live.hand(1) if card[1] == "s"]
    detail = live.refuses(1, "play", Code.RULE_VIOLATION, "TE-3.2", card=card)
    assert detail == f"you do not hold {card}: 5s is led, play {', '.join(own[:-1])} or {own[-1]}"


def test_te_3_2_the_highest_of_the_suit_led_wins() -> None:
    tricks = 0
    for number in range(6):
        live = finished(TetkaLive.started(seed=bytes([number]) * 32), chance(number))
        trick: list[tuple[int, str]] = []
        for event in live.events:
            if event.public.TYPE == "card-played":
                trick.append((event.public.seat, event.public.card))
            elif isinstance(event.public, TrickWon):
                assert event.public.seat == taker(trick)
                tricks, trick = tricks + 1, []
    assert tricks == 6 * 4 * 13


def test_te_3_2_offers_are_what_the_rule_allows() -> None:
    rng = chance("offers")
    live = TetkaLive.started(deals=4)
    while live.table.status == "playing":
        tricks = live.table.deal_state.tricks
        (offer,) = live.offered(live.turn, "play")
        assert list(offer["card"]["one_of"]) == following(live.hand(live.turn), tricks.led)
        step(live, rng)


def test_te_3_3_all_thirteen_tricks_are_always_played() -> None:
    """Also where one player has won the first twelve, so that the last one is lost before it is played."""
    live = played(planned([0] * 12, "7h"))
    types = Counter(event.public.TYPE for event in live.events if event.deal == 1)
    assert (types["card-played"], types["trick-won"]) == (52, 13)
    assert live.score.deal == 1
    assert live.table.deal == 2


def test_the_clock_plays_the_lowest_card_that_may_be_played() -> None:
    live = dealt({0: "5s", 1: "Ks 8s 2d"}, bum="7h")
    default = live.game.decider.default_action
    lowest = min(live.hand(0), key=lambda card: "23456789TJQKA".index(card[0]))
    assert default(live.table.deal_state, 0) == Play(lowest)
    live.do("play", card="5s")
    spades = sorted((card for card in live.hand(1) if card[1] == "s"), key=lambda card: "23456789TJQKA".index(card[0]))
    assert default(live.table.deal_state, 1) == Play(spades[0])
