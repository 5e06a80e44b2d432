"""Dingo's golden games: what they must show. The independent checker checks them."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.games.dingo.hunts import CATCHES, OF_ACES, RESULTS
from tests.games.dingo.tables import DingoLive
from tests.golden.labels import Golden, Served

WANTED: frozenset[str] = frozenset(
    [
        "dingo discarded",
        "cut short before anybody is asked",
        "cut short by the first wolf",
        "all three asked",
        *(f"{number} black aces" for number in range(3)),
        "both black aces by one",
        "dingo player plays a black ace",
        "rabbit of aces before its turn",
        "rabbit of aces in its turn",
        "rabbit of aces too late",
        "ace passed",
        "card passed on",
        "one deal",
        "four deals",
        "tie settled by rabbits",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    got: dict[int, str] = {}
    for event in deal:
        if event["type"] == "card-passed":
            public = event["public"]
            card = event["sealed"][f"seat:{public['seat']}"]["data"]["card"]
            if card[0] == "A":
                yield "ace passed"
            if got.get(public["seat"]) == card:
                yield "card passed on"
            got[public["to"]] = card
    yield from _hunts(deal)
    yield from (f"best rabbit {rank}" for rank in deal[-1]["public"]["rabbits"] if rank is not None)


def _hunts(deal: Sequence[Served]) -> Iterator[str]:
    """What the hunts of the deal show."""
    hunt: list[Served] = []
    for event in deal:
        match event["type"]:
            case "hunt-off":
                yield "dingo discarded"
            case "dingo-played":
                hunt = []
            case "wolf-played" | "wolf-passed" | "wolves-played":
                hunt.append(event)
            case "rabbit-played" | "ace-shown":
                yield from _aces(hunt, event["public"]["seat"])
            case "hunt-ended" if event["public"]["rank"] != "A":
                yield f"a rank with {sum(each['type'] == 'wolf-played' for each in hunt)} wolves"
                yield ("cut short before anybody is asked", "cut short by the first wolf", "", "all three asked")[
                    len(hunt)
                ]
            case _:
                pass


def _aces(hunt: Sequence[Served], holder: int) -> Iterator[str]:
    """What the hunt of the ace shows."""
    asked = [event["public"]["seat"] for event in hunt]
    played = [len(event["public"]["cards"]) for event in hunt]
    yield f"{sum(played)} black aces"
    if 2 in played:
        yield "both black aces by one"
    if len(asked) == 4 and played[3]:
        yield "dingo player plays a black ace"
    if sum(played) == 2:
        place = asked.index(holder) if holder in asked else None
        yield "rabbit of aces " + (
            "before its turn" if place is None else "in its turn" if place == len(asked) - 1 else "too late"
        )


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    deals = events[0]["public"]["deals"]
    yield {1: "one deal", 4: "four deals"}.get(deals, "many deals")
    if events[-1]["type"] == "game-finished":
        totals, winners = events[-1]["public"]["totals"], events[-1]["public"]["winners"]
        if totals.count(max(totals)) > len(winners):
            yield "tie settled by rabbits"


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"outcome {row.outcome}" for row in RESULTS)
    yield from (f"line {rule}" for rule in (*(catch.rule for catch in CATCHES), OF_ACES))


GOLDEN = Golden(
    live=DingoLive,
    wanted=WANTED,
    possible=possible,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
