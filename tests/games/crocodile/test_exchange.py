"""CR-7: the exchange, but for Casco."""

from itertools import product

import pytest

from domain.fair.deck import card_commitment
from domain.games.crocodile.events import CardsExchanged, PriorityAnswered, PriorityOffered
from domain.kernel.rejection import Code
from domain.parts.exchange import ExchangedCards
from domain.parts.tricks import CardPlayed
from domain.table.events import CardsDealt
from tests.games.crocodile.checker import BIDS, CONTRACTS
from tests.support.for_each import for_each
from tests.support.games import Live, around

EXCHANGING = [name for name in BIDS if CONTRACTS[name]["exchange"] is not None]
HAND = [name for name in BIDS if CONTRACTS[name]["exchange"] is None]


def exchanging(contract: str, declarer: int = 0, talon: tuple[str, ...] = ()) -> Live:
    """A table at its first exchange."""
    live = around({}, talon=talon)
    live.bid_out(declarer, contract)
    live.do("declare", contract=contract, trump="s" if CONTRACTS[contract]["trumps"] == "named" else None)
    return live


def exchange(live: Live, count: int) -> None:
    """Whose turn it is exchanges this number of cards."""
    live.do("exchange", discard=live.hand(live.turn)[:count])


@for_each("count", range(10))
def test_cr_7_1_discards_are_replaced_from_the_top_of_the_talon(count: int) -> None:
    live = exchanging("play")
    hand, talon = live.hand(0), live.table.deal_state.stock.pile
    live.do("exchange", discard=hand[9 - count :])
    assert set(live.hand(0)) == {*hand[: 9 - count], *talon[:count]}
    assert live.table.deal_state.stock.pile == talon[count:]


def test_cr_7_1_how_many_is_public_and_which_is_not() -> None:
    live = exchanging("play")
    hand, talon = live.hand(0), live.table.deal_state.stock.pile
    live.do("exchange", discard=[hand[5], hand[2], hand[7]])
    record, event = live.records[-1], live.events[-1]
    assert event.public == CardsExchanged(0, 3, ())
    assert set(event.sealed) == {"seat:0"}
    cards = event.section("seat:0", ExchangedCards)
    assert cards is not None
    assert cards.discarded == (hand[2], hand[5], hand[7])
    assert tuple(opening.card for opening in cards.drawn) == talon[:3]
    assert not any(card.encode() in record.public for card in (*hand, *talon))
    for audience in ("public", "seat:1", "seat:2"):
        view = live.view(audience)
        assert view["seats"][0]["hand"] == {"known": (), "hidden": 9}
        assert view["exchanges"] == ({"seat": 0, "count": 3, "taken": ()},)
        assert view["talon"] == {"known": (), "hidden": 10}
    assert live.view("seat:0")["seats"][0]["hand"]["known"] == live.hand(0)


def test_cr_7_1_drawn_cards_open_the_commitments_of_the_deal() -> None:
    live = exchanging("play")
    exchange(live, 4)
    cards = live.events[-1].section("seat:0", ExchangedCards)
    assert cards is not None
    commitments = live.of(CardsDealt)[0].card_commitments
    assert [opening.position for opening in cards.drawn] == [27, 28, 29, 30]
    for opening in cards.drawn:
        assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitments[opening.position]


@pytest.mark.parametrize("discard", [["Kc", "Kc"], ["Kc"] * 3])
def test_cr_7_1_no_card_is_discarded_twice(discard: list[str]) -> None:
    live = around({0: ["Kc"]})
    live.bid_out(0, "play")
    live.do("declare", contract="play", trump="c")
    live.refuses(0, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=discard)


def test_cr_7_1_only_cards_of_the_own_hand_are_discarded() -> None:
    live = exchanging("play")
    live.refuses(0, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=[live.hand(1)[0]])
    live.refuses(0, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=[live.table.deal_state.stock.pile[0]])


