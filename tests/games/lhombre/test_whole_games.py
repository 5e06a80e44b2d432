"""Whole games picked from offers: what is offered is enough to play any deal, and every record proves itself."""

from collections import Counter
from functools import cache

import pytest

from domain.audit.auditor import audit
from domain.games.lhombre.contracts import RESULTS
from domain.games.lhombre.meta import Options
from domain.kernel.rejection import Rejected
from domain.table.events import CardsDealt, DealScored
from tests.games.lhombre.checker import BIDS
from tests.games.lhombre.tables import FOUR, SITTER_FREE, THREE, LhombreLive
from tests.support.checker.matadors import PACK
from tests.support.for_each import for_each
from tests.support.games import READER, Wire, chance, finished, step

TABLES = [THREE, FOUR, SITTER_FREE, Options(players=3, sitter_pays=False)]
NUMBERS = range(8 * len(TABLES))


@cache
def game(number: int) -> LhombreLive:
    """A whole game; the tables take turns."""
    options = TABLES[number % len(TABLES)]
    return finished(LhombreLive.started(options=options, seed=bytes([number]) * 32), chance(number))


@for_each("number", NUMBERS)
def test_audits_of_whole_games_find_them_intact(number: int) -> None:
    live = game(number)
    result = audit(READER, live.records)
    assert [check for check in result.checks if not check.passed] == []
    assert (result.verdict, result.unchecked) == ("intact", ())
    for audience in live.audiences:
        assert READER.fold(None, live.records, audience) is not None


def test_every_outcome_and_every_contract_occurs() -> None:
    outcomes: Counter[str] = Counter()
    contracts: Counter[str] = Counter()
    for live in map(game, NUMBERS):
        outcomes.update(scored.outcome for scored in live.of(DealScored))
        contracts.update(event.public.contract for event in live.events if event.public.TYPE == "contract-declared")
    assert set(outcomes) == {row.outcome for row in RESULTS}
    assert set(contracts) == set(BIDS)


@for_each("options", [THREE, FOUR])
@for_each("seed", range(3))
def test_offers_rest_on_what_the_seat_is_told(options: Options, seed: int) -> None:
    rng = chance(("told", seed))
    live = LhombreLive.started(options=options, seed=bytes([seed]) * 32)
    while live.table.scored < 3:
        for seat in live.seats:
            state = live.known_to(f"seat:{seat}").deal_state
            assert live.game.decider.offers(state, seat) == live.offers(seat)
            assert live.game.decider.to_act(state) == live.to_act
        step(live, rng)


def every_action() -> list[Wire]:
    """Actions of every type, with any card, contract and trump."""
    return [
        *({"type": kind} for kind in ("self", "pass", "stop", "abandon")),
        *({"type": "bid", "contract": contract} for contract in BIDS),
        *({"type": "declare", "contract": c, "trump": trump} for c in BIDS for trump in (None, "s", "h", "d", "c")),
        *({"type": "exchange", "discard": discard} for discard in ([], *([card] for card in PACK[::3]))),
        *({"type": "play", "card": card} for card in PACK),
    ]


def described(live: LhombreLive, seat: int, wire: Wire) -> bool:
    """Whether one of the seat's offers describes the action."""
    for offer in live.offers(seat):
        fields = {name: field.admits(wire.get(name)) for name, field in offer.fields.items()}
        extra = [name for name in wire if name not in fields and name != "type" and wire[name] not in (None, [])]
        if offer.type == wire["type"] and all(fields.values()) and not extra:
            return True
    return False


def refusal(live: LhombreLive, seat: int, wire: Wire) -> Rejected | None:
    """Why the action is refused; None if it is taken."""
    try:
        live.branch().take(seat, wire)
    except Rejected as rejected:
        return rejected
    return None


@pytest.mark.parametrize("options", [THREE, FOUR])
def test_every_action_is_accepted_or_refused_as_offers_say_and_refusals_name_a_rule(options: Options) -> None:
    rng = chance(("every", options.players))
    live = LhombreLive.started(options=options)
    while live.table.scored < 2:
        for seat in live.seats:
            for wire in rng.sample(every_action(), 12):
                rejected = refusal(live, seat, wire)
                assert (rejected is None) is described(live, seat, wire), wire
                if rejected is not None:
                    assert rejected.rule is not None
                    assert rejected.rule.startswith("LH-")
        step(live, rng)


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_told_a_card_that_is_not_shown(seed: int) -> None:
    rng = chance(("shown", seed))
    live = LhombreLive.started(options=FOUR, seed=bytes([seed]) * 32)
    while live.table.scored < 4 and live.table.status == "playing":
        step(live, rng)
    open_cards: set[str] = set()
    for version, event in enumerate(live.events, 1):
        public = event.public
        if isinstance(public, CardsDealt):
            open_cards = set()
        named = {getattr(public, "card", None), *(getattr(public, "shown", ()) or ()), *getattr(public, "cards", ())}
        open_cards |= {card for card in named if card is not None}
        table = live.known_to("public", version)
        if table.deal_state is not None and table.deal is not None:
            known = {card for hand in live.game.showing.hands(table.deal_state) for card in hand.known}
            assert known <= open_cards
