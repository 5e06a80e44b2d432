"""Nuts, as its rules tell it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from tests.support.checker.chance import Envelope, Shuffle, nobody
from tests.support.checker.record import Deal, Due, Ended, Options, Result, Rules, Shapes, Stage
from tests.support.checker.shapes import card_of, from_to, is_seat, one_of, opening_of, or_null, record_of, seat_only

RANKS = "A23456789TJQK"
PACK = [f"{seat}.{rank}{suit}" for seat in range(4) for suit in "shdc" for rank in reversed(RANKS)]
RED = "hd"


def owner(card: str) -> int:
    """NU-2.1."""
    return int(card[0])


def number(card: str) -> int:
    """NU-2.1: from 1 for an ace to 13 for a king."""
    return RANKS.index(card[2]) + 1


def builds(card: str, on: str) -> bool:
    """NU-5.2."""
    return number(card) + 1 == number(on) and (card[3] in RED) != (on[3] in RED)


def draw(shuffle: Shuffle, pack: Sequence[str], _: Options) -> tuple[list[str], list[list[str]]]:
    """NU-3.2: the pack of each seat by itself."""
    owners = sorted(set(map(owner, pack)))
    packs = [(seat, [card for card in pack if owner(card) == seat]) for seat in owners]
    return [card for seat, own in packs for card in shuffle(f"codille-deal-seat-{seat}", own)], []


def portions(_: int, options: Options) -> list[int | None]:
    """NU-3.2: the pack of each seat to the seat."""
    return [seat for seat in range(options["players"]) for _ in range(52)]


def learns(_: int, options: Options) -> list[Sequence[str]]:
    """NU-10.1: all see the top of the reserve, place 0, and the tableau, places 13 to 16; nobody sees the others."""
    return [["public"] if place in (0, 13, 14, 15, 16) else [] for place in range(52)] * options["players"]


class Layout:
    """A seat's cards as openings; piles from the bottom to the top."""

    def __init__(self, openings: Sequence[dict[str, Any]]) -> None:
        self.reserve = list(reversed(openings[:13]))
        self.columns = [[opening] for opening in openings[13:17]]
        self.stock = list(reversed(openings[17:]))
        self.discards: list[dict[str, Any]] = []
        self.stuck = False

    def turned_over(self) -> list[dict[str, Any]]:
        """The discard pile, turned over; it is empty then."""
        cards = self.discards[::-1]
        self.discards = []
        return cards


# the events

is_card = card_of(PACK)
is_opening = opening_of(PACK)
MOVED = {
    "seat": is_seat,
    "card": is_card,
    "from": one_of("reserve", "discards", "tableau"),
    "uncovered": or_null(is_opening),
}
SHAPES: Shapes = {
    "stock-turned": (record_of(seat=is_seat, count=from_to(1, 3), top=is_opening), {}),
    "pile-flipped": (seat_only, {}),
    "card-built": (record_of(column=from_to(1, 4), **MOVED), {}),
    "card-founded": (record_of(foundation=from_to(1, 16), **MOVED), {}),
    "stuck-said": (seat_only, {}),
    "all-stuck": (record_of(), {}),
    "shift-made": (record_of(shift=from_to(1, 2)), {}),
    "nuts-called": (seat_only, {}),
}
ACTS = {"stock-turned", "pile-flipped", "card-built", "card-founded", "stuck-said"}