@for_each("contract, count", list(product(EXCHANGING, range(10))))
def test_cr_7_1_declarers_limits(contract: str, count: int) -> None:
    live = exchanging(contract)
    least, most = CONTRACTS[contract]["exchange"]
    assert live.offered(0, "exchange") == [{"discard": {"some_of": live.hand(0), "min": least, "max": most}}]
    if least <= count <= most:
        exchange(live, count)
        assert live.of(CardsExchanged) == [CardsExchanged(0, count, ())]
    else:
        detail = live.refuses(0, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=live.hand(0)[:count])
        limits = most if least == most else f"{least} to {most}"
        assert detail == f"declarer exchanges {limits} cards in {contract}, not {count}"
        card = live.hand(1)[0]
        detail = live.refuses(0, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=[card, *live.hand(0)[1:count]])
        assert detail == f"you do not hold {card}"


@for_each("contract, declarer", list(product(EXCHANGING, range(3))))
def test_cr_7_2_declarer_first_where_the_contract_lets_declarer_exchange(contract: str, declarer: int) -> None:
    live = exchanging(contract, declarer)
    assert live.to_act == (declarer,)
    for other in {0, 1, 2} - {declarer}:
        live.refuses(other, "exchange", Code.NOT_YOUR_TURN, "CR-7.2")
    live.refuses(declarer, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")


@for_each("contract, declarer", list(product(HAND, range(3))))
def test_cr_7_2_in_a_hand_contract_declarer_does_not_exchange(contract: str, declarer: int) -> None:
    live = exchanging(contract, declarer)
    assert live.to_act == ((declarer + 1) % 3,)
    live.refuses(declarer, "exchange", Code.NOT_YOUR_TURN, "CR-7.2")
    exchange(live, 0)
    exchange(live, 0)
    assert live.phase == "play"
    assert [done.seat for done in live.of(CardsExchanged)] == [(declarer + 1) % 3, (declarer + 2) % 3]


def test_cr_7_2_a_turn_up_that_is_not_taken_stays_on_top_face_up() -> None:
    live = exchanging("tournee", talon=("4h", "2c"))
    exchange(live, 0)
    for audience in ("public", "seat:0", "seat:1", "seat:2"):
        assert live.view(audience)["talon"] == {"known": ("4h",), "hidden": 12}
    exchange(live, 2)
    assert {"4h", "2c"} <= set(live.hand(1))
    for audience in ("public", "seat:0", "seat:2"):
        view = live.view(audience)
        assert view["seats"][1]["hand"] == {"known": ("4h",), "hidden": 8}
        assert view["talon"] == {"known": (), "hidden": 11}


def test_cr_7_2_a_turn_up_that_nobody_takes_stays_to_the_end() -> None:
    live = exchanging("tournee", talon=("4h",))
    for _ in range(3):
        exchange(live, 0)
    assert live.phase == "play"
    assert live.view("public")["talon"] == {"known": ("4h",), "hidden": 12}


@pytest.mark.parametrize(("contract", "count"), [("tournee", 1), ("tournee", 9), ("tournee-respect", 1)])
def test_cr_7_2_the_turn_up_is_the_first_card_drawn(contract: str, count: int) -> None:
    live = exchanging(contract, talon=("4h",))
    exchange(live, count)
    assert "4h" in live.hand(0)
    for audience in ("public", "seat:1", "seat:2"):
        assert live.view(audience)["seats"][0]["hand"] == {"known": ("4h",), "hidden": 8}


@for_each("contract, declarer", list(product(BIDS, range(3))))
def test_cr_7_3_both_opponents_the_one_on_declarers_left_first(contract: str, declarer: int) -> None:
    live = exchanging(contract, declarer)
    if live.turn == declarer:
        exchange(live, CONTRACTS[contract]["exchange"][0])
    order = []
    while live.phase == "exchange":
        for other in {(declarer + 1) % 3, (declarer + 2) % 3} - {live.turn}:
            live.refuses(other, "exchange", Code.NOT_YOUR_TURN, "CR-7.3")
        order.append(live.turn)
        exchange(live, 1)
    assert order == [(declarer + 1) % 3, (declarer + 2) % 3]


@for_each("first, second", list(product(range(10), range(10))))
def test_cr_7_3_up_to_as_many_as_the_talon_still_holds(first: int, second: int) -> None:
    live = exchanging("grand")
    exchange(live, first)
    most = min(9, 13 - first)
    assert live.offered(1, "exchange") == [{"discard": {"some_of": live.hand(1), "min": 0, "max": most}}]
    if second > most:
        live.refuses(1, "exchange", Code.RULE_VIOLATION, "CR-7.3", discard=live.hand(1)[:second])
        return
    exchange(live, second)
    left = 13 - first - second
    if left:
        assert live.offered(2, "exchange")[0]["discard"]["max"] == min(9, left)
        # More than the hand are named with cards that are not held.
        rule = "CR-7.3" if left < len(live.hand(2)) else "CR-7.1"
        live.refuses(2, "exchange", Code.RULE_VIOLATION, rule, discard=[*live.hand(2), *live.hand(0)][: left + 1])
        exchange(live, min(9, left))
    assert live.phase == "play"


@pytest.mark.parametrize("counts", [(9, 4), (4, 9)])
def test_cr_7_3_an_opponent_for_whom_no_card_is_left_is_passed_over(counts: tuple[int, int]) -> None:
    live = exchanging("play", declarer=1)
    for count in counts:
        exchange(live, count)
    assert (live.phase, live.to_act) == ("play", (0,))
    assert [done.seat for done in live.of(CardsExchanged)] == [1, 2]
    assert live.view("public")["talon"] == {"known": (), "hidden": 0}


def test_cr_7_3_the_first_opponent_is_passed_over_after_the_other() -> None:
    live = exchanging("play")
    exchange(live, 9)
    live.do("offer-priority")
    live.do("answer-priority", accept=True)
    assert live.turn == 2
    exchange(live, 4)
    assert live.phase == "play"


@for_each("contract, declarer", list(product(["play", "solo", "nolo-ouvert"], range(3))))
def test_cr_7_4_priority_is_offered_and_accepted(contract: str, declarer: int) -> None:
    live = exchanging(contract, declarer)
    if live.turn == declarer:
        exchange(live, 0)
    first, second = (declarer + 1) % 3, (declarer + 2) % 3
    assert live.types(first) == {"exchange", "offer-priority"}
    live.act(first, "offer-priority")
    assert live.events[-1].public == PriorityOffered(first, second)
    assert (live.phase, live.to_act, live.offers(first)) == ("priority", (second,), ())
    assert live.offered(second, "answer-priority") == [{"accept": {"one_of": (True, False)}}]
    live.refuses(first, "answer-priority", Code.NOT_YOUR_TURN, "CR-7.4", accept=True)
    live.refuses(second, "exchange", Code.WRONG_PHASE, "CR-7.4")
    live.act(second, "answer-priority", accept=True)
    assert live.events[-1].public == PriorityAnswered(second, True)
    assert live.to_act == (second,)
    live.refuses(second, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")
    live.refuses(first, "exchange", Code.NOT_YOUR_TURN, "CR-7.4")
    exchange(live, 2)
    assert live.to_act == (first,)
    live.refuses(first, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")
    exchange(live, 3)
    assert live.phase == "play"


@pytest.mark.parametrize("declarer", range(3))
def test_cr_7_4_priority_is_refused_and_not_offered_again(declarer: int) -> None:
    live = exchanging("solo", declarer)
    first, second = (declarer + 1) % 3, (declarer + 2) % 3
    live.act(first, "offer-priority")
    live.act(second, "answer-priority", accept=False)
    assert (live.phase, live.to_act, live.types(first)) == ("exchange", (first,), {"exchange"})
    live.refuses(first, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")
    exchange(live, 1)
    assert live.types(second) == {"exchange"}
    live.refuses(second, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")


def test_cr_7_4_the_second_opponent_has_nothing_to_offer() -> None:
    live = exchanging("solo")
    exchange(live, 0)
    assert live.types(2) == {"exchange"}
    live.refuses(2, "offer-priority", Code.RULE_VIOLATION, "CR-7.4")


def test_cr_7_5_undrawn_cards_stay_face_down_to_the_end_of_the_deal() -> None:
    live = exchanging("grandissimo")
    exchange(live, 3)
    exchange(live, 2)
    left = set(live.table.deal_state.stock.pile)
    assert len(left) == 8
    while not live.table.scored:
        for audience in ("public", "seat:0", "seat:1", "seat:2"):
            assert live.view(audience)["talon"] == {"known": (), "hidden": 8}
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert left.isdisjoint(played.card for played in live.of(CardPlayed))
