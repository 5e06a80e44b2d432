"""Tëtka, as its rules tell it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.support.checker.record import Due, Options, Rules, Trick, TrickDeal, height_of, one_by_one

PACK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]

NUMBERS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 10)}
"""The trick that a rank names (TE-4.4)."""


def learns(dealer: int, options: Options) -> list[tuple[str, ...]]:
    """Each seat its own cards; everybody the last one, which is the dealer's (TE-2.3, TE-2.4)."""
    own = [(f"seat:{seat}",) for seat in one_by_one(CHECKER, dealer, options)]
    return [*own[:-1], (f"seat:{dealer}", "public")]


class Cost(NamedTuple):
    """A penalty: its points, who gets it, and the number of its trick, which that for most tricks has not."""

    kind: str
    rule: str
    points: int
    seat: int
    trick: int | None


class TetkaDeal(TrickDeal):
    CARDS_RULE = "TE-2.1"
    LEAD_RULE = "TE-3.1"
    SUIT_RULE = "TE-3.2"
    TRICK_RULE = "TE-3.2"

    def dues(self, tricks: Sequence[Trick], events: Sequence[Sequence[int]]) -> tuple[str, list[Due]]:
        due = costs(self.pack[51], tricks, self.won)
        outcome = "eight-points" if due[-1].trick else "nine-points"
        return outcome, [
            Due(cost.kind, cost.rule, -cost.points, cost.seat, "bank", cost.trick and events[cost.trick - 1])
            for cost in due
        ]


def costs(bum: str, tricks: Sequence[Trick], winners: Sequence[int]) -> list[Cost]:
    """All that is due for these tricks, that for most tricks last."""
    of_tricks = [
        Cost(kind, rule, points, winner, number)
        for number, (trick, winner) in enumerate(zip(tricks, winners, strict=True), 1)
        for kind, rule, points in costs_of(number, [card for _, card in trick], bum)
    ]
    seat = most(bum[1], tricks, winners)
    return of_tricks if seat is None else [*of_tricks, Cost("most-tricks", "TE-4.6", 1, seat, None)]


def costs_of(number: int, cards: Sequence[str], bum: str) -> Iterator[tuple[str, str, int]]:
    """What a trick costs (TE-4.1 to TE-4.5): kind, rule and points."""
    if bum in cards:
        yield "bum-card", "TE-4.1", 1
    for queen in {"Qs", "Qh", "Qd", "Qc"}.intersection(cards):
        yield ("tetka", "TE-4.2", 2) if queen[1] == bum[1] else ("queen", "TE-4.3", 1)
    if NUMBERS[bum[0]] == number:
        yield "number", "TE-4.4", 1
    if number == 13:
        yield "last-trick", "TE-4.5", 1


def most(suit: str, tricks: Sequence[Trick], winners: Sequence[int]) -> int | None:
    """Who has the most tricks; of equals who has the more, then the higher bum cards, if any (TE-4.9, TE-4.10)."""
    bums: dict[int, list[int]] = {seat: [] for seat in range(4)}
    for trick, winner in zip(tricks, winners, strict=True):
        bums[winner] += [height_of(card) for _, card in trick if card[1] == suit]
    best = max(range(4), key=lambda seat: (winners.count(seat), len(bums[seat]), max(bums[seat], default=-52)))
    alone = [winners.count(seat) for seat in range(4)].count(winners.count(best)) == 1
    return best if alone or bums[best] else None


CHECKER = Rules(
    name="tetka",
    pack=PACK,
    deals=lambda deals, _: deals % 4 == 0 and 4 <= deals <= 96,
    learns=learns,
    outcomes=("nine-points", "eight-points"),
    deal=TetkaDeal,
    cites={"deals": "TE-1.2", "dealer": "TE-1.3", "cards": "TE-2.2", "ledger": "TE-5.2", "winners": "TE-1.4"},
)
