"""King, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from tests.support.checker.record import Deal, Due, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import card_of, from_to, is_seat, is_suit, one_of, or_null, record_of, seat_only

RANKS = "AKQJT98765432"
PACK = [rank + suit for suit in "shdc" for rank in RANKS]
LAST = 13
"""The number of the last trick."""


class Penalty(NamedTuple):
    """A negative deal (KG-4): what it is called, and what a player loses for each card or trick that counts."""

    aim: str
    rule: str
    amount: int
    cards: Collection[str] = ()
    tricks: Collection[int] = ()


PENALTIES: Mapping[int, Penalty] = {
    1: Penalty("no-tricks", "KG-4.1", 20, tricks=range(1, LAST + 1)),
    2: Penalty("no-hearts", "KG-4.2", 20, {card for card in PACK if card[1] == "h"}),
    3: Penalty("no-queens", "KG-4.3", 50, {card for card in PACK if card[0] == "Q"}),
    4: Penalty("no-kings-no-jacks", "KG-4.4", 30, {card for card in PACK if card[0] in "KJ"}),
    5: Penalty("no-king-of-hearts", "KG-4.5", 160, {"Kh"}),
    6: Penalty("not-last-two", "KG-4.6", 90, tricks={12, LAST}),
}
"""By the number of the deal."""
AIMS = [*(penalty.aim for penalty in PENALTIES.values()), "up", "down"]

# the events

is_card = card_of(PACK)
is_bid = from_to(1, 13)
SHAPES: Shapes = {
    "trumps-named": (record_of(seat=is_seat, trump=or_null(is_suit)), {}),
    "auction-opened": (seat_only, {}),
    "bid-made": (record_of(seat=is_seat, tricks=is_bid), {}),
    "bid-passed": (seat_only, {}),
    "direction-declared": (record_of(seat=is_seat, direction=one_of("up", "down")), {}),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, LAST)), {}),
}
ACTS = set(SHAPES) - {"trick-won"}


class Taken(NamedTuple):
    """A complete trick: who won it, its cards, and the versions of its events."""

    winner: int
    cards: list[str]
    versions: list[int]


class Bought(NamedTuple):
    """Who bought the right to name trumps, for how many tricks, and the version of the bid."""

    seat: int
    price: int
    version: int


# a deal


STAGES = {
    ("trumps-named", "auction-opened"): Stage("KG-5.1", {"name-trumps": "KG-5.1", "auction": "KG-5.1"}),
    ("bid-made", "bid-passed"): Stage("KG-5.2", {"bid": "KG-5.2", "pass": "KG-5.2"}),
    ("trumps-named",): Stage("KG-5.6", {"name-trumps": "KG-5.6"}),
    ("direction-declared",): Stage("KG-5.7", {"declare-direction": "KG-5.7"}),
    ("card-played",): Stage("KG-3.1", {"play": "KG-3.1"}),
}
"""What may be done, by the events that are waited for."""


class KingDeal(Deal):
    CARDS_RULE = "KG-2.1"
    LEAD_RULE = "KG-3.1"
    SUIT_RULE = "KG-3.2"
    TRICK_RULE = "KG-3.3"

    trump: str | None = None

    def play(self) -> Result:
        self.taken: list[Taken] = []
        number = self.table.deal or 0
        penalty = PENALTIES.get(number)
        if penalty is not None:
            self.tricks(penalty)
            return self.result(penalty.aim, [*self.penalties(penalty)])
        bought = self.trumps_named()
        said = self.by_dealer("KG-5.7", "direction-declared")
        self.tricks(None)
        return self.positive(said["public"]["direction"], said["version"], bought)

    def result(self, aim: str, dues: list[Due], bought: Bought | None = None) -> Result:
        outcome = "played-out" if len(self.won) == LAST else "stopped"
        buyer, price = (None, None) if bought is None else (bought.seat, bought.price)
        return Result(outcome, dues, [], {"aim": aim, "buyer": buyer, "price": price})

    @property
    def dealer(self) -> int:
        return self.order[3]

    def stage(self) -> Stage:
        sold = self.waited_for != ("trumps-named",) or self.price
        return STAGES[self.waited_for] if sold else Stage("KG-5.3", {"name-trumps": "KG-5.3"})

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "bid" if not self.price < act["tricks"] <= LAST:
                yield "KG-5.2"
            case "pass" if not self.spoken and self.options["auction_opening"] == "forced":
                yield "KG-5.3"
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])
                if self.led is None and act["card"][1] == "h" and not self.may_lead_hearts(seat):
                    yield "KG-3.4"

    def may_lead_hearts(self, seat: int) -> bool:
        """KG-3.4."""
        restricted = self.options["heart_leads"] == "restricted" and self.table.deal in (2, 5)
        return not restricted or all(card[1] == "h" for card in self.hands[seat])

    # before the first lead

    def by_dealer(self, rule: str, *types: str) -> dict[str, object]:
        event = self.act(*types, turn=self.dealer)
        self.must_be(f"who does {event['type']}", event["public"]["seat"], self.dealer, rule)
        return event

    def trumps_named(self) -> Bought | None:
        """KG-5.1, KG-5.6; what the right to name trumps was bought for."""
        first = self.by_dealer("KG-5.1", "trumps-named", "auction-opened")
        bought = None
        if first["type"] == "auction-opened":
            bought = self.auction()
            self.price = 0 if bought is None else bought.price
            namer, rule = (self.dealer, "KG-5.3") if bought is None else (bought.seat, "KG-5.6")
            first = self.act("trumps-named", turn=namer)
            self.must_be("who names trumps", first["public"]["seat"], namer, rule)
        self.trump = first["public"]["trump"]
        return bought

    def auction(self) -> Bought | None:
        """KG-5.2 to KG-5.5."""
        forced, final = self.options["auction_opening"] == "forced", self.options["auction_pass"] == "final"
        best: Bought | None = None
        out: set[int] = set()
        in_a_row = spoken = 0
        for seat in self.around():
            if final and seat in out:
                continue
            self.price, self.spoken = 0 if best is None else best.price, spoken
            event = self.act("bid-made", "bid-passed", turn=seat)
            public = event["public"]
            if public["seat"] != seat:
                raise Stuck(f"version {event['version']}: KG-5.2: it is the turn of seat {seat}")
            if event["type"] == "bid-passed":
                self.must(bool(spoken) or not forced, f"seat {seat} must open", "KG-5.3")
                out.add(seat)
                in_a_row += 1
            else:
                more = best is None or public["tricks"] > best.price
                self.must(more, f"{public['tricks']} is no higher bid", "KG-5.2")
                best = Bought(seat, public["tricks"], event["version"])
                in_a_row = 0
            spoken += 1
            others = len(out) if final else in_a_row
            if best is None and others == 3:
                return None
            if best is not None and (others == 2 or best.price == LAST):
                return best
        raise Stuck("an auction ends")

    def around(self) -> Iterator[int]:
        """The three others, from the dealer's left on, again and again."""
        while True:
            yield from self.order[:3]

    # the play

    def tricks(self, penalty: Penalty | None) -> None:
        """KG-3: every card, until all that counts has been captured (KG-3.5)."""
        leader = self.order[0]
        counting = set(penalty.cards) if penalty else set()
        left = set(counting)
        while len(self.won) < LAST:
            trick: list[tuple[int, str]] = []
            for step in range(4):
                seat = self.after(leader, step)
                hearts = bool(trick) or self.may_lead_hearts(seat)
                card = self.card(seat, trick[0][1] if trick else None)
                self.must(hearts or card[1] != "h", f"{card} was led by a player with other suits", "KG-3.4")
                trick.append((seat, card))
            leader = self.trick_won(trick)
            cards = [card for _, card in trick]
            self.taken.append(Taken(leader, cards, self.versions("card-played", "trick-won")[-5:]))
            left -= set(cards)
            if counting and not left:
                break
        self.over()

    def trumps(self) -> str | None:
        return self.trump

    # what it comes to

    def penalties(self, penalty: Penalty) -> Iterator[Due]:
        """KG-4, one line a player, with the tricks that count (KG-7.1, KG-7.3)."""
        for seat in range(4):
            number, versions = 0, []
            for place, taken in enumerate(self.taken, 1):
                held = len(set(taken.cards) & set(penalty.cards)) + (place in penalty.tricks)
                if taken.winner == seat and held:
                    number += held
                    versions += taken.versions
            yield Due("captured", penalty.rule, -number * penalty.amount, seat, "bank", versions)

    def positive(self, direction: str, said_at: int, bought: Bought | None) -> Result:
        """KG-6."""
        dues = []
        for seat in range(4):
            own = [taken for taken in self.taken if taken.winner == seat]
            versions = [said_at, *(version for taken in own for version in taken.versions)]
            rule, amount = ("KG-6.1", 25 * len(own)) if direction == "up" else ("KG-6.2", 325 - 75 * len(own))
            dues.append(Due("captured", rule, amount, seat, "bank", versions))
        if bought is not None:
            grounds = [bought.version, said_at]
            if direction == "up":
                dues.append(Due("price", "KG-6.3", 25 * bought.price, self.dealer, bought.seat, grounds))
            else:
                dues.append(Due("price", "KG-6.3", 75 * bought.price, bought.seat, self.dealer, grounds))
        return self.result(direction, dues, bought)


CHECKER = Rules(
    name="king",
    pack=PACK,
    options=record_of(
        heart_leads=one_of("free", "restricted"),
        auction_opening=one_of("forced", "free"),
        auction_pass=one_of("open", "final"),
    ),
    deals=lambda deals, _: deals == 10,
    kinds=8,
    outcomes=("stopped", "played-out"),
    shapes=SHAPES,
    acts=ACTS,
    deal=KingDeal,
    scored={"aim": one_of(*AIMS), "buyer": or_null(is_seat), "price": or_null(is_bid)},
    cites={"deals": "KG-1.2", "dealer": "KG-1.3", "cards": "KG-2.2", "ledger": "KG-7.1", "winners": "KG-1.4"},
)
