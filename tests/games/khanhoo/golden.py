"""Khanhoo's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.khanhoo.contracts import MELDS, RESULTS
from tests.games.khanhoo.checker import JOKER
from tests.games.khanhoo.tables import KhanhooLive
from tests.golden.labels import Golden, Served, by_type

OUTCOMES = ("went-out", "all-laid", "undecided")
LINES = (*(f"KH-5.{row}" for row in range(1, 11)), "KH-8.2")

WANTED: frozenset[str] = frozenset(
    [
        *OUTCOMES,
        *(f"line {rule}" for rule in LINES),
        "nobody bumps",
        "one bumps",
        "two bump",
        "two bump with melds worth the same",
        "the later bump stands",
        "challenged with a sequence",
        "challenged with another meld",
        "joker in a meld laid",
        "joker in a meld in hand",
        "discard drawn is discarded",
        "stock renewed",
        "out by a bumper's discard",
        "over: target reached",
        "over: last deal scored",
    ]
)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    if "stock-renewed" in of:
        yield "stock renewed"
    for announced in of.get("bumps-announced", ()):
        yield from _bump_labels(announced)
    for challenged in of.get("bump-challenged", ()):
        yield f"challenged with {'a sequence' if challenged['meld'] == 'sequence' else 'another meld'}"
    if any(JOKER in laid["cards"] for laid in of.get("meld-laid", ())):
        yield "joker in a meld laid"
    if any(JOKER in meld["cards"] for each in score["divisions"] for meld in each["melds"]):
        yield "joker in a meld in hand"
    for before, after in pairwise(deal):
        if before["type"] == "discard-drawn" and after["public"].get("card") == before["public"]["card"]:
            yield "discard drawn is discarded"
        if (before["type"], after["type"]) == ("meld-laid", "went-out"):
            yield "out by a bumper's discard"


def _bump_labels(announced: dict[str, Any]) -> Iterator[str]:
    bumps = announced["bumps"]
    yield ("nobody bumps", "one bumps", "two bump")[len(bumps)]
    if len(bumps) == 2:
        worth = [{row.meld: row.points for row in MELDS}[bump["meld"]] for bump in bumps]
        if worth[0] == worth[1]:
            yield "two bump with melds worth the same"
        if announced["standing"] == bumps[1]["seat"]:
            yield "the later bump stands"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (result.outcome for result in RESULTS)
    yield from (f"line {row.rule}" for row in MELDS)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=KhanhooLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
