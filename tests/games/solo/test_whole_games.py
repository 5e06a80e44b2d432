"""Whole games picked from offers, under every color: they end, are audited intact, and conserve what is booked."""

from collections import Counter
from itertools import pairwise, product

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.games.solo import SOLO
from domain.kernel.rejection import Rejected
from domain.record.history import record_command
from domain.table.actions import Act
from domain.table.seat_offers import offers
from domain.table.view import to_act
from tests.games.solo.tables import PACK, SUITS, SoloLive
from tests.golden.games import all_open
from tests.support.checker import violations
from tests.support.games import EVERYBODY, READER, Wire, chance, finished, moment, parsed, step

WIRES: tuple[Wire, ...] = (
    *({"type": kind} for kind in ("ask", "yes", "pass")),
    *(
        {"type": "declare", "game": game, "trump": trump, "called": called}
        for game, trump, called in product(("simple", "solo", "tout"), SUITS, (None, *PACK))
    ),
    *({"type": "play", "card": card} for card in PACK),
)


def game(number: int, color: str, deals: int = 8) -> SoloLive:
    """A finished game."""
    live = SoloLive.started(deals=deals, seed=bytes([number]) * 32, options=SOLO.options(color=color))
    return finished(live, chance((number, color)))


@pytest.mark.parametrize("color", SUITS)
def test_random_games_are_intact_and_sum_to_zero(color: str) -> None:
    types: Counter[str] = Counter()
    for number in range(12):
        live = game(number, color)
        found = audit(READER, live.records)
        assert (found.verdict, found.unchecked) == ("intact", ())
        assert live.table.scored == 8
        assert sum(live.table.balances.values()) == 0
        types.update(event.public.TYPE for event in live.events)
    assert set(types) >= {event.TYPE for event in SOLO.events}


@pytest.mark.parametrize("color", SUITS)
def test_so_4_3_random_deals_stop_where_they_must(color: str) -> None:
    """The independent check of the game knows of each deal how many cards are played."""
    for number in range(12):
        events = [event | {"position": event["version"]} for event in all_open(game(number, color).records)]
        assert sum(event["type"] == "deal-scored" for event in events) == 8
        assert violations(events) == []


def test_an_action_is_accepted_exactly_when_some_offer_describes_it() -> None:
    rng = chance("actions")
    accepted = 0
    for number in range(6):
        live = SoloLive.started(deals=4, seed=bytes([number]) * 32, options=SOLO.options(color=rng.choice(SUITS)))
        while live.table.scored < 2:
            if live.phase == "declaration" or rng.random() < 0.1:
                for seat in range(4):
                    described = [msgspec.to_builtins(offer.describe()) for offer in live.offers(seat)]
                    for wire in WIRES:
                        accepts_it = accepts(live, seat, wire)
                        assert accepts_it == any(describes(offer, wire) for offer in described), (seat, wire)
                        accepted += accepts_it
            step(live, rng)
    assert accepted > 100


def describes(offer: dict[str, dict[str, dict[str, list[object]]]], wire: Wire) -> bool:
    """Whether the offer, as on the wire, describes the action."""
    fields = {name: value for name, value in wire.items() if name != "type"}
    return offer["type"] == wire["type"] and all(
        fields.get(name) in field["one_of"] for name, field in offer["fields"].items()
    )


def accepts(live: SoloLive, seat: int, wire: Wire) -> bool:
    """Whether the table takes the action from the seat; the table itself stays as it is."""
    try:
        record_command(SOLO, live.history, Act(EVERYBODY[seat], parsed(wire, SOLO)), moment(live.version))
    except Rejected:
        return False
    return True


def test_offers_on_the_full_state_equal_offers_on_what_the_seat_was_told() -> None:
    for number in range(8):
        live = game(number, "c", deals=4)
        tables = [READER.fold(None, live.records[:1], f"seat:{seat}") for seat in range(4)]
        house = READER.fold(None, live.records[:1])
        for record in live.records[1:]:
            house = READER.fold(house, [record])
            assert house is not None
            for seat in range(4):
                own = tables[seat] = READER.fold(tables[seat], [record], f"seat:{seat}")
                assert own is not None
                assert offers(SOLO, own, seat) == offers(SOLO, house, seat)
                assert to_act(SOLO, own) == to_act(SOLO, house)


def test_somebody_is_to_act_exactly_while_nothing_follows_by_itself() -> None:
    for number in range(8):
        live = game(number, "c", deals=4)
        table = None
        for record, after in pairwise(live.records):
            table = READER.fold(table, [record], "public")
            assert table is not None
            assert bool(to_act(SOLO, table)) == (table.status == "playing" and after.actor.startswith("seat:"))
