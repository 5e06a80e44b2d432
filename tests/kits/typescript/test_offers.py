"""Offers in the kit for TypeScript: it builds, lists, picks and admits what the games' own code admits, and no more."""

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.offers import Offer
from service.describe.game_details import details
from tests.support.games import Live, chance, step
from tests.support.picking import pick
from tests.support.registry import GAMES
from tests.support.typescript import asked, needs_node

Json = dict[str, Any]

STEPS = 60
A_TYPE = 6
"""So many offers of each type of act are tried."""


def wire(value: object) -> Any:
    """The value as decoded JSON."""
    return json.loads(msgspec.json.encode(value))


def offered(game: Game) -> Iterator[Offer]:
    """Offers of a game that is played for a while, some of each type."""
    tables = type("Table", (Live,), {"game": game})
    live = tables.started()
    seen: dict[str, int] = {}
    rng = chance(game.name)
    for _ in range(STEPS):
        for seat in live.seats:
            for offer in live.offers(seat):
                seen[offer.type] = seen.get(offer.type, 0) + 1
                if seen[offer.type] <= A_TYPE:
                    yield offer
        if live.table.status != "playing":
            return
        step(live, rng)


def near(action: Json, rng: random.Random) -> Iterator[Json]:
    """Acts that differ little from this one."""
    yield {**action, "surplus": 1}
    yield {**action, "nothing": []}
    for name, value in action.items():
        yield {other: kept for other, kept in action.items() if other == "type" or other != name}
        if isinstance(value, list):
            yield {**action, name: value[1:]}
            yield {**action, name: value[::-1]}
            yield {**action, name: [*value, *value[:1]]}
            yield {**action, name: [*value, rng.choice(["Ks", "9h.1", "2c", 3])]}
        elif name != "type":
            yield {**action, name: rng.choice(["Ks", "s", None, True, 1, "play", [], [value], ""])}


@needs_node
def test_what_is_built_listed_picked_and_admitted_is_what_the_game_admits() -> None:
    offers: list[tuple[Game, Offer]] = [(game, offer) for game in GAMES.values() for offer in offered(game)]
    rng = chance("near")
    question: Json = {"games": {name: wire(details(game)) for name, game in GAMES.items()}, "offers": []}
    for game, offer in offers:
        own = wire(offer.describe())
        action = pick([own], rng)
        question["offers"].append({"game": game.name, "offer": own, "actions": [action, *map(wire, near(action, rng))]})
    answers = asked("offer.mjs", question)
    kinds = {next(iter(field)) for put in question["offers"] for field in put["offer"]["fields"].values()}
    assert kinds == {"one_of", "some_of", "sets_of", "text"}
    admitted = refused = 0
    for (_, offer), put, answer in zip(offers, question["offers"], answers, strict=True):
        for action in (*answer["picked"], *answer["listed"]):
            assert admits(offer, action), (put["offer"], action)
        assert answer["listed"]
        assert len({json.dumps(action, sort_keys=True) for action in answer["listed"]}) == len(answer["listed"])
        for action, verdict, built in zip(put["actions"], answer["admitted"], answer["built"], strict=True):
            assert verdict == (action.get("type") == offer.type and admits(offer, action)), (put["offer"], action)
            assert built is None or admits(offer, built), (put["offer"], action, built)
            admitted, refused = admitted + verdict, refused + (not verdict)
        assert answer["described"]
    assert min(admitted, refused) > len(offers) / 2


def admits(offer: Offer, action: Mapping[str, Any]) -> bool:
    """Whether the game's own code, which decodes lists as tuples, takes the act for one that the offer describes."""
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in action.items()}
    del fields["type"]
    return offer.admits(fields)
