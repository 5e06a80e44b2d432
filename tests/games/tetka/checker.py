"""Tëtka, as its rules tell it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.support.checker.record import Deal, Due, Options, Result, Rules, Shapes, Stage
from tests.support.checker.shapes import card_of, from_to, is_seat, record_of

PACK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]

NUMBERS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 10)}
"""The trick that a rank names (TE-4.4)."""

SHAPES: Shapes = {
    "card-played": (record_of(seat=is_seat, card=card_of(PACK)), {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, 13)), {}),
}


def portions(dealer: int, _: Options) -> list[int | None]:
    """One card at a time from the dealer's left on (TE-2.2)."""
    return [(dealer + place) % 4 for place in range(1, 53)]


def learns(dealer: int, options: Options) -> list[tuple[str, ...]]:
    """Each seat its own cards; everybody the last one, which is the dealer's (TE-2.3, TE-2.4)."""
    own = [(f"seat:{seat}",) for seat in portions(dealer, options)]
    return [*own[:-1], (f"seat:{dealer}", "public")]


class TetkaDeal(Deal):
    CARDS_RULE = "TE-2.1"
    LEAD_RULE = "TE-3.1"
    SUIT_RULE = "TE-3.2"
    TRICK_RULE = "TE-3.2"

    def play(self) -> Result:
        self.bum = self.pack[51]
        self.captured: dict[int, list[str]] = {seat: [] for seat in range(4)}
        leader, dues = self.order[0], list[Due]()
        for number in range(1, 14):
            trick: list[tuple[int, str]] = []
            for step in range(4):
                seat = self.after(leader, step)
                trick.append((seat, self.card(seat, trick[0][1] if trick else None)))
            leader = self.trick_won(trick)
            cards = [card for _, card in trick]
            self.captured[leader] += cards
            events = self.versions("card-played", "trick-won")[-5:]
            dues += [Due(kind, rule, -n, leader, "bank", events) for kind, rule, n in self.costs(number, cards)]
        self.over()
        grounds = self.versions("card-played", "trick-won")
        seat = self.most()
        if seat is None:
            return Result("eight-points", dues, grounds)
        return Result("nine-points", [*dues, Due("most-tricks", "TE-4.6", -1, seat, "bank")], grounds)

    def stage(self) -> Stage:
        return Stage("TE-3.1", {"play": "TE-3.1"})

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        yield from self.breaks_by_playing(seat, act["card"])

    def costs(self, number: int, cards: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        """What a trick costs (TE-4.1 to TE-4.5): kind, rule and points."""
        if self.bum in cards:
            yield "bum-card", "TE-4.1", 1
        for queen in {"Qs", "Qh", "Qd", "Qc"}.intersection(cards):
            yield ("tetka", "TE-4.2", 2) if queen[1] == self.bum[1] else ("queen", "TE-4.3", 1)
        if NUMBERS[self.bum[0]] == number:
            yield "number", "TE-4.4", 1
        if number == 13:
            yield "last-trick", "TE-4.5", 1

    def most(self) -> int | None:
        """Who has the most tricks; of equals who has the more, then the higher bum cards, if any (TE-4.9, TE-4.10)."""
        suit = self.bum[1]
        bums = {seat: [self.power(card) for card in cards if card[1] == suit] for seat, cards in self.captured.items()}
        best = max(range(4), key=lambda seat: (self.won.count(seat), len(bums[seat]), max(bums[seat], default=-52)))
        alone = [self.won.count(seat) for seat in range(4)].count(self.won.count(best)) == 1
        return best if alone or bums[best] else None


CHECKER = Rules(
    name="tetka",
    pack=PACK,
    options=record_of(),
    seats=lambda _: 4,
    deals=lambda deals, _: deals % 4 == 0 and 4 <= deals <= 96,
    portions=portions,
    learns=learns,
    next_dealer=lambda dealer, _: (dealer + 1) % 4,
    outcomes=("nine-points", "eight-points"),
    shapes=SHAPES,
    acts={"card-played"},
    deal=TetkaDeal,
    cites={"deals": "TE-1.2", "dealer": "TE-1.3", "cards": "TE-2.2", "ledger": "TE-5.2", "winners": "TE-1.4"},
)
