"""KH-4, KH-7 and KH-9: draws and discards, the renewed stock, the limit, going out, and who knows which card."""

import pytest

from domain.fair.deck import card_commitment
from domain.games.khanhoo.acts import GoOut
from domain.games.khanhoo.events import (
    CardDiscarded,
    DiscardDrawn,
    DiscardTaken,
    DrawnCard,
    HandsShown,
    RenewedStock,
    StockDrawn,
    StockRenewed,
    WentOut,
)
from domain.kernel.rejection import Code, Rejected
from domain.seats import HOUSE, seat_audience
from domain.table.events import CardsDealt
from domain.table.why import why_not
from tests.games.khanhoo.checker import PACK
from tests.games.khanhoo.tables import dealt


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kh_4_1_eldest_begins_by_discarding(players: int) -> None:
    live = dealt({}, players=players, eldest=1)
    assert (live.phase, live.turn, len(live.hand(1))) == ("discard", 1, 16)
    live.refuses(1, "draw-stock", Code.WRONG_PHASE, "KH-4.1")
    live.refuses(0, "discard", Code.NOT_YOUR_TURN, "KH-4.1", card=live.hand(0)[0])


@pytest.mark.parametrize("players", [2, 3])
def test_kh_4_1_then_each_draws_and_discards(players: int) -> None:
    live = dealt({0: "9h"}, stock="Jo", players=players)
    live.discard(0, "9h")
    live.let_go()
    assert (live.phase, live.turn) == ("draw", 1)
    assert live.types(1) == {"draw-stock", "draw-discard"}
    live.refuses(0, "draw-stock", Code.NOT_YOUR_TURN, "KH-4.1")
    live.refuses(1, "discard", Code.WRONG_PHASE, "KH-4.1", card=live.hand(1)[0])
    (event,) = live.do("draw-stock")
    assert event.public == StockDrawn(1)
    assert set(event.sealed) == {"seat:1"}
    own = event.section("seat:1", DrawnCard)
    assert own is not None
    assert (own.drawn.card, own.drawn.position) == ("Jo.1", 15 * players + 1)
    dealt_ = live.of(CardsDealt)[0]
    assert card_commitment(bytes.fromhex(own.drawn.salt), "Jo.1") == dealt_.card_commitments[own.drawn.position]
    assert "Jo.1" in live.hand(1)
    assert "draw-stock" not in live.types(1)


def test_kh_4_2_with_four_players_each_gets_the_discard_of_the_player_to_the_right() -> None:
    live = dealt({0: "9h"}, players=4)
    live.discard(0, "9h")
    live.let_go()
    assert live.events[-1].public == DiscardTaken(1, "9h.1")
    assert live.events[-1].actor == HOUSE
    assert (live.phase, live.turn) == ("discard", 1)
    assert "9h.1" in live.hand(1)
    assert live.view("public")["discards"] == []


def test_kh_4_3_only_the_top_discard_can_be_drawn_and_may_be_discarded_again() -> None:
    live = dealt({0: "9h", 1: "8h"}, stock="7h")
    live.discard(0, "9h")
    live.let_go()
    live.do("draw-stock")
    live.discard(1, "8h")
    live.let_go()
    assert live.view("public")["discards"] == ["8h.1", "9h.1"]
    (event,) = live.do("draw-discard")
    assert event.public == DiscardDrawn(2, "8h.1")
    assert event.sealed == {}
    live.refuses(2, "discard", Code.RULE_VIOLATION, "KH-4.1", card="9h.1")
    live.do("discard", card="8h.1")
    assert live.view("public")["discards"] == ["8h.1", "9h.1"]


def test_kh_4_1_is_cited_for_a_discard_that_is_not_held() -> None:
    live = dealt({0: f"{OUT} 9d"})
    for kind in ("discard", "go-out"):
        with pytest.raises(Rejected) as refused:
            live.act(0, kind, card="9s.1")
        assert (refused.value.rule, refused.value.detail) == ("KH-4.1", "you do not hold 9s.1")


@pytest.mark.parametrize(("players", "new"), [(2, 30), (3, 15)])
def test_kh_4_4_an_empty_stock_is_renewed_when_a_turn_begins(players: int, new: int) -> None:
    live = dealt({}, players=players, turn_limit=40).turns(new)
    assert live.of(StockRenewed) == []
    assert live.view("public")["stock"]["hidden"] == 1
    before = live.view("public")["discards"]
    live.do("draw-stock")
    assert live.of(StockRenewed) == [], "the turn is not over"
    last = live.hand(live.turn)[0]
    live.do("discard", card=last)
    live.let_go()
    event = live.events[-1]
    assert isinstance(event.public, StockRenewed)
    house = event.section(HOUSE, RenewedStock)
    assert house is not None
    assert set(event.sealed) == {HOUSE}
    assert [opening.position for opening in house.stock] == list(range(61, 61 + new))
    assert event.public.renewal == 1
    assert {opening.card for opening in house.stock} == set(before)
    made = [card_commitment(bytes.fromhex(opening.salt), opening.card) for opening in house.stock]
    assert list(event.public.card_commitments) == made
    deck = live.table.deal_state.cards.deck
    assert deck.shuffled("codille-renewal-1", sorted(before, key=PACK.index)) == [each.card for each in house.stock]
    view = live.view("public")
    assert (view["discards"], view["stock"]) == ([last], {"known": [], "hidden": new})
    assert (view["renewals"], live.phase) == (1, "draw")
    (drawn,) = live.do("draw-stock")
    assert drawn.sealed[seat_audience(live.turn)].drawn == house.stock[0]


