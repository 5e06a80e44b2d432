"""Crocodile's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.games.crocodile.contracts import BONUSES, RESULTS
from domain.games.crocodile.contracts import CONTRACTS as ROWS
from tests.games.crocodile.checker import CONTRACTS, NEGATIVE, POSITIVE
from tests.golden.labels import Golden, Served, by_type
from tests.support.games import Live

POSITIVE_OUTCOMES = ("contraprimeras", "victory", "simple-remis", "piccolo-remis", "crocodile-lunch")
NEGATIVE_OUTCOMES = ("victory", "simple-loss", "contranolo", "crocodile-lunch")
CONCEDABLE = tuple(name for name, row in CONTRACTS.items() if row["concede"])
SILENT = ("cuatro", "primeras", "tout")
CONCESSIONS = ("exchange", "priority", "after-priority", "before-own-card", "own-card")
LINE_RULES = (*(f"CR-9.{number}" for number in (*range(1, 10), 11)), "CR-10.2", "CR-10.3")

WANTED: frozenset[str] = frozenset(
    [
        *(f"line {rule}" for rule in LINE_RULES),
        *(f"{contract} {outcome}" for contract in POSITIVE for outcome in POSITIVE_OUTCOMES),
        *(f"{contract} {outcome}" for contract in NEGATIVE for outcome in NEGATIVE_OUTCOMES),
        *(f"{contract} conceded" for contract in CONCEDABLE),
        *(f"conceded {moment}" for moment in CONCESSIONS),
        *(f"{bonus} {result}" for bonus in ("talking", "cuatro", "primeras", "tout") for result in ("made", "failed")),
        *(f"silent {bonus}" for bonus in SILENT),
        "bonus failed on a concession",
        "silent primeras beside tout",
        "silent primeras beside a failed tout",
        "silent tout beside primeras",
        "victory after the opponents' first five",
        "contraprimeras if-lost with tricks for declarer",
        "raised",
        "priority accepted",
        "priority refused",
        "turn-up drawn by declarer",
        "turn-up left by declarer",
        "passed over",
        "casco all, taken by name",
        "casco all, drawn unseen",
        "casco face-up, taken by name",
        "sans",
        "shared win",
    ]
)


def deal_labels(events: Sequence[Served], options: dict[str, str]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(events)
    (score,) = of["deal-scored"]
    declaration = (of.get("contract-declared") or of["casco-laid"])[0]
    contract = declaration.get("contract", "casco")
    declarer = declaration["seat"]
    winners = [won["seat"] for won in of.get("trick-won", [])]
    bonus = declaration["bonus"]
    yield from (contract, f"bonus {bonus}", f"{contract} {bonus}", f"{contract} {score['outcome']}")
    texts = [line["text"] for line in score["lines"] if line["seat"] == declarer]
    silent = {bonus for bonus in SILENT if any(text.startswith(f"Silent {bonus.title()}") for text in texts)}
    yield from (f"silent {bonus}" for bonus in silent)
    if bonus:
        result = "made" if any(", made" in text for text in texts) else "failed"
        yield f"{bonus} {result}"
        if result == "failed" and score["outcome"] == "conceded":
            yield "bonus failed on a concession"
        if bonus == "tout" and "primeras" in silent:
            yield "silent primeras beside a failed tout" if result == "failed" else "silent primeras beside tout"
        if bonus == "primeras" and "tout" in silent:
            yield "silent tout beside primeras"
    if {"primeras", "tout"} <= silent:
        yield "silent primeras beside tout"
    if declarer not in winners[:5] and len(winners) >= 5 and CONTRACTS[contract]["positive"]:
        if score["outcome"] == "victory":
            yield "victory after the opponents' first five"
        if options["contraprimeras"] == "if-lost" and declarer in winners:
            yield "contraprimeras if-lost with tricks for declarer"
    yield from _exchange_labels(events, of, declarer, contract, options)


def _exchange_labels(
    events: Sequence[Served], of: dict[str, list[dict[str, Any]]], declarer: int, contract: str, options: dict[str, str]
) -> Iterator[str]:
    bids = of.get("bid-made", [])
    if bids and bids[-1]["contract"] != contract:
        yield "raised"
    for answer in of.get("priority-answered", []):
        yield "priority accepted" if answer["accepted"] else "priority refused"
    exchanges = of.get("cards-exchanged", [])
    if contract == "tournee" and exchanges:
        yield "turn-up drawn by declarer" if exchanges[0]["count"] else "turn-up left by declarer"
    if of.get("card-played") and sum(done["seat"] != declarer for done in exchanges) < 2:
        yield "passed over"
    if contract == "casco":
        if of["casco-laid"][0]["trump"] is None:
            yield "sans"
        if any(done["taken"] for done in exchanges):
            yield f"casco {options['casco_stock']}, taken by name"
        if any(done["count"] > len(done["taken"]) for done in exchanges):
            yield f"casco {options['casco_stock']}, drawn unseen"
    if events[-2]["type"] == "deal-conceded":
        yield f"conceded {_moment(events, of, declarer)}"


def _moment(events: Sequence[Served], of: dict[str, list[dict[str, Any]]], declarer: int) -> str:
    """When declarer conceded."""
    if of.get("card-played") or sum(done["seat"] != declarer for done in of.get("cards-exchanged", [])) == 2:
        turn = (events[0]["public"]["dealer"] + 1 + len(of.get("card-played", []))) % 3
        return "own-card" if turn == declarer else "before-own-card"
    before = events[-3]["type"]
    return {"priority-offered": "priority", "priority-answered": "after-priority"}.get(before, "exchange")


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {row.rule}" for row in RESULTS)
    yield from ("line CR-10.2", "line CR-10.3")
    for row in ROWS.values():
        for result in RESULTS:
            if result.positive is row.positive or (result.positive is None and row.concede):
                yield f"{row.contract} {result.outcome}"
    for bonus in BONUSES.values():
        yield from (f"{bonus.bonus} made", f"{bonus.bonus} failed")
        if bonus.silent is not None:
            yield f"silent {bonus.bonus}"


GOLDEN = Golden(
    live=Live,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
