"""Lórum's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.lorum.contracts import KINDS as ROWS
from domain.games.lorum.contracts import RESULTS
from tests.games.lorum.checker import above, kind_of
from tests.games.lorum.tables import KINDS, LorumLive
from tests.golden.labels import Golden, Served

LINES = ("LO-3.6", "LO-3.7", "LO-3.8", "LO-3.9", "LO-4.4", "LO-5.2", "LO-6.5", "LO-8.2", "LO-8.3")
OUTCOMES = (
    "four-captured",
    "three-captured",
    "two-captured",
    "one-captured",
    "king-captured",
    "last-mark-passed",
    "hand-empty",
    "pot-taken",
)
WANTED: frozenset[str] = frozenset(
    [
        *(f"kind {kind}" for kind in KINDS),
        *(f"line {rule}" for rule in LINES),
        *(f"outcome {outcome}" for outcome in OUTCOMES),
        "heart discarded to the first trick",
        "stopped before the eighth trick",
        "king captured by its own player",
        "king captured by another, blind",
        "king captured, open",
        "leader leads again",
        "count of 100",
        "sequence of one card",
        "sequence goes on after the ace",
        "ended within a sequence",
        "same seat plays again",
        "three passes in a row",
        "pot of earlier deals taken",
        "all deals",
        "ended by agreement",
    ]
)


def of_types(deal: Sequence[Served], *types: str) -> list[dict[str, Any]]:
    """The public payloads of the deal's events of these types, in order."""
    return [event["public"] for event in deal if event["type"] in types]


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    score, kind = deal[-1]["public"], kind_of(deal[0]["public"]["deal"])
    yield f"kind {KINDS[kind - 1]}"
    yield f"{KINDS[kind - 1]} {score['outcome']}"
    match kind:
        case 1 | 2 | 3:
            cards = [public["card"] for public in of_types(deal, "card-played")]
            if kind == 1 and any(card[1] == "h" for card in cards[1:4]):
                yield "heart discarded to the first trick"
            if len(cards) < 32:
                yield "stopped before the eighth trick"
        case 4:
            yield from _ape(deal, options)
        case 5:
            if of_types(deal, "card-counted")[-1]["count"] >= 100:
                yield "count of 100"
        case 6:
            yield from _quart(deal)
        case _:
            yield from _domino(deal)


def _ape(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    payer = next(line["seat"] for line in deal[-1]["public"]["lines"] if line["seat"] is not None)
    (player,) = [public["seat"] for public in of_types(deal, "card-played", "card-turned") if public["card"] == "Kh"]
    if options["hairy_ape"] == "open":
        yield "king captured, open"
    else:
        own = deal[-2]["type"] == "trick-kept"
        assert not own or payer == player
        yield "king captured by its own player" if own else "king captured by another, blind"
    if any(one["type"] == "trick-kept" and two["type"] == "card-turned" for one, two in pairwise(deal)):
        yield "leader leads again"


def _quart(deal: Sequence[Served]) -> Iterator[str]:
    said, length = of_types(deal, "card-added"), 0
    for one, two in pairwise(said):
        length += 1
        if one["next"] == one["seat"]:
            yield "same seat plays again"
        if two["card"] != above(one["card"]):
            if length == 1:
                yield "sequence of one card"
            length = 0
        elif one["card"][0] == "A":
            yield "sequence goes on after the ace"
    if said[-1]["card"] == above(said[-2]["card"]) and length not in (0, 3):
        yield "ended within a sequence"


def _domino(deal: Sequence[Served]) -> Iterator[str]:
    types = " ".join(event["type"] for event in deal)
    if "turn-passed turn-passed turn-passed" in types:
        yield "three passes in a row"
    lines = deal[-1]["public"]["lines"]
    paid = sum(line["amount"] for line in lines if line["rule"] == "LO-8.2" and line["account"] == "pool")
    taken = sum(line["amount"] for line in lines if line["rule"] == "LO-8.3" and line["seat"] is not None)
    if taken > paid:
        yield "pot of earlier deals taken"


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What a game shows besides its deals."""
    for event in events:
        if event["type"] == "game-finished":
            yield {"last deal scored": "all deals"}.get(event["public"]["reason"], "ended by agreement")


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"kind {row.kind}" for row in ROWS)
    yield from (f"outcome {result.outcome}" for result in RESULTS)
    yield from (f"line {result.rule}" for result in RESULTS if result.rule != "LO-5.4")
    yield from ("line LO-5.2", "line LO-8.2")


GOLDEN = Golden(
    live=LorumLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
