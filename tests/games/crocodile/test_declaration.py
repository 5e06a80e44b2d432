"""CR-6: the declaration."""

from itertools import product

import pytest

from domain.fair.deck import Opening, card_commitment
from domain.games.crocodile.events import ContractDeclared
from domain.kernel.rejection import Code
from domain.parts.exchange import TalonTurned
from domain.table.events import CardsDealt
from tests.games.crocodile.checker import BIDS, CONTRACTS, NEGATIVE, POSITIVE
from tests.support.for_each import for_each
from tests.support.games import Live, around, declared


def won(contract: str, declarer: int = 0) -> Live:
    """A table whose auction declarer has won."""
    live = around({}, talon=["4h"])
    live.bid_out(declarer, contract)
    return live


BONUSES = (None, "cuatro", "primeras", "tout", "talking")


def bonuses(contract: str) -> tuple[str | None, ...]:
    """The bonus bids that CR-10.1 allows with the contract."""
    if CONTRACTS[contract]["positive"]:
        return (None, "cuatro", "primeras", "tout")
    return (None, "talking") if contract == "nolo-ouvert" else (None,)


@for_each("bid, contract", list(product(BIDS, CONTRACTS)))
def test_cr_6_1_the_bid_or_any_of_strictly_higher_value(bid: str, contract: str) -> None:
    live = won(bid)
    trump = "s" if CONTRACTS[contract]["trumps"] == "named" else None
    if contract == bid or CONTRACTS[contract]["value"] > CONTRACTS[bid]["value"]:
        live.do("declare", contract=contract, trump=trump)
        assert live.of(ContractDeclared) == [ContractDeclared(0, contract, trump, None)]  # type: ignore[arg-type] # as named in the rules
    else:
        live.refuses(0, "declare", Code.RULE_VIOLATION, "CR-6.1", contract=contract, trump=trump)


@pytest.mark.parametrize(
    ("bid", "contract"),
    [("play", "grand"), ("tournee", "exchange-nolo"), ("solo", "grandissimo"), ("tournee-respect", "nolo")],
)
def test_cr_6_1_a_higher_rank_of_the_same_value_is_not_enough(bid: str, contract: str) -> None:
    won(bid).refuses(0, "declare", Code.RULE_VIOLATION, "CR-6.1", contract=contract)


def test_cr_6_1_casco_cannot_be_raised() -> None:
    live = around({})
    live.bid_out(0, "casco")
    live.refuses(0, "declare", Code.WRONG_PHASE, "CR-7.6", contract="nolo-ouvert")
    live.do("take-casco", keep=live.hand(0)[0])
    live.refuses(0, "declare", Code.WRONG_PHASE, "CR-7.6", contract="nolo-ouvert")


@pytest.mark.parametrize("seat", [0, 1])
def test_cr_6_1_only_declarer_declares(seat: int) -> None:
    live = won("solo", declarer=2)
    assert (live.to_act, live.offers(seat)) == ((2,), ())
    live.refuses(seat, "declare", Code.NOT_YOUR_TURN, "CR-6.1", contract="solo", trump="s")


@pytest.mark.parametrize("kind", ["exchange", "concede", "pass"])
def test_cr_6_1_before_any_exchange(kind: str) -> None:
    won("play").refuses(0, kind, Code.WRONG_PHASE, "CR-6.1")


def test_cr_6_1_a_refusal_names_every_contract_that_may_be_declared() -> None:
    detail = won("solo").refuses(0, "declare", Code.RULE_VIOLATION, "CR-6.1", contract="play", trump="s")
    assert detail == (
        "solo was bid, and play is worth no more: contract must be one of solo, tournee-respect, nolo, nolo-ouvert"
    )
    detail = won("solo").refuses(0, "declare", Code.RULE_VIOLATION, "CR-6.2", contract="solo", trump=None)
    assert detail == "solo names trumps: trump must be one of s, h, d, c"


@for_each("contract, trump", list(product(BIDS, [None, "s", "h", "d", "c"])))
def test_cr_6_2_trumps_are_named_where_the_contract_says_so(contract: str, trump: str | None) -> None:
    live = won(contract)
    if (trump is not None) == (CONTRACTS[contract]["trumps"] == "named"):
        live.do("declare", contract=contract, trump=trump)
        assert live.of(ContractDeclared)[0].trump == trump
        assert live.view("public")["contract"]["trump"] == ("h" if contract.startswith("tournee") else trump)
    else:
        live.refuses(0, "declare", Code.RULE_VIOLATION, "CR-6.2", contract=contract, trump=trump)


def test_cr_6_2_null_fields_may_be_left_out() -> None:
    live = won("grand")
    live.do("declare", contract="grand")
    assert live.of(ContractDeclared) == [ContractDeclared(0, "grand", None, None)]


@for_each("contract, bonus", list(product(BIDS, BONUSES)))
def test_cr_6_3_one_bonus_bid_with_the_declaration(contract: str, bonus: str | None) -> None:
    live = won(contract)
    trump = "s" if CONTRACTS[contract]["trumps"] == "named" else None
    if bonus in bonuses(contract):
        live.do("declare", contract=contract, trump=trump, bonus=bonus)
        assert live.of(ContractDeclared)[0].bonus == bonus
        assert live.view("public")["contract"]["bonus"] == bonus
    else:
        live.refuses(0, "declare", Code.RULE_VIOLATION, "CR-10.1", contract=contract, trump=trump, bonus=bonus)


@pytest.mark.parametrize("bonus", BONUSES)
def test_cr_6_3_in_casco_with_the_naming_of_trumps(bonus: str | None) -> None:
    live = around({})
    live.bid_out(0, "casco")
    live.do("take-casco", keep=live.hand(0)[0])
    lay = live.hand(0)[:5]
    if bonus == "talking":
        live.refuses(0, "lay-casco", Code.RULE_VIOLATION, "CR-10.1", lay=lay, trump="s", bonus=bonus)
    else:
        live.do("lay-casco", lay=lay, trump="s", bonus=bonus)
        assert live.view("public")["contract"]["bonus"] == bonus


@for_each("contract", ["tournee", "tournee-respect"])
@for_each("top", ["4h", "Ks", "Ac", "2d"])
def test_cr_6_4_the_top_card_is_turned_up(contract: str, top: str) -> None:
    live = around({}, talon=[top])
    live.bid_out(1, contract)
    live.do("declare", contract=contract)
    turned = live.events[-1].public
    assert isinstance(turned, TalonTurned)
    assert (turned.card, turned.trump, live.events[-1].actor) == (top, top[1], "house")
    opening: Opening = turned.opening
    assert (opening.position, opening.card) == (27, top)
    commitment = live.of(CardsDealt)[0].card_commitments[27]
    assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitment
    for audience in ("public", "seat:0", "seat:1", "seat:2"):
        seen = live.view(audience)
        assert seen["talon"] == {"known": (top,), "hidden": 12}
        assert (seen["contract"]["trump"], seen["contract"]["turned"]) == (top[1], top)


@for_each("contract", [name for name in (*POSITIVE, *NEGATIVE) if not name.startswith("tournee")])
def test_cr_6_4_in_no_other_contract(contract: str) -> None:
    live, _ = declared(contract)
    assert live.of(TalonTurned) == []
