"""The course of a deal in which tricks are taken, followed from its events by rules written once more."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

from tests.golden.playing import Served

Legal: TypeAlias = Callable[[Sequence[str], str | None, Any], Collection[str]]
"""What may be played from a hand to the card led, under these trumps."""
Winner: TypeAlias = Callable[[Sequence[tuple[int, str]], Any], int]
"""Who wins a trick's cards under these trumps."""


class Turn(NamedTuple):
    """A card played: from which hand, to which card led."""

    seat: int
    hand: tuple[str, ...]
    led: str | None
    card: str


class Course(NamedTuple):
    """What a deal's cards did. `hands` are those that play began with."""

    trump: str | None
    hands: dict[int, list[str]]
    turns: list[Turn]
    winners: list[int]


def dealt(deal: Sequence[Served], seat: int) -> list[str]:
    """The cards that the seat was dealt."""
    return [one["card"] for one in deal[0]["sealed"][f"seat:{seat}"]["data"]["cards"]]


def course_of(
    deal: Sequence[Served], order: Sequence[int], legal: Legal | None = None, winner: Winner | None = None
) -> Course:
    """What the deal's cards did; asserts that they were drawn, turned up, shown and played by the rules.

    `order` names who plays, in the order of turns, who leads first first. Where there are no trumps, `legal` and
    `winner` are asked with the trump null.
    """
    hands = {seat: dealt(deal, seat) for seat in order}
    talon = [one["card"] for one in deal[0]["sealed"]["house"]["data"]["talon"]]
    course = Course(None, {}, [], [])
    trick: list[tuple[int, str]] = []
    leader = order[0]
    for event in deal:
        public = event["public"]
        match event["type"]:
            case "contract-declared":
                course = course._replace(trump=public["trump"])
            case "talon-turned":
                assert public["card"] == talon[0]
                assert public["trump"] == public["card"][1]
                course = course._replace(trump=public["trump"])
            case "cards-exchanged":
                seat = public["seat"]
                own = event["sealed"][f"seat:{seat}"]["data"]
                drawn, talon = talon[: public["count"]], talon[public["count"] :]
                assert [one["card"] for one in own["drawn"]] == drawn
                assert len(own["discarded"]) == public["count"]
                assert set(own["discarded"]) <= set(hands[seat])
                hands[seat] = [card for card in hands[seat] if card not in own["discarded"]] + drawn
            case "card-put-down":
                hands[public["seat"]].remove(event["sealed"][f"seat:{public['seat']}"]["data"]["card"])
            case "hand-exposed" | "deal-abandoned":
                assert sorted(public["cards"]) == sorted(hands[public["seat"]])
            case "card-played":
                seat, card = public["seat"], public["card"]
                if not course.turns:
                    course = course._replace(hands={one: list(hand) for one, hand in hands.items()})
                assert seat == order[(order.index(leader) + len(trick)) % len(order)]
                led = trick[0][1] if trick else None
                assert legal is None or card in legal(hands[seat], led, course.trump)
                course.turns.append(Turn(seat, tuple(hands[seat]), led, card))
                hands[seat].remove(card)
                trick.append((seat, card))
            case "trick-won":
                assert len(trick) == len(order)
                leader = public["seat"] if winner is None else winner(trick, course.trump)
                course.winners.append(leader)
                assert (public["seat"], public["trick"]) == (leader, len(course.winners))
                trick = []
            case _:
                pass
    return course


def places(order: Sequence[int], first: int, winners: Sequence[int]) -> tuple[int, ...]:
    """The winners counted from a player: 0 that one, 1 the next in turn, and so on."""
    return tuple((order.index(seat) - order.index(first)) % len(order) for seat in winners)
