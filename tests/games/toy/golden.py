"""The toy's golden games: what they must show. The independent checker checks them."""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.games.toy.rules import RULEBOOK
from tests.games.toy.tables import ToyLive
from tests.golden.labels import Golden, Served

OUTCOMES = tuple(row.outcome for row in RULEBOOK.tables["outcomes"])
LINES = ("TY-2.2", "TY-3.4", "TY-3.6", "TY-4.1")
WANTED = frozenset(
    (*OUTCOMES, *(f"line {rule}" for rule in LINES), "cards rejected", "over: target reached", "over: last deal scored")
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    yield from (event["type"] for event in deal)
    yield deal[-1]["public"]["outcome"]
    if "rejected" in deal[0]["public"]:
        yield "cards rejected"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from OUTCOMES
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=ToyLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
