"""OM-4.4 and OM-4.5: trumps and the exchange."""

from domain.games.ombre import OMBRE
from domain.games.ombre.events import ContractDeclared, ExchangeYielded
from domain.kernel.rejection import Code
from domain.parts.exchange import CardsExchanged, TalonTurned
from tests.games.ombre.tables import OmbreLive, declared
from tests.support.checker.matadors import PACK, TRUMPS
from tests.support.for_each import for_each


def bid(contract: str, *, place: int = 0, talon: tuple[str, ...] = ()) -> OmbreLive:
    """A deal in which the player at this place is Ombre and is to begin the contract."""
    live = OmbreLive.around({}, talon=talon)
    live.bid_out(live.order[place], contract)
    return live


@for_each("contract", ["entrada", "solo"])
@for_each("trump", list(TRUMPS))
def test_om_4_4_ombre_names_trumps(contract: str, trump: str) -> None:
    live = bid(contract)
    assert live.offered(live.turn, "declare") == [{"trump": {"one_of": ("s", "h", "d", "c")}}]
    ombre = live.turn
    live.do("declare", trump=trump)
    assert live.of(ContractDeclared) == [ContractDeclared(ombre, contract, trump)]  # type: ignore[arg-type] # as named
    assert live.view("public")["contract"]["trump"] == trump
    assert not live.of(TalonTurned)


@for_each("contract", ["entrada", "solo"])
def test_om_4_4_trumps_must_be_named(contract: str) -> None:
    live = bid(contract)
    detail = live.refuses(live.turn, "declare", Code.RULE_VIOLATION, "OM-4.4")
    assert detail == f"{contract} names trumps: trump must be one of s, h, d, c"


@for_each("top, trump", [("3h", "h"), ("7d", "d"), ("Kc", "c"), ("2s", "s"), ("As", "s"), ("Ac", "c"), ("Ah", "h")])
def test_om_4_4_in_vuelta_the_turn_up_fixes_trumps_and_is_drawn_first(top: str, trump: str) -> None:
    live = bid("vuelta", talon=(top,))
    ombre = live.turn
    turned = live.of(TalonTurned)[0]
    assert (turned.card, turned.trump, turned.opening.position) == (top, trump, 27)
    contract = live.view("public")["contract"]
    assert (contract["trump"], contract["turned"]) == (trump, top)
    assert live.view("public")["talon"] == {"known": (top,), "hidden": 12}
    live.do("exchange", discard=live.hand(ombre)[:2])
    assert top in live.hand(ombre)
    assert top in live.view("public")["seats"][ombre]["hand"]["known"]


@for_each("place", range(3))
def test_om_4_4_vuelta_is_declared_by_itself(place: int) -> None:
    live = bid("vuelta", place=place)
    *_, called, declared, turned = live.events
    assert called.public.TYPE in ("bid-made", "bid-passed")
    assert declared.public == ContractDeclared(live.order[place], "vuelta", None)
    assert (declared.actor, live.game.decider.action_of(declared)) == ("house", None)
    assert turned.public.TYPE == "talon-turned"
    before = live.known_to("public", declared.version - 1).deal_state
    assert (before.PHASE, live.game.decider.to_act(before)) == ("declaration", ())
    live.refuses(live.order[place], "declare", Code.WRONG_PHASE, "OM-4.4")


class FirstLive(OmbreLive):
    """A table under the first version of the rules, by which Ombre declares Vuelta too."""

    game = OMBRE.earlier[-1]


def test_om_4_4_is_cited_under_the_first_rules_where_vuelta_is_declared_with_trumps() -> None:
    live = FirstLive.around({})
    ombre = live.order[0]
    live.bid_out(ombre, "vuelta")
    assert (live.phase, live.to_act) == ("declaration", (ombre,))
    live.refuses(live.order[1], "declare", Code.NOT_YOUR_TURN, "OM-4.4")
    detail = live.refuses(ombre, "declare", Code.RULE_VIOLATION, "OM-4.4", trump="h")
    assert detail == "vuelta names no trumps: trump must be left out"
    (declared, _) = live.do("declare")
    assert declared.actor == f"seat:{ombre}"


@for_each("contract", ["entrada", "vuelta"])
@for_each("count", range(10))
def test_om_4_4_ombre_exchanges_any_number_first(contract: str, count: int) -> None:
    live = bid(contract)
    if contract != "vuelta":
        live.do("declare", trump="h")
    ombre, talon = live.turn, live.table.deal_state.exchange.talon
    assert ombre == live.table.deal_state.commitment.ombre
    hand = live.hand(ombre)
    assert live.offered(ombre, "exchange") == [{"discard": {"some_of": hand, "min": 0, "max": 9}}]
    assert live.types(ombre) == {"exchange"}
    live.do("exchange", discard=hand[:count])
    assert set(live.hand(ombre)) == {*hand[count:], *talon[:count]}
    assert live.of(CardsExchanged) == [CardsExchanged(ombre, count)]
    assert live.table.deal_state.exchange.talon == talon[count:]


def test_om_4_4_in_solo_ombre_plays_the_cards_as_dealt() -> None:
    live = bid("solo")
    ombre = live.turn
    live.do("declare", trump="h")
    assert live.turn == (ombre - 1) % 3
    live.refuses(ombre, "exchange", Code.NOT_YOUR_TURN, "OM-4.4", discard=[])
    live.refuses(ombre, "declare", Code.WRONG_PHASE, "OM-4.5")


def test_om_4_4_ombre_discards_own_cards_only() -> None:
    live = bid("entrada")
    live.do("declare", trump="h")
    other = next(card for card in PACK if card not in live.hand(live.turn))
    detail = live.refuses(live.turn, "exchange", Code.RULE_VIOLATION, "OM-4.4", discard=[other])
    assert detail == f"you do not hold {other}"


