"""Khanhoo, as its rules tell it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import combinations, product
from typing import Any

from tests.support.checker.record import Deal, Due, Envelope, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_hash,
    is_seat,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

COPIES = [f"{rank}{suit}" for suit in "shd" for rank in "98765432A"] + ["Kc", "Qc", "Jc"]
PACK = [f"{card}.{copy}" for card in COPIES for copy in (1, 2)] + ["Jo.1"]
JOKER = "Jo.1"
HAND = 15

POINTS = {
    "sequence": 1,
    "aces": 1,
    "triplet": 2,
    "royal-assembly": 3,
    "court-meld": 4,
    "khanhoo": 5,
    "double-aces": 10,
    "double-triplet": 10,
    "double-royal": 10,
    "double-khanhoo": 15,
}
"""KH-5, row by row."""
ROWS = list(POINTS)
RULE = {meld: f"KH-5.{number}" for number, meld in enumerate(ROWS, 1)}

Cards = tuple[str, ...]
Melds = tuple[tuple[int, Cards], ...]
"""Melds as numbers of rows, from 0, and cards."""


def plain(card: str) -> str:
    """The card without its copy."""
    return card.partition(".")[0]


def made_of() -> Iterator[tuple[str, list[str]]]:
    """KH-5: every kind of meld, and what it is made of."""
    for suit, low in product("shd", range(9)):
        row = [f"{rank}{suit}" for rank in "A23456789"[low:]]
        yield from (("sequence", row[:length]) for length in range(3, len(row) + 1))
    for one, two, three in combinations(["As", "As", "Ah", "Ah", "Ad", "Ad"], 3):
        yield "aces", [one, two, three]
    for rank in "23456789":
        yield "triplet", [f"{rank}{suit}" for suit in "hsd"]
        yield "double-triplet", [f"{rank}{suit}" for suit in "hhssdd"]
    yield "royal-assembly", ["Jc", "Qc", "Kc"]
    yield "court-meld", ["Kc", "9h", "9h"]
    yield "court-meld", ["Qc", "8s", "8s"]
    yield "court-meld", ["Jc", "7d", "7d"]
    yield "khanhoo", ["Ah", "2s", "3d"]
    yield "double-aces", ["Ah", "Ah", "As", "As", "Ad", "Ad"]
    yield "double-royal", ["Jc", "Jc", "Qc", "Qc", "Kc", "Kc"]
    yield "double-khanhoo", ["Ah", "Ah", "2s", "2s", "3d", "3d"]


KINDS = [(meld, Counter(cards)) for meld, cards in {(meld, tuple(sorted(cards))) for meld, cards in made_of()}]


def is_meld(meld: str, cards: Collection[str]) -> bool:
    """KH-5, the joker standing for any one card (KH-5.11)."""
    naturals = Counter(plain(card) for card in cards if card != JOKER)
    return len(set(cards)) == len(cards) and any(
        kind == meld and whole.total() == len(cards) and naturals <= whole for kind, whole in KINDS
    )


def melds_in(hand: Collection[str]) -> set[tuple[str, Cards]]:
    """All melds that can be made of cards of the hand, sorted."""
    by_name: dict[str, list[str]] = {}
    for card in hand:
        by_name.setdefault(plain(card), []).append(card)
    found: set[tuple[str, Cards]] = set()
    for meld, whole in KINDS:
        missing = (whole - Counter({name: len(cards) for name, cards in by_name.items()})).total()
        if missing > (JOKER in hand):
            continue
        replaced = [(), *([(name,) for name in whole] if JOKER in hand else ())]
        for gone in replaced:
            needed = whole - Counter(gone)
            if all(len(by_name.get(name, ())) >= number for name, number in needed.items()):
                for chosen in product(*(combinations(by_name[name], number) for name, number in needed.items())):
                    found.add((meld, in_order([card for some in chosen for card in some] + [JOKER] * len(gone))))
    return found


def in_order(cards: Collection[str]) -> Cards:
    """KH-2.3."""
    return tuple(sorted(cards, key=PACK.index))


@cache
def divided(hand: Cards, *, without_rest: bool) -> Melds | None:
    """KH-8.3, KH-8.4: the best division of the hand; none where it cannot be divided without rest.

    Its first card is left over or stands in some meld; all is tried with what is then left.
    """
    melds = [(ROWS.index(meld), cards) for meld, cards in melds_in(hand)]
    with_first = {card: [meld for meld in melds if meld[1][0] == card] for card in hand}
    known: dict[Cards, Any] = {(): (0, 0, ())}

    def best(cards: Cards) -> Any:
        if cards not in known:
            ways = [] if without_rest else [best(cards[1:])]
            for row, meld in with_first[cards[0]]:
                if set(meld) <= set(cards):
                    rest = best(tuple(card for card in cards if card not in meld))
                    if rest is not None:
                        points, melded, others = rest
                        ways.append((points + POINTS[ROWS[row]], melded + len(meld), ((row, meld), *others)))
            known[cards] = min(ways, key=_order, default=None)
        return known[cards]

    def _order(way: tuple[int, int, Melds]) -> Any:
        return -way[0], -way[1], sorted((row, [PACK.index(card) for card in meld]) for row, meld in way[2])

    found = best(hand)
    return None if found is None else tuple(sorted(found[2], key=lambda meld: (meld[0], [*map(PACK.index, meld[1])])))


# the events

is_card = card_of(PACK)
is_cards = list_of(is_card)
is_opening = opening_of(PACK, 61 + 30 * 20)
is_kind = one_of(*ROWS)
is_laid = record_of(meld=is_kind, cards=is_cards)
is_claim = record_of(meld=or_null(is_kind), cards=is_cards)
seat_and_card = record_of(seat=is_seat, card=is_card)
SHAPES: Shapes = {
    "stock-drawn": (seat_only, {"seat": record_of(drawn=is_opening)}),
    "discard-drawn": (seat_and_card, {}),
    "discard-taken": (seat_and_card, {}),
    "card-discarded": (seat_and_card, {}),
    "went-out": (seat_and_card, {}),
    "claim-answered": (seat_only, {"seat": is_claim}),
    "bumps-announced": (
        record_of(bumps=list_of(record_of(seat=is_seat, meld=is_kind)), standing=or_null(is_seat)),
        {},
    ),
    "bump-challenged": (record_of(seat=is_seat, meld=is_kind), {"seat": is_claim}),
    "bump-yielded": (seat_only, {}),
    "meld-laid": (record_of(seat=is_seat, meld=is_kind, cards=is_cards), {}),
    "stock-renewed": (
        record_of(renewal=from_to(1, 40), card_commitments=list_of(is_hash)),
        {"house": record_of(stock=list_of(is_opening))},
    ),
    "hands-shown": (record_of(hands=list_of(record_of(seat=is_seat, cards=is_cards))), {}),
}
ACTS = {
    "stock-drawn", "discard-drawn", "card-discarded", "went-out", "claim-answered", "bump-challenged", "bump-yielded",
}  # fmt: skip
DISCARDS = ("card-discarded", "went-out")


def seats(options: Options) -> int:
    """KH-1.1."""
    return int(options["players"])


def portions(dealer: int, options: Options) -> list[int | None]:
    """KH-3: fifteen to each from eldest on, one more to eldest, the rest to the stock."""
    players = seats(options)
    order = [(dealer + 1 + place) % players for place in range(HAND * players + 1)]
    return [*order, *[None] * (61 - len(order))]


# a deal


class KhanhooDeal(Deal):
    CARDS_RULE = "KH-2.1"
    standing: str | None = None
    """The meld of the bump that is to be challenged, if there is one."""

    def play(self) -> Result:
        self.players = self.table.seats
        self.limit = self.options["turn_limit"] * self.players
        self.pile: list[str] = []
        self.laid: dict[int, list[tuple[str, Cards, int]]] = {seat: [] for seat in self.order}
        self.discards = self.renewals = 0
        turn: int | None = self.order[0]
        while turn is not None:
            turn = self.one_turn(turn)
        return self.result()

    out: int | None = None
    """The seat that is out."""
    ended_at: int = 0
    outcome = "undecided"

    def last(self) -> int:
        """The version of the event read last."""
        version: int = self.table.events[self.table.at - 1]["version"]
        return version

    def next(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.players

    def one_turn(self, seat: int) -> int | None:
        """KH-4.1, from a discard to the next draw; whose turn is next, none where the deal is over."""
        event = self.by(seat, self.act(*DISCARDS, turn=seat), "KH-4.1")
        card = event["public"]["card"]
        if card not in self.hands[seat]:
            raise Stuck(f"version {event['version']}: seat {seat} does not hold {card}")
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.discards += 1
        if event["type"] == "went-out":
            whole = divided(in_order(self.hands[seat]), without_rest=True)
            self.must(whole is not None, f"seat {seat} goes out with cards that make no melds", "KH-7.1")
            return self.ends(seat, "went-out")
        if self.discards == self.limit:
            return self.ends(None, "undecided")
        if self.players > 2:
            claimed = self.claimed(seat)
            if claimed is not None:
                return claimed if self.out is None else None
        following = self.next(seat)
        self.draw(following, forced=self.players == 4)
        return following

    def ends(self, seat: int | None, outcome: str) -> None:
        self.out, self.outcome, self.ended_at = seat, outcome, self.last()

    def by(self, seat: int, event: Envelope, rule: str) -> Envelope:
        if event["public"]["seat"] != seat:
            raise Stuck(f"version {event['version']}: {rule}: it is for seat {seat}")
        return event

    def draw(self, seat: int, *, forced: bool) -> None:
        """KH-4.1, KH-4.2, KH-4.4, KH-6.5."""
        if self.players < 4 and not self.stock:
            self.renewed()
        if forced:
            event = self.by(seat, self.follow("discard-taken"), "KH-4.2")
        else:
            event = self.by(seat, self.act("stock-drawn", "discard-drawn", turn=seat), "KH-4.1")
        if event["type"] == "stock-drawn":
            drawn = event["sealed"][f"seat:{seat}"]["data"]["drawn"]
            self.must_be("the card drawn", drawn, self.stock.pop(0), "KH-4.1")
            self.hands[seat].append(drawn["card"])
        else:
            self.must_be("the discard drawn", event["public"]["card"], self.pile[-1], "KH-4.3")
            self.hands[seat].append(self.pile.pop())

    def renewed(self) -> None:
        """KH-4.4."""
        self.renewals += 1
        event = self.follow("stock-renewed")
        self.must_be("the number of the renewal", event["public"]["renewal"], self.renewals, "KH-4.4")
        made = self.lay_out(self.shuffle(f"codille-renewal-{self.renewals}", in_order(self.pile[:-1])))
        self.commitments(event["public"]["card_commitments"], made)
        self.must_be("the renewed stock", event["sealed"]["house"]["data"]["stock"], made, "KH-4.4")
        self.stock, self.pile = [*made], self.pile[-1:]

    def claimed(self, discarder: int) -> int | None:
        """KH-6: who has the turn after a claim and is to discard; none where there was no bump."""
        asked = [self.next(discarder, steps) for steps in range(2, self.players)]
        answers: dict[int, Any] = {}
        while len(answers) < len(asked):
            event = self.act("claim-answered", turn={*asked} - {*answers})
            seat = event["public"]["seat"]
            self.must(seat in asked and seat not in answers, f"seat {seat} is not asked", "KH-6.1")
            answers[seat] = self.claim(event, seat)
        bumps = [{"seat": seat, "meld": answers[seat]["meld"]} for seat in asked if answers[seat]["meld"]]
        worth = [POINTS[bump["meld"]] for bump in bumps]
        standing = bumps[worth.index(max(worth))]["seat"] if bumps else None
        announced = self.follow("bumps-announced")["public"]
        self.must_be("the bumps", announced, {"bumps": bumps, "standing": standing}, "KH-6.3")
        if standing is None:
            return None
        following = self.next(discarder)
        self.standing = answers[standing]["meld"]
        event = self.by(following, self.act("bump-challenged", "bump-yielded", turn=following), "KH-6.4")
        if event["type"] == "bump-yielded":
            return self.lays(standing, answers[standing])
        self.must_be("the meld announced", self.claim(event, following)["meld"], event["public"]["meld"], "KH-6.4")
        self.must(
            self.is_enough(event["public"]["meld"]), f"a challenge with {event['public']['meld']} is too low", "KH-6.4"
        )
        self.draw(following, forced=True)
        return following

    def is_enough(self, meld: str) -> bool:
        """KH-6.4: whether a challenge with this meld is worth no less than the bump."""
        return self.standing is not None and POINTS[meld] >= POINTS[self.standing]

    def is_claim(self, seat: int, meld: str, cards: Collection[str]) -> bool:
        """KH-6.2, KH-6.4: whether cards of the hand make the meld together with the discard."""
        return set(cards) <= set(self.hands[seat]) and is_meld(meld, [*cards, self.pile[-1]])

    def claim(self, event: Envelope, seat: int) -> dict[str, Any]:
        """KH-6.2, KH-6.4."""
        claim: dict[str, Any] = event["sealed"][f"seat:{seat}"]["data"]
        meld, cards = claim["meld"], claim["cards"]
        rule = "KH-6.2" if event["type"] == "claim-answered" else "KH-6.4"
        self.must_be("the order of the cards", cards, [*in_order(cards)])
        if meld is None:
            self.must(not cards and rule == "KH-6.2", f"{cards} are named for no meld", rule)
        else:
            self.must(self.is_claim(seat, meld, cards), f"{cards}, as seat {seat} holds them, are no {meld}", rule)
            self.must(meld != "sequence" or rule == "KH-6.4", "a bump with a sequence", rule)
        return claim

    def stage(self) -> Stage:
        match self.waited_for[0]:
            case "card-discarded":
                rule = "KH-6.6" if self.table.events[self.table.at - 1]["type"] == "meld-laid" else "KH-4.1"
                return Stage(rule, {"discard": rule, "go-out": rule})
            case "stock-drawn":
                return Stage("KH-4.1", {"draw-stock": "KH-4.1", "draw-discard": "KH-4.1"})
            case "claim-answered":
                return Stage("KH-6.1", {"bump": "KH-6.1", "let-go": "KH-6.1"})
            case _:
                return Stage("KH-6.4", {"challenge": "KH-6.4", "yield": "KH-6.4"})

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "discard" | "go-out":
                if act["card"] not in self.hands[seat]:
                    yield "KH-4.1"
                left = in_order([card for card in self.hands[seat] if card != act["card"]])
                if act["type"] == "go-out" and divided(left, without_rest=True) is None:
                    yield "KH-7.1"
            case "bump":
                if act["meld"] == "sequence" or not self.is_claim(seat, act["meld"], act["cards"]):
                    yield "KH-6.2"
            case "challenge":
                if not self.is_enough(act["meld"]) or not self.is_claim(seat, act["meld"], act["cards"]):
                    yield "KH-6.4"
            case _:
                pass

    def lays(self, seat: int, claim: Mapping[str, Any]) -> int | None:
        """KH-6.6, KH-6.7."""
        cards = in_order([*claim["cards"], self.pile.pop()])
        event = self.by(seat, self.follow("meld-laid"), "KH-6.6")
        should = {"seat": seat, "meld": claim["meld"], "cards": [*cards]}
        self.must_be("the meld laid", event["public"], should, "KH-6.6")
        self.laid[seat].append((claim["meld"], cards, event["version"]))
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        if sum(len(meld) for _, meld, _ in self.laid[seat]) == HAND:
            self.ends(seat, "all-laid")
        return seat

    def result(self) -> Result:
        """KH-8."""
        shown = self.follow("hands-shown")
        every = range(self.players)
        hands = [{"seat": seat, "cards": [*in_order(self.hands[seat])]} for seat in every]
        self.must_be("the hands", shown["public"]["hands"], hands, "KH-8.1")
        dues, divisions = [], []
        for seat in every:
            without_rest = seat == self.out and self.outcome == "went-out"
            melds = divided(in_order(self.hands[seat]), without_rest=without_rest) or ()
            for meld, _, version in self.laid[seat]:
                dues.append(Due("meld", RULE[meld], POINTS[meld], seat, "bank", [version]))
            for row, _ in melds:
                dues.append(Due("meld", RULE[ROWS[row]], POINTS[ROWS[row]], seat, "bank"))
            if seat == self.out:
                dues.append(Due("out", "KH-8.2", 5, seat, "bank", [self.ended_at, shown["version"]]))
            named = [{"meld": ROWS[row], "cards": [*cards]} for row, cards in melds]
            divisions.append({"seat": seat, "melds": named})
        return Result(self.outcome, dues, [shown["version"]], {"out": self.out, "divisions": divisions})


def is_options(options: object) -> bool:
    return record_of(players=one_of(2, 3, 4), target=from_to(20, 500), turn_limit=from_to(10, 200))(options)


CHECKER = Rules(
    name="khanhoo",
    pack=PACK,
    options=is_options,
    seats=seats,
    deals=lambda deals, _: 1 <= deals <= 99,
    portions=portions,
    next_dealer=lambda dealer, options: (dealer + 1) % seats(options),
    outcomes=("went-out", "all-laid", "undecided"),
    shapes=SHAPES,
    acts=ACTS,
    deal=KhanhooDeal,
    scored={
        "out": or_null(is_seat),
        "divisions": list_of(record_of(seat=is_seat, melds=list_of(is_laid))),
    },
    cites={"deals": "KH-1.3", "dealer": "KH-1.2", "cards": "KH-3.1", "ledger": "KH-8.5", "winners": "KH-1.3"},
    together=("claim-answered",),
    over=lambda totals, options: "target reached" if max(totals) >= options["target"] else None,
)
