"""Burraco, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tests.support.checker.record import Deal, Due, Envelope, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_bool,
    is_int,
    is_seat,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

RANKS = "AKQJT98765432"
PACK = [
    *(f"{rank}{suit}.{copy}" for suit in "shdc" for rank in RANKS for copy in (1, 2)),
    *(f"Jo.{number}" for number in range(1, 5)),
]
HEIGHTS = "A23456789TJQKA"
"""The ranks from the low ace to the high one (BU-5.2)."""

Placed = tuple[tuple[str, ...], str | None]
"""A meld's cards in order, and the one that counts as wild."""


def rank(card: str) -> str:
    return "Jo" if card.startswith("Jo") else card[0]


def suit(card: str) -> str | None:
    return None if rank(card) == "Jo" else card[1]


def may_be_wild(card: str) -> bool:
    """BU-2.2."""
    return rank(card) in ("2", "Jo")


def value(card: str) -> int:
    """BU-2.3."""
    return {"Jo": 30, "2": 20, "A": 15}.get(rank(card)) or (10 if rank(card) in "KQJT98" else 5)


def sides_of(options: Options) -> Sequence[Sequence[int]]:
    """BU-1.1."""
    return ((0,), (1,)) if options["players"] == 2 else ((0, 2), (1, 3))


# melds


def as_set(cards: Collection[str]) -> Placed | None:
    """BU-5.1: one rank, at most one card wild, and it stands last."""
    natural = [card for card in cards if not may_be_wild(card)]
    wild = [card for card in cards if may_be_wild(card)]
    if len(cards) < 3 or len(natural) < 2 or len(wild) > 1 or len({rank(card) for card in natural}) > 1:
        return None
    return (*sorted(natural, key=PACK.index), *wild), wild[0] if wild else None


def as_run(cards: Collection[str]) -> Placed | None:
    """BU-5.2 to BU-5.4: of all orders in which the cards are a run, the one that comes first."""
    return min(orders(cards), key=lambda each: each[0], default=(None, None))[1]


def orders(cards: Collection[str]) -> Iterator[tuple[tuple[bool, bool, bool, int], Placed]]:
    """Every order in which the cards are a run, with what says which comes before which."""
    length = len(cards)
    if not 3 <= length <= 13:
        return
    suits = {suit(card) for card in cards if not may_be_wild(card)}
    if len(suits) != 1:
        return
    for low, wild in product(range(14 - length + 1), (None, *filter(may_be_wild, cards))):
        natural = [card for card in cards if card != wild]
        if any(suit(card) not in suits for card in natural):
            continue
        wanted = HEIGHTS[low : low + length]
        places: list[str | None] = [next((card for card in natural if rank(card) == each), None) for each in wanted]
        if len({card for card in places if card}) < len(natural) or places.count(None) != (wild is not None):
            continue
        run = tuple(card or wild or "" for card in places)
        at = None if wild is None else run.index(wild)
        # At the low end stands the wild card of no gap; at the high end only where an ace is the lowest card.
        if at == length - 1 and not (low == 0 and rank(run[0]) == "A"):
            continue
        in_gap = at is not None and 0 < at < length - 1
        high_ace = low + length == 14
        yield (wild is not None, not in_gap, high_ace, -PACK.index(wild) if wild else 0), (run, wild)


def placed(cards: Collection[str]) -> Placed | None:
    """The cards as a meld; null where they are none."""
    return as_set(cards) or as_run(cards)


def with_card(meld: Placed, card: str) -> Placed | None:
    """BU-6.2, BU-5.6: the meld with this card; null where it may not be added."""
    cards, wild = meld
    grown = placed([*cards, card])
    if grown is None or (rank_of(meld) is None) != (rank_of(grown) is None):
        return None
    if wild is not None and may_be_wild(card):
        twos = [each for each in grown[0] if each != grown[1] and rank(each) == "2"]
        own = next(suit(each) for each in cards if not may_be_wild(each))
        return grown if rank_of(meld) is None and suit(card) == own and twos else None
    return grown


