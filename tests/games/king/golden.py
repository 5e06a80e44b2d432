"""King's golden games: what they must show."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from domain.games.king.contracts import AIMS, RESULTS
from tests.games.king.tables import KingLive
from tests.golden.course import Course, course_of, order_of_turns
from tests.golden.labels import Golden, Served, by_type

OUTCOMES = ("stopped", "played-out")
NEGATIVE = ("no-tricks", "no-hearts", "no-queens", "no-kings-no-jacks", "no-king-of-hearts", "not-last-two")
WANTED: frozenset[str] = frozenset(
    [
        *(f"line KG-4.{number}" for number in range(1, 7)),
        *(f"line KG-6.{number}" for number in range(1, 4)),
        *(f"{aim} played-out" for aim in ("no-tricks", "not-last-two", "up", "down")),
        *(f"{aim} {outcome}" for aim in NEGATIVE[1:5] for outcome in OUTCOMES),
        *(f"{direction} {how}" for direction in ("up", "down") for how in ("bought", "by the dealer")),
        *(f"trumps {trump}" for trump in ("s", "h", "d", "c", "none")),
        "trick won by a trump",
        "bid again after a pass",
        "13 bid",
        "all passed",
        "last one left bids",
        "buyer's adjusted tricks below 0",
        "down without a trick",
        "last two tricks of one player",
        "heart led for want of other suits",
    ]
)


def calls_of(deal: Sequence[Served]) -> list[tuple[int, int | None]]:
    """What was said in the auction."""
    said = [event["public"] for event in deal if event["type"] in ("bid-made", "bid-passed")]
    return [(public["seat"], public.get("tricks")) for public in said]


def trump_of(deal: Sequence[Served]) -> str | None:
    """The trump suit of a deal."""
    named: list[str | None] = [public["trump"] for public in by_type(deal).get("trumps-named", ())]
    return named[0] if named else None


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    score, number = deal[-1]["public"], deal[0]["public"]["deal"]
    yield f"{score['aim']} {score['outcome']}"
    course = course_of(deal, order_of_turns(deal[0]["public"]["dealer"]))
    won = Counter(course.winners)
    if number == 6 and course.winners[11] == course.winners[12]:
        yield "last two tricks of one player"
    hearts_only = [turn for turn in course.turns if turn.led is None and {card[1] for card in turn.hand} == {"h"}]
    if number in (2, 5) and hearts_only:
        yield "heart led for want of other suits"
    if number > 6:
        yield from _positive(deal, course, won)


def _positive(deal: Sequence[Served], course: Course, won: Counter[int]) -> Iterator[str]:
    score, trump, calls = deal[-1]["public"], trump_of(deal), calls_of(deal)
    yield from (f"trumps {trump or 'none'}", f"{score['aim']}, trumps {trump or 'none'}")
    yield f"{score['aim']} {'by the dealer' if score['buyer'] is None else 'bought'}"
    tricks = [course.turns[place : place + 4] for place in range(0, 52, 4)]
    if any(trump in {turn.card[1] for turn in trick} - {trick[0].card[1]} for trick in tricks):
        yield "trick won by a trump"
    if score["aim"] == "down" and len(won) < 4:
        yield "down without a trick"
    if any((seat, None) in calls[:place] for place, (seat, tricks) in enumerate(calls) if tricks is not None):
        yield "bid again after a pass"
    bids = [tricks for _, tricks in calls if tricks is not None]
    if 13 in bids:
        yield "13 bid"
    if calls and not bids:
        yield "all passed"
    if [tricks is None for _, tricks in calls] == [True, True, False]:
        yield "last one left bids"
    if score["price"] is not None and won[score["buyer"]] < score["price"]:
        yield "buyer's adjusted tricks below 0"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen: only where single cards count may play stop early."""
    yield from (f"line {aim.rule}" for aim in AIMS.values())
    yield "line KG-6.3"
    for aim in AIMS.values():
        yield from (f"{aim.aim} {result.outcome}" for result in RESULTS if aim.cards or result.outcome == "played-out")


GOLDEN = Golden(
    live=KingLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
