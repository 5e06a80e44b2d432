"""The course of a deal in which tricks are taken, as its events tell it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.golden.labels import Served
from tests.support.checker.matadors import TRUMPS


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


def order_of_turns(dealer: int) -> tuple[int, ...]:
    """Four seats from the dealer's left to the dealer."""
    return tuple((dealer + step) % 4 for step in range(1, 5))


def dealt(deal: Sequence[Served], seat: int) -> list[str]:
    """The cards that the seat was dealt."""
    return [one["card"] for one in deal[0]["sealed"][f"seat:{seat}"]["data"]["cards"]]


def course_of(deal: Sequence[Served], seats: Sequence[int]) -> Course:
    """What the cards of a deal did that these seats play."""
    hands = {seat: dealt(deal, seat) for seat in seats}
    course = Course(None, {}, [], [])
    led: str | None = None
    for event in deal:
        public = event["public"]
        match event["type"]:
            case "contract-declared" | "talon-turned":
                course = course._replace(trump=public["trump"])
            case "cards-exchanged":
                seat = public["seat"]
                own = event["sealed"][f"seat:{seat}"]["data"]
                kept = [card for card in hands[seat] if card not in own["discarded"]]
                hands[seat] = [*kept, *(one["card"] for one in own["drawn"])]
            case "card-put-down":
                hands[public["seat"]].remove(event["sealed"][f"seat:{public['seat']}"]["data"]["card"])
            case "card-played":
                seat, card = public["seat"], public["card"]
                if not course.turns:
                    course = course._replace(hands={one: list(hand) for one, hand in hands.items()})
                course.turns.append(Turn(seat, tuple(hands[seat]), led, card))
                hands[seat].remove(card)
                led = led or card
            case "trick-won":
                course.winners.append(public["seat"])
                led = None
            case _:
                pass
    return course


def matador_labels(course: Course) -> Iterator[str]:
    """What the play of L'Hombre or Ombre shows of the matadors' right not to follow."""
    if course.trump is None:
        return
    trumps = TRUMPS[course.trump]
    for turn in course.turns:
        own = [card for card in trumps if card in turn.hand]
        if not own or turn.led not in trumps:
            continue
        if turn.card not in own:
            yield "matador kept back"
        elif {*own} <= {*trumps[:3]} and turn.led in trumps[:2] and own[-1] in trumps[trumps.index(turn.led) :]:
            yield "matador drawn out by a higher one"
