"""Names in a game's own words. `tests/unit/every_game/test_served_words.py` holds sentences against the domain's."""

import json
from functools import cache
from typing import Any

import msgspec
from codille_client import Words

from domain.cards import SIGNS
from service.describe.game_details import details
from tests.support.registry import GAMES

NAMES = {0: "Ada", 1: "Berta", 2: "Carl", 3: "Dora"}
SUITS = {"s": "spades ♠", "h": "hearts ♥", "d": "diamonds ♦", "c": "clubs ♣"}


@cache
def kit(name: str) -> Words:
    return Words(json.loads(msgspec.json.encode(details(GAMES[name]))), NAMES)


def test_cards_values_and_actions_are_named_as_people_write_them() -> None:
    words = kit("crocodile")
    assert [words.card(name) for name in ("Ks", "7h", "nothing")] == ["K♠", "7♥", "nothing"]
    assert kit("burraco").card("Jo.1") == "★"
    assert kit("burraco").card("Th.2") == "10♥"
    assert {words.value(suit) for suit in SIGNS} == set(SUITS.values())
    assert words.value({"known": ["Ks"], "hidden": 2}) == "K♠, 2 hidden"
    assert words.value({"known": [], "hidden": 0}) == "none"
    assert words.value({"seat": 1, "card": "7h"}) == "Berta card 7♥"
    assert words.value([True, False, None, 3]) == "yes, no, none, 3"
    assert words.action({"type": "play", "card": "Ks"}) == "Play K♠"
    laid = {"type": "lay", "cards": ["3h.1", "3h.2"], "wild": "2s.1"}
    assert kit("burraco").action(laid) == "Lay 3♥ 3♥ with 2♠ wild"
    assert words.name(9) == "seat 10"


def test_an_act_is_named_as_well_by_a_service_that_says_no_verbs() -> None:
    game = json.loads(msgspec.json.encode(details(GAMES["burraco"])))
    del game["words"]["verbs"]
    assert Words(game).action({"type": "discard", "card": "Th.1"}) == "Discard 10♥"


def test_what_a_game_has_no_words_for_is_passed_on() -> None:
    words = kit("crocodile")
    novel: dict[str, Any] = {"type": "cards-sung", "public": {"seat": 1}, "sealed": {}, "actor": "seat:1"}
    assert words.event(novel) == ["cards-sung"]
    older = {**novel, "type": "card-played", "public": {}}
    assert words.event(older) == ["card-played"]
    line = {"kind": "of-later", "rule": "X", "text": "seat 1 paid", "amount": 1, "seat": 1}
    assert words.line(line) == "seat 1 paid"
    assert words.value("of-later", "contract") == "of later"
