"""Burraco's golden games: what they must show."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from domain.games.burraco.contracts import BURRACHI, ENDINGS
from tests.games.burraco.tables import BurracoLive
from tests.golden.labels import Golden, Served, by_type

LINES = tuple(f"BU-10.{number}" for number in range(1, 7))

WANTED: frozenset[str] = frozenset(
    [
        "option target 500",
        "option target 2000",
        "pozzetto at once",
        "pozzetto face down",
        "pozzetto never looked at",
        "pile of one card",
        "wild card moved",
        "2 turned wild",
        "over: target passed",
        "over: last deal scored",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    for melded in of.get("card-added", ()):
        if melded["burraco"]:
            yield f"{melded['burraco']} burraco"
    yield from _meld_labels(of)
    lying: set[int] = set()
    for before, event in pairwise(deal):
        seat = event["public"].get("seat")
        match event["type"]:
            case "pozzetto-taken":
                lying.add(seat)
                yield "pozzetto face down" if before["type"] == "card-discarded" else "pozzetto at once"
            case "pozzetto-opened":
                lying.discard(seat)
            case "pile-taken" if len(event["public"]["cards"]) == 1:
                yield "pile of one card"
            case "pile-taken" if len(event["public"]["cards"]) > 3:
                yield "a long pile taken"
            case _:
                pass
    if lying:
        yield "pozzetto never looked at"


def _meld_labels(of: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """How wild cards moved."""
    wilds = {laid["meld"]: (laid["wild"], laid["cards"]) for laid in of.get("meld-laid", ())}
    for grown in of.get("card-added", ()):
        wild, cards = wilds[grown["meld"]]
        if wild and wild == grown["wild"] and cards.index(wild) != grown["cards"].index(wild):
            yield "wild card moved"
        if grown["wild"] in cards and grown["wild"] != wild:
            yield "2 turned wild"
        wilds[grown["meld"]] = (grown["wild"], grown["cards"])


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (ending.outcome for ending in ENDINGS)
    yield from (f"{row.burraco} burraco" for row in BURRACHI)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=BurracoLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
