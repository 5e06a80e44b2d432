"""Offers in the hands of the kit: legality as the service sees it, on every kind of field."""

import json
from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from codille_client import Offer

from domain.kernel.offers import Field, OneOf, OneOfLists, SetsOf, SomeOf, Text, sets_of
from domain.kernel.offers import Offer as ServedOffer
from tests.support.for_each import for_each

CARDS = {"5h": 5, "5d": 5, "4s": 4, "4c": 4, "2c": 2, "Ah": 1}


def sets(total: int, beside: tuple[int, ...] = (), least: int = 0) -> SetsOf:
    field = sets_of(CARDS, total, beside=beside, least=least)
    assert field is not None
    return field


FIELDS: list[Field] = [
    OneOf(("play", 1, None, True)),
    OneOf((None,)),
    OneOfLists(((), ("7c", "7d"), ("7c", "7d", "7s"))),
    OneOfLists(((1, 2), (3,))),
    SomeOf(("Ks", "Qs", "Js"), 1, 2),
    SomeOf((), 0, 0),
    sets(9),
    sets(9, (4,)),
    sets(6, (2, 4), 1),
    Text(1, 3),
]
VALUES: list[Any] = [
    *(None, True, False, 1, 0, "play", "x", "xxxx", "", "a\nb"),
    *([], ["7d", "7c"], ["7c", "7c"], ["7s", "7c", "7d"], [2, 1], [3], [1], ["Ks"], ["Qs", "Ks"], ["Ks", "Qs", "Js"]),
    *([*cards] for size in range(5) for cards in combinations(CARDS, size)),
]


def wire(field: Field) -> Any:
    return json.loads(msgspec.json.encode(field.describe()))


def of(field: Field) -> Offer:
    return Offer({"type": "do", "fields": {"it": wire(field)}})


@for_each("field", FIELDS)
def test_a_field_takes_what_the_service_takes(field: Field) -> None:
    for value in (*VALUES, 1.0, 1.5, [2.0, 1]):
        own = field.admits(tuple(value) if isinstance(value, list) else value)
        # In Python alone, true is 1.
        if isinstance(value, bool | int) and isinstance(field, OneOf):
            own = any(type(value) is type(each) and value == each for each in field.values)
        assert of(field).admits({"type": "do", "it": value}) == own, (field, value)


@for_each("field", FIELDS)
def test_what_is_listed_picked_and_built_is_legal_and_nothing_is_left_out(field: Field) -> None:
    offer, chance = of(field), Random("offers")
    served = ServedOffer("do", {"it": field})
    listed = [*offer.choices()]
    picked = [offer.random(chance) for _ in range(200)]
    for action in listed + picked:
        values = {name: tuple(it) if isinstance(it, list) else it for name, it in action.items() if name != "type"}
        assert served.admits(values), action
        assert offer.act(**{name: it for name, it in action.items() if name != "type"}) == action
    if not isinstance(field, Text):
        legal = {
            json.dumps(sorted(v) if isinstance(v, list) else v) for v in VALUES if offer.admits({"type": "do", "it": v})
        }
        shown = Counter(json.dumps(sorted(it) if isinstance(it := action.get("it"), list) else it) for action in listed)
        assert {it.replace("[]", "null") for it in legal} <= {it.replace("[]", "null") for it in shown}
        assert max(shown.values()) == 1
        assert {json.dumps(action) for action in picked} >= {json.dumps(action) for action in listed[:2]}


def test_choices_are_bounded_and_come_as_they_are_asked_for() -> None:
    many = {"some_of": [f"c{number}" for number in range(60)], "min": 20, "max": 20}
    sums = {"values": {f"c{number}": number % 3 + 1 for number in range(40)}, "total": 12, "with": [], "min": 3}
    offer = Offer({"type": "do", "fields": {"one": many, "two": {"sets_of": {**sums, "examples": []}}, "three": many}})
    choices = [*offer.choices(50)]
    assert len(choices) == 50
    assert all(offer.admits(choice) for choice in choices)
    assert offer.admits(offer.random(Random("many")))


def test_an_act_is_built_with_what_needs_no_choice_and_refused_before_it_is_sent() -> None:
    fields = {
        "contract": {"one_of": ["solo"]},
        "card": {"one_of": ["Ks", "Qs"]},
        "more": {"some_of": ["a"], "min": 0, "max": 1},
    }
    offer = Offer({"type": "declare", "fields": fields})
    assert offer.act(card="Ks") == {"type": "declare", "contract": "solo", "card": "Ks"}
    assert offer.act(card="Qs", more=["a"]) == {"type": "declare", "contract": "solo", "card": "Qs", "more": ["a"]}
    with pytest.raises(ValueError, match="card of declare must be one of Ks, Qs, not 'As'"):
        offer.act(card="As")
    with pytest.raises(ValueError, match="card of declare must be one of Ks, Qs, not None"):
        offer.act()
    with pytest.raises(ValueError, match="declare has no field suit; it has contract, card, more"):
        offer.act(card="Ks", suit="h")
    assert not offer.admits({"type": "play", "card": "Ks"})
    assert not offer.admits({"type": "declare", "contract": "solo", "card": "Ks", "suit": "h"})


def test_a_field_of_an_unknown_kind_is_passed_on() -> None:
    offer = Offer({"type": "do", "fields": {"it": {"range_of": {"min": 1, "examples": [3, 4]}}, "by": {"kind": 1}}})
    assert offer.act(it=7) == {"type": "do", "it": 7}
    assert offer.admits({"type": "do", "it": "anything"})
    assert [*offer.choices()] == [{"type": "do", "it": 3}, {"type": "do", "it": 4}]
    assert offer.random(Random("unknown"))["it"] in (3, 4)
