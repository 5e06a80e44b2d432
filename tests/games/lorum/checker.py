"""Lórum, as its rules tell it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.support.checker.record import Deal, Due, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_int,
    is_seat,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

RANKS = "AKQJT987"
PACK = [rank + suit for suit in "shdc" for rank in RANKS]
LAST = 8
"""The number of the last trick."""
MARKS = {25: 1, 50: 2, 75: 3, 100: 4}


class Tricks(NamedTuple):
    """A kind with tricks: what each card costs who captures it, or each trick, and what all costs together."""

    cards: Mapping[str, int]
    trick: int
    whole: int


COSTS: Mapping[int, Tricks] = {
    1: Tricks({card: 1 for card in PACK if card[1] == "h"}, 0, 8),
    2: Tricks({"Qh": 4, "Qd": 3, "Qs": 2, "Qc": 1}, 0, 10),
    3: Tricks({}, 1, 8),
    4: Tricks({"Kh": 4}, 0, 4),
}
"""LO-3.3 to LO-3.5, LO-4.4, by the kind's place among the seven."""
OUTCOMES = (
    "four-captured", "three-captured", "two-captured", "one-captured", "king-captured", "last-mark-passed",
    "hand-empty", "pot-taken",
)  # fmt: skip

# the events

is_card = card_of(PACK)
played = record_of(seat=is_seat, card=is_card)
SHAPES: Shapes = {
    "card-played": (played, {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, LAST)), {}),
    "card-turned": (record_of(seat=is_seat, place=from_to(1, LAST), card=is_card, opening=opening_of(PACK)), {}),
    "trick-kept": (record_of(seat=is_seat, trick=from_to(1, LAST)), {}),
    "card-counted": (record_of(seat=is_seat, card=is_card, count=is_int), {}),
    "card-added": (record_of(seat=is_seat, card=is_card, next=or_null(is_seat)), {}),
    "card-laid": (played, {}),
    "turn-passed": (seat_only, {}),
}
ACTS = set(SHAPES) - {"trick-won", "trick-kept"}


def kind_of(deal: int) -> int:
    """The place of the deal among its dealer's seven (LO-1.2)."""
    return (deal - 1) % 7 + 1


