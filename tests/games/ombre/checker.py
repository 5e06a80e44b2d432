"""Ombre, as its rules tell it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from tests.support.checker.chance import by_cards
from tests.support.checker.matadors import PACK, TRUMPS, MatadorDeal
from tests.support.checker.record import Due, Options, Party, Result, Rules, Shapes, Stage, Stuck, distinct_of
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_bool,
    is_seat,
    is_suit,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

BIDS = ("entrada", "vuelta", "solo")
"""From low to high (OM-4.1)."""
EXTRA = {"entrada": 0, "vuelta": 2, "solo": 10}
"""What the contract adds to the payment of a win (OM-8)."""
POOL_LIMIT = 1_000_000_000
"""What nobody has to fill the pool beyond (OM-8.2)."""
OUTCOMES = (
    "win", "vole", "vole-failed", "puesta", "codille", "surrendered", "new-ombre-won", "new-ombre-failed", "passed-out",
)  # fmt: skip


def estuches(hand: Sequence[str], trump: str) -> list[str]:
    """The unbroken trumps from spadille on, five at most, none without the three matadors (OM-6.3)."""
    run: list[str] = []
    for card in TRUMPS[trump][:5]:
        if card not in hand:
            break
        run.append(card)
    return run if len(run) >= 3 else []


# who becomes Ombre


class Standing(NamedTuple):
    """The bid that stands, and the seat that made it or made it its own."""

    seat: int
    bid: str


class Turn(NamedTuple):
    """A seat whose turn it is in the auction, and what it may say besides passing: higher bids, and the one to hold."""

    seat: int
    higher: Sequence[str]
    held: str | None = None


def auction(order: Sequence[int], says: Callable[[Turn], str | None], *, hold: bool) -> Standing | None:
    """The bid that wins, if there is one (OM-4.1 to OM-4.3); `says` gives what a seat bids or holds, none if it passes.

    Holding is for the seat that comes earlier than the one whose bid stands, where the option lets it `hold`.
    """
    standing: Standing | None = None

    def turn_of(seat: int) -> Turn:
        if standing is None:
            return Turn(seat, BIDS)
        earlier = order.index(seat) < order.index(standing.seat)
        return Turn(seat, BIDS[BIDS.index(standing.bid) + 1 :], standing.bid if hold and earlier else None)

    speaking = list(order)
    while speaking:
        seat = speaking.pop(0)
        bid = says(turn_of(seat))
        if bid is not None:
            standing = Standing(seat, bid)
            speaking.append(seat)
        if standing is not None:
            rivals = [turn_of(rival) for rival in speaking if rival != standing.seat]
            if not any(rival.higher or rival.held for rival in rivals):
                return standing
    return None


# what a deal comes to


@dataclass(frozen=True)
class Terms:
    """What the payment of a deal rests on besides the tricks."""

    contract: str
    ombre: int
    pool: int
    estuches: int
    new: int | None = None
    """The new Ombre."""
    vole: bool = False
    """Whether Ombre plays on for all nine tricks; `results` sets it by the tricks."""

    @property
    def defenders(self) -> tuple[int, int]:
        """In the order of seats, whoever of them is a new Ombre."""
        one, other = (seat for seat in range(3) if seat != self.ombre)
        return one, other

    def filled(self, payers: int) -> int:
        """What each payer of a puesta puts into the pool: P, as long as there is room (OM-8.2)."""
        return max(0, min(self.pool, (POOL_LIMIT - self.pool) // payers))


Worth = tuple[str, tuple[Due, ...]]
"""An outcome and what is booked for it."""


def won(terms: Terms, outcome: str, *, primeras: bool = False) -> Worth:
    """The first three rows of OM-8."""
    rule = "OM-6.1" if outcome == "win" else "OM-6.2"
    each = {
        "contract": (rule, 5 + EXTRA[terms.contract]),
        "estuches": ("OM-6.3", terms.estuches),
        "primeras": ("OM-6.2", 1 if primeras else 0),
        "vole": ("OM-6.2", {"win": 0, "vole": 30, "vole-failed": -30}[outcome]),
    }
    pool = Due("pool", rule, terms.pool, terms.ombre, "pool")
    return outcome, (
        pool,
        *(Due(kind, *paid, terms.ombre, by) for by in terms.defenders for kind, paid in each.items()),
    )


def stakes(rule: str, by: int, to: Sequence[int]) -> list[Due]:
    """Five chips to each (OM-8)."""
    return [Due("contract", rule, 5, seat, by) for seat in to]


def puesta(terms: Terms, outcome: str, rule: str) -> Worth:
    """The pool doubled, or the surrender accepted (OM-8)."""
    put = Due("puesta", rule, terms.filled(1), "pool", terms.ombre)
    return outcome, (put, *stakes(rule, terms.ombre, terms.defenders))


def codille(terms: Terms, tricks: Sequence[int]) -> Worth:
    """P to the defender with more tricks; of two with as many each gets half (OM-8, OM-8.1)."""
    one, other = terms.defenders
    if tricks[one] == tricks[other]:
        rule, half, odd = "OM-8.1", terms.pool // 2, terms.pool % 2
        values: dict[Party, int] = {one: half, other: half, "pool": odd}
    else:
        rule, values = "OM-6.1", {one if tricks[one] > tricks[other] else other: terms.pool}
    dues = [Due("codille", rule, value, to, terms.ombre) for to, value in values.items()]
    return "codille", (*dues, *stakes("OM-6.1", terms.ombre, terms.defenders))


def forbidden(terms: Terms, new: int, tricks: Sequence[int]) -> Worth:
    """The last two rows of OM-8."""
    old, (third,) = terms.ombre, {0, 1, 2} - {terms.ombre, new}
    if tricks[new] >= 5:
        paid = Due("codille", "OM-7.3", terms.pool, new, old)
        return "new-ombre-won", (paid, *stakes("OM-7.3", old, (new, third)))
    put = [Due("puesta", "OM-7.3", terms.filled(2), "pool", by) for by in (old, new)]
    return "new-ombre-failed", (*put, *stakes("OM-7.3", old, [third]), *stakes("OM-7.3", new, [third]))


def settled(terms: Terms, tricks: Sequence[int]) -> Worth:
    """What a deal comes to of which the seats won so many tricks, when Ombre never stopped (OM-6, OM-7.3, OM-8)."""
    if terms.new is not None:
        return forbidden(terms, terms.new, tricks)
    mine, best = tricks[terms.ombre], max(tricks[seat] for seat in terms.defenders)
    if terms.vole:
        return won(terms, "vole" if mine == 9 else "vole-failed")
    if mine > best:
        return won(terms, "win")
    return puesta(terms, "puesta", "OM-6.1") if mine == best else codille(terms, tricks)


def results(terms: Terms, winners: Sequence[int]) -> frozenset[Worth]:
    """All that may still come of a deal of which these tricks are played: every way of winning the rest (OM-6.4)."""
    tricks = (winners.count(0), winners.count(1), winners.count(2))
    first = terms.new is None and set(winners[:5]) <= {terms.ombre}
    return _results(replace(terms, vole=True) if first and len(winners) > 5 else terms, tricks, first)


@lru_cache(maxsize=200_000)
def _results(terms: Terms, tricks: tuple[int, int, int], first: bool) -> frozenset[Worth]:
    """`first`: Ombre has won all tricks so far, of the first five."""
    if sum(tricks) == 9:
        return frozenset({settled(terms, tricks)})
    if sum(tricks) == 5 and first and not terms.vole:
        return _results(replace(terms, vole=True), tricks, first) | {won(terms, "win", primeras=True)}
    zero, one, two = tricks
    mine = [first and (seat == terms.ombre or sum(tricks) >= 5) for seat in range(3)]
    return (
        _results(terms, (zero + 1, one, two), mine[0])
        | _results(terms, (zero, one + 1, two), mine[1])
        | _results(terms, (zero, one, two + 1), mine[2])
    )


# the events

is_card = card_of(PACK)
is_opening = opening_of(PACK)
is_bid = one_of(*BIDS)
SHAPES: Shapes = {
    "bid-made": (record_of(seat=is_seat, contract=is_bid, hold=is_bool), {}),
    "bid-passed": (seat_only, {}),
    "deal-passed-out": (record_of(), {}),
    "contract-declared": (record_of(seat=is_seat, contract=is_bid, trump=or_null(is_suit)), {}),
    "talon-turned": (record_of(card=is_card, trump=is_suit, opening=is_opening), {}),
    "cards-exchanged": (
        record_of(seat=is_seat, count=from_to(0, 9)),
        {"seat": record_of(discarded=list_of(is_card), drawn=list_of(is_opening))},
    ),
    "exchange-yielded": (record_of(seat=is_seat, to=is_seat), {}),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, 9)), {}),
    "play-stopped": (seat_only, {}),
    "all-tricks-undertaken": (seat_only, {}),
    "surrender-offered": (seat_only, {}),
    "surrender-answered": (record_of(seat=is_seat, accepted=is_bool), {}),
}
ACTS = set(SHAPES) - {"deal-passed-out", "contract-declared", "talon-turned", "trick-won", "all-tricks-undertaken"}


def portions(dealer: int, options: Options) -> list[int | None]:
    """Three batches of three from eldest on, to the right; the rest is the talon (OM-3.1)."""
    batches = [(dealer - 1 - batch) % 3 for batch in range(9)]
    return [*(seat for seat in batches for _ in range(3)), *[None] * 13]


def antes(dealer: int, options: Options) -> list[Due]:
    """The dealer puts five chips into the pool (OM-3.1)."""
    return [Due("ante", "OM-3.1", 5, "pool", dealer)]


def shares(balances: Mapping[Party, int], options: Options) -> list[Due]:
    """A third of the pool to each, an odd rest to the bank (OM-1.4)."""
    third, rest = divmod(balances.get("pool", 0), 3)
    due = [Due("share", "OM-1.4", third, seat, "pool") for seat in range(3)]
    return [*due, Due("share", "OM-1.4", rest, "bank", "pool")]


# a deal


class OmbreDeal(MatadorDeal):
    CARDS_RULE = "OM-2.1"
    LEAD_RULE = "OM-5.1"
    SUIT_RULE = "OM-5.1"
    TRICK_RULE = "OM-5.1"
    EXCHANGE_RULE = "OM-4.5"

    ombre: int
    contract: str
    terms: Terms
    turn: Turn
    """The last in the auction."""
    right: int
    """The defender at Ombre's right."""
    left: int
    """The other defender."""

    def play(self) -> Result:
        highest = auction(self.order, self.says, hold=self.options["hold"])
        if highest is None:
            self.follow("deal-passed-out")
            return Result("passed-out", (), (), {"estuches": []})
        self.ombre, self.contract = highest
        self.right, self.left = self.after(self.ombre), self.after(self.ombre, 2)
        self.declaration()
        self.exchanges()
        assert self.trump is not None
        run = estuches(self.hands[self.ombre], self.trump)
        self.terms = Terms(self.contract, self.ombre, self.balances.get("pool", 0), len(run))
        outcome, dues = self.tricks()
        self.over()
        grounds = self.versions(
            "contract-declared", "talon-turned", "play-stopped", "all-tricks-undertaken", "surrender-offered",
            "surrender-answered", *(() if outcome == "surrendered" else ("trick-won",)),
        )  # fmt: skip
        paid = run if outcome in ("win", "vole", "vole-failed") else []
        full = any(due.kind == "puesta" and not due.amount for due in dues)
        rested = [due._replace(events=self.grounds("puesta" if full else due.kind, grounds)) for due in dues]
        return Result(outcome, rested, grounds, {"estuches": paid})

    def grounds(self, kind: str, outcome: list[int]) -> list[int]:
        """What a line of this kind rests on: the outcome; the pool as dealt; for estuches also Ombre's hand."""
        if kind in ("pool", "puesta", "codille"):
            return [*self.versions("cards-dealt"), *outcome]
        if kind == "estuches":
            own = self.versions("cards-exchanged")[:1] if self.contract != "solo" else []
            return sorted([*self.versions("cards-dealt"), *own, *outcome])
        return outcome

    def says(self, turn: Turn) -> str | None:
        """What the seat bids or holds by the next event, if it does not pass."""
        self.turn = turn
        event = self.act("bid-made", "bid-passed", turn=turn.seat)
        public = event["public"]
        if public["seat"] != turn.seat:
            raise Stuck(f"version {event['version']}: OM-4.1: it is the turn of seat {turn.seat}")
        if event["type"] == "bid-passed":
            return None
        bid: str = public["contract"]
        if public["hold"]:
            self.must_be("the bid held", bid, turn.held, "OM-4.2")
        else:
            self.must(bid in turn.higher, f"{bid} is bid, only {turn.higher} may be", "OM-4.1")
        return bid

    def declaration(self) -> None:
        """OM-4.4: trumps are named or turned."""
        turned = self.contract == "vuelta"
        public = self.declared("OM-4.4", by_itself=turned, turn=self.ombre)["public"]
        declared = (public["seat"], public["contract"], public["trump"] is None)
        self.must_be("who declares what", declared, (self.ombre, self.contract, turned), "OM-4.4")
        self.trump = public["trump"]
        if turned:
            top = self.stock[0]
            self.trump = top["card"][1]
            should = {"card": top["card"], "trump": self.trump, "opening": top}
            self.must_be("the turn-up", self.follow("talon-turned")["public"], should, "OM-4.4")
        elif self.trump is None:
            raise Stuck("OM-4.4: no trumps were named")

    def exchanges(self) -> None:
        """OM-4.4, OM-4.5: Ombre but in Solo, then the defenders, the one at Ombre's right first or by choice last."""
        most = self.most
        if self.contract != "solo":
            self.exchange(self.act("cards-exchanged", turn=self.ombre), self.ombre, 0, 9)
        first, second = self.right, self.left
        event = self.act("cards-exchanged", "exchange-yielded", turn=first)
        if event["type"] == "exchange-yielded":
            self.must_be("who yields to whom", event["public"], {"seat": first, "to": second}, "OM-4.5")
            first, second = second, first
            event = self.act("cards-exchanged", turn=first)
        self.exchange(event, first, 0, most)
        if self.stock:
            self.exchange(self.act("cards-exchanged", turn=second), second, 0, most)

    @property
    def most(self) -> int:
        """What a defender exchanges at most (OM-4.5)."""
        return 8 if self.contract == "solo" else 9

    def tricks(self) -> Worth:
        """OM-5 to OM-7: every trick until all is settled, and none after it."""
        leader = self.order[0]
        while len(still := results(self.terms, self.won)) > 1:
            self.led = None
            event = self.act("card-played", *self.choices(), turn=leader)
            if event["type"] == "play-stopped":
                self.must_be("who stops", event["public"]["seat"], self.ombre, "OM-6.2")
                return won(self.terms, "win", primeras=True)
            if event["type"] == "surrender-offered":
                self.must_be("who surrenders", event["public"]["seat"], self.ombre, "OM-7.1")
                if leader == self.right:
                    self.table.life.goes_on(leader)
                if self.surrendered():
                    return puesta(self.terms, "surrendered", "OM-7.2")
                event = self.act("card-played", turn=leader)
            self.must_be("who leads", event["public"]["seat"], leader, "OM-5.1")
            trick = [(leader, self.played(leader, event["public"]["card"], None))]
            if self.undecided:
                undertaken = self.follow("all-tricks-undertaken")["public"]
                self.must_be("who undertakes all", undertaken["seat"], self.ombre, "OM-6.2")
            for step in (1, 2):
                seat = self.after(leader, step)
                trick.append((seat, self.card(seat, trick[0][1])))
            leader = self.trick_won(trick)
        (worth,) = still
        return worth

    @property
    def undecided(self) -> bool:
        """Whether Ombre is to choose between stopping and playing on (OM-6.2)."""
        return self.won == [self.ombre] * 5 and self.terms.new is None

    def choices(self) -> list[str]:
        """What may come before a lead, besides the lead."""
        may_surrender = self.contract != "solo" and len(self.won) <= 3 and not self.versions("surrender-offered")
        return ["play-stopped"] * self.undecided + ["surrender-offered"] * may_surrender

    def surrendered(self) -> bool:
        """Whether both accept; the first who does not is new Ombre (OM-7.2, OM-7.3)."""
        for seat in (self.right, self.left):
            public = self.act("surrender-answered", turn=seat)["public"]
            self.must_be("who answers", public["seat"], seat, "OM-7.2")
            if not public["accepted"]:
                self.terms = replace(self.terms, new=seat)
                return False
        return True

    # what is refused

    def stage(self) -> Stage:
        stage = STAGES[self.waited_for[0]]
        ombres = self.waited_for[0] == "cards-exchanged" and self.ombre in self.on_turn
        return stage._replace(rule="OM-4.4") if ombres else stage

    def turn_rule(self, seat: int) -> str | None:
        """OM-4.4: in Solo Ombre exchanges nothing."""
        exchanging = self.waited_for[0] == "cards-exchanged" and self.contract == "solo"
        return "OM-4.4" if exchanging and seat == self.ombre else None

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "bid":
                if act["contract"] not in self.turn.higher:
                    yield "OM-4.1"
            case "hold":
                if self.turn.held is None:
                    yield "OM-4.2"
            case "declare":
                # Where nothing is named nobody declares.
                if act["trump"] is None:
                    yield "OM-4.4"
            case "exchange":
                yield from self.breaks_by_exchanging(seat, act["discard"])
            case "yield-exchange":
                if "exchange-yielded" not in self.waited_for:
                    yield "OM-4.5"
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])
            case "stop":
                if "play-stopped" not in self.waited_for:
                    yield "OM-6.2"
            case "offer-surrender":
                if seat == self.terms.new:
                    yield "OM-7.3"
                elif seat != self.ombre or "surrender-offered" not in self.waited_for:
                    yield "OM-7.1"

    def breaks_by_exchanging(self, seat: int, discard: Sequence[str]) -> Iterator[str]:
        own = distinct_of(discard, self.hands[seat])
        if seat == self.ombre:
            if not own:
                yield "OM-4.4"
        elif not own or len(discard) > min(self.most, len(self.stock)):
            yield "OM-4.5"


