"""L'Hombre's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.lhombre.contracts import CONTRACTS as ROWS
from domain.games.lhombre.contracts import RESULTS, TOUT
from tests.games.lhombre.checker import ABANDONABLE, CONTRACTS, GAMES, REDEFINED, turns
from tests.games.lhombre.tables import LhombreLive
from tests.golden.course import course_of, matador_labels
from tests.golden.labels import Golden, Served, by_type

TALON = 13
OUTCOMES = ("win", "bete", "kodille")
MOMENTS = (
    "before the defenders' exchange",
    "between the defenders' exchanges",
    "before the lead",
    "after one card",
    "after two cards",
)

WANTED: frozenset[str] = frozenset(
    [
        *(f"{contract} {outcome}" for contract in CONTRACTS for outcome in OUTCOMES),
        *(f"{contract} abandoned" for contract in ABANDONABLE),
        "washed-out",
        *(f"{bid} made into {name}" for bid, names in REDEFINED.items() for name in names),
        *(f"abandoned {moment}" for moment in MOMENTS),
        *(f"line {rule}" for rule in ("LH-8.1", "LH-8.2", "LH-8.3", "LH-8.4")),
        "tout made",
        "tout failed",
        "tout declined",
        "win on four tricks",
        "bete 4-4-1",
        "bete 3-3-3",
        "kodille without a trick",
        "simple-nolo kodille in two tricks",
        "simple-nolo kodille in more",
        "self",
        "self of pure-nolo",
        "self of spade-solo",
        "self outbid",
        "nolo-ouvert over pure-nolo",
        "nolo-ouvert over spade-solo",
        "backhand alone",
        "grand-tourne shown",
        "turned spadille",
        "turned basta",
        "turn-up drawn by declarer",
        "turn-up left by declarer",
        "passed over",
        "matador kept back",
        "matador drawn out by a higher one",
        "sitter pays",
        "sitter is paid",
        "sitter left out",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    order = turns(of["cards-dealt"][0]["dealer"], options["players"])
    score = of["deal-scored"][0]
    yield from _bidding(deal)
    if "contract-declared" not in of:
        yield score["outcome"]
        return
    declaration = of["contract-declared"][0]
    contract, declarer = declaration["contract"], declaration["seat"]
    yield from (contract, f"{contract} {score['outcome']}")
    yield f"{'game' if contract in GAMES else 'nolo'} {score['outcome']}"
    bid = of["bid-made"][-1]["contract"]
    if bid != contract:
        yield from ("redefined", f"{bid} made into {contract}")
    if score["outcome"] == "abandoned":
        yield f"abandoned {_moment(of, declarer)}"
    yield from _cards(deal, of, order, contract, declarer)
    paid = [line["amount"] for line in score["lines"] if line["seat"] not in (*order, None)]
    if options["players"] == 4:
        yield ("sitter pays" if sum(paid) < 0 else "sitter is paid") if paid else "sitter left out"


def _bidding(deal: Sequence[Served]) -> Iterator[str]:
    calls = [(event["type"], event["public"]) for event in deal if event["type"] in ("bid-made", "bid-passed")]
    bids = [public for kind, public in calls if kind == "bid-made"]
    for before, after in pairwise(bids):
        if after["self"]:
            yield from ("self", f"self of {after['contract']}")
        if before["self"]:
            yield "self outbid"
        if after["contract"] == "nolo-ouvert":
            yield f"nolo-ouvert over {before['contract']}"
    if [kind for kind, _ in calls] == ["bid-passed", "bid-passed", "bid-made"]:
        yield "backhand alone"
    if any(bid["shown"] == ["As", "Ac"] for bid in bids):
        yield "grand-tourne shown"


def _cards(
    deal: Sequence[Served], of: dict[str, list[dict[str, Any]]], order: Sequence[int], contract: str, declarer: int
) -> Iterator[str]:
    outcome = of["deal-scored"][0]["outcome"]
    course = course_of(deal, order)
    tricks = course.winners.count(declarer)
    if "play-stopped" in of:
        yield "tout declined"
    if "all-tricks-undertaken" in of:
        yield "tout made" if tricks == 9 else "tout failed"
    if contract in GAMES and outcome == "win" and tricks == 4:
        yield "win on four tricks"
    if contract in GAMES and outcome == "bete":
        yield "bete 3-3-3" if tricks == 3 else "bete 4-4-1"
    if contract in GAMES and outcome == "kodille" and tricks == 0:
        yield "kodille without a trick"
    if contract == "simple-nolo" and outcome == "kodille":
        yield "simple-nolo kodille in two tricks" if tricks == 2 else "simple-nolo kodille in more"
    for turned in of.get("talon-turned", []):
        yield {"As": "turned spadille", "Ac": "turned basta"}.get(turned["card"], "turned")
        if of.get("cards-exchanged"):
            yield "turn-up drawn by declarer" if of["cards-exchanged"][0]["count"] else "turn-up left by declarer"
    exchanges = of.get("cards-exchanged", [])
    if sum(done["count"] for done in exchanges) == TALON:
        yield "talon used up"
        if sum(done["seat"] != declarer for done in exchanges) < 2:
            yield "passed over"
    yield from matador_labels(course)


def _moment(of: dict[str, list[dict[str, Any]]], declarer: int) -> str:
    """When declarer abandoned the hand."""
    played = len(of.get("card-played", []))
    if played:
        return "after one card" if played == 1 else "after two cards"
    exchanges = of["cards-exchanged"]
    if sum(done["count"] for done in exchanges) == TALON:
        return "before the lead"
    return MOMENTS[sum(done["seat"] != declarer for done in exchanges)]


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield f"line {TOUT.rule}"
    for row in ROWS.values():
        for result in RESULTS:
            if result.positive is row.positive or (result.outcome == "abandoned" and row.abandon):
                yield from (f"{row.contract} {result.outcome}", f"line {result.rule}")
        yield from (f"{row.contract} made into {name}" for name in row.becomes)
    yield from (result.outcome for result in RESULTS if result.sign == 0)


GOLDEN = Golden(
    live=LhombreLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
