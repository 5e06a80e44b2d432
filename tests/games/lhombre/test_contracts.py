"""LH-5: the declaration, redefinition and the turn-up, and the contracts row by row as the rules' table has them."""

from itertools import product

import pytest
from msgspec.structs import replace

from domain.fair.deck import card_commitment
from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.contracts import CONTRACTS as ROWS
from domain.games.lhombre.contracts import RANKS, RESULTS, TOUT, TRUMPS
from domain.games.lhombre.events import BidMade, ContractDeclared
from domain.games.lhombre.rules import PROMISES, RULEBOOK
from domain.kernel.rejection import Code
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.table.events import CardsDealt
from tests.games.lhombre.checker import BIDS, CONTRACTS, GAMES, REDEFINED, made_of, trumps_for, worth
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive, declared, played
from tests.support.for_each import for_each

TURNING = ("tourne", "grand-tourne")


def won(bid: str, place: int = 0, *, talon: tuple[str, ...] = ("4h",), options: object = THREE) -> LhombreLive:
    """A table whose auction the player at this place has won with this bid."""
    live = LhombreLive.around({place: ("As", "Ac")}, talon=talon, options=options)  # type: ignore[arg-type] # options
    live.bid_out(live.order[place], bid)
    return live


CHOOSING = tuple(REDEFINED)
"""The bids that leave declarer something to choose (LH-5.1)."""


def trump_of(contract: str) -> str | None:
    """A trump suit that can be declared with the contract."""
    return trumps_for(contract)[-1]


def test_lh_5_1_the_table_served_is_that_of_the_rules() -> None:
    assert tuple(ROWS) == BIDS
    for name, told in CONTRACTS.items():
        row = ROWS[name]  # type: ignore[index] # names of the rules are those of the code
        assert (row.rank, row.positive, row.trumps) == (told.rank, not told.nolo, told.trumps)
        assert (row.value, row.abandon) == (told.rate, told.may_abandon)
        assert row.kodille == -worth(name, 2, (4, 3)).amount
        assert (row.exchange is not None, row.defenders_exchange) == (told.declarer_exchanges, told.defenders_exchange)
        assert (name, *row.becomes) == made_of(name)
        assert list(TRUMPS[row.trumps]) == trumps_for(name)
    contracts = tuple(replace(row, text=PROMISES[name]) for name, row in ROWS.items())
    assert RULEBOOK.tables == {"contracts": contracts, "bonuses": (TOUT,), "outcomes": RESULTS}


def test_lh_4_1_only_two_bids_have_one_rank() -> None:
    equal = [(one, other) for one, other in product(BIDS, BIDS) if one < other and RANKS[one] == RANKS[other]]
    assert equal == [("pure-nolo", "spade-solo")]
    assert sorted(RANKS.values()) == list(RANKS.values())


@for_each("bid, contract", list(product(BIDS, BIDS)))
def test_lh_5_1_the_bid_or_what_it_may_be_made_into(bid: str, contract: str) -> None:
    live = won(bid)
    trump = trump_of(contract)
    if bid not in CHOOSING:
        assert live.of(ContractDeclared) == [ContractDeclared(1, bid, trump_of(bid))]  # type: ignore[arg-type] # as named
        rule = {"exchange": "LH-6.1", "play": "LH-7.1"}[live.phase]
        live.refuses(1, "declare", Code.WRONG_PHASE, rule, contract=contract, trump=trump)
    elif contract in made_of(bid):
        live.do("declare", contract=contract, trump=trump)
        (made,) = live.of(ContractDeclared)
        assert (made.seat, made.contract) == (1, contract)
        view = live.view("public")["contract"]
        assert (view["declarer"], view["contract"], view["value"]) == (1, contract, CONTRACTS[contract].rate)
    else:
        live.refuses(1, "declare", Code.RULE_VIOLATION, "LH-5.1", contract=contract, trump=trump)


@for_each("contract, trump", list(product(BIDS, [None, "s", "h", "d", "c"])))
def test_lh_5_1_trumps_are_named_where_the_contract_says_so(contract: str, trump: str | None) -> None:
    live = won(next((bid for bid in CHOOSING if contract in REDEFINED[bid]), contract))
    if contract not in CHOOSING and live.phase != "declaration":
        return
    if trump not in trumps_for(contract):
        live.refuses(1, "declare", Code.RULE_VIOLATION, "LH-5.1", contract=contract, trump=trump)
        return
    live.do("declare", contract=contract, trump=trump)
    assert live.of(ContractDeclared) == [ContractDeclared(1, contract, trump)]  # type: ignore[arg-type] # as named
    in_force = "h" if contract in TURNING else trump
    for audience in live.audiences:
        assert live.view(audience)["contract"]["trump"] == in_force