def portions(dealer: int, options: Options) -> list[int | None]:
    """Four cards at a time from eldest, twice round (LO-2.2)."""
    return [(dealer + 1 + place // 4) % 4 for place in range(32)]


def learns(deal: int, dealer: int, options: Options) -> list[Collection[str]]:
    """A card is its owner's to see; in Hairy Ape, played blind, the three others' (LO-4.1)."""
    turned = kind_of(deal) == 4 and options["hairy_ape"] == "blind"
    return [[f"seat:{seat}" for seat in range(4) if (seat == owner) != turned] for owner in portions(dealer, options)]


class Taken(NamedTuple):
    """A complete trick: who captured what costs, and the versions of its events."""

    costs: Mapping[int, int]
    versions: list[int]


# a deal


STAGES = {
    "card-played": Stage("LO-3.1", {"play": "LO-3.1"}),
    "card-turned": Stage("LO-4.2", {"turn-up": "LO-4.2"}),
    "card-counted": Stage("LO-5.1", {"play": "LO-5.1"}),
}
"""What may be done, by the first event that is waited for."""


class LorumDeal(Deal):
    CARDS_RULE = "LO-2.1"
    LEAD_RULE = "LO-3.1"
    SUIT_RULE = "LO-3.1"
    TRICK_RULE = "LO-3.1"

    def play(self) -> Result:
        kind = kind_of(self.table.deal or 0)
        if kind == 4 and self.options["hairy_ape"] == "blind":
            return self.blind()
        if kind in COSTS:
            return self.tricks(kind)
        return {5: self.train, 6: self.quart, 7: self.domino}[kind]()

    def stage(self) -> Stage:
        match self.waited_for[0]:
            case "card-added":
                rule = "LO-6.2" if self.sequence else "LO-6.4" if self.gone else "LO-6.1"
                return Stage(rule, {"play": rule})
            case "card-laid":
                rule = "LO-7.2" if self.laid else "LO-7.1"
                return Stage(rule, {"play": rule, "pass": rule})
            case other:
                return STAGES[other]

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        card, held = act.get("card"), act.get("card") in self.hands.get(seat, ())
        match self.waited_for[0], act["type"]:
            case "card-played", _:
                yield from self.breaks_by_playing(seat, act["card"])
                if self.led is None and act["card"][1] == "h" and not self.may_lead_hearts(seat):
                    yield "LO-3.2"
            case "card-turned", _:
                if act["place"] not in self.left[seat]:
                    yield "LO-4.2"
            case "card-counted", _:
                if not held:
                    yield "LO-5.1"
            case "card-added", _:
                if self.sequence:
                    if card != above(self.sequence[-1]):
                        yield "LO-6.2"
                elif not held:
                    yield "LO-6.4" if self.gone else "LO-6.1"
            case _, "pass":
                if any(fits(each, self.laid) for each in self.hands[seat]):
                    yield "LO-7.3"
            case _:
                if not held or not fits(str(card), self.laid):
                    yield "LO-7.2" if self.laid else "LO-7.1"

    def may_lead_hearts(self, seat: int) -> bool:
        """LO-3.2."""
        first = kind_of(self.table.deal or 0) == 1 and not self.won
        return not first or all(card[1] == "h" for card in self.hands[seat])

    def of(self, event: dict[str, Any], seat: int | None, rule: str) -> dict[str, Any]:
        """What the event says, which this seat must have done."""
        public: dict[str, Any] = event["public"]
        if public["seat"] != seat:
            raise Stuck(f"version {event['version']}: {rule}: it is the turn of seat {seat}")
        return public

    def drop(self, seat: int, card: str) -> None:
        """The card leaves the hand."""
        if card not in self.hands[seat]:
            raise Stuck(f"{card} was played by seat {seat}, who did not hold it")
        self.hands[seat].remove(card)

    # tricks

    def tricks(self, kind: int) -> Result:
        """LO-3, or Hairy Ape with open hands (LO-4.5), until all that costs is captured."""
        leader, taken, found = self.order[0], list[Taken](), 0
        while found < COSTS[kind].whole:
            trick: list[tuple[int, str]] = []
            for step in range(4):
                seat = self.after(leader, step)
                hearts = bool(trick) or self.may_lead_hearts(seat)
                card = self.card(seat, trick[0][1] if trick else None)
                self.must(hearts or card[1] != "h", f"{card} was led to the first trick", "LO-3.2")
                trick.append((seat, card))
            leader = self.trick_won(trick)
            cost = self.cost(kind, [card for _, card in trick])
            found += cost
            taken.append(Taken({leader: cost}, self.versions("card-played", "trick-won")[-5:]))
        self.done()
        return self.king(taken[-1]) if kind == 4 else self.settled(kind, taken)

    def cost(self, kind: int, cards: Sequence[str]) -> int:
        row = COSTS[kind]
        return row.trick + sum(row.cards.get(card, 0) for card in cards)

    def done(self) -> None:
        """Nothing may come any more but the score."""
        if self.table.peek() != "deal-scored":
            raise Stuck(f"all is settled, and yet {self.table.peek()} follows")

    def settled(self, kind: int, taken: Sequence[Taken]) -> Result:
        """LO-3.6 to LO-3.9, booked by LO-9.2."""
        costs: Counter[int] = Counter()
        for one in taken:
            costs.update(one.costs)
        captors, whole = [seat for seat in range(4) if costs[seat]], COSTS[kind].whole
        outcome = OUTCOMES[4 - len(captors)]
        rule = f"LO-3.{10 - len(captors)}"
        dues = []
        for seat in range(4):
            own = [one for one in taken if any(one.costs.values()) and (seat not in captors or seat in one.costs)]
            grounds = [version for one in own for version in one.versions]
            if len(captors) == 1:
                gain = 3 * whole if seat in captors else -whole
            else:
                gain = -costs[seat] if seat in captors else whole // (4 - len(captors))
            dues.append(Due("captured", rule, gain, seat, "pool" if len(captors) == 4 else "bank", grounds))
        return Result(outcome, dues, [])

    def king(self, trick: Taken) -> Result:
        """LO-4.4."""
        ((captor, cost),) = ((seat, cost) for seat, cost in trick.costs.items() if cost)
        return Result("king-captured", [Due("king-of-hearts", "LO-4.4", cost, "pool", captor, trick.versions)], [])

    # Hairy Ape, blind

    def blind(self) -> Result:
        """LO-4."""
        leader, places = self.order[0], {seat: list(self.dealt_to(seat)) for seat in self.order}
        self.left = left = {seat: list(range(1, 9)) for seat in self.order}
        while True:
            trick = []
            for step in range(4):
                seat = self.after(leader, step)
                event = self.act("card-turned", turn=seat)
                public = self.of(event, seat, "LO-4.2")
                place = public["place"]
                self.must(place in left[seat], f"place {place} of seat {seat} is empty", "LO-4.2")
                left[seat] = [each for each in left[seat] if each != place]
                opening = places[seat][place - 1]
                self.must_be("what stands there", public["opening"], opening, "LO-4.2")
                self.must_be("the card", public["card"], opening["card"], "LO-4.2")
                trick.append((seat, opening["card"]))
            taken = self.blind_trick(trick)
            self.won.append(taken[0])
            if any(card == "Kh" for _, card in trick):
                self.done()
                return self.king(taken[1])
            leader = taken[0]

    def blind_trick(self, trick: Sequence[tuple[int, str]]) -> tuple[int, Taken]:
        """LO-4.3: who leads next, and what was captured."""
        suit = trick[0][1][1]
        followed = any(card[1] == suit for _, card in trick[1:])
        seat = min((RANKS.index(card[0]), seat) for seat, card in trick if card[1] == suit)[1]
        event = self.follow("trick-won" if followed else "trick-kept")
        self.must_be("the trick", event["public"], {"seat": seat, "trick": len(self.won) + 1}, "LO-4.3")
        costs = {seat if followed else player: 4 for player, card in trick if card == "Kh"}
        return seat, Taken(costs, self.versions("card-turned", "trick-won", "trick-kept")[-5:])

    # the other kinds

    def train(self) -> Result:
        """LO-5."""
        ten, seat, count, dues = self.options["train_ten"], self.order[0], 0, list[Due]()
        values = {"A": 11, "K": 4, "Q": 3, "J": 2, "T": ten}
        marks = {mark: chips for mark, chips in MARKS.items() if mark <= 4 * sum(values.values())}
        while count < max(marks):
            event = self.act("card-counted", turn=seat)
            public = self.of(event, seat, "LO-5.1")
            self.drop(seat, public["card"])
            before, count = count, count + values.get(public["card"][0], 0)
            self.must_be("the count", public["count"], count, "LO-5.1")
            dues += [
                Due("mark", "LO-5.2", chips, "pool", seat, [event["version"]])
                for mark, chips in marks.items()
                if before < mark <= count
            ]
            seat = self.after(seat)
        self.done()
        return Result("last-mark-passed", dues, [])

    def quart(self) -> Result:
        """LO-6."""
        seat: int | None = self.order[0]
        self.gone: set[str] = set()
        self.sequence: list[str] = []
        while True:
            gone, sequence = self.gone, self.sequence
            event = self.act("card-added", turn=() if seat is None else seat)
            public = self.of(event, seat, "LO-6.2")
            actor, card = public["seat"], public["card"]
            if sequence:
                self.must_be("the next card", card, above(sequence[-1]), "LO-6.2")
            self.drop(actor, card)
            sequence.append(card)
            gone.add(card)
            if not self.hands[actor]:
                self.must_be("who is next", public["next"], None, "LO-6.6")
                self.done()
                return Result("hand-empty", [*self.held("LO-6.5", actor, actor)], [event["version"]])
            if len(sequence) == 4 or above(card) in gone:
                self.sequence, seat = [], actor
            else:
                seat = next(holder for holder, hand in self.hands.items() if above(card) in hand)
            self.must_be("who is next", public["next"], seat, "LO-6.6")

    def domino(self) -> Result:
        """LO-7, LO-8."""
        seat, self.laid = self.order[0], list[str]()
        laid = self.laid
        while True:
            event = self.act("card-laid", "turn-passed", turn=seat)
            public = self.of(event, seat, "LO-7.2")
            could = [card for card in self.hands[seat] if fits(card, laid)]
            if event["type"] == "turn-passed":
                self.must(not could, f"seat {seat} passed, and could play {could}", "LO-7.3")
            else:
                self.must(public["card"] in could, f"{public['card']} does not fit", "LO-7.2")
                self.drop(seat, public["card"])
                laid.append(public["card"])
                if not self.hands[seat]:
                    break
            seat = self.after(seat)
        self.done()
        paid = [*self.held("LO-8.2", seat, "pool")]
        pot = self.balances.get("pool", 0) + sum(due.amount for due in paid)
        return Result("pot-taken", [*paid, Due("pot", "LO-8.3", max(pot, 0), seat, "pool")], [event["version"]])

    def held(self, rule: str, out: int, to: int | str) -> Iterator[Due]:
        """A chip for every card still held (LO-6.5, LO-8.2)."""
        yield from (Due("cards-held", rule, len(hand), to, seat) for seat, hand in self.hands.items() if seat != out)


def fits(card: str, laid: Sequence[str]) -> bool:
    """LO-7.1, LO-7.2."""
    if not laid or card[0] == laid[0][0]:
        return True
    mine = RANKS.index(card[0])
    return any(other[1] == card[1] and abs(RANKS.index(other[0]) - mine) == 1 for other in laid)


def above(card: str) -> str:
    """LO-6.2."""
    return RANKS[RANKS.index(card[0]) - 1] + card[1]


CHECKER = Rules(
    name="lorum",
    pack=PACK,
    options=record_of(hairy_ape=one_of("blind", "open"), train_ten=one_of(1, 10)),
    deals=lambda deals, _: deals in (28, 56, 84),
    kinds=7,
    portions=portions,
    stays=lambda deal: deal % 7 > 0,
    outcomes=OUTCOMES,
    shapes=SHAPES,
    acts=ACTS,
    deal=LorumDeal,
    learns_in=learns,
    cites={"deals": "LO-1.2", "dealer": "LO-1.2", "cards": "LO-4.1", "ledger": "LO-9.2", "winners": "LO-1.6"},
)
