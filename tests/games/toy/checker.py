"""The toy, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any

from tests.support.checker.chance import Shuffle, nobody
from tests.support.checker.record import Deal, Due, Envelope, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import card_of, from_to, is_hash, is_seat, list_of, opening_of, record_of, seat_only

PACK = [f"{rank}{suit}.{copy}" for suit in "shdc" for rank in "432A" for copy in (1, 2)] + ["Jo.1"]
DEALT = 22
SIDES = ((0, 2), (1, 3))


def value(card: str) -> int:
    """TY-1.2."""
    return {"J": 5, "A": 1}.get(card[0]) or int(card[0])


def rank(card: str) -> str:
    return card.partition(".")[0][:-1] if card[0] != "J" else "Jo"


def draw(shuffle: Shuffle, pack: Sequence[str], _: Options) -> tuple[list[str], list[list[str]]]:
    """TY-1.3: no ace and no joker on top."""
    rejected: list[list[str]] = []
    cards = shuffle("codille-deal", pack)
    while rank(cards[0]) in ("A", "Jo"):
        rejected.append([cards[0]])
        cards = shuffle(f"codille-redeal-{len(rejected)}", pack)
    return cards[:DEALT], rejected


def portions(deal: int, _: Options) -> list[int | None]:
    """TY-1.3: a card to the table, then four times one to each from eldest on, then the stock."""
    order = [(deal - 1 + step) % 4 for step in range(4)]
    return [None, *order, *order, *order, *order, *[None] * 5]


def learns(deal: int, options: Options) -> list[Collection[str]]:
    """TY-1.3: all see the first, each the own hand, nobody the third card of each, all others the fourth."""
    every: list[Collection[str]] = [["public"]]
    for place, seat in enumerate(portions(deal, options)[1:], 1):
        if place <= 8:
            every.append([f"seat:{seat}"])
        elif 13 <= place <= 16:
            every.append([f"seat:{other}" for other in range(4) if other != seat])
        else:
            every.append([])
    return every


def makes_sets(cards: Sequence[str], total: int) -> bool:
    """TY-3.2: whether the cards can be split into sets of this value, by trying every set with the first."""
    if not cards:
        return True
    first, *rest = cards
    return any(
        value(first) + sum(map(value, others)) == total and makes_sets([c for c in rest if c not in others], total)
        for size in range(len(rest) + 1)
        for others in combinations(rest, size)
    )


# the events

is_card = card_of(PACK)
is_cards = list_of(is_card)
is_opening = opening_of(PACK, 200)
SHAPES: Shapes = {
    "card-passed": (record_of(seat=is_seat, to=is_seat), {"seat": record_of(card=is_card)}),
    "pledge-made": (seat_only, {"seat": record_of(cards=is_cards)}),
    "pledges-opened": (record_of(pledges=list_of(record_of(seat=is_seat, cards=is_cards), 4)), {}),
    "card-laid": (record_of(seat=is_seat, card=is_card), {}),
    "cards-captured": (record_of(seat=is_seat, card=is_card, taken=is_cards), {}),
    "card-turned": (record_of(seat=is_seat, turned=is_opening), {}),
    "snapped": (seat_only, {}),
    "batch-dealt": (record_of(batch=from_to(1, 2)), {"seat": record_of(cards=list_of(is_opening, 1))}),
    "stock-renewed": (
        record_of(renewal=from_to(1, 2), card_commitments=list_of(is_hash)),
        {"house": record_of(stock=list_of(is_opening))},
    ),
    "turn-lapsed": (seat_only, {}),
}  # fmt: skip
ACTS = {"card-passed", "pledge-made", "card-laid", "cards-captured", "card-turned", "snapped"}


def data(event: Envelope, audience: str) -> Mapping[str, Any]:
    """What the event says to the audience alone."""
    opened: Mapping[str, Any] = event["sealed"][audience]["data"]
    return opened


# a deal


STAGES = {
    "card-passed": Stage("TY-2.1", {"pass": "TY-2.1"}),
    "pledge-made": Stage("TY-2.2", {"pledge": "TY-2.2"}),
    "card-laid": Stage("TY-3.1", dict.fromkeys(("lay", "capture", "turn"), "TY-3.1"), free=("snap",)),
}
"""What may be done, by the first event that is waited for."""


class ToyDeal(Deal):
    CARDS_RULE = "TY-1.2"
    FREE = ("snapped",)

    def play(self) -> Result:
        openings = iter(self.openings[1:])
        rounds = [{seat: next(openings) for seat in self.order} for _ in range(4)]
        self.hands = {seat: [each[seat]["card"] for each in rounds[:2]] for seat in self.order}
        self.blinds: dict[int, dict[str, Any] | None] = dict(rounds[2])
        self.brows = {seat: opening["card"] for seat, opening in rounds[3].items()}
        self.stock = list(openings)
        self.table_cards = [self.openings[0]["card"]]
        self.discards: list[str] = []
        self.captured = dict.fromkeys(self.order, 0)
        self.snaps: list[tuple[int, int]] = []
        self.top: str | None = rank(self.table_cards[0])
        self.open_to_snap = False
        self.passes()
        self.pledges = self.answers()
        self.since = self.table.events[self.table.at - 1]
        batches = renewals = 0
        while True:
            if lapsed := self.turns():
                return self.result("lapsed", 1 - lapsed["public"]["seat"] % 2, [lapsed["version"]])
            if batches == 2 or len(self.stock) + len(self.discards) < 4:
                break
            if len(self.stock) < 4:
                renewals += 1
                self.renewed(renewals)
            batches += 1
            self.batch(batches)
        worth = self.worth()
        winner = None if worth[0] == worth[1] else worth.index(max(worth))
        return self.result("level" if winner is None else "won", winner, self.versions("cards-captured"))

    def stage(self) -> Stage:
        return STAGES[self.waited_for[0]]

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        hand = self.hands[seat]
        match act["type"]:
            case "pass":
                if act["card"] not in hand:
                    yield "TY-2.1"
            case "pledge":
                cards = act.get("cards", [])
                if sorted(cards) != sorted(card for card in hand if cards and rank(card) == rank(cards[0])):
                    yield "TY-2.2"
            case "turn":
                if self.blinds[seat] is None:
                    yield "TY-3.3"
            case "snap":
                if not self.open_to_snap:
                    yield "TY-3.4"
            case "lay" | "capture":
                if act["card"] not in hand:
                    yield "TY-3.1"
                taken = act.get("taken")
                if taken is not None and not self.may_be_taken(taken, value(act["card"])):
                    yield "TY-3.2"

    def may_be_taken(self, cards: Sequence[str], total: int) -> bool:
        """TY-3.2."""
        there = len(set(cards)) == len(cards) and set(cards) <= set(self.table_cards)
        return bool(cards) and there and makes_sets(cards, total)

    def passes(self) -> None:
        """TY-2.1."""
        event = self.act("card-passed", turn=self.order[0])
        seat, to = self.order[0], self.order[2]
        self.must_be("who passes to whom", event["public"], {"seat": seat, "to": to}, "TY-2.1")
        card = data(event, f"seat:{seat}")["card"]
        self.must_be("the card that the partner got", data(event, f"seat:{to}")["card"], card, "TY-2.1")
        self.take(seat, card)
        self.hands[to].append(card)

    def take(self, seat: int, card: str) -> None:
        if card not in self.hands[seat]:
            raise Stuck(f"{card} was played by seat {seat}, who did not hold it")
        self.hands[seat].remove(card)

    def answers(self) -> dict[int, list[str]]:
        """TY-2.2."""
        pledges: dict[int, list[str]] = {}
        while len(pledges) < 4:
            event = self.act("pledge-made", turn=set(self.order) - pledges.keys())
            seat = event["public"]["seat"]
            self.must(seat not in pledges, f"seat {seat} answers twice", "TY-2.2")
            cards = data(event, f"seat:{seat}")["cards"]
            alike = [card for card in self.hands[seat] if cards and rank(card) == rank(cards[0])]
            self.must_be("the cards pledged", cards, self.sorted(alike), "TY-2.2")
            pledges[seat] = cards
        opened = self.follow("pledges-opened")["public"]["pledges"]
        self.must_be("the pledges", opened, [{"seat": seat, "cards": pledges[seat]} for seat in range(4)], "TY-2.2")
        return pledges

    def turns(self) -> Envelope | None:
        """TY-3: until no hand holds a card; the event where the time of one has run out."""
        while any(self.hands.values()):
            seat = next(seat for seat in self.from_next() if self.hands[seat])
            event = self.act("card-laid", "cards-captured", "card-turned", "turn-lapsed", turn=seat)
            if event["public"]["seat"] != seat:
                raise Stuck(f"version {event['version']}: TY-3.1: it is the turn of seat {seat}")
            if event["type"] == "turn-lapsed":
                self.lapsed(event)
                return event
            self.last, self.since = seat, event
            self.turn(seat, event)
        return None

    last: int | None = None
    """The seat whose turn was the last."""

    def from_next(self) -> list[int]:
        first = self.order[0] if self.last is None else self.last + 1
        return [(first + step) % 4 for step in range(4)]

    def lapsed(self, event: Envelope) -> None:
        """TY-3.6."""
        began, ended = (datetime.fromisoformat(one["at"]) for one in (self.since, event))
        limit = self.options["limit"]
        self.must(0 < limit <= (ended - began).total_seconds(), "the time had not run out", "TY-3.6")

    def turn(self, seat: int, event: Envelope) -> None:
        public = event["public"]
        if event["type"] == "cards-captured":
            taken = public["taken"]
            self.take(seat, public["card"])
            self.must(bool(taken) and set(taken) <= set(self.table_cards), f"{taken} do not all lie there", "TY-3.2")
            self.must(makes_sets(taken, value(public["card"])), f"{taken} make no such sets", "TY-3.2")
            self.must_be("the order of the cards taken", taken, self.sorted(set(taken)))
            self.table_cards = [card for card in self.table_cards if card not in taken]
            self.discards += [public["card"], *taken]
            self.captured[seat] += sum(map(value, [public["card"], *taken]))
            self.top, self.open_to_snap = None, False
            return
        if event["type"] == "card-turned":
            self.must_be("the card turned up", public["turned"], self.blinds[seat], "TY-3.3")
            self.blinds[seat] = None
            card = public["turned"]["card"]
        else:
            card = public["card"]
            self.take(seat, card)
        self.open_to_snap = rank(card) == self.top
        self.top = rank(card)
        self.table_cards.append(card)

    def free(self, event: Envelope) -> None:
        """TY-3.4."""
        self.must(self.open_to_snap, "nothing is open to a snap", "TY-3.4")
        self.open_to_snap = False
        self.snaps.append((event["public"]["seat"], event["version"]))

    def renewed(self, number: int) -> None:
        """TY-3.5: the captured cards, shuffled, at places of their own under the rest of the stock."""
        event = self.follow("stock-renewed")
        self.must_be("the number of the renewal", event["public"]["renewal"], number, "TY-3.5")
        made = self.lay_out(self.shuffle(f"codille-renewal-{number}", self.sorted(self.discards)))
        self.commitments(event["public"]["card_commitments"], made)
        self.must_be("the renewed stock", data(event, "house")["stock"], made, "TY-3.5")
        self.stock, self.discards = [*self.stock, *made], []

    def batch(self, number: int) -> None:
        """TY-3.5: a card to each from eldest on."""
        event = self.follow("batch-dealt")
        self.must_be("the number of the batch", event["public"]["batch"], number, "TY-3.5")
        for seat in self.order:
            opening = self.stock.pop(0)
            self.must_be(f"the card of seat {seat}", data(event, f"seat:{seat}")["cards"], [opening], "TY-3.5")
            self.hands[seat] = [opening["card"]]
        self.since = event

    def worth(self) -> list[int]:
        """TY-4.1."""
        return [sum(self.captured[seat] + value(self.brows[seat]) for seat in side) for side in SIDES]

    def result(self, outcome: str, winner: int | None, decided: Sequence[int]) -> Result:
        dues = []
        grounds = [*self.versions("pledges-opened"), *decided]
        for number, side in enumerate(SIDES):
            pledged = sum(len(self.pledges[seat]) for seat in side)
            stake = 0 if winner is None else pledged if number == winner else -pledged
            for seat in side:
                if number == winner:
                    dues.append(Due("deal", "TY-3.6" if outcome == "lapsed" else "TY-4.1", 2, seat, "bank"))
                dues.append(Due("pledge", "TY-2.2", stake, seat, "bank"))
                dues += [Due("snap", "TY-3.4", 1, seat, "bank", [at]) for who, at in self.snaps if who in side]
        return Result(outcome, dues, grounds, {"captured": self.worth()})


def is_options(options: object) -> bool:
    return record_of(target=from_to(1, 100), limit=from_to(0, 3600))(options)


CHECKER = Rules(
    name="toy",
    pack=PACK,
    options=is_options,
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    next_dealer=lambda _, __: None,
    outcomes=("won", "level", "lapsed"),
    shapes=SHAPES,
    acts=ACTS,
    deal=ToyDeal,
    cites={"deals": "TY-1.4", "dealer": "TY-1.1", "cards": "TY-1.3", "ledger": "TY-4.1", "winners": "TY-1.4"},
    scored={"captured": list_of(from_to(0, 999), 2)},
    lots=nobody,
    learns=learns,
    draw=draw,
    dealt=DEALT,
    gate=True,
    sealed={
        "card-passed": lambda public, _: {f"seat:{public['seat']}", f"seat:{public['to']}"},
        "batch-dealt": lambda *_: {f"seat:{seat}" for seat in range(4)},
    },
    timed=("turn-lapsed",),
    together=("pledge-made",),
    over=lambda totals, options: "target reached" if max(totals) >= options["target"] else None,
    sides=lambda _: SIDES,
)