def test_kh_4_4_a_second_renewal_has_its_own_label_and_places() -> None:
    live = dealt({}, players=2, turn_limit=40).turns(62)
    first, second = [event for event in live.events if isinstance(event.public, StockRenewed)]
    assert second.public.renewal == 2
    assert [opening.position for opening in second.sealed[HOUSE].stock] == list(range(91, 121))
    orders = [[opening.card for opening in event.sealed[HOUSE].stock] for event in (first, second)]
    assert orders[0] != orders[1]


def test_kh_4_4_nobody_knows_a_card_of_a_renewed_stock() -> None:
    live = dealt({}, players=2, turn_limit=40).turns(31)
    live.do("draw-stock")
    for audience in ("public", "seat:1"):
        hand = live.view(audience)["seats"][0]["hand"]
        assert (hand["known"], hand["hidden"]) == ([], 15)
    assert live.view("seat:0")["stock"] == {"known": [], "hidden": 29}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kh_4_5_a_deal_ends_undecided_by_the_limit(players: int) -> None:
    live = dealt({}, players=players, turn_limit=10).turns(10 * players - 1)
    assert live.table.scored == 0
    live.turns(1)
    shown, scored = live.events[-3:-1] if live.table.deal == 2 else live.events[-2:]
    assert isinstance(shown.public, HandsShown)
    assert (live.scores().outcome, live.scores().out) == ("undecided", None)
    assert len(live.of(CardDiscarded)) == 10 * players
    assert scored.public == live.scores()
    assert all(rule != "KH-8.2" for seat in live.seats for rule, _ in live.booked(seat))


OUT = "Ah Ah 2s 2s 3d 3d Kc Kc Qc Qc Jc Jc 5h 5s 5d"


def test_kh_7_1_says_that_no_card_goes_out() -> None:
    live = dealt({0: "9s 9s 7s 7s 5s 5s 3s 3s 8h 8h 6h 6h 4h 4h 2h 2h"})
    detail = live.refuses(0, "go-out", Code.RULE_VIOLATION, "KH-7.1", card="9s.1")
    assert detail == "without 9s.1 your other cards are no melds without rest: you cannot go out with this hand"
    asked = why_not(live.game, live.table, 0, GoOut, {})
    assert asked is not None
    nobody = "whichever card you discard, the others are no melds without rest"
    assert (asked.rule, asked.detail) == ("KH-7.1", nobody)


def test_kh_7_1_eldest_may_go_out_in_the_first_turn() -> None:
    live = dealt({0: f"{OUT} 9d"})
    (offer,) = live.offered(0, "go-out")
    assert offer == {"card": {"one_of": ("9d.1",)}}
    live.refuses(0, "go-out", Code.RULE_VIOLATION, "KH-7.1", card="5h.1")
    with pytest.raises(Rejected, match=r"discard 9d\.1 to go out"):
        live.go_out(0, "5h")
    out, shown, scored = live.go_out(0, "9d")[:3]
    assert out.public == WentOut(0, "9d.1")
    assert isinstance(shown.public, HandsShown)
    assert (scored.public.outcome, scored.public.out) == ("went-out", 0)


def test_kh_7_1_with_a_card_drawn() -> None:
    live = dealt({0: "9h", 1: OUT.replace("Ah Ah", "Ah 9s")}, stock="Ah")
    live.discard(0, "9h")
    live.let_go()
    live.do("draw-stock")
    live.go_out(1, "9s")
    assert live.scores().out == 1


def test_kh_7_1_a_card_too_many_and_nobody_is_out() -> None:
    live = dealt({0: OUT.replace("5h 5s 5d", "5h 5s 7h 9d")})
    assert live.types(0) == {"discard"}
    live.refuses(0, "go-out", Code.RULE_VIOLATION, "KH-7.1", card="9d.1")


def test_kh_7_2_nobody_has_to_go_out_and_the_last_discard_cannot_be_claimed() -> None:
    live = dealt({0: f"{OUT} 4h", 2: "4s 4d"})
    live.discard(0, "4h")
    assert (live.phase, live.to_act) == ("claim", (2,))
    live = dealt({0: f"{OUT} 4h", 2: "4s 4d"})
    live.go_out(0, "4h")
    assert live.scores().out == 0


# KH-9: who knows which card


def test_kh_9_a_discard_taken_is_known_while_it_is_held() -> None:
    live = dealt({0: "9h", 1: "8h"}, stock="7h")
    live.discard(0, "9h")
    live.let_go()
    live.do("draw-discard")
    for audience in ("public", "seat:0", "seat:2"):
        assert live.view(audience)["seats"][1]["hand"] == {"known": ["9h.1"], "hidden": 15}
    live.discard(1, "8h")
    live.let_go()
    assert live.view("public")["seats"][1]["hand"] == {"known": ["9h.1"], "hidden": 14}
    live.turns(2)
    live.act(1, "draw-stock")
    live.do("discard", card="9h.1")
    assert live.view("public")["seats"][1]["hand"] == {"known": [], "hidden": 15}


def test_kh_9_all_hands_are_known_at_the_end() -> None:
    live = dealt({0: f"{OUT} 9d"}, target=20)
    hands = [live.hand(seat) for seat in live.seats]
    live.go_out(0, "9d")
    seats = live.view("public")["seats"]
    assert [seat["hand"]["known"] for seat in seats][1:] == [list(hand) for hand in hands][1:]
