"""Nuts' golden games: what they must show. The independent checker checks them.

No hand here ends after 2,000 acts without progress, since it would be as large as all others: `test_stuck_and_end.py`
has one.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.nuts.outcomes import RESULTS, STALLED
from tests.games.nuts.tables import NutsLive
from tests.golden.labels import Golden, Served

OUTCOMES = tuple(result.outcome for result in RESULTS if result != STALLED)
LINES = ("NU-9.1", "NU-9.2")
WANTED = frozenset(
    (
        *OUTCOMES,
        *(f"line {rule}" for rule in LINES),
        *(f"card-built from {source}" for source in ("reserve", "discards", "tableau")),
        *(f"card-founded from {source}" for source in ("reserve", "discards", "tableau")),
        *("called by the house", "called by a player", "on another's card", "two foundations of a suit"),
        *("played on with an empty reserve", "third time stuck by the clock"),
        *("over: target passed", "over: last deal scored"),
    )
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the hand shows."""
    tops: dict[int, str] = {}
    emptied = False
    for before, event in pairwise(deal):
        public = event["public"]
        match event["type"]:
            case "card-built" | "card-founded":
                yield f"{event['type']} from {public['from']}"
                emptied = emptied or (public["from"] == "reserve" and public["uncovered"] is None)
            case "nuts-called" if event["actor"] == "house":
                yield "called by the house"
            case "nuts-called":
                yield "called by a player"
                yield from ["played on with an empty reserve"] * (before["public"].get("uncovered", 0) is not None)
            case "deal-scored" if before["type"] == "all-stuck":
                yield "third time stuck by the clock"
            case _:
                pass
        if event["type"] == "card-founded":
            suits = [card[3] for card in tops.values()]
            yield from ["two foundations of a suit"] * (len(set(suits)) < len(suits))
            yield from ["on another's card"] * (tops.get(public["foundation"], public["card"])[0] != public["card"][0])
            tops[public["foundation"]] = public["card"]
    yield deal[-1]["public"]["outcome"]


def possible() -> Iterator[str]:
    """What the domain's tables say can happen, but for what is too long to be recorded."""
    yield from OUTCOMES
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=NutsLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
