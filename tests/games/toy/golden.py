"""The toy's golden games: what they must show. The independent checker checks them."""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.games.toy.rules import RULEBOOK
from tests.games.toy.tables import ToyLive
from tests.golden.labels import Golden, Served

EVENTS = (
    "player-ready",
    "card-passed",
    "pledge-made",
    "pledges-opened",
    "card-laid",
    "cards-captured",
    "card-turned",
    "snapped",
    "batch-dealt",
    "stock-renewed",
    "turn-lapsed",
)
OUTCOMES = tuple(row.outcome for row in RULEBOOK.tables["outcomes"])
LINES = ("TY-2.2", "TY-3.4", "TY-3.6", "TY-4.1")
WANTED = frozenset(
    (*OUTCOMES, *(f"line {rule}" for rule in LINES), "cards rejected", "over: target reached", "over: last deal scored")
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    yield from (event["type"] for event in deal)
    yield deal[-1]["public"]["outcome"]
    yield from (f"line {line['rule']}" for line in deal[-1]["public"]["lines"])
    if "rejected" in deal[0]["public"]:
        yield "cards rejected"


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    if events[-1]["type"] == "game-finished":
        yield f"over: {events[-1]['public']['reason']}"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from OUTCOMES
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=ToyLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
