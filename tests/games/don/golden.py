"""Nine-Card Don's golden games: what they must show."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.games.don.contracts import RESULTS, SCORING
from tests.games.don.checker import at_once
from tests.games.don.tables import DonLive
from tests.golden.labels import Golden, Served, by_type

OUTCOMES = ("target-reached", "game-won", "game-equal")
LINES = ("ND-4.1", "ND-5.2")
SCORING_CARDS = (*(f"trump {rank}" for rank in "59AKQJ"), "other 5")
WANTED: frozenset[str] = frozenset(
    [
        *OUTCOMES,
        *(f"line {rule}" for rule in LINES),
        *(f"{card} scored" for card in SCORING_CARDS),
        *(f"trumps {suit}" for suit in "shdc"),
        "partner won the first trick",
        "three cards scored in one trick",
        "no trump in a trick",
        "trumped",
        "discarded",
        "ended before the last trick",
        "ended by the last trick",
        "target reached by game",
        "side with more points without game",
        "over: target reached",
        "over: last deal scored",
        "shared win",
    ]
)


def tricks_of(deal: Sequence[Served]) -> Iterator[list[tuple[int, str]]]:
    """The tricks of a deal."""
    trick: list[tuple[int, str]] = []
    for event in deal:
        if event["type"] == "card-played":
            trick.append((event["public"]["seat"], event["public"]["card"]))
        if event["type"] == "trick-won":
            yield trick
            trick = []


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    tricks = list(tricks_of(deal))
    trump = tricks[0][0][1][1]
    yield f"trumps {trump}"
    yield from _tricks_labels(tricks, trump)
    if of["trick-won"][0]["seat"] == of["hand-opened"][0]["seat"]:
        yield "partner won the first trick"
    first, second = score["sides"]
    if score["outcome"] == "target-reached":
        yield "ended by the last trick" if len(tricks) == 9 else "ended before the last trick"
    elif max(score["totals"]) >= options["target"]:
        yield "target reached by game"
    if (first["points"] - second["points"]) * (first["game"] - second["game"]) < 0:
        yield "side with more points without game"


def _tricks_labels(tricks: Sequence[Sequence[tuple[int, str]]], trump: str) -> Iterator[str]:
    for trick in tricks:
        led = trick[0][1][1]
        scored = [card for _, card in trick if at_once(card, trump)]
        yield from (f"trump {card[0]} scored" if card[1] == trump else "other 5 scored" for card in scored)
        yield f"{len(scored)} cards score"
        if len(scored) >= 3:
            yield "three cards scored in one trick"
        suits = {card[1] for _, card in trick}
        if trump not in suits:
            yield "no trump in a trick"
        elif led != trump:
            yield "trumped"
        if suits - {led, trump}:
            yield "discarded"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (result.outcome for result in RESULTS)
    yield from (f"{'trump' if row.trump else 'other'} {row.rank} scored" for row in SCORING)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=DonLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
)