def rank_of(meld: Placed) -> str | None:
    """The rank of a set; null of a run."""
    ranks = {rank(card) for card in meld[0] if not may_be_wild(card)}
    natural = [card for card in meld[0] if card != meld[1]]
    return (
        ranks.pop() if len(ranks) == 1 and len(natural) > 1 and not any(rank(card) == "2" for card in natural) else None
    )


def kind_of(meld: Placed, options: Options) -> str | None:
    """BU-7."""
    cards, wild = meld
    if len(cards) < 7:
        return None
    if wild is None:
        return "clean"
    stretches = "".join("w" if card == wild else "n" for card in cards).split("w")
    return "semi-clean" if options["semi_clean"] and max(map(len, stretches)) >= 7 else "dirty"


# the events

is_card = card_of(PACK)
is_opening = opening_of(PACK)
is_kind = one_of("clean", "semi-clean", "dirty")
SHAPES: Shapes = {
    "card-drawn": (seat_only, {"seat": record_of(card=is_opening)}),
    "pile-taken": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
    "meld-laid": (
        record_of(seat=is_seat, meld=is_int, cards=list_of(is_card, 3), wild=or_null(is_card)),
        {},
    ),
    "card-added": (
        record_of(
            seat=is_seat, meld=is_int, card=is_card, cards=list_of(is_card), wild=or_null(is_card),
            burraco=or_null(is_kind),
        ),
        {},
    ),
    "card-discarded": (record_of(seat=is_seat, card=is_card, closes=is_bool, idle=from_to(0, 4)), {}),
    "pozzetto-taken": (record_of(seat=is_seat, pozzetto=from_to(1, 2)), {}),
    "pozzetto-opened": (seat_only, {"seat": record_of(cards=list_of(is_opening, 11))}),
}  # fmt: skip
ACTS = {"card-drawn", "pile-taken", "meld-laid", "card-added", "card-discarded"}


def portions(dealer: int, options: Options) -> list[int | None]:
    """BU-3.1: eleven to each, one at a time from the dealer's left; the rest lies on the table."""
    players = options["players"]
    return [(dealer + 1 + place) % players for place in range(11 * players)] + [None] * (108 - 11 * players)


def learns(dealer: int, options: Options) -> list[Collection[str]]:
    """BU-11: each the own cards, everybody the one that begins the pile."""
    every: list[Collection[str]] = [() if to is None else (f"seat:{to}",) for to in portions(dealer, options)]
    every[11 * options["players"] + 22] = ("public",)
    return every


# a deal


