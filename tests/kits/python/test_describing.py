"""Offers in words: both kits say the same, with each field's name, and with brackets around what is chosen together."""

import json
from typing import Any

import msgspec
from codille_client import Offer, Words

from service.describe.game_details import details
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.support.typescript import asked, needs_node

LISTS = [["4s.1", "4h.1"], ["Ah.2", "Ad.2"], []]
SETS = {"values": {"5h": 5, "4s": 4}, "total": 9, "with": [], "min": 1, "examples": [["5h", "4s"]]}
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("burraco", {}, "Lay", "lay"),
    (
        "burraco",
        {"cards": {"one_of": LISTS}, "wild": {"one_of": ["Jo.1"]}},
        "Lay: cards one of [4♠, 4♥], [A♥, A♦], []; wild ★",
        "lay: cards one of [4s.1, 4h.1], [Ah.2, Ad.2], []; wild Jo.1",
    ),
    ("burraco", {"wild": {"one_of": [None]}, "cards": {"one_of": [[]]}}, "Lay", "lay"),
    ("burraco", {"wild": {"one_of": [None, "2s.1"]}}, "Lay: wild one of none, 2♠", "lay: wild one of none, 2s.1"),
    ("burraco", {"a_number": {"one_of": [1, 2]}}, "Lay: a number one of 1, 2", "lay: a number one of 1, 2"),
    ("burraco", {"sure": {"one_of": [True, False]}}, "Lay: sure one of yes, no", "lay: sure one of true, false"),
    ("diloti", {"cards": {"some_of": ["4s", "7h"], "min": 0, "max": 2}}, "Lay: cards 0 to 2 of 4♠, 7♥", ""),
    ("diloti", {"cards": {"some_of": ["4s", "7h"], "min": 1, "max": 1}}, "Lay: cards 1 of 4♠, 7♥", ""),
    ("diloti", {"cards": {"sets_of": SETS}}, "Lay: cards 1 or more of 5♥, 4♠ that make sets of 9", ""),
    (
        "diloti",
        {"cards": {"sets_of": {**SETS, "with": [4, 5], "min": 0}}},
        "Lay: cards 0 or more of 5♥, 4♠ that make sets of 9 with 4, 5",
        "",
    ),
    ("diloti", {"text": {"text": {"min": 1, "max": 200}}}, "Lay: text a text of 1 to 200 characters", ""),
    ("diloti", {"text": {"text": {"min": 3, "max": 3}}}, "Lay: text a text of 3 characters", ""),
    ("diloti", {"weather": {"wind_of": ["east"]}}, "Lay: weather a value", "lay: weather a value"),
]
"""A game, the fields of an offer of the type `lay`, and how it is said with the game's words, and without."""


def wire(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "lay", "fields": fields}


def described(game: str) -> Any:
    return json.loads(msgspec.json.encode(details(GAMES[game])))


@for_each("game, fields, said, plain", CASES)
def test_python_says_it_so(game: str, fields: dict[str, Any], said: str, plain: str) -> None:
    assert Offer(wire(fields)).describe(Words(described(game))) == said
    assert plain in ("", Offer(wire(fields)).describe())


@needs_node
def test_javascript_says_it_so() -> None:
    offers = [{"game": game, "offer": wire(fields), "actions": []} for game, fields, *_ in CASES]
    answers = asked("offer.mjs", {"offers": offers, "games": {game: described(game) for game, *_ in CASES}})
    assert [answer["described"] for answer in answers] == [said for _, _, said, _ in CASES]
    assert [one for one, case in zip((answer["plain"] for answer in answers), CASES, strict=True) if case[3]] == [
        plain for *_, plain in CASES if plain
    ]


def test_a_type_without_a_label_is_said_as_it_reads() -> None:
    offer = Offer({"type": "sing-aloud"})
    assert offer.describe(Words(described("don"))) == "sing aloud"
    assert repr(offer) == "Offer(sing-aloud)"
