"""Diloti, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tests.support.checker.chance import Shuffle
from tests.support.checker.record import Deal, Due, Envelope, Options, Result, Rules, Shapes, Stage, Stuck, numbered
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_bool,
    is_int,
    is_seat,
    list_of,
    one_of,
    opening_of,
    record_of,
)

RANKS = "KQJT98765432A"
PACK = [rank + suit for suit in "shdc" for rank in RANKS]
HAND = 6


def value(card: str) -> int:
    """DL-2.1: of a numeral; 0 of a court card."""
    return 0 if card[0] in "KQJ" else {"A": 1, "T": 10}.get(card[0]) or int(card[0])


def sides_of(options: Options) -> Sequence[Sequence[int]]:
    """DL-1.1."""
    return ((0,), (1,)) if options["players"] == 2 else ((0, 2), (1, 3))


def side_of(seat: int) -> int:
    """DL-1.1."""
    return seat % 2


def draw(shuffle: Shuffle, pack: Sequence[str], options: Options) -> tuple[list[str], list[list[str]]]:
    """DL-3.1, DL-3.3: what is in no hand is shuffled again while three of the table cards are alike."""
    cards = shuffle("codille-deal", pack)
    held, rest = cards[: HAND * options["players"]], cards[HAND * options["players"] :]
    ranks = "KQJ" if options["redeal"] == "court" else RANKS
    rejected: list[list[str]] = []
    while any([card[0] for card in rest[:4]].count(rank) >= 3 for rank in ranks):
        rejected.append(rest[:4])
        rest = shuffle(f"codille-redeal-{len(rejected)}", sorted(rest, key=pack.index))
    return held + rest, rejected


def portions(dealer: int, options: Options) -> list[int | None]:
    """DL-3.1: six to each, eldest first; the table's four and the stock to nobody."""
    players = options["players"]
    held = [(dealer + 1 + place // HAND) % players for place in range(HAND * players)]
    return [*held, *[None] * (52 - len(held))]


def learns(dealer: int, options: Options) -> list[Collection[str]]:
    """DL-10: each the own hand, everybody the four on the table, nobody the stock."""
    every: list[Collection[str]] = [() if to is None else (f"seat:{to}",) for to in portions(dealer, options)]
    first = HAND * options["players"]
    every[first : first + 4] = [("public",)] * 4
    return every


def splits(numbers: Sequence[int], total: int) -> bool:
    """DL-5.2, DL-6.1: whether the numbers fall into sets of this sum, by trying every set with the first."""
    if not numbers:
        return True
    first, *rest = sorted(numbers, reverse=True)
    return any(
        first + sum(rest[place] for place in others) == total
        and splits([number for place, number in enumerate(rest) if place not in others], total)
        for size in range(len(rest) + 1)
        for others in combinations(range(len(rest)), size)
        if sum(rest[place] for place in others) <= total - first
    )


class Declared(NamedTuple):
    """A declaration on the table."""

    value: int
    sets: int
    cards: list[str]
    owner: int


class Position(NamedTuple):
    """What an act is judged by: the hand before it, what is loose, the declarations by number, and the options."""

    seat: int
    hand: Sequence[str]
    loose: Sequence[str]
    declared: Mapping[int, Declared]
    options: Options

    @property
    def own(self) -> int | None:
        """The number of the declaration that the seat owns."""
        return next((number for number, each in self.declared.items() if each.owner == self.seat), None)

    def broken_by(self, kind: str, fields: Mapping[str, Any]) -> str | None:
        """The first rule that the act breaks, if it breaks one."""
        return min(self.breaks(kind, fields), key=numbered, default=None)

    def breaks(self, kind: str, fields: Mapping[str, Any]) -> Iterator[str]:
        """The rules that the act breaks."""
        card = fields["card"]
        if card not in self.hand:
            yield "DL-4.1"
        match kind:
            case "lay":
                yield from self.breaks_by_laying(card)
            case "capture":
                yield from self.breaks_by_capturing(card, fields["loose"], fields["declarations"])
            case "declare":
                yield from self.breaks_by_declaring(card, fields["value"], fields["loose"], fields["declarations"])

    def breaks_by_laying(self, card: str) -> Iterator[str]:
        """DL-4.2, DL-4.3."""
        matched = value(card) == 0 and any(other[0] == card[0] for other in self.loose)
        if matched and self.options["court_lay"] != "free":
            yield "DL-4.2"
        if self.own is not None:
            yield "DL-4.3"

    def breaks_by_capturing(self, card: str, loose: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
        """DL-5.1, DL-5.2, DL-7.1."""
        if value(card) == 0:
            alike = [other for other in self.loose if other[0] == card[0]]
            size = len(alike) if self.options["court_capture"] == "all" else 1
            if numbers or not loose or not distinct(loose, alike) or len(loose) != size:
                yield "DL-5.1"
            return
        lying = distinct(loose, self.loose) and distinct(numbers, self.declared)
        of_value = all(number in self.declared and self.declared[number].value == value(card) for number in numbers)
        if not lying or not of_value or not (loose or numbers) or not self.split([*loose], value(card)):
            yield "DL-5.2"
        own = self.own
        last = own is not None and self.declared[own].value == value(card) and not self.keeps(value(card), card)
        if last and own not in numbers:
            yield "DL-7.1"

    def breaks_by_declaring(self, card: str, total: int, loose: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
        """DL-6.1, DL-6.2."""
        if not 1 <= total <= 10:
            yield "DL-6.1"
        if not distinct(loose, self.loose) or not distinct(numbers, self.declared):
            yield "DL-6.2"
        raised = [self.declared[number] for number in numbers if number in self.declared]
        raised = [each for each in raised if each.value != total]
        for each in raised:
            plain = each.sets == 1 and side_of(each.owner) != side_of(self.seat)
            if len(raised) > 1 or not plain or each.value + value(card) != total:
                yield "DL-6.2.1"
        if not self.split([*loose] if raised else [card, *loose], total):
            yield "DL-6.2.2"
        if not loose and not numbers:
            yield "DL-6.2.3"
        if not self.keeps(total, card):
            yield "DL-6.2.4"
        if self.own is not None and self.own not in numbers:
            yield "DL-6.2.5"

    def split(self, cards: Sequence[str], total: int) -> bool:
        """Whether these cards are numerals that fall into sets of this sum."""
        return 0 not in map(value, cards) and total > 0 and splits([*map(value, cards)], total)

    def keeps(self, total: int, card: str) -> bool:
        """Whether a card of this value is left in the hand after this one."""
        return total in [value(other) for other in self.hand if other != card]


def distinct(some: Sequence[object], among: Collection[object]) -> bool:
    return len(set(some)) == len(some) and set(some) <= set(among)


# the events

is_card = card_of(PACK)
is_cards = list_of(is_card)
is_numbers = list_of(is_int)
SHAPES: Shapes = {
    "card-laid": (record_of(seat=is_seat, card=is_card), {}),
    "cards-captured": (
        record_of(
            seat=is_seat, card=is_card, loose=is_cards, declarations=is_numbers, taken=is_cards, xeri=is_bool,
        ),
        {},
    ),
    "declaration-made": (
        record_of(
            seat=is_seat, card=is_card, value=from_to(1, 10), loose=is_cards, declarations=is_numbers,
            declaration=is_int, cards=is_cards, sets=is_int,
        ),
        {},
    ),
    "batch-dealt": (record_of(batch=from_to(2, 4)), {"seat": record_of(cards=list_of(opening_of(PACK), HAND))}),
    "rest-taken": (record_of(seat=is_seat, cards=is_cards), {}),
}  # fmt: skip
ACT_OF = {"card-laid": "lay", "cards-captured": "capture", "declaration-made": "declare"}
ACTS = set(ACT_OF)


# a deal


class DilotiDeal(Deal):
    CARDS_RULE = "DL-2.1"

    def play(self) -> Result:
        self.loose = [opening["card"] for opening in self.stock[:4]]
        self.stock = self.stock[4:]
        self.declared: dict[int, Declared] = {}
        self.made = 0
        self.turns = 0
        self.piles: list[list[str]] = [[], []]
        self.came: dict[str, int] = {}
        self.xeris: list[list[tuple[int, int]]] = [[], []]
        self.captor: int | None = None
        batch = 1
        while True:
            for turn in range(HAND * len(self.order)):
                self.turn(self.order[turn % len(self.order)])
            # DL-7.4
            self.must(not self.declared, "a declaration outlives its batch", "DL-7.4")
            if not self.stock:
                break
            batch += 1
            self.dealt(batch)
        if self.loose and self.captor is not None:
            self.rest(self.captor)
        return self.result()

    def turn(self, seat: int) -> None:
        """DL-4.1."""
        event = self.act(*ACTS, turn=seat)
        kind, public = event["type"], event["public"]
        if public["seat"] != seat:
            raise Stuck(f"version {event['version']}: DL-4.1: it is the turn of seat {seat}")
        broken = self.position(seat).broken_by(ACT_OF[kind], public)
        if broken is not None:
            raise Stuck(f"version {event['version']}: {broken}: seat {seat} may not do that")
        self.hands[seat].remove(public["card"])
        if kind == "card-laid":
            self.loose.append(public["card"])
        else:
            loose, numbers = public["loose"], public["declarations"]
            self.must_be("the order of loose cards", loose, self.sorted(loose))
            self.must_be("the order of declarations", numbers, sorted(numbers))
            within = [self.declared.pop(number) for number in numbers]
            self.loose = [card for card in self.loose if card not in loose]
            cards = [*loose, *(card for each in within for card in each.cards)]
            if kind == "cards-captured":
                self.captured(seat, event, cards)
            else:
                self.declares(seat, public, cards)
        self.turns += 1

    def stage(self) -> Stage:
        return Stage("DL-4.1", dict.fromkeys(ACT_OF.values(), "DL-4.1"))

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        yield from self.position(seat).breaks(act["type"], act)

    def position(self, seat: int) -> Position:
        """What the seat's act is judged by."""
        return Position(seat, self.hands[seat], self.loose, self.declared, self.options)

    def captured(self, seat: int, event: Envelope, cards: Sequence[str]) -> None:
        """DL-5, DL-8.1."""
        public, side = event["public"], side_of(seat)
        self.must_be("the cards taken", public["taken"], self.sorted(cards), "DL-5.2")
        xeri = self.turns > 0 and not self.loose and not self.declared
        self.must_be("whether it is a xeri", public["xeri"], xeri, "DL-8.1")
        if xeri:
            self.xeris[side].append((seat, event["version"]))
        self.to_pile(seat, [*cards, public["card"]], event)

    def to_pile(self, seat: int, cards: Sequence[str], event: Envelope) -> None:
        self.piles[side_of(seat)] += cards
        self.came |= dict.fromkeys(cards, event["version"])
        self.captor = seat

    def declares(self, seat: int, public: Mapping[str, Any], within: Sequence[str]) -> None:
        """DL-6."""
        self.made += 1
        cards = self.sorted([public["card"], *within])
        sets = sum(map(value, cards)) // public["value"]
        expected = {"declaration": self.made, "cards": cards, "sets": sets}
        self.must_be("the declaration", {name: public[name] for name in expected}, expected, "DL-6.3")
        self.declared[self.made] = Declared(public["value"], sets, cards, seat)

    def dealt(self, batch: int) -> None:
        """DL-3.2."""
        event = self.follow("batch-dealt")
        self.must_be("the number of the batch", event["public"]["batch"], batch, "DL-3.2")
        for seat in self.order:
            cards, self.stock = self.stock[:HAND], self.stock[HAND:]
            self.must_be(f"the cards of seat {seat}", event["sealed"][f"seat:{seat}"]["data"]["cards"], cards, "DL-3.2")
            self.hands[seat] = [opening["card"] for opening in cards]

    def rest(self, captor: int) -> None:
        """DL-9.2."""
        event = self.follow("rest-taken")
        expected = {"seat": captor, "cards": self.sorted(self.loose)}
        self.must_be("what is left", event["public"], expected, "DL-9.2")
        self.to_pile(captor, self.loose, event)

    def result(self) -> Result:
        """DL-9."""
        items = [list(self.items(side)) for side in (0, 1)]
        dues = [
            Due(kind, rule, points, seat, "bank", events)
            for seat in range(self.options["players"])
            for kind, rule, points, events in items[side_of(seat)]
        ]
        numbers = [len(pile) for pile in self.piles]
        outcome = (
            "nothing-captured" if not any(numbers) else "most-cards" if numbers[0] != numbers[1] else "cards-equal"
        )
        scored = [
            {
                "seats": [*seats],
                "cards": numbers[side],
                "xeris": len(self.xeris[side]),
                "points": sum(points for _, _, points, _ in items[side]),
            }
            for side, seats in enumerate(sides_of(self.options))
        ]
        return Result(outcome, dues, [], {"sides": scored})

    def items(self, side: int) -> Iterator[tuple[str, str, int, Sequence[int]]]:
        """What the side scores: kind, rule, points and events."""
        for _, version in self.xeris[side]:
            yield "xeri", "DL-9.3", 10, [version]
        if len(self.piles[side]) > len(self.piles[1 - side]):
            yield "most-cards", "DL-9.4", 4, self.versions("cards-captured", "rest-taken")
        for card, rule, points in (
            ("Td", "DL-9.5", 2),
            *((f"A{suit}", "DL-9.6", 1) for suit in "shdc"),
            ("2c", "DL-9.7", 1),
        ):
            if card in self.piles[side]:
                yield "card", rule, points, [self.came[card]]


def over(totals: Sequence[int], options: Options) -> str | None:
    """DL-1.3, DL-9.8: by the sides' scores, which are what the accounts of each agree on, or their mean."""
    first, second = (sum(totals[seat] for seat in side) // len(side) for side in sides_of(options))
    return "target reached" if first != second and max(first, second) >= options["target"] else None


CHECKER = Rules(
    name="diloti",
    pack=PACK,
    options=record_of(
        players=one_of(2, 4),
        target=from_to(21, 201),
        redeal=one_of("any", "court"),
        court_lay=one_of("never-past-a-match", "free"),
        court_capture=one_of("one", "all"),
    ),
    seats=lambda options: int(options["players"]),
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    next_dealer=lambda dealer, options: (dealer + 1) % int(options["players"]),
    outcomes=("most-cards", "cards-equal", "nothing-captured"),
    shapes=SHAPES,
    acts=ACTS,
    deal=DilotiDeal,
    scored={
        "sides": list_of(
            record_of(seats=list_of(is_seat), cards=from_to(0, 52), xeris=is_int, points=is_int),
            2,
        )
    },
    cites={"deals": "DL-1.3", "dealer": "DL-1.2", "cards": "DL-3.1", "ledger": "DL-9.8", "winners": "DL-1.3"},
    learns=learns,
    draw=draw,
    sealed={"batch-dealt": lambda _, options: {f"seat:{seat}" for seat in range(options["players"])}},
    over=over,
    sides=sides_of,
)