class BurracoDeal(Deal):
    CARDS_RULE = "BU-2.1"
    barred: str | None = None
    """The card that may not be discarded in this turn (BU-4.2)."""

    def play(self) -> Result:
        on_table = self.stock
        self.pozzetti = [on_table[:11], on_table[11:22]]
        self.pile = [on_table[22]["card"]]
        self.stock = on_table[23:]
        self.sides = sides_of(self.options)
        self.takers: list[int | None] = [None, None]
        self.waiting: dict[int, list[dict[str, Any]]] = {}
        self.melds: list[tuple[int, Placed, list[int]]] = []
        self.idle = 0
        seat, turns = self.order[0], 0
        while True:
            # BU-9.5
            turns += 1
            if turns > 10_000:
                raise Stuck("the deal does not end")
            outcome, last = self.turn(seat)
            if outcome is not None:
                return self.result(outcome, seat, last)
            seat = self.after(seat)

    def side(self, seat: int) -> int:
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def own(self, seat: int) -> list[tuple[int, Placed]]:
        """The melds of the seat's side, with their numbers."""
        side = self.side(seat)
        return [(number, meld) for number, (of, meld, _) in enumerate(self.melds, 1) if of == side]

    def turn(self, seat: int) -> tuple[str | None, int]:
        """BU-4: how the deal ends with this turn, if it does, and the version of its last discard."""
        if seat in self.waiting:
            self.look(seat)
        event = self.act("card-drawn", "pile-taken", turn=seat)
        self.must_be_turn(event, seat)
        self.barred = self.drawn(seat, event)
        melded = False
        in_turn = ("meld-laid", "card-added", "card-discarded")
        while (event := self.act(*in_turn, turn=seat))["type"] != "card-discarded":
            self.must_be_turn(event, seat)
            melded = True
            if event["type"] == "meld-laid":
                self.laid(seat, event)
            else:
                self.added(seat, event)
            able = self.can_end(seat, self.hands[seat], [meld for _, meld in self.own(seat)])
            self.must(able, f"seat {seat} cannot end the turn", "BU-6.5")
            if not self.hands[seat]:
                self.take(seat)
                self.look(seat)
        self.must_be_turn(event, seat)
        self.idle = self.idle + 1 if self.barred is not None and not melded else 0
        closes = self.discarded(seat, event)
        if not self.hands[seat] and not closes:
            self.take(seat)
        if closes:
            return "closed", event["version"]
        if len(self.stock) <= 2:
            return "stock-exhausted", event["version"]
        return ("stalemate" if self.idle == self.options["players"] else None), event["version"]

    def stage(self) -> Stage:
        """BU-4."""
        acts = ("lay", "add", "discard") if "card-discarded" in self.waited_for else ("draw", "take-pile")
        return Stage("BU-4.1", dict.fromkeys(acts, "BU-4.1"))

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "lay":
                yield from self.breaks_by_laying(seat, act["cards"], act["wild"])
            case "add":
                yield from self.breaks_by_adding(seat, act["meld"], act["card"])
            case "discard":
                if act["card"] not in self.hands[seat]:
                    yield "BU-4.1"
                if act["card"] == self.barred:
                    yield "BU-4.2"
                own = [meld for _, meld in self.own(seat)]
                last = self.hands[seat] == [act["card"]] and self.may_only_close(seat)
                if last and not self.can_close(act["card"], own):
                    yield "BU-9.2"
            case _:
                pass

    def breaks_by_laying(self, seat: int, natural: Sequence[str], wild: str | None) -> Iterator[str]:
        """BU-5.1, BU-6.1, BU-6.5."""
        hand, own = self.hands[seat], [meld for _, meld in self.own(seat)]
        cards = [*natural, *([] if wild is None else [wild])]
        meld = placed(cards) if len(set(cards)) == len(cards) else None
        if meld is not None and self.second_set(seat, meld):
            yield "BU-5.1"
        if len(cards) == len(set(cards)) == 3 and meld is None and sum(map(may_be_wild, cards)) > 1:
            yield "BU-5.1"
        # What counts as wild is named by itself.
        if len(cards) != 3 or meld is None or meld[1] != wild or not set(cards) <= set(hand):
            yield "BU-6.1"
        if meld is not None and not self.can_end(seat, [card for card in hand if card not in cards], [*own, meld]):
            yield "BU-6.5"

    def breaks_by_adding(self, seat: int, number: int, card: str) -> Iterator[str]:
        """BU-5.6, BU-6.2, BU-6.5."""
        hand, own = self.hands[seat], dict(self.own(seat))
        before = self.melds[number - 1][1] if 1 <= number <= len(self.melds) else None
        new = before is not None and card not in before[0]
        grown = with_card(before, card) if before is not None and new else None
        if before is not None and before[1] is not None and new and may_be_wild(card) and grown is None:
            yield "BU-5.6"
        if card not in hand or number not in own or grown is None:
            yield "BU-6.2"
        else:
            left = [each for each in hand if each != card]
            if not self.can_end(seat, left, (own | {number: grown}).values()):
                yield "BU-6.5"

    def must_be_turn(self, event: Envelope, seat: int) -> None:
        if event["public"]["seat"] != seat:
            raise Stuck(f"version {event['version']}: BU-4.1: it is the turn of seat {seat}")

    def drawn(self, seat: int, event: Envelope) -> str | None:
        """BU-4.1, BU-4.2: the stock's top card, or the whole pile; the card that is barred then."""
        if event["type"] == "card-drawn":
            top = self.stock.pop(0)
            self.must_be("the card drawn", event["sealed"][f"seat:{seat}"]["data"]["card"], top, "BU-4.1")
            self.hands[seat].append(top["card"])
            return None
        taken, self.pile = self.pile, []
        self.must_be("the pile", event["public"]["cards"], taken, "BU-4.1")
        self.hands[seat] += taken
        return taken[0] if len(taken) == 1 else None

    def remove(self, seat: int, cards: Sequence[str]) -> None:
        for card in cards:
            if card not in self.hands[seat]:
                raise Stuck(f"{card} was laid or discarded by seat {seat}, who did not hold it")
            self.hands[seat].remove(card)

    def laid(self, seat: int, event: Envelope) -> None:
        """BU-6.1, BU-5.1."""
        public = event["public"]
        self.remove(seat, public["cards"])
        meld = placed(public["cards"])
        if meld is None:
            raise Stuck(f"version {event['version']}: BU-6.1: {public['cards']} are no meld")
        self.must(not self.second_set(seat, meld), f"a second set of {rank_of(meld)}", "BU-5.1")
        self.melds.append((self.side(seat), meld, [event["version"]]))
        expected = {"seat": seat, "meld": len(self.melds), "cards": [*meld[0]], "wild": meld[1]}
        self.must_be("the meld", public, expected, "BU-5.4")

    def second_set(self, seat: int, meld: Placed) -> bool:
        """BU-5.1: whether the side has a set of the rank."""
        return rank_of(meld) is not None and any(rank_of(meld) == rank_of(other) for _, other in self.own(seat))

    def added(self, seat: int, event: Envelope) -> None:
        """BU-6.2, BU-5.4 to BU-5.6."""
        public = event["public"]
        self.remove(seat, [public["card"]])
        before = dict(self.own(seat)).get(public["meld"])
        meld = None if before is None else with_card(before, public["card"])
        if meld is None:
            raise Stuck(f"version {event['version']}: BU-6.2: {public['card']} may not be added there")
        side, _, versions = self.melds[public["meld"] - 1]
        self.melds[public["meld"] - 1] = (side, meld, [*versions, event["version"]])
        expected = {**public, "cards": [*meld[0]], "wild": meld[1], "burraco": kind_of(meld, self.options)}
        self.must_be("the meld", public, expected, "BU-5.4")

    def can_end(self, seat: int, hand: Sequence[str], melds: Collection[Placed]) -> bool:
        """BU-6.5, with these cards left and these melds of the side."""
        due = not self.may_only_close(seat)
        if len(hand) > 1:
            return True
        if not hand:
            return due
        if hand[0] == self.barred:
            return due and any(with_card(meld, hand[0]) for meld in melds)
        return due or self.can_close(hand[0], melds)

    def may_only_close(self, seat: int) -> bool:
        """BU-9.1."""
        return self.takers[self.side(seat)] is not None

    def can_close(self, card: str, melds: Collection[Placed]) -> bool:
        """BU-9.2, with this card and these melds of the side."""
        return not may_be_wild(card) and any(len(meld[0]) >= 7 for meld in melds)

    def discarded(self, seat: int, event: Envelope) -> bool:
        """BU-4.2, BU-4.3, BU-9: whether it closes."""
        public = event["public"]
        card = public["card"]
        self.remove(seat, [card])
        self.pile.append(card)
        self.must(card != self.barred, f"{card} was the whole pile in this turn", "BU-4.2")
        closes = not self.hands[seat] and self.may_only_close(seat)
        able = self.can_close(card, [meld for _, meld in self.own(seat)])
        self.must(not closes or able, f"seat {seat} may not close with {card}", "BU-9.2")
        self.must_be("whether it closes", public["closes"], closes, "BU-9.2")
        self.must_be("the idle turns in a row", public["idle"], self.idle, "BU-9.4")
        return closes

    def take(self, seat: int) -> None:
        """BU-8.1."""
        event = self.follow("pozzetto-taken")
        number = sum(taker is not None for taker in self.takers) + 1
        self.must_be("the pozzetto", event["public"], {"seat": seat, "pozzetto": number}, "BU-8.1")
        self.takers[self.side(seat)] = seat
        self.waiting[seat] = self.pozzetti.pop(0)

    def look(self, seat: int) -> None:
        """BU-8.2, BU-8.3."""
        event = self.follow("pozzetto-opened")
        cards = self.waiting.pop(seat)
        if event["public"]["seat"] != seat:
            raise Stuck(f"version {event['version']}: BU-8.3: the pozzetto of seat {seat} should be looked at")
        self.must_be("the pozzetto", event["sealed"][f"seat:{seat}"]["data"]["cards"], cards, "BU-8.3")
        self.hands[seat] = [opening["card"] for opening in cards]

    def result(self, outcome: str, last: int, ended: int) -> Result:
        """BU-10."""
        dues: list[Due] = []
        for number, side in enumerate(self.sides):
            for seat in side:
                dues += [
                    Due(kind, rule, amount, seat, "bank", versions)
                    for kind, rule, amount, versions in self.items(number, outcome == "closed" and last in side)
                ]
        points = [sum(due.amount for due in dues if due.to == side[0]) for side in self.sides]
        scored = [{"seats": [*side], "points": each} for side, each in zip(self.sides, points, strict=True)]
        return Result(outcome, dues, [ended], {"sides": scored})

    def items(self, side: int, closed: bool) -> Iterator[tuple[str, str, int, Sequence[int] | None]]:
        """What the side has scored: kind, rule, points and the events of a meld."""
        for of, meld, versions in self.melds:
            if of == side:
                yield "meld", "BU-10.1", sum(map(value, meld[0])), versions
                kind = kind_of(meld, self.options)
                if kind is not None:
                    rule = "BU-10.2" if kind == "clean" else "BU-10.3"
                    yield "burraco", rule, {"clean": 200, "semi-clean": 150, "dirty": 100}[kind], versions
        if closed:
            yield "closing", "BU-10.4", 100, None
        for seat in self.sides[side]:
            left = [each["card"] for each in self.waiting[seat]] if seat in self.waiting else self.hands[seat]
            yield "hand", "BU-10.5", -sum(map(value, left)), None
        if self.takers[side] is None:
            yield "pozzetto", "BU-10.6", -100, None


def scores(totals: Sequence[int]) -> list[int]:
    """The sides' scores: what the accounts of each agree on, or their mean (BU-10.7)."""
    sides = sides_of({"players": len(totals)})
    return [sum(totals[seat] for seat in side) // len(side) for side in sides]


def over(totals: Sequence[int], options: Options) -> str | None:
    """BU-1.3."""
    first, second = scores(totals)
    return "target passed" if first != second and max(first, second) > options["target"] else None


CHECKER = Rules(
    name="burraco",
    pack=PACK,
    options=record_of(players=one_of(4, 2), target=from_to(500, 5000), semi_clean=is_bool),
    seats=lambda options: int(options["players"]),
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    next_dealer=lambda dealer, options: (dealer + 1) % int(options["players"]),
    outcomes=("closed", "stock-exhausted", "stalemate"),
    shapes=SHAPES,
    acts=ACTS,
    deal=BurracoDeal,
    scored={"sides": list_of(record_of(seats=list_of(is_seat), points=is_int), 2)},
    cites={"deals": "BU-1.3", "dealer": "BU-1.2", "cards": "BU-3.1", "ledger": "BU-10.7", "winners": "BU-1.3"},
    learns=learns,
    over=over,
    sides=sides_of,
)
