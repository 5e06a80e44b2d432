"""Phases: the one that an event happens in is checked, and a phase knows whose turn it is."""

import pytest

from domain.games.crocodile.state import Auction as CrocodileAuction
from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.state import Auction, Playing
from domain.kernel.event import Event
from domain.parts.phases import expect
from domain.parts.tricks import CardPlayed
from tests.games.lhombre.tables import LhombreLive, declared


def test_the_phase_expected_is_given_back_itself() -> None:
    state = LhombreLive.started().table.deal_state
    assert expect(state, Auction) is state


@pytest.mark.parametrize("kind", [Playing, CrocodileAuction])
def test_another_phase_than_the_one_expected_is_an_error(kind: type) -> None:
    state = LhombreLive.started().table.deal_state
    with pytest.raises(TypeError, match=f"a {kind.__name__} is expected"):
        expect(state, kind)


def test_an_event_out_of_its_phase_is_an_error() -> None:
    state = LhombreLive.started().table.deal_state
    with pytest.raises(TypeError, match="a Auction stands where a Playing is expected"):
        LHOMBRE.decider.evolve(state, Event(CardPlayed(0, "Ks")))


@pytest.mark.parametrize(("contract", "turned"), [("tourne", True), ("simple-game", False)])
def test_nobody_exchanges_before_the_card_is_turned_up(contract: str, *, turned: bool) -> None:
    live = declared(contract)
    assert live.table.deal_state.turn == live.turn
    before = live.known_to("house", live.version - 1).deal_state
    assert (before.turn is None, before.PHASE) == ((True, "exchange") if turned else (False, "declaration"))
