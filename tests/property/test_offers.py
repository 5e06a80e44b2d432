"""Offers are the one source of legality: what they describe is accepted, everything else is rejected."""

import random
from itertools import product
from typing import Any, cast

import msgspec
from hypothesis import given, settings

from domain.games.crocodile.meta import PACK
from domain.kernel.rejection import Rejected
from domain.record import acting
from domain.table.actions import Act
from domain.table.offers import offers
from domain.table.state import Table
from domain.table.view import to_act
from tests.property.strategies import luck, picking, playing, started
from tests.support.crocodile import CONTRACTS
from tests.support.games import GAME, PLAYERS, READER, Live, Wire, moment, parsed, pick

CONTRACT_NAMES = tuple(CONTRACTS)
BONUSES = (None, "cuatro", "primeras", "tout", "talking")
SUITS = (None, "s", "h", "d", "c")
LISTS = {"discard", "take", "lay"}


@given(live=started, rng=picking)
@settings(max_examples=40)
def test_any_sequence_of_picks_is_accepted_and_ends(live: Live, rng: random.Random) -> None:
    deals = live.table.deals
    for state in playing(live, rng):
        assert all(state.offers(seat) for seat in state.to_act)
        assert state.table.status == "finished" or len(state.to_act) == 1
        assert state.version < 10 + deals * 200, "four rounds of calls, 27 cards, nine tricks, 100 utterances a deal"
    assert live.table.status == "finished"
    assert live.table.scored == deals


def describes(offer: dict[str, Any], wire: Wire) -> bool:
    """Whether the offer, as on the wire, describes the action, by the words of the interface alone."""
    if offer["type"] != wire["type"]:
        return False
    given_fields = {name: value for name, value in wire.items() if name != "type" and value is not None and value != []}
    if not set(given_fields) <= set(offer["fields"]):
        return False
    for name, field in offer["fields"].items():
        value = given_fields.get(name)
        if "one_of" in field:
            if value not in field["one_of"] or (isinstance(value, int) != isinstance(field["one_of"][0], bool)):
                return False
        elif "some_of" in field:
            value = value or []
            distinct = sorted(set(value)) == sorted(value)
            among = all(item in field["some_of"] for item in value)
            if not (distinct and among and field["min"] <= len(value) <= field["max"]):
                return False
        elif not isinstance(value, str) or not is_text(value, **field["text"]):
            return False
    return True


def is_text(value: str, min: int, max: int) -> bool:  # noqa: A002 - named as on the wire
    """Whether the value has so many code points and no control characters."""
    return min <= len(value) <= max and not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in value)


def simple_actions() -> list[Wire]:
    """Every action that holds no list and no text."""
    actions: list[Wire] = [{"type": kind} for kind in ("pass", "concede", "offer-priority", "exchange", "nonsense")]
    actions += [{"type": "bid", "contract": name} for name in (*CONTRACT_NAMES, "ombre")]
    actions += [{"type": "play", "card": card} for card in PACK]
    actions += [{"type": "take-casco", "keep": card} for card in PACK]
    actions += [{"type": "answer-priority", "accept": accept} for accept in (True, False)]
    actions += [
        {"type": "declare", "contract": name, "trump": trump, "bonus": bonus}
        for name, trump, bonus in product(CONTRACT_NAMES, SUITS, BONUSES)
    ]
    return actions


SIMPLE = simple_actions()


def variants(live: Live, seat: int, rng: random.Random) -> list[Wire]:
    """Actions with lists or text: picked from offers, then changed in one way each."""
    wires: list[Wire] = []
    for offer in live.offers(seat):
        if offer.type in ("exchange", "lay-casco", "talk"):
            wire = pick((offer,), rng)
            wires += [wire, *changed(wire, rng)]
    hand = list(live.hand(seat))
    discard = rng.sample(hand, rng.randint(0, len(hand)))
    wires.append({"type": "exchange", "discard": discard})
    wires.append({"type": "exchange", "discard": discard, "take": rng.sample(PACK, rng.randint(0, 3))})
    wires.append({"type": "lay-casco", "lay": rng.sample(hand, min(5, len(hand))), "trump": rng.choice(SUITS)})
    wires.append({"type": "talk", "text": rng.choice(["now", "a\nb", "x" * 280, "x" * 281, ""])})
    return wires


