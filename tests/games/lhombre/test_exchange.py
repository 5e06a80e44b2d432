"""LH-6: the exchange."""

from itertools import product

import pytest

from domain.fair.deck import card_commitment
from domain.kernel.rejection import Code
from domain.parts.exchange import CardsExchanged, ExchangedCards
from domain.parts.tricks import CardPlayed
from domain.table.events import CardsDealt
from tests.games.lhombre.checker import CONTRACTS, trumps_for
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive
from tests.support.for_each import for_each

EXCHANGING = [name for name, row in CONTRACTS.items() if row.declarer_exchanges]
BOTH = [name for name, row in CONTRACTS.items() if row.defenders_exchange]
TURNING = ("tourne", "grand-tourne")


def exchanging(
    contract: str, place: int = 0, *, talon: tuple[str, ...] = ("4h", "2c"), four: bool = False
) -> LhombreLive:
    """A table right after the declaration."""
    live = LhombreLive.around({place: ("As", "Ac")}, talon=talon, options=FOUR if four else THREE)
    live.bid_out(live.order[place], contract)
    live.declare(contract, trumps_for(contract)[-1])
    return live


def exchange(live: LhombreLive, count: int) -> None:
    """Whose turn it is exchanges this number of cards."""
    live.do("exchange", discard=live.hand(live.turn)[:count])


@for_each("count", range(10))
def test_lh_6_1_discards_are_replaced_from_the_top_of_the_talon(count: int) -> None:
    live = exchanging("simple-game")
    hand, talon = live.hand(1), live.table.deal_state.exchange.talon
    live.do("exchange", discard=hand[9 - count :])
    assert set(live.hand(1)) == {*hand[: 9 - count], *talon[:count]}
    assert live.table.deal_state.exchange.talon == talon[count:]


@for_each("contract, place, four", list(product(CONTRACTS, range(3), [False, True])))
def test_lh_6_1_declarer_then_the_defenders_from_declarers_right(contract: str, place: int, *, four: bool) -> None:
    live = exchanging(contract, place, four=four)
    declarer, first, second = (live.order[(place + step) % 3] for step in range(3))
    row = CONTRACTS[contract]
    expected = [*([declarer] if row.declarer_exchanges else []), *([first, second] if row.defenders_exchange else [])]
    turns = []
    while live.phase == "exchange":
        turns.append(live.turn)
        for other in live.seats:
            if other != live.turn:
                assert "exchange" not in live.types(other)
                live.refuses(other, "exchange", Code.NOT_YOUR_TURN, live.turn_rule(other, "LH-6.1"))
        exchange(live, 1)
    assert turns == expected == [done.seat for done in live.of(CardsExchanged)]
    assert live.phase == "play"
    live.refuses(declarer, "exchange", Code.WRONG_PHASE, "LH-7.1")


@for_each("first, second", list(product(range(10), range(10))))
def test_lh_6_1_up_to_as_many_as_the_talon_still_holds(first: int, second: int) -> None:
    live = exchanging("simple-game")
    assert live.offered(1, "exchange") == [{"discard": {"some_of": live.hand(1), "min": 0, "max": 9}}]
    exchange(live, first)
    most = min(9, 13 - first)
    assert live.offered(0, "exchange") == [{"discard": {"some_of": live.hand(0), "min": 0, "max": most}}]
    if second > most:
        detail = live.refuses(0, "exchange", Code.RULE_VIOLATION, "LH-6.1", discard=live.hand(0)[:second])
        assert detail == f"the talon holds {most} cards, and {second} would be drawn"
        twice = [*live.hand(0)[:second], live.hand(0)[0]]
        detail = live.refuses(0, "exchange", Code.RULE_VIOLATION, "LH-6.1", discard=twice)
        assert detail == f"{live.hand(0)[0]} is named twice"
        return
    exchange(live, second)
    left = 13 - first - second
    if left:
        assert live.offered(2, "exchange")[0]["discard"]["max"] == min(9, left)
        if left < 9:
            live.refuses(2, "exchange", Code.RULE_VIOLATION, "LH-6.1", discard=live.hand(2)[: left + 1])
        exchange(live, min(9, left))
    assert live.phase == "play"
    assert len(live.of(CardsExchanged)) == (3 if left else 2)


@for_each("counts", [(9, 4), (4, 9)])
@for_each("place", range(3))
def test_lh_6_1_a_defender_for_whom_no_card_is_left_is_passed_over(counts: tuple[int, int], place: int) -> None:
    live = exchanging("simple-game", place, four=True)
    for count in counts:
        exchange(live, count)
    assert (live.phase, live.to_act) == ("play", (live.order[0],))
    assert [done.seat for done in live.of(CardsExchanged)] == [live.order[place], live.order[(place + 1) % 3]]
    assert live.view("public")["talon"] == {"known": (), "hidden": 0}


