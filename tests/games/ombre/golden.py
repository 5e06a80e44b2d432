"""Ombre's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.ombre.contracts import BONUSES, RESULTS
from domain.games.ombre.contracts import CONTRACTS as ROWS
from tests.games.ombre.checker import BIDS, estuches
from tests.games.ombre.tables import OmbreLive, order_of_turns
from tests.golden.course import Course, course_of, matador_labels
from tests.golden.labels import Golden, Served, by_type

TALON = 13
PLAYED = ("win", "vole", "vole-failed", "puesta", "codille")
SURRENDERS = ("surrendered", "new-ombre-won", "new-ombre-failed")
SURRENDERABLE = ("entrada", "vuelta")
KINDS = ("ante", "pool", "contract", "puesta", "codille", "estuches", "primeras", "vole", "share")
RULES = ("OM-1.4", "OM-3.1", "OM-6.1", "OM-6.2", "OM-6.3", "OM-7.2", "OM-7.3", "OM-8.1")

WANTED: frozenset[str] = frozenset(
    [
        *(f"{contract} {outcome}" for contract in BIDS for outcome in PLAYED),
        *(f"{contract} {outcome}" for contract in SURRENDERABLE for outcome in SURRENDERS),
        "passed-out",
        *(f"kind {kind}" for kind in KINDS),
        *(f"line {rule}" for rule in RULES),
        *(f"estuches {number}" for number in (3, 4, 5)),
        "three matadors without a win",
        "primeras",
        "win on four tricks",
        "puesta 4-4-1",
        "puesta 3-3-3",
        "codille to the right",
        "codille to the left",
        "codille divided",
        "codille divided, an odd chip over",
        "grown pool won",
        "hold",
        "hold outbid",
        "dealer alone",
        "first turn yielded",
        "passed over",
        "eight exchanged in solo",
        "turn-up drawn by ombre",
        "turn-up left by ombre",
        "matador kept back",
        "matador drawn out by a higher one",
        *(f"surrender offered after {tricks} tricks" for tricks in range(4)),
        "surrender offered on the lead",
        "surrender offered out of turn",
        "forbidden by the first",
        "forbidden by the second",
        "new ombre with tricks before",
        "first five won by the new ombre",
        "equal cards drawn",
        "nothing left to share",
        *(f"a rest of {rest} after the shares" for rest in range(3)),
        "option chips 100",
        "option chips 40",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    order = order_of_turns(of["cards-dealt"][0]["dealer"])
    score = of["deal-scored"][0]
    for line in (*of["cards-dealt"][0]["lines"], *score["lines"]):
        yield from (f"line {line['rule']}", f"kind {line['kind']}")
    yield from _bidding(deal)
    if "contract-declared" not in of:
        yield score["outcome"]
        return
    contract, ombre = of["contract-declared"][0]["contract"], of["contract-declared"][0]["seat"]
    yield from (contract, f"{contract} {score['outcome']}")
    course = course_of(deal, order)
    yield from matador_labels(course)
    yield from _exchanges(of, contract, ombre)
    yield from _surrender(deal, of, order, ombre, course)
    yield from _result(of, order, ombre, course)


def _bidding(deal: Sequence[Served]) -> Iterator[str]:
    calls = [(event["type"], event["public"]) for event in deal if event["type"] in ("bid-made", "bid-passed")]
    bids = [public for kind, public in calls if kind == "bid-made"]
    yield from (f"{bid['contract']} held" for bid in bids if bid["hold"])
    if any(bid["hold"] for bid in bids):
        yield "hold"
    if any(before["hold"] for before, _ in pairwise(bids)):
        yield "hold outbid"
    if [kind for kind, _ in calls] == ["bid-passed", "bid-passed", "bid-made"]:
        yield "dealer alone"


def _exchanges(of: dict[str, list[dict[str, Any]]], contract: str, ombre: int) -> Iterator[str]:
    exchanges = of.get("cards-exchanged", [])
    defenders = [done["count"] for done in exchanges if done["seat"] != ombre]
    if "exchange-yielded" in of:
        yield "first turn yielded"
    if sum(done["count"] for done in exchanges) == TALON:
        yield "talon used up"
        if len(defenders) == 1:
            yield "passed over"
    if contract == "solo" and 8 in defenders:
        yield "eight exchanged in solo"
    if contract == "vuelta":
        yield "turn-up drawn by ombre" if exchanges[0]["count"] else "turn-up left by ombre"


def _surrender(
    deal: Sequence[Served], of: dict[str, list[dict[str, Any]]], order: Sequence[int], ombre: int, course: Course
) -> Iterator[str]:
    types = [event["type"] for event in deal]
    if "surrender-offered" not in types:
        return
    before = types[: types.index("surrender-offered")].count("trick-won")
    leader = course.winners[before - 1] if before else order[0]
    yield f"surrender offered after {before} tricks"
    yield "surrender offered on the lead" if leader == ombre else "surrender offered out of turn"
    answers = [answer["accepted"] for answer in of["surrender-answered"]]
    yield from ("surrender accepted" if each else "surrender forbidden" for each in answers)
    if False in answers:
        yield "forbidden by the first" if len(answers) == 1 else "forbidden by the second"
        new_ombre = of["surrender-answered"][-1]["seat"]
        if new_ombre in course.winners[:before]:
            yield "new ombre with tricks before"
        if course.winners == [new_ombre] * 5:
            yield "first five won by the new ombre"


def _result(of: dict[str, list[dict[str, Any]]], order: Sequence[int], ombre: int, course: Course) -> Iterator[str]:
    score = of["deal-scored"][0]
    tricks = course.winners.count(ombre)
    kinds = {line["kind"] for line in score["lines"]}
    if score["estuches"]:
        yield f"estuches {len(score['estuches'])}"
    elif course.trump and course.hands and estuches(course.hands[ombre], course.trump):
        yield "three matadors without a win"
    if "primeras" in kinds:
        yield "primeras"
    match score["outcome"]:
        case "win":
            if tricks == 4:
                yield "win on four tricks"
            if any(line["kind"] == "pool" and line["amount"] > 10 for line in score["lines"]):
                yield "grown pool won"
        case "puesta":
            yield "puesta 3-3-3" if tricks == 3 else "puesta 4-4-1"
        case "codille":
            paid = {line["seat"] for line in score["lines"] if line["kind"] == "codille"} - {ombre}
            if len(paid) == 1:
                yield "codille to the right" if paid == {(ombre - 1) % 3} else "codille to the left"
            else:
                yield "codille divided, an odd chip over" if None in paid else "codille divided"
        case _:
            pass


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    for event in events:
        if event["type"] == "game-started" and len(event["public"]["draws"]) > 3:
            yield "equal cards drawn"
        if event["type"] == "game-finished":
            lines = event["public"]["lines"]
            for line in lines:
                yield from (f"line {line['rule']}", f"kind {line['kind']}")
            rest = sum(line["amount"] for line in lines if line["account"] == "bank")
            yield f"a rest of {rest} after the shares" if lines else "nothing left to share"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {rule}" for rule in ("OM-1.4", "OM-3.1", "OM-8.1"))
    yield from (f"kind {bonus.bonus}" for bonus in BONUSES)
    yield from (f"line {bonus.rule}" for bonus in BONUSES)
    for result in RESULTS:
        surrender = result.outcome in SURRENDERS
        if result.sign == 0:
            yield result.outcome
            continue
        yield f"line {result.rule}"
        yield from (f"{row.contract} {result.outcome}" for row in ROWS.values() if row.surrender or not surrender)


GOLDEN = Golden(
    live=OmbreLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
