"""Tëtka's golden games: what they must show."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.games.tetka.checker import NUMBERS, costs
from tests.games.tetka.tables import TetkaLive
from tests.golden.course import course_of
from tests.golden.labels import Golden, Served
from tests.support.checker.record import Trick

NAMED = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}

WANTED: frozenset[str] = frozenset(
    [
        *(f"bum card {name}" for name in (*NAMED.values(), "number")),
        "bum card in the trick of its number",
        "bum card led",
        "Tëtka on another suit",
        "two queens in a trick",
        "three queens in a trick",
        "four penalties in a trick",
        "most tricks alone",
        "most tricks by more of the bum suit",
        "most tricks by the highest of the bum suit",
        "most tricks to nobody",
        "three equal in tricks",
        "no point",
        "shared win",
    ]
)


class Playout(NamedTuple):
    """A deal that was played: every trick, and who won it."""

    tricks: list[Trick]
    winners: list[int]


def shows(bum: str, deal: Playout) -> Iterator[str]:
    """All that a deal with this bum card shows, as it was played."""
    due = costs(bum, deal.tricks, deal.winners)
    yield from (f"bum card {bum[0]}", f"bum card {NAMED.get(bum[0], 'number')}")
    if {cost.seat for cost in due} < set(range(4)):
        yield "no point"
    if 4 in Counter(cost.trick for cost in due).values():
        yield "four penalties in a trick"
    for number, trick in enumerate(deal.tricks, 1):
        cards = [card for _, card in trick]
        if bum in cards and NUMBERS[bum[0]] == number:
            yield "bum card in the trick of its number"
        if bum == cards[0]:
            yield "bum card led"
        if f"Q{bum[1]}" in cards and cards[0][1] != bum[1]:
            yield "Tëtka on another suit"
        queens = sum(card[0] == "Q" for card in cards)
        if queens in (2, 3):
            yield f"{'two' if queens == 2 else 'three'} queens in a trick"
    yield from _most(bum, deal)


def equals(deal: Playout, suit: str) -> dict[int, list[str]]:
    """Who has the largest number of tricks, and which cards of the suit each of them captured."""
    number = max(map(deal.winners.count, range(4)))
    captured: dict[int, list[str]] = {seat: [] for seat in range(4) if deal.winners.count(seat) == number}
    for trick, winner in zip(deal.tricks, deal.winners, strict=True):
        if winner in captured:
            captured[winner] += [card for _, card in trick if card[1] == suit]
    return captured


def _most(bum: str, deal: Playout) -> Iterator[str]:
    among = sorted(map(len, equals(deal, bum[1]).values()), reverse=True)
    yield f"{len(among)} equal in tricks"
    if len(among) > 2:
        yield "three equal in tricks"
    if len(among) == 1:
        yield "most tricks alone"
    elif among[0] > among[1]:
        yield "most tricks by more of the bum suit"
    else:
        yield "most tricks by the highest of the bum suit" if among[0] else "most tricks to nobody"


def bum_of(deal: Sequence[Served]) -> str:
    """The card that was shown when the deal was dealt."""
    (shown,) = deal[0]["public"]["shown"]
    card: str = shown["card"]
    return card


def replayed(deal: Sequence[Served]) -> Playout:
    """The deal's tricks, as its events tell them."""
    dealer = deal[0]["public"]["dealer"]
    course = course_of(deal, [(dealer + step) % 4 for step in range(1, 5)])
    played = [(turn.seat, turn.card) for turn in course.turns]
    return Playout([played[at : at + 4] for at in range(0, 52, 4)], course.winners)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    yield from shows(bum_of(deal), replayed(deal))


GOLDEN = Golden(
    live=TetkaLive,
    wanted=WANTED,
    deal_labels=deal_labels,
)
