"""Nine-Card Don, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tests.support.checker.record import Deal, Due, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_int,
    is_seat,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

PACK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
SIDES = ((0, 2), (1, 3))


def at_once(card: str, trump: str) -> int:
    """What a captured card scores (ND-4.1)."""
    rank, suit = card
    if suit != trump:
        return 5 if rank == "5" else 0
    return {"5": 10, "9": 9, "A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0)


def towards_game(card: str) -> int:
    """What a captured card counts after nine tricks (ND-5.1)."""
    return {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}.get(card[0], 0)


def scores(totals: Sequence[int]) -> list[int]:
    """The sides' scores: what the two accounts of each agree on, or their mean (ND-7.1)."""
    return [sum(totals[seat] for seat in side) // 2 for side in SIDES]


# the events

is_card = card_of(PACK)
is_side = record_of(
    seats=list_of(is_seat, 2), points=from_to(0, 44), count=or_null(from_to(0, 80)), game=one_of(0, 8)
)  # fmt: skip
SHAPES: Shapes = {
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "hand-opened": (seat_only, {"seat": record_of(cards=list_of(opening_of(PACK), 9))}),
    "trick-won": (
        record_of(
            seat=is_seat, trick=from_to(1, 9), points=list_of(record_of(card=is_card, points=from_to(1, 10))),
            score=is_int,
        ),
        {},
    ),
}  # fmt: skip


def portions(dealer: int, _: Options) -> list[int | None]:
    """Nine to each, one at a time from the pitcher, and sixteen aside (ND-2.2)."""
    return [(dealer + 1 + place) % 4 for place in range(36)] + [None] * 16


def learns(dealer: int, options: Options) -> list[Collection[str]]:
    """All but the pitcher's partner see their own cards (ND-2.3)."""
    sealed = (None, (dealer + 3) % 4)
    return [() if seat in sealed else (f"seat:{seat}",) for seat in portions(dealer, options)]


# a deal


class DonDeal(Deal):
    CARDS_RULE = "ND-2.1"
    LEAD_RULE = "ND-3.3"
    SUIT_RULE = "ND-3.2"
    TRICK_RULE = "ND-3.3"

    def play(self) -> Result:
        self.trump: str | None = None
        self.dues: list[Due] = []
        self.captured: list[list[str]] = [[], []]
        self.points = [0, 0]
        self.before = scores(self.table.totals)
        leader, target = self.order[0], self.options["target"]
        for _ in range(9):
            leader = self.one_trick(leader)
            if max(before + points for before, points in zip(self.before, self.points, strict=True)) >= target:
                return self.result("target-reached", None)
        counted = [sum(map(towards_game, cards)) for cards in self.captured]
        return self.result("game-equal" if counted[0] == counted[1] else "game-won", counted)

    def one_trick(self, leader: int) -> int:
        """ND-3, ND-4: four cards, who won them, and what they score."""
        trick: list[tuple[int, str]] = []
        played_at: list[int] = []
        for step in range(4):
            seat = self.after(leader, step)
            card = self.card(seat, trick[0][1] if trick else None)
            trick.append((seat, card))
            played_at.append(self.table.events[self.table.at - 1]["version"])
            if self.trump is None:
                self.trump, self.fixed_at = card[1], played_at[0]
                self.hand_opened()
        winner = self.winner(trick)
        side = winner % 2
        taken = self.follow("trick-won")
        self.won.append(winner)
        scored = [(card, at_once(card, self.trump or ""), at) for (_, card), at in zip(trick, played_at, strict=True)]
        self.captured[side] += [card for card, _, _ in scored]
        self.points[side] += sum(points for _, points, _ in scored)
        expected = {
            "seat": winner,
            "trick": len(self.won),
            "points": [{"card": card, "points": points} for card, points, _ in scored if points],
            "score": self.before[side] + self.points[side],
        }
        self.must_be("the trick", taken["public"], expected, "ND-3.3")
        for _, points, at in scored:
            rests_on = sorted({self.fixed_at, at, taken["version"]})
            self.dues += [Due("card", "ND-4.1", points, seat, "bank", rests_on) for seat in SIDES[side]]
        return winner

    def stage(self) -> Stage:
        return Stage("ND-3.1", {"play": "ND-3.1"})

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        if self.trump is not None:
            yield from self.breaks_by_playing(seat, act["card"])
        elif act["card"] not in self.hands[seat]:
            yield "ND-3.1"

    def hand_opened(self) -> None:
        """ND-2.3: the pitcher's partner sees the nine cards."""
        partner = self.order[2]
        event = self.follow("hand-opened")
        if event["public"]["seat"] != partner:
            raise Stuck(f"version {event['version']}: ND-2.3: the hand of seat {partner} should be opened")
        opened = event["sealed"][f"seat:{partner}"]["data"]["cards"]
        self.must_be("the hand opened", opened, self.dealt_to(partner), "ND-2.3")

    def result(self, outcome: str, counted: Sequence[int] | None) -> Result:
        """ND-5, ND-6.1, ND-7: what each side made of the deal."""
        self.over()
        sides: list[dict[str, Any]] = []
        for number, seats in enumerate(SIDES):
            game = 8 if counted is not None and counted[number] > counted[1 - number] else 0
            self.dues += [Due("game", "ND-5.2", game, seat, "bank") for seat in seats]
            count = None if counted is None else counted[number]
            sides.append({"seats": [*seats], "points": self.points[number], "count": count, "game": game})
        return Result(outcome, self.dues, self.versions("trick-won"), {"sides": sides})

    def trumps(self) -> str | None:
        return self.trump


CHECKER = Rules(
    name="don",
    pack=PACK,
    options=record_of(target=one_of(121, 91)),
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    outcomes=("target-reached", "game-won", "game-equal"),
    shapes=SHAPES,
    deal=DonDeal,
    scored={"sides": list_of(is_side, 2)},
    cites={"deals": "ND-1.7", "dealer": "ND-1.5", "cards": "ND-2.2", "ledger": "ND-7.2", "winners": "ND-7.3"},
    learns=learns,
    over=lambda totals, options: "target reached" if max(scores(totals)) >= options["target"] else None,
    sides=lambda _: SIDES,
)