class NutsDeal(Deal):
    CARDS_RULE = "NU-2.1"
    FREE = (*ACTS, "nuts-called")

    def play(self) -> Result:
        self.layouts = [Layout(self.dealt_to(seat)) for seat in range(self.options["players"])]
        self.foundations: list[list[str]] = []
        self.founded: dict[int, list[int]] = {seat: [] for seat in self.order}
        self.dealt_at: int = self.table.events[self.first]["version"]
        self.left: dict[int, list[int]] = {seat: [self.dealt_at] for seat in self.order}
        self.since = self.table.events[self.first]
        self.idle = self.shifts = 0
        while True:
            event = self.act("all-stuck")
            began, ended = (datetime.fromisoformat(one["at"]) for one in (self.since, event))
            limit = self.options["stall"]
            self.must(0 < limit <= (ended - began).total_seconds(), "the time had not run out", "NU-7.5")
            for layout in self.layouts:
                layout.stuck = True
            self.settle()

    def stage(self) -> Stage:
        return Stage("NU-3.1", free=("turn", "flip", "build", "found", "stuck", "nuts"))

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        layout, card = self.layouts[seat], act.get("card")
        tops = [pile[-1]["card"] for pile in (layout.reserve, layout.discards, *layout.columns) if pile]
        in_columns = [one["card"] for column in layout.columns for one in column]
        match act["type"]:
            case "turn" if not layout.stock:
                yield "NU-4.1"
            case "flip" if layout.stock or not layout.discards:
                yield "NU-4.2"
            case "stuck" if layout.stuck:
                yield "NU-4.5"
            case "build":
                own = layout.columns[act["column"] - 1] if act["column"] in (1, 2, 3, 4) else ()
                if card not in (*tops, *in_columns) or card in [each["card"] for each in own]:
                    yield "NU-5.1"
                elif not self.goes_onto(layout, str(card), act["column"]):
                    yield "NU-5.2"
            case "found":
                if card not in tops:
                    yield "NU-5.1"
                elif not self.continues(str(card), act.get("foundation")):
                    yield "NU-6.3" if self.is_late(str(card), act.get("foundation")) else "NU-5.3"
            case "nuts" if layout.reserve:
                yield "NU-8.1"

    def goes_onto(self, layout: Layout, card: str, number_: int) -> bool:
        """NU-5.2: whether a card that can be moved goes onto the column of this number."""
        if number_ not in (1, 2, 3, 4):
            return False
        column = layout.columns[number_ - 1]
        if column:
            return builds(card, column[-1]["card"])
        return all(other[0]["card"] != card for other in layout.columns if other)

    def continues(self, card: str, foundation: int | None) -> bool:
        """NU-5.3: whether the card goes onto the foundation, or starts a new one."""
        if number(card) == 1:
            return foundation is None
        there = self.named(foundation)
        return there is not None and there[3] == card[3] and number(there) + 1 == number(card)

    def is_late(self, card: str, foundation: int | None) -> bool:
        """NU-6.3: whether a card of this rank lies on the foundation already."""
        there = self.named(foundation)
        return number(card) > 1 and there is not None and there[3] == card[3] and number(there) >= number(card)

    def named(self, foundation: int | None) -> str | None:
        """The top of the foundation of this number, if there is one."""
        there = foundation is not None and 1 <= foundation <= len(self.foundations)
        return self.foundations[foundation - 1][-1] if there and foundation is not None else None

    def free(self, event: Envelope) -> None:
        """What a seat does (NU-4)."""
        public = event["public"]
        seat = public["seat"]
        layout = self.layouts[seat]
        self.idle += 1
        was_stuck, layout.stuck = layout.stuck, False
        match event["type"]:
            case "stock-turned":
                self.turned(layout, public)
            case "pile-flipped":
                self.must(not layout.stock and bool(layout.discards), "there was nothing to flip", "NU-4.2")
                layout.stock = layout.turned_over()
            case "card-built":
                self.built(layout, event)
            case "card-founded":
                self.founds(layout, event)
            case "stuck-said":
                self.must(not was_stuck, f"seat {seat} is stuck already", "NU-4.5")
                layout.stuck = True
            case _:
                self.must(self.options["nuts_call"] == "optional", "the house calls Nuts", "NU-8.1")
                self.called(seat)
        self.settle()

    def turned(self, layout: Layout, public: Mapping[str, Any]) -> None:
        """NU-4.1."""
        count = min(3, len(layout.stock))
        self.must(count > 0, "there was no stock", "NU-4.1")
        self.must_be("the number of cards turned", public["count"], count, "NU-4.1")
        for _ in range(count):
            layout.discards.append(layout.stock.pop())
        self.must_be("the card seen", public["top"], layout.discards[-1], "NU-4.1")

    def taken(self, layout: Layout, public: Mapping[str, Any]) -> list[dict[str, Any]]:
        """NU-5.1: the openings of the card moved and of all cards on it."""
        card, source = public["card"], public["from"]
        if source == "tableau":
            column = next((each for each in layout.columns if any(one["card"] == card for one in each)), [])
            at = next((place for place, one in enumerate(column) if one["card"] == card), 0)
            taken, column[at:] = column[at:], []
            uncovered = None
        else:
            pile = layout.reserve if source == "reserve" else layout.discards
            taken = [pile.pop()] if pile and pile[-1]["card"] == card else []
            uncovered = pile[-1] if pile else None
        self.must(bool(taken), f"{card} cannot be moved from there", "NU-5.1")
        self.must_be("what is uncovered", public["uncovered"], uncovered, "NU-4.6")
        return taken

    def built(self, layout: Layout, event: Envelope) -> None:
        """NU-5.2."""
        public = event["public"]
        before = [len(column) for column in layout.columns]
        target = layout.columns[public["column"] - 1]
        moved = self.taken(layout, public)
        if target:
            self.must(builds(public["card"], target[-1]["card"]), f"{public['card']} does not go there", "NU-5.2")
        else:
            whole = public["from"] == "tableau" and len(moved) in [
                length for length, column in zip(before, layout.columns, strict=True) if not column and length
            ]
            self.must(not whole, "a whole column was moved into an empty one", "NU-5.2")
        target += moved
        if public["from"] != "tableau":
            self.progress(event)

    def founds(self, layout: Layout, event: Envelope) -> None:
        """NU-5.3."""
        public = event["public"]
        card, place = public["card"], public["foundation"] - 1
        moved = self.taken(layout, public)
        self.must(len(moved) == 1, "more than a card was founded", "NU-5.1")
        if number(card) == 1:
            self.must_be("the number of the foundation", place, len(self.foundations), "NU-5.3")
            self.foundations.append([card])
        else:
            there = self.foundations[place][-1:] if place < len(self.foundations) else []
            fits = [one for one in there if one[3] == card[3] and number(one) + 1 == number(card)]
            self.must(bool(fits), f"{card} does not go there", "NU-5.3")
            if there:
                self.foundations[place].append(card)
        self.founded[owner(card)].append(event["version"])
        self.progress(event)

    def progress(self, event: Envelope) -> None:
        """NU-7.1, NU-7.2."""
        for layout in self.layouts:
            layout.stuck = False
        self.idle = self.shifts = 0
        self.since = event
        if event["public"]["from"] == "reserve":
            self.left[event["public"]["seat"]].append(event["version"])

    def settle(self) -> None:
        """What comes by itself: the end of the hand, or a shift."""
        if self.options["nuts_call"] == "at-once":
            for seat, layout in enumerate(self.layouts):
                if not layout.reserve:
                    self.follow("nuts-called")
                    self.called(seat)
        if not self.options["stall"] and self.idle >= 2000:
            raise Ended(self.result("stalled"))
        if all(layout.stuck for layout in self.layouts):
            if self.shifts == 2:
                raise Ended(self.result("stuck"))
            self.shifts += 1
            self.since = self.follow("shift-made")
            self.must_be("the number of the shift", self.since["public"]["shift"], self.shifts, "NU-7.3")
            for layout in self.layouts:
                cards = [*layout.stock, *layout.turned_over()]
                layout.stock = [*cards[-1:], *cards[:-1]]
                layout.stuck = False

    def called(self, seat: int) -> None:
        """NU-8.1."""
        event = self.table.events[self.table.at - 1]
        self.must_be("for whom Nuts was called", event["public"]["seat"], seat, "NU-8.1")
        self.must(not self.layouts[seat].reserve, "the reserve is not empty", "NU-8.1")
        raise Ended(self.result("nuts"))

    def result(self, outcome: str) -> Result:
        """NU-9."""
        dues = []
        for seat, layout in enumerate(self.layouts):
            dues.append(Due("founded", "NU-9.1", len(self.founded[seat]), seat, "bank", self.founded[seat]))
            dues.append(Due("reserve", "NU-9.2", -2 * len(layout.reserve), seat, "bank", self.left[seat]))
        return Result(outcome, dues, [])


is_settled = record_of(
    players=one_of(2, 3, 4),
    target=from_to(20, 500),
    stall=lambda seconds: from_to(0, 3600)(seconds) and seconds not in range(1, 10),
    nuts_call=one_of("at-once", "optional"),
)


CHECKER = Rules(
    name="nuts",
    pack=PACK,
    options=is_settled,
    seats=lambda options: options["players"],  # type: ignore[no-any-return]
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    next_dealer=lambda _, __: None,
    outcomes=("nuts", "stuck", "stalled"),
    shapes=SHAPES,
    acts=ACTS,
    acts_or_follows={"nuts-called"},
    deal=NutsDeal,
    cites={"deals": "NU-1.2", "dealer": "NU-1.1", "cards": "NU-3.2", "ledger": "NU-9.3", "winners": "NU-1.2"},
    lots=nobody,
    learns=learns,
    draw=draw,
    cards=lambda options: PACK[: 52 * options["players"]],
    gate=True,
    timed=("all-stuck",),
    over=lambda totals, options: "target passed" if max(totals) > options["target"] else None,
)