def test_lh_5_1_a_null_trump_may_be_left_out() -> None:
    live = won("simple-game")
    live.do("declare", contract="simple-nolo")
    assert live.of(ContractDeclared) == [ContractDeclared(1, "simple-nolo", None)]


@pytest.mark.parametrize(("bid", "contract"), [("simple-game", "spade-game"), ("solo", "spade-solo")])
def test_lh_5_1_in_a_game_in_spades_the_offer_names_spades(bid: str, contract: str) -> None:
    live = won(bid)
    (offered,) = [fields for fields in live.offered(1, "declare") if fields["contract"] == {"one_of": (contract,)}]
    assert offered["trump"] == {"one_of": ("s",)}
    for trump in (None, "h", "d", "c"):
        live.refuses(1, "declare", Code.RULE_VIOLATION, "LH-5.1", contract=contract, trump=trump)
    live.do("declare", contract=contract, trump="s")
    assert live.of(ContractDeclared) == [ContractDeclared(1, contract, "s")]  # type: ignore[arg-type] # as named


@for_each("bid", [bid for bid in BIDS if bid not in CHOOSING])
@for_each("place", range(3))
def test_lh_5_1_where_nothing_is_to_be_chosen_the_declaration_follows_by_itself(bid: str, place: int) -> None:
    live = won(bid, place, options=FOUR)
    declared = next(event for event in live.events if isinstance(event.public, ContractDeclared))
    assert declared.public == ContractDeclared(live.order[place], bid, trump_of(bid))  # type: ignore[arg-type] # as named
    assert (declared.actor, live.game.decider.action_of(declared)) == ("house", None)
    for audience in live.audiences:
        before = live.known_to(audience, declared.version - 1).deal_state
        assert (before.PHASE, live.game.decider.to_act(before)) == ("declaration", ())
        assert all(live.game.decider.offers(before, seat) == () for seat in live.seats)


@pytest.mark.parametrize("bid", CHOOSING)
def test_lh_5_1_where_something_is_to_be_chosen_declarer_declares(bid: str) -> None:
    live = won(bid)
    assert (live.phase, live.to_act, live.of(ContractDeclared)) == ("declaration", (1,), [])
    live.do("declare", contract=bid, trump="h")
    declared = next(event for event in live.events if isinstance(event.public, ContractDeclared))
    assert (declared.actor, live.game.decider.action_of(declared) is None) == ("seat:1", False)


@for_each("bid, contract", [(bid, made) for bid, some in REDEFINED.items() for made in some])
@for_each("place", range(3))
def test_lh_5_1_what_was_made_of_a_bid_counts_as_that(bid: str, contract: str, place: int) -> None:
    live = won(bid, place, options=FOUR)
    declarer = live.turn
    live.do("declare", contract=contract, trump=trump_of(contract))
    assert live.of(BidMade)[-1].contract == bid
    assert bool(live.of(TalonTurned)) is (contract == "tourne")
    first = [live.order[place]] if CONTRACTS[contract].declarer_exchanges else []
    defenders = [live.order[(place + step) % 3] for step in (1, 2)] if CONTRACTS[contract].defenders_exchange else []
    while live.phase == "exchange":
        live.do("exchange")
    assert [done.seat for done in live.of(CardsExchanged)] == first + defenders
    while not live.table.scored:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    contract_line = next(line for line in live.booked(declarer) if line[0] == "contract")
    assert abs(contract_line[2]) == CONTRACTS[contract].rate


@for_each("bid", ["simple-game", "solo"])
@for_each("contract", BIDS)
def test_lh_5_1_not_after_the_declaration(bid: str, contract: str) -> None:
    live = won(bid)
    live.do("declare", contract=bid, trump="h")
    for _ in range(3):
        if live.phase == "exchange":
            live.refuses(1, "declare", Code.WRONG_PHASE, "LH-6.1", contract=contract)
            live.do("exchange")
    live.refuses(1, "declare", Code.WRONG_PHASE, "LH-7.1", contract=contract)


@pytest.mark.parametrize("place", range(3))
def test_lh_5_1_only_declarer_declares(place: int) -> None:
    live = won("solo", place, options=FOUR)
    assert live.to_act == (live.order[place],)
    for seat in live.seats:
        if seat != live.turn:
            assert live.offers(seat) == ()
            live.refuses(
                seat, "declare", Code.NOT_YOUR_TURN, live.turn_rule(seat, "LH-5.1"), contract="solo", trump="s"
            )


