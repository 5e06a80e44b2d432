"""Boston's golden games: what they must show."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from domain.games.boston.contracts import CONTRACTS as ROWS
from domain.games.boston.contracts import RESULTS
from tests.games.boston.checker import FOUR_ACES, LADDER, SUPPORTED, TRICKS, Played, goal_of, worth
from tests.games.boston.tables import SUITS, BostonLive
from tests.golden.course import Course, course_of, order_of_turns
from tests.golden.labels import Golden, Served, by_type
from tests.support.checker.record import following

ALLIED = ("both-made", "both-failed", "declarer-failed", "supporter-failed")
RULES = ("BO-7.5", "BO-8.1", "BO-8.2", "BO-8.3")

ALLIED_OUTCOMES: Mapping[str, Sequence[str]] = {
    "five": ("failed", "both-made", "declarer-failed", "supporter-failed"),
    "six": ("made", "both-failed", "declarer-failed", "supporter-failed"),
    "seven": ("made", "both-made", "both-failed", "declarer-failed"),
    "eight": ("failed", "both-made", "both-failed", "supporter-failed"),
}
"""The outcomes of contracts with a supporter, or with none who accepted, that no other game shows."""

WANTED: frozenset[str] = frozenset(
    [
        *(f"{contract} reached" for contract in LADDER),
        *(f"{contract} missed" for contract in LADDER),
        *(f"{contract} {outcome}" for contract in ALLIED_OUTCOMES for outcome in ("made", "failed", *ALLIED)),
        *("made", "failed", *ALLIED, "thrown-in"),
        *(f"line {rule}" for rule in RULES),
        *(f"bid in {suit}" for suit in SUITS),
        "outbid in a higher suit",
        "outbid by a misère",
        "fourth speaks last",
        "ended at once",
        "aces shown and outbid",
        "all declined",
        "third accepted",
        "no answer but the first",
        "three honours",
        "four honours",
        "half a point",
        "suit broken",
        "suit broken again",
        "stopped after one trick",
        "twelve tricks",
        "all tricks played",
    ]
)


class Auction(NamedTuple):
    """What was said, in order, contract and suit null for a pass; and who has won with what, if anybody."""

    said: list[tuple[int, str | None, str | None]]
    won: tuple[int, str, str] | None


def auction_of(deal: Sequence[Served]) -> Auction:
    """The deal's auction."""
    said, won = [], None
    for event in deal:
        public = event["public"]
        if event["type"] == "bid-made":
            won = public["seat"], public["contract"], public["suit"]
            said.append(won)
        if event["type"] == "bid-passed":
            said.append((public["seat"], None, None))
    return Auction(said, won)


def breaks(course: Course) -> list[int]:
    """The tricks, from 1, to which another suit was played while the suit led was held."""
    turns = enumerate(course.turns)
    return [place // 4 + 1 for place, turn in turns if turn.card not in following(turn.hand, turn.led)]


def honours(course: Course, seat: int, suit: str) -> int:
    """How many honours the seat has played."""
    return sum(turn.seat == seat and turn.card[0] in "AKQJ" and turn.card[1] == suit for turn in course.turns)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    score, auction = of["deal-scored"][0], auction_of(deal)
    yield score["outcome"]
    yield from _auction(auction)
    if auction.won is None:
        return
    declarer, contract, suit = auction.won
    reached = score["outcome"] in ("made", "both-made", "supporter-failed")
    yield from (contract, f"{contract} {'reached' if reached else 'missed'}")
    if contract in ALLIED_OUTCOMES:
        yield f"{contract} {score['outcome']}"
    answers = [public["accepted"] for public in of.get("support-answered", ())]
    yield from ("accepted" if each else "declined" for each in answers)
    if answers == [False, False, False]:
        yield "all declined"
    if answers == [False, False, True]:
        yield "third accepted"
    if answers == [True]:
        yield "no answer but the first"
    course = course_of(deal, order_of_turns(deal[0]["public"]["dealer"]))
    if contract in TRICKS:
        number = max(honours(course, seat, suit) for seat in (declarer, score["supporter"]) if seat is not None)
        yield from ("three honours",) if number == 3 else ("four honours",) if number == 4 else ()
        if score["outcome"] in ALLIED:
            dues = _dues(course, score, options)
            if any(sum(part) % 2 for part in dues):
                yield "half a point"
    broken = breaks(course)
    if broken:
        yield "suit broken again" if len(broken) > 1 else "suit broken"
    if len(course.winners) == 1:
        yield "stopped after one trick"
    if len(course.winners) == 12:
        yield "twelve tricks"
    if len(course.winners) == 13:
        yield "all tricks played"


def _dues(course: Course, score: Mapping[str, Any], options: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The values that are halved: each alone, or both together."""
    contract, suit = score["contract"], score["suit"]
    goals = (goal_of(contract), SUPPORTED[contract])
    values = tuple(
        worth(contract, suit, goal, _did(course, seat, suit), options["five_base"])
        for seat, goal in zip((score["declarer"], score["supporter"]), goals, strict=True)
    )
    return [values] if score["outcome"] in ("declarer-failed", "supporter-failed") else [(value,) for value in values]


def _did(course: Course, seat: int, suit: str) -> Played:
    return Played(course.winners.count(seat), honours(course, seat, suit))


def _auction(auction: Auction) -> Iterator[str]:
    if auction.won is None:
        return
    yield f"bid in {auction.won[2]}"
    bids = [(contract, suit) for _, contract, suit in auction.said if contract is not None and suit is not None]
    for (before, lower), (after, higher) in pairwise(bids):
        if before == after and SUITS.index(higher) > SUITS.index(lower):
            yield "outbid in a higher suit"
        if before in TRICKS and after not in TRICKS and "misere" in after:
            yield "outbid by a misère"
        if before == FOUR_ACES and after != before:
            yield "aces shown and outbid"
    if len(bids) == 1 and len(auction.said) == 4 and auction.said[3][1] is not None:
        yield "fourth speaks last"
    if auction.said[-1][1] == "boston-ouvert" and len(auction.said) < 4:
        yield "ended at once"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {result.rule}" for result in RESULTS if result.declarer is not None)
    yield from (result.outcome for result in RESULTS)
    yield from (f"{contract} {how}" for contract in ROWS for how in ("reached", "missed"))


GOLDEN = Golden(
    live=BostonLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
