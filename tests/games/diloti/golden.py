"""Diloti's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.games.diloti.contracts import RESULTS, SCORING
from tests.games.diloti.tables import DilotiLive
from tests.golden.labels import Golden, Served, by_type

LINES = tuple(dict.fromkeys(row.rule for row in SCORING))

WANTED: frozenset[str] = frozenset(
    [
        "option target 21",
        "option target 61",
        "redeal",
        "no redeal for numerals",
        "plain declaration",
        "group",
        "declaration raised",
        "declaration of an opponent grouped",
        "own declaration captured",
        "declaration of another captured",
        "several courts captured",
        "court laid beside its like",
        "table cleared by the first turn",
        "nothing left",
        "over: target reached",
        "over: last deal scored",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    (dealing,) = of["cards-dealt"]
    ranks = [opening["card"][0] for opening in dealing["shown"]]
    if "rejected" in dealing:
        yield "redeal"
    if max(map(ranks.count, ranks)) >= 3:
        yield "no redeal for numerals"
    if "rest-taken" not in of and score["outcome"] != "nothing-captured":
        yield "nothing left"
    if deal[1]["type"] == "cards-captured" and len(deal[1]["public"]["taken"]) == 4:
        yield "table cleared by the first turn"
    yield from _declaration_labels(deal)
    for taken in of.get("cards-captured", ()):
        if len(taken["loose"]) > 1 and taken["card"][0] in "KQJ":
            yield "several courts captured"
    yield from _laid_labels(deal, [opening["card"] for opening in dealing["shown"]])


def _declaration_labels(deal: Sequence[Served]) -> Iterator[str]:
    """What became of declarations."""
    made: dict[int, dict[str, Any]] = {}
    for event in deal:
        public = event["public"]
        if event["type"] == "cards-captured":
            for number in public["declarations"]:
                own = made[number]["seat"] == public["seat"]
                yield "own declaration captured" if own else "declaration of another captured"
        if event["type"] == "declaration-made":
            made[public["declaration"]] = public
            yield "group" if public["sets"] > 1 else "plain declaration"
            for number in public["declarations"]:
                if made[number]["value"] != public["value"]:
                    yield "declaration raised"
                    continue
                yield "declaration grouped"
                if (made[number]["seat"] - public["seat"]) % 2:
                    yield "declaration of an opponent grouped"


def _laid_labels(deal: Sequence[Served], table: list[str]) -> Iterator[str]:
    """Whether a court card was laid beside a loose one of its rank."""
    for event in deal:
        public = event["public"]
        if event["type"] == "card-laid":
            if public["card"][0] in "KQJ" and any(card[0] == public["card"][0] for card in table):
                yield "court laid beside its like"
            table.append(public["card"])
        table = [card for card in table if card not in public.get("loose", ())]


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (result.outcome for result in RESULTS)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=DilotiLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