@pytest.mark.parametrize("kind", ["exchange", "abandon", "pass"])
def test_lh_5_1_nothing_else_before_the_declaration(kind: str) -> None:
    won("simple-game").refuses(1, kind, Code.WRONG_PHASE, "LH-5.1")


@pytest.mark.parametrize(
    ("bid", "declared", "why"),
    [
        ("solo", ("solo", None), "solo names trumps: trump must be one of s, h, d, c"),
        ("solo", ("spade-solo", "h"), "spade-solo names trumps: trump must be s"),
        ("simple-game", ("tourne", "h"), "tourne names no trumps: trump must be left out"),
        (
            "simple-game",
            ("solo", None),
            "simple-game was bid, and is not made into solo: "
            "contract must be one of simple-game, spade-game, tourne, simple-nolo",
        ),
    ],
)
def test_lh_5_1_is_cited_with_what_may_be_declared(bid: str, declared: tuple[str, str | None], why: str) -> None:
    contract, trump = declared
    live = won(bid)
    assert live.refuses(1, "declare", Code.RULE_VIOLATION, "LH-5.1", contract=contract, trump=trump) == why


class FirstLive(LhombreLive):
    """A table under the first version of the rules, by which declarer declares whatever was bid."""

    game = LHOMBRE.earlier[-1]


@pytest.mark.parametrize(
    ("bid", "declared", "why"),
    [
        ("pure-nolo", ("nolo-ouvert", None), "is not made into nolo-ouvert: contract must be pure-nolo"),
        ("pure-nolo", ("pure-nolo", "s"), "pure-nolo names no trumps: trump must be left out"),
        ("spade-game", ("spade-game", None), "spade-game names trumps: trump must be s"),
    ],
)
def test_lh_5_1_is_cited_under_the_first_rules_where_nothing_is_to_be_chosen(
    bid: str, declared: tuple[str, str | None], why: str
) -> None:
    live = FirstLive.around({})
    live.bid_out(1, bid)
    assert (live.phase, live.to_act) == ("declaration", (1,))
    live.refuses(0, "declare", Code.NOT_YOUR_TURN, "LH-5.1", contract=bid)
    live.refuses(1, "play", Code.WRONG_PHASE, "LH-5.1", card=live.hand(1)[0])
    contract, trump = declared
    assert why in live.refuses(1, "declare", Code.RULE_VIOLATION, "LH-5.1", contract=contract, trump=trump)
    live.declare(bid)
    assert [event.actor for event in live.events if isinstance(event.public, ContractDeclared)] == ["seat:1"]


@for_each("contract", TURNING)
@for_each("top", ["4h", "Ks", "7d", "2c", "Ad"])
@for_each("place", range(3))
def test_lh_5_2_the_turned_card_fixes_trumps(contract: str, top: str, place: int) -> None:
    live = won(contract, place, talon=(top,))
    turned = live.events[-1].public
    assert isinstance(turned, TalonTurned)
    assert (turned.card, turned.trump, live.events[-1].actor) == (top, top[1], "house")
    opening = turned.opening
    assert (opening.position, opening.card) == (27, top)
    commitment = live.of(CardsDealt)[0].card_commitments[27]
    assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitment
    for audience in live.audiences:
        seen = live.view(audience)
        assert seen["talon"] == {"known": (top,), "hidden": 12}
        assert (seen["contract"]["trump"], seen["contract"]["turned"]) == (top[1], top)


@pytest.mark.parametrize(("top", "trump"), [("As", "s"), ("Ac", "c")])
def test_lh_5_2_spadille_turned_means_spades_and_basta_clubs(top: str, trump: str) -> None:
    live = LhombreLive.around({1: ["Kh"]}, talon=[top])
    live.bid_out(1, "tourne")
    assert live.of(TalonTurned)[0].trump == trump
    assert live.view("public")["contract"]["trump"] == trump
    live.do("exchange", discard=live.hand(1)[:1])
    assert top in live.hand(1)
    assert live.view("public")["seats"][1]["hand"] == {"known": (top,), "hidden": 8}


@for_each("contract", [name for name in CONTRACTS if name not in TURNING])
def test_lh_5_2_nothing_is_turned_in_other_contracts(contract: str) -> None:
    assert declared(contract).of(TalonTurned) == []


@for_each("contract", GAMES)
@for_each("trump", "shdc")
@for_each("place", range(3))
def test_games_of_every_contract_and_trump_can_be_won(contract: str, trump: str, place: int) -> None:
    live = played(contract, (0, 0, 0, 1, 0, 0), place=place, trump=trump, options=FOUR)
    expected = "s" if contract.startswith("spade") else trump
    assert live.score.outcome == "win"
    assert live.view("public", live.version - 2)["contract"]["trump"] == expected
