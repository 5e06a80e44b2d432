"""Solo's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.solo.contracts import CONTRACTS, RESULTS
from tests.games.solo.checker import suit_in
from tests.games.solo.tables import GAMES, SoloLive
from tests.golden.course import course_of, dealt, order_of_turns
from tests.golden.labels import Golden, Served, by_type

BLACK_QUEENS = {"Qc", "Qs"}
OUTCOMES = ("made", "failed")


def name_of(level: int) -> str:
    """The game of this level."""
    game, color = GAMES[level]
    return f"{game} in {'color' if color else 'suit'}"


WANTED: frozenset[str] = frozenset(
    [
        *(f"{name_of(level)} {outcome}" for level in GAMES for outcome in OUTCOMES),
        *(f"won at level {level}" for level in range(7)),
        "line SO-4.2",
        "declared above the level held",
        "holder went on",
        "asker took over",
        "dealer wins the auction",
        "black queens opened",
        "black queens asked",
        "black queens answered",
        "black queens alone",
        "queen shown in color",
        "queen shown in suit",
        "king called",
        "called card led",
        "partner shown when all was settled",
        "partner won more tricks",
        "black queen not of its suit",
        "stopped after one trick",
        "stopped within a trick",
        "all tricks played",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    order = order_of_turns(of["cards-dealt"][0]["dealer"])
    score, declaration = of["deal-scored"][0], of["contract-declared"][0]
    yield from (name_of(declaration["level"]), f"{name_of(declaration['level'])} {score['outcome']}")
    yield from _auction(deal, order)
    course = course_of(deal, order)
    trump = declaration["trump"]
    for turn in course.turns:
        void = turn.led and suit_in(turn.led, trump) not in {suit_in(card, trump) for card in turn.hand}
        if void and any(turn.led and queen[1] == turn.led[1] for queen in BLACK_QUEENS & {*turn.hand}):
            yield "black queen not of its suit"
    if len(course.winners) == 1:
        yield "stopped after one trick"
    if len(course.turns) % 4:
        yield "stopped within a trick"
    if len(course.turns) == 32:
        yield "all tricks played"
    called = declaration["called"]
    if called:
        if called[0] == "K":
            yield "king called"
        partner = of["partner-shown"][0]["seat"]
        if deal[-2]["type"] == "partner-shown":
            yield "partner shown when all was settled"
        if course.winners.count(partner) > course.winners.count(declaration["seat"]):
            yield "partner won more tricks"
        if next(turn for turn in course.turns if turn.card == called).led is None:
            yield "called card led"


def _auction(deal: Sequence[Served], order: Sequence[int]) -> Iterator[str]:
    of = by_type(deal)
    declaration = of["contract-declared"][0]
    declarer = declaration["seat"]
    said = [
        (event["type"], event["public"]) for event in deal if event["type"] in ("bid-asked", "bid-held", "bid-passed")
    ]
    level = max((public["level"] for kind, public in said if kind != "bid-passed"), default=0)
    yield f"won at level {level}"
    if level and declaration["level"] > level:
        yield "declared above the level held"
    if level and declarer == order[3]:
        yield "dealer wins the auction"
    if "queen-shown" in of:
        yield "queen shown in color" if declaration["level"] == 2 else "queen shown in suit"
    asked = 0
    for kind, public in said:
        both = {*dealt(deal, public["seat"])} >= BLACK_QUEENS
        if kind == "bid-held":
            yield from ("holder went on", f"{public['level']} held")
            yield from ("black queens answered",) if both and public["level"] <= 3 else ()
        if kind == "bid-asked":
            yield from ("black queens asked" if asked else "black queens opened",) if both and asked < 3 else ()
            asked = public["level"]
    for (kind, public), (answer, _) in pairwise(said):
        if (kind, answer) == ("bid-asked", "bid-passed") and public["level"] > 1:
            yield "asker took over"
    if {*dealt(deal, declarer)} >= BLACK_QUEENS and level <= 3 <= declaration["level"]:
        yield "black queens alone"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {result.rule}" for result in RESULTS)
    yield from (f"{name_of(level)} {result.outcome}" for level in CONTRACTS for result in RESULTS)


GOLDEN = Golden(
    live=SoloLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