def test_om_4_5_defenders_discard_own_cards_only() -> None:
    live = exchanging("entrada", 2)
    own = live.hand(live.turn)[0]
    detail = live.refuses(live.turn, "exchange", Code.RULE_VIOLATION, "OM-4.5", discard=[own, own])
    assert detail == f"{own} is named twice"


def exchanging(contract: str, ombres: int, *, place: int = 0) -> OmbreLive:
    """A deal in which Ombre has exchanged so many cards."""
    live = declared(contract, place=place)
    if contract != "solo":
        live.do("exchange", discard=live.hand(live.turn)[:ombres])
    return live


@for_each("place", range(3))
@for_each("contract", ["entrada", "vuelta", "solo"])
def test_om_4_5_ombres_right_hand_neighbour_exchanges_first(contract: str, place: int) -> None:
    live = exchanging(contract, 3, place=place)
    ombre = live.order[place]
    assert live.turn == (ombre - 1) % 3
    live.do("exchange", discard=[])
    assert live.turn == (ombre - 2) % 3
    live.do("exchange", discard=[])
    assert (live.phase, live.turn) == ("play", live.order[0])


@for_each("place", range(3))
@for_each("contract", ["entrada", "vuelta", "solo"])
def test_om_4_5_or_leaves_the_first_turn_to_the_other_who_needs_not_agree(contract: str, place: int) -> None:
    live = exchanging(contract, 3, place=place)
    right, other = (live.order[place] - 1) % 3, (live.order[place] - 2) % 3
    assert live.types(right) == {"exchange", "yield-exchange"}
    live.refuses(other, "yield-exchange", Code.NOT_YOUR_TURN, "OM-4.5")
    live.do("yield-exchange")
    assert live.of(ExchangeYielded) == [ExchangeYielded(right, other)]
    assert live.turn == other
    assert live.types(other) == {"exchange"}
    detail = live.refuses(other, "yield-exchange", Code.RULE_VIOLATION, "OM-4.5")
    assert detail == "only the defender at Ombre's right leaves the first turn to the other, and only once"
    live.do("exchange", discard=live.hand(other)[:1])
    assert live.turn == right
    live.refuses(right, "yield-exchange", Code.RULE_VIOLATION, "OM-4.5")
    live.do("exchange", discard=[])
    assert [one.seat for one in live.of(CardsExchanged)[-2:]] == [other, right]
    assert live.phase == "play"


def test_om_4_5_is_cited_where_ombre_leaves_the_first_turn() -> None:
    live = declared("entrada")
    detail = live.refuses(live.turn, "yield-exchange", Code.RULE_VIOLATION, "OM-4.5")
    assert detail == "Ombre exchanges before the defenders: only they leave the first turn to each other"


@for_each("ombres", range(10))
@for_each("contract", ["entrada", "vuelta"])
def test_om_4_5_each_exchanges_up_to_the_cards_left(contract: str, ombres: int) -> None:
    live = exchanging(contract, ombres)
    hand = live.hand(live.turn)
    most = min(9, 13 - ombres)
    assert live.offered(live.turn, "exchange") == [{"discard": {"some_of": hand, "min": 0, "max": most}}]
    if most < 9:
        detail = live.refuses(live.turn, "exchange", Code.RULE_VIOLATION, "OM-4.5", discard=hand[: most + 1])
        assert detail == f"the talon holds {most} cards, and {most + 1} would be drawn"
        twice = [*hand[: most + 1], hand[0]]
        detail = live.refuses(live.turn, "exchange", Code.RULE_VIOLATION, "OM-4.5", discard=twice)
        assert detail == f"{hand[0]} is named twice"
    live.do("exchange", discard=hand[:2])
    assert live.offered(live.turn, "exchange")[0]["discard"]["max"] == min(9, 11 - ombres)


@for_each("first", range(9))
def test_om_4_5_in_solo_at_most_eight_each(first: int) -> None:
    live = exchanging("solo", 0)
    hand = live.hand(live.turn)
    assert live.offered(live.turn, "exchange")[0]["discard"]["max"] == 8
    detail = live.refuses(live.turn, "exchange", Code.RULE_VIOLATION, "OM-4.5", discard=hand)
    assert detail == "a defender exchanges at most 8 cards in solo, not 9"
    live.do("exchange", discard=hand[:first])
    assert live.offered(live.turn, "exchange")[0]["discard"]["max"] == min(8, 13 - first)


@for_each("yields", [False, True])
@for_each("ombres", [4, 5, 9])
def test_om_4_5_a_defender_for_whom_no_card_is_left_is_passed_over(ombres: int, yields: bool) -> None:
    live = exchanging("entrada", ombres)
    if yields:
        live.do("yield-exchange")
    first = live.turn
    live.do("exchange", discard=live.hand(first)[: 13 - ombres])
    assert (live.phase, live.turn) == ("play", live.order[0])
    assert [one.seat for one in live.of(CardsExchanged)][1:] == [first]
    assert live.view("public")["talon"] == {"known": (), "hidden": 0}


def test_om_4_5_only_who_exchanges_is_told_the_cards() -> None:
    live = exchanging("entrada", 0)
    seat, hand = live.turn, live.hand(live.turn)
    live.do("exchange", discard=hand[:4])
    for audience in live.audiences:
        view = live.view(audience)
        assert len(view["seats"][seat]["hand"]["known"]) == (9 if audience == f"seat:{seat}" else 0)
        assert not any(f"'{card}'" in str(view) for card in hand[:4])
    assert live.view("public")["exchanges"][-1] == {"seat": seat, "count": 4}