def changed(wire: Wire, rng: random.Random) -> list[Wire]:
    """The action with one field changed, left out, or added."""
    results = []
    for name, value in wire.items():
        if name == "type":
            continue
        others: list[object] = [None]
        if name in LISTS:
            cards = cast("list[str]", value)
            others += [[*cards, rng.choice(PACK)], cards[1:], [*cards, *cards[:1]], rng.sample(cards, len(cards)), "Ks"]
            others += [[*cards[1:], rng.choice(PACK)], []]
        elif name in ("trump", "bonus"):
            others += [*SUITS, *BONUSES]
        elif name == "text":
            others += [f"{value}\x00", "x" * 281, "", 5, " "]
        results += [{**wire, name: other} for other in others]
        results.append({key: kept for key, kept in wire.items() if key != name})
    extras: list[Wire] = [{"take": []}, {"take": ["Ks"]}, {"card": "Ks"}, {"zz": None}]
    return [*results, *({**wire, **extra} for extra in extras)]


def accepted(live: Live, seat: int, wire: Wire) -> bool:
    """Whether the table takes the action from the seat; the table itself stays as it is."""
    try:
        acting(GAME, live.history, Act(PLAYERS[seat], parsed(wire)), moment(live.version))
    except (Rejected, msgspec.ValidationError):
        return False
    return True


ACTION_FIELDS = {
    "pass": set(),
    "concede": set(),
    "offer-priority": set(),
    "bid": {"contract"},
    "declare": {"contract", "trump", "bonus"},
    "take-casco": {"keep"},
    "lay-casco": {"lay", "trump", "bonus"},
    "answer-priority": {"accept"},
    "exchange": {"discard", "take"},
    "play": {"card"},
    "talk": {"text"},
}
"""Actions and their fields, as the catalogue of events and actions has them."""


def well_formed(wire: Wire) -> bool:
    """Whether the action has no fields but its own, none of them null that is a list or text."""
    fields = ACTION_FIELDS.get(wire["type"])
    if fields is None or not set(wire) - {"type"} <= fields:
        return False
    return all(wire.get(name, ()) is not None for name in LISTS)


@given(live=started, rng=luck)
@settings(max_examples=25)
def test_an_action_is_accepted_exactly_when_some_offer_describes_it(live: Live, rng: random.Random) -> None:
    for state in playing(live, rng, until=lambda live: live.table.scored == 2):
        if state.phase in ("auction", "play") and rng.random() < 0.8:
            continue
        for seat in range(3):
            described = msgspec.to_builtins([offer.describe() for offer in state.offers(seat)])
            for wire in (*SIMPLE, *variants(state, seat, rng)):
                expected = well_formed(wire) and any(describes(offer, wire) for offer in described)
                assert accepted(state, seat, wire) == expected, (seat, wire, described)


@given(live=started, rng=luck)
@settings(max_examples=60)
def test_offers_on_the_full_state_equal_offers_on_what_the_seat_was_told(live: Live, rng: random.Random) -> None:
    for _ in playing(live, rng):
        pass
    tables: list[Table | None] = [None, None, None]
    house: Table | None = None
    for record in live.records:
        house = READER.fold(house, [record])
        assert house is not None
        for seat in range(3):
            own = READER.fold(tables[seat], [record], f"seat:{seat}")
            tables[seat] = own
            assert own is not None
            assert offers(GAME, own, seat) == offers(GAME, house, seat)
            assert to_act(GAME, own) == to_act(GAME, house)
