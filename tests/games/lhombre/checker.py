"""L'Hombre, as its rules tell it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Self

from tests.support.checker.chance import Envelope
from tests.support.checker.matadors import BASTA, PACK, SPADILLE, MatadorDeal
from tests.support.checker.record import Due, Ended, Options, Result, Rules, Shapes, Stage, Stuck, distinct_of
from tests.support.checker.shapes import (
    card_of,
    is_bool,
    is_int,
    is_seat,
    is_suit,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)


class Contract(NamedTuple):
    """A row of LH-5.1."""

    rank: int
    trumps: str
    declarer_exchanges: bool
    defenders_exchange: bool
    rate: int
    kodille: int
    may_abandon: bool = False
    nolo: bool = False


CONTRACTS = {
    "simple-game": Contract(1, "named", True, True, 1, 2, may_abandon=True),
    "spade-game": Contract(2, "spades", True, True, 1, 2, may_abandon=True),
    "tourne": Contract(3, "turned", True, True, 1, 2, may_abandon=True),
    "simple-nolo": Contract(4, "none", True, False, 2, 2, nolo=True),
    "grand-tourne": Contract(5, "turned", True, True, 2, 3, may_abandon=True),
    "solo": Contract(6, "named", False, True, 2, 3),
    "pure-nolo": Contract(7, "none", False, False, 3, 5, nolo=True),
    "spade-solo": Contract(7, "spades", False, True, 3, 5),
    "nolo-ouvert": Contract(8, "none", False, False, 5, 8, nolo=True),
}
HIGHEST = 8
BIDS = tuple(CONTRACTS)
GAMES = tuple(name for name, row in CONTRACTS.items() if not row.nolo)
NOLOS = tuple(name for name, row in CONTRACTS.items() if row.nolo)
ABANDONABLE = tuple(name for name, row in CONTRACTS.items() if row.may_abandon)
REDEFINED = {"simple-game": ("spade-game", "tourne", "simple-nolo"), "solo": ("spade-solo",)}
OUTCOMES = ("win", "bete", "kodille", "abandoned", "washed-out")

is_card = card_of(PACK)
is_contract = one_of(*CONTRACTS)
is_opening = opening_of(PACK)
SHAPES: Shapes = {
    "bid-made": (record_of(seat=is_seat, contract=is_contract, self=is_bool, shown=list_of(is_card)), {}),
    "bid-passed": (seat_only, {}),
    "deal-washed-out": (record_of(), {}),
    "contract-declared": (record_of(seat=is_seat, contract=is_contract, trump=or_null(is_suit)), {}),
    "talon-turned": (record_of(card=is_card, trump=is_suit, opening=is_opening), {}),
    "cards-exchanged": (
        record_of(seat=is_seat, count=is_int),
        {"seat": record_of(discarded=list_of(is_card), drawn=list_of(is_opening))},
    ),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "hand-exposed": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
    "trick-won": (record_of(seat=is_seat, trick=is_int), {}),
    "play-stopped": (seat_only, {}),
    "all-tricks-undertaken": (seat_only, {}),
    "deal-abandoned": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
}
ACTS = {
    "bid-made", "bid-passed", "cards-exchanged", "card-played", "play-stopped", "deal-abandoned",
}  # fmt: skip


def trumps_for(contract: str) -> Sequence[str | None]:
    """What may be named as trumps with the contract; null stands for none (LH-5.1)."""
    named: Mapping[str, Sequence[str | None]] = {"named": ["s", "h", "d", "c"], "spades": ["s"]}
    return named.get(CONTRACTS[contract].trumps, [None])


def made_of(bid: str) -> tuple[str, ...]:
    """What the bid is declared as (LH-5.1)."""
    return bid, *REDEFINED.get(bid, ())


# the table


def has_so_many(deals: int, options: Options) -> bool:
    players = options["players"]
    return bool(deals % players == 0 and players <= deals <= (99 if players == 3 else 96))


def turns(dealer: int, players: int) -> list[int]:
    """Forehand at the dealer's right, middlehand at the left, backhand, the dealer (LH-1.2)."""
    return [(dealer - 1) % players, (dealer + 1) % players, dealer]


def portions(dealer: int, options: Options) -> list[int | None]:
    """Three batches of three; the rest is the talon (LH-3.1)."""
    batches = turns(dealer, options["players"]) * 3
    return [*(seat for seat in batches for _ in range(3)), *[None] * 13]


# the auction