STAGES: Mapping[str, Stage] = {
    "bid-made": Stage("OM-4.1", {"bid": "OM-4.1", "hold": "OM-4.1", "pass": "OM-4.1"}),
    "contract-declared": Stage("OM-4.4", {"declare": "OM-4.4"}),
    "cards-exchanged": Stage("OM-4.5", {"exchange": "OM-4.5", "yield-exchange": "OM-4.5"}),
    "card-played": Stage("OM-5.1", {"play": "OM-5.1", "stop": "OM-6.2"}, ("offer-surrender",)),
    "surrender-answered": Stage("OM-7.1", {"answer-surrender": "OM-7.2"}),
}
"""By the first type of event that is waited for."""

CHECKER = Rules(
    name="ombre",
    pack=PACK,
    options=record_of(chips=from_to(40, 1_000_000), hold=is_bool),
    seats=lambda _: 3,
    deals=lambda deals, _: deals % 3 == 0 and 3 <= deals <= 99,
    portions=portions,
    next_dealer=lambda dealer, _: (dealer - 1) % 3,
    outcomes=OUTCOMES,
    shapes=SHAPES,
    acts=ACTS,
    acts_or_follows={"contract-declared"},
    deal=OmbreDeal,
    cites={"deals": "OM-1.4", "dealer": "OM-1.3", "cards": "OM-3.1", "ledger": "OM-8", "winners": "OM-1.4"},
    scored={"estuches": list_of(is_card)},
    lots=by_cards(PACK, "AKQJ765432"),
    antes=antes,
    shares=shares,
    unbound=("surrender-offered",),
)