def test_lh_6_1_how_many_is_public_and_which_is_not() -> None:
    live = exchanging("simple-game", four=True)
    seat = live.turn
    hand, talon = live.hand(seat), live.table.deal_state.exchange.talon
    live.do("exchange", discard=[hand[5], hand[2], hand[7]])
    record, event = live.records[-1], live.events[-1]
    assert event.public == CardsExchanged(seat, 3)
    assert set(event.sealed) == {f"seat:{seat}"}
    cards = event.section(f"seat:{seat}", ExchangedCards)
    assert cards is not None
    assert cards.discarded == (hand[2], hand[5], hand[7])
    assert tuple(opening.card for opening in cards.drawn) == talon[:3]
    assert [opening.position for opening in cards.drawn] == [27, 28, 29]
    commitments = live.of(CardsDealt)[0].card_commitments
    for opening in cards.drawn:
        assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitments[opening.position]
    assert not any(card.encode() in record.public for card in (*hand, *talon))
    for audience in live.audiences:
        view = live.view(audience)
        assert view["exchanges"] == ({"seat": seat, "count": 3},)
        assert view["talon"] == {"known": (), "hidden": 10}
        if audience != f"seat:{seat}":
            assert view["seats"][seat]["hand"] == {"known": (), "hidden": 9}
    assert live.view(f"seat:{seat}")["seats"][seat]["hand"]["known"] == live.hand(seat)


@for_each("contract, count", list(product(TURNING, [1, 2, 9])))
def test_lh_6_1_the_turn_up_is_the_first_card_drawn(contract: str, count: int) -> None:
    live = exchanging(contract)
    exchange(live, count)
    assert "4h" in live.hand(1)
    for audience in ("public", "seat:0", "seat:2"):
        assert live.view(audience)["seats"][1]["hand"] == {"known": ("4h",), "hidden": 8}


@pytest.mark.parametrize("contract", TURNING)
def test_lh_6_1_a_turn_up_that_declarer_leaves_is_the_next_ones_first(contract: str) -> None:
    live = exchanging(contract)
    exchange(live, 0)
    for audience in live.audiences:
        assert live.view(audience)["talon"] == {"known": ("4h",), "hidden": 12}
    exchange(live, 2)
    assert {"4h", "2c"} <= set(live.hand(0))
    for audience in ("public", "seat:1", "seat:2"):
        assert live.view(audience)["seats"][0]["hand"] == {"known": ("4h",), "hidden": 8}


def test_lh_6_1_a_turn_up_that_nobody_takes_stays_to_the_end() -> None:
    live = exchanging("tourne")
    for _ in range(3):
        exchange(live, 0)
    assert (live.phase, live.view("public")["talon"]) == ("play", {"known": ("4h",), "hidden": 12})


@for_each("contract", [name for name in CONTRACTS if name not in TURNING])
def test_lh_6_1_undrawn_cards_stay_face_down(contract: str) -> None:
    live = exchanging(contract)
    while live.phase == "exchange":
        exchange(live, 2)
    left = set(live.table.deal_state.exchange.talon)
    assert len(left) == 13 - 2 * len(live.of(CardsExchanged))
    while not live.table.scored:
        for audience in live.audiences:
            assert live.view(audience)["talon"] == {"known": (), "hidden": len(left)}
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert left.isdisjoint(card.card for card in live.of(CardPlayed))


@pytest.mark.parametrize("contract", EXCHANGING)
def test_lh_6_2_only_correct_exchanges_are_possible(contract: str) -> None:
    live = exchanging(contract)
    own, other = live.hand(1), live.hand(0)
    talon = live.table.deal_state.exchange.talon
    for wrong in ([other[0]], [talon[0]], [own[0], own[0]], [*own, other[0]], [*own, own[0]]):
        live.refuses(1, "exchange", Code.RULE_VIOLATION, "LH-6.1", discard=wrong)
    detail = live.refuses(1, "exchange", Code.RULE_VIOLATION, "LH-6.1", discard=[own[0], other[0]])
    assert detail == f"you do not hold {other[0]}"
    exchange(live, 9)
    assert len(live.hand(1)) == 9


@for_each("contract", BOTH)
@for_each("kind", ["play", "stop"])
def test_nothing_is_played_before_all_have_exchanged(contract: str, kind: str) -> None:
    live = exchanging(contract)
    while live.phase == "exchange":
        for seat in live.seats:
            fields = {"card": live.hand(seat)[0]} if kind == "play" else {}
            live.refuses(seat, kind, Code.WRONG_PHASE, "LH-6.1", **fields)
        exchange(live, 0)