class Bidding(NamedTuple):
    """How an auction stands: who has not passed, who has spoken, which bid stands and who made it."""

    order: Sequence[int]
    left: Sequence[int]
    spoken: frozenset[int] = frozenset()
    bidder: int | None = None
    bid: str | None = None

    def outranked_by(self, bid: str) -> bool:
        """Whether the bid outranks every bid before it (LH-4.3)."""
        return self.bid is None or CONTRACTS[bid].rank > CONTRACTS[self.bid].rank

    def may_self(self, seat: int) -> bool:
        """Whether a bid stands whose bidder the seat comes before (LH-4.3)."""
        return self.bidder is not None and self.order.index(seat) < self.order.index(self.bidder)

    def could_bid(self, seat: int) -> bool:
        """Whether the seat, if its turn came, could do anything but pass."""
        may_bid = self.bid is None or CONTRACTS[self.bid].rank < HIGHEST
        return seat != self.bidder and (may_bid or self.may_self(seat))

    @property
    def turn(self) -> int | None:
        """Who speaks: backhand once the others have, and one of them has passed; nobody at the end (LH-4.2, LH-4.4)."""
        if not any(map(self.could_bid, self.left)):
            return None
        early, backhand = set(self.order[:2]), self.order[2]
        comes_in = early <= self.spoken and not early <= set(self.left)
        return next(seat for seat in self.left if seat != self.bidder and (comes_in or seat != backhand))

    def after(self, seat: int, bid: str | None) -> Self:
        """After this bid of the seat, or a pass."""
        spoken = self.spoken | {seat}
        if bid is None:
            return self._replace(spoken=spoken, left=[other for other in self.left if other != seat])
        return self._replace(spoken=spoken, bidder=seat, bid=bid)


def can_show(hand: Collection[str], bid: str) -> bool:
    """Whether the hand has what the bid shows (LH-4.5)."""
    return bid != "grand-tourne" or {SPADILLE, BASTA} <= set(hand)


# what a deal comes to


class Worth(NamedTuple):
    """The outcome, the rule that makes it, what each payer pays declarer, and what more for a tout."""

    outcome: str
    rule: str
    amount: int
    tout: int = 0


def worth(contract: str, mine: int, theirs: Sequence[int]) -> Worth:
    """What so many tricks of declarer and of either defender come to (LH-8)."""
    row = CONTRACTS[contract]
    if row.nolo:
        if mine < 2:
            return Worth("bete", "LH-8.2", -row.rate) if mine else Worth("win", "LH-8.2", row.rate)
        return Worth("kodille", "LH-8.2", -(row.kodille + (mine - 1 if contract == "simple-nolo" else 0)))
    if mine > max(theirs):
        return Worth("win", "LH-8.1", row.rate)
    if mine == max(theirs):
        return Worth("bete", "LH-8.1", -row.rate)
    return Worth("kodille", "LH-8.1", -row.kodille)


def still(contract: str, winners: Sequence[int]) -> frozenset[Worth]:
    """All that a deal may still come to after tricks won by declarer, who is 0, and the defenders (LH-8.3, LH-8.5)."""
    return _still(contract, *map(winners.count, range(3)), all_five=list(winners[:5]) == [0] * 5)


@cache
def _still(contract: str, mine: int, one: int, other: int, *, all_five: bool) -> frozenset[Worth]:
    """The same by the number of tricks, and whether declarer won the first five."""
    due = worth(contract, mine, (one, other))
    tout = all_five and not CONTRACTS[contract].nolo
    if tout and one + other:
        return frozenset({due._replace(tout=-1)})
    if mine + one + other == 9:
        return frozenset({due._replace(tout=int(tout))})
    stops = frozenset({due} if tout and mine == 5 else ())
    return stops.union(
        _still(contract, mine + 1, one, other, all_five=all_five or (mine, one, other) == (4, 0, 0)),
        _still(contract, mine, one + 1, other, all_five=all_five),
        _still(contract, mine, one, other + 1, all_five=all_five),
    )


# a deal


class LhombreDeal(MatadorDeal):
    FREE = ("deal-abandoned",)
    CARDS_RULE = "LH-2.1"
    LEAD_RULE = "LH-7.1"
    SUIT_RULE = "LH-7.1"
    TRICK_RULE = "LH-7.3"
    EXCHANGE_RULE = "LH-6.1"

    contract: str
    declarer: int
    bidding: Bidding
    may_abandon = False

    def play(self) -> Result:
        self.auction()
        if self.bidding.bidder is None or self.bidding.bid is None:
            self.follow("deal-washed-out")
            return Result("washed-out", (), ())
        self.declarer = self.bidding.bidder
        self.declaration(self.bidding.bid)
        self.exchanges()
        return self.tricks()

    # the auction

    def auction(self) -> None:
        """Up to the bid that wins; nothing stands if all pass (LH-4)."""
        self.bidding = Bidding(self.order, self.order)
        while (turn := self.bidding.turn) is not None:
            event = self.act("bid-made", "bid-passed", turn=turn)
            self.must_be("the speaker", event["public"]["seat"], turn, "LH-4.2")
            if event["public"]["seat"] != turn:
                raise Stuck(f"version {event['version']}: another speaks than whose turn it is")
            if event["type"] == "bid-made":
                self.bid(event, turn)
            self.bidding = self.bidding.after(turn, event["public"].get("contract"))

    def bid(self, event: Envelope, seat: int) -> None:
        public, before = event["public"], self.bidding
        contract = public["contract"]
        if public["self"]:
            if before.bid is None:
                raise Stuck(f"version {event['version']}: LH-4.3: there is no bid to make one's own")
            self.must_be("the bid made one's own", contract, before.bid, "LH-4.3")
            self.must(before.may_self(seat), f"seat {seat} comes after seat {before.bidder}", "LH-4.3")
        else:
            self.must(before.outranked_by(contract), f"{contract} does not outrank {before.bid}", "LH-4.3")
        self.must(can_show(self.hands[seat], contract), "both black aces are not held", "LH-4.5")
        shown = [SPADILLE, BASTA] if contract == "grand-tourne" else []
        self.must_be("what is shown", public["shown"], shown, "LH-4.5")

    # contract and exchange

    def declaration(self, bid: str) -> None:
        alone = bid not in REDEFINED and CONTRACTS[bid].trumps != "named"
        public = self.declared("LH-5.1", by_itself=alone, turn=self.declarer)["public"]
        self.must_be("declarer", public["seat"], self.declarer, "LH-5.1")
        self.contract = public["contract"]
        self.trump = public["trump"]
        self.must(self.contract in made_of(bid), f"{self.contract} may not be declared on {bid}", "LH-5.1")
        self.must(self.trump in trumps_for(self.contract), f"trumps are {self.trump}", "LH-5.1")
        if CONTRACTS[self.contract].trumps == "turned":
            turned = self.follow("talon-turned")["public"]
            opening = self.stock[0]
            self.must_be("the turn-up", turned["card"], opening["card"], "LH-5.1")
            self.must_be("its opening", turned["opening"], opening, "LH-5.1")
            self.must_be("trump", turned["trump"], opening["card"][1], "LH-5.2")
            self.trump = opening["card"][1]

    def exchanges(self) -> None:
        """Declarer first, then the defenders, each as far as the talon goes (LH-6.1)."""
        row = CONTRACTS[self.contract]
        if row.declarer_exchanges:
            self.exchange(self.act("cards-exchanged", turn=self.declarer), self.declarer, 0, 9)
        self.may_abandon = row.may_abandon
        if row.defenders_exchange:
            for steps in (1, 2):
                if self.stock:
                    seat = self.after(self.declarer, steps)
                    self.exchange(self.act("cards-exchanged", turn=seat), seat, 0, min(9, len(self.stock)))

    def free(self, event: Envelope) -> None:
        """Declarer abandons (LH-8.4)."""
        if not self.may_abandon:
            raise Stuck(f"version {event['version']}: LH-8.4: nobody may abandon now")
        self.must_be("who abandons", event["public"]["seat"], self.declarer, "LH-8.4")
        self.must_be("the hand", event["public"]["cards"], self.sorted(self.hands[self.declarer]), "LH-8.4")
        due = Worth("abandoned", "LH-8.4", -CONTRACTS[self.contract].rate)
        raise Ended(self.result(due, self.versions("contract-declared", "talon-turned", "deal-abandoned")))

    # play

    def tricks(self) -> Result:
        """Every trick until all is settled, and none after it (LH-7, LH-8)."""
        leader = self.order[0]
        while len(open_to := self.still()) > 1:
            if self.won == [self.declarer] * 5 and not CONTRACTS[self.contract].nolo:
                self.led = None
                event = self.act("card-played", "play-stopped", turn=self.declarer)
                if event["type"] == "play-stopped":
                    self.must_be("who stops", event["public"]["seat"], self.declarer, "LH-8.3")
                    return self.settled(worth(self.contract, 5, (0, 0)))
                leader = self.sixth(event)
            else:
                leader = self.trick(leader)
        self.over()
        (due,) = open_to
        return self.settled(due)

    def trick(self, leader: int) -> int:
        """A trick; who wins it."""
        trick: list[tuple[int, str]] = []
        for step in range(3):
            seat = self.after(leader, step)
            trick.append((seat, self.card(seat, trick[0][1] if trick else None)))
            if seat == self.declarer:
                self.may_abandon = False
                if self.contract == "nolo-ouvert" and not self.won:
                    self.exposed()
        return self.trick_won(trick)

    def exposed(self) -> None:
        """Declarer's other cards are laid open (LH-7.4)."""
        exposed = self.follow("hand-exposed")["public"]
        self.must_be("whose hand", exposed["seat"], self.declarer, "LH-7.4")
        self.must_be("the hand", exposed["cards"], self.sorted(self.hands[self.declarer]), "LH-7.4")

    def sixth(self, event: Envelope) -> int:
        """The trick that declarer leads to after the first five, undertaking all (LH-8.3); who wins it."""
        self.must_be("who leads", event["public"]["seat"], self.declarer, "LH-7.3")
        lead = self.played(self.declarer, event["public"]["card"], None)
        undertaken = self.follow("all-tricks-undertaken")["public"]
        self.must_be("who undertakes all", undertaken["seat"], self.declarer, "LH-8.3")
        seats = [self.after(self.declarer, 1), self.after(self.declarer, 2)]
        return self.trick_won([(self.declarer, lead), *((seat, self.card(seat, lead)) for seat in seats)])

    @property
    def following_rule(self) -> str:
        assert self.led is not None
        return "LH-7.2" if self.suit(self.led) == self.trump else "LH-7.1"

    def still(self) -> frozenset[Worth]:
        places = [self.after(self.declarer, steps) for steps in range(3)]
        return still(self.contract, [places.index(seat) for seat in self.won])

    # what is refused

    def stage(self) -> Stage:
        return STAGES[self.waited_for[0]]

    def turn_rule(self, seat: int) -> str | None:
        """LH-1.2: who sits out has no turn."""
        return None if seat in self.order else "LH-1.2"

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "bid":
                if not self.bidding.outranked_by(act["contract"]):
                    yield "LH-4.3"
                if not can_show(self.hands[seat], act["contract"]):
                    yield "LH-4.5"
            case "self":
                if not self.bidding.may_self(seat):
                    yield "LH-4.3"
                if self.bidding.bid is not None and not can_show(self.hands[seat], self.bidding.bid):
                    yield "LH-4.5"
            case "declare":
                assert self.bidding.bid is not None
                allowed = act["contract"] in made_of(self.bidding.bid)
                if not allowed or act["trump"] not in trumps_for(act["contract"]):
                    yield "LH-5.1"
            case "exchange":
                if not distinct_of(act["discard"], self.hands[seat]) or len(act["discard"]) > len(self.stock):
                    yield "LH-6.1"
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])
            case "stop":
                if "play-stopped" not in self.waited_for:
                    yield "LH-8.3"
            case "abandon":
                if seat != self.declarer or not self.may_abandon:
                    yield "LH-8.4"

    # payment

    def settled(self, due: Worth) -> Result:
        """What the tricks come to."""
        grounds = self.versions(
            "contract-declared", "talon-turned", "trick-won", "play-stopped", "all-tricks-undertaken"
        )  # fmt: skip
        return self.result(due, grounds)

    def result(self, due: Worth, grounds: Sequence[int]) -> Result:
        """Each payer's due (LH-9); what a kodille costs beyond a bête is booked by itself.

        Who sits out is known by the deal, so its lines rest on that too.
        """
        everybody = self.options["sitter_pays"]
        payers = [
            seat for seat in range(self.table.seats) if (everybody or seat in self.order) and seat != self.declarer
        ]
        rate = CONTRACTS[self.contract].rate
        more = due.amount + rate if due.outcome == "kodille" else 0
        dues = [Due("contract", due.rule, due.amount - more, self.declarer, payer) for payer in payers]
        dues += [Due("kodille", due.rule, more, self.declarer, payer) for payer in payers]
        dues += [Due("tout", "LH-8.3", due.tout, self.declarer, payer) for payer in payers]
        with_deal = [*self.versions("cards-dealt"), *grounds]
        dues = [each if each.by in self.order else each._replace(events=with_deal) for each in dues]
        return Result(due.outcome, dues, grounds)


STAGES: Mapping[str, Stage] = {
    "bid-made": Stage("LH-4.3", {"bid": "LH-4.2", "self": "LH-4.2", "pass": "LH-4.2"}),
    "contract-declared": Stage("LH-5.1", {"declare": "LH-5.1"}),
    "cards-exchanged": Stage("LH-6.1", {"exchange": "LH-6.1"}, ("abandon",)),
    "card-played": Stage("LH-7.1", {"play": "LH-7.1", "stop": "LH-8.3"}, ("abandon",)),
}
"""By the first type of event that is waited for."""

CHECKER = Rules(
    name="lhombre",
    pack=PACK,
    options=record_of(players=one_of(3, 4), sitter_pays=is_bool),
    seats=lambda options: int(options["players"]),
    deals=has_so_many,
    portions=portions,
    next_dealer=lambda dealer, options: (dealer - 1) % int(options["players"]),
    outcomes=OUTCOMES,
    shapes=SHAPES,
    acts=ACTS,
    acts_or_follows={"contract-declared"},
    deal=LhombreDeal,
    cites={"deals": "LH-1.4", "dealer": "LH-1.3", "cards": "LH-3.1", "ledger": "LH-9.1", "winners": "LH-1.4"},
)
