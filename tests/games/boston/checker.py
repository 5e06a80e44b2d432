"""Boston, as its rules tell it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.support.checker.record import Deal, Due, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import (
    card_of,
    from_to,
    is_bool,
    is_seat,
    is_suit,
    list_of,
    one_of,
    or_null,
    record_of,
    seat_only,
)

PACK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
ACES = ["As", "Ah", "Ad", "Ac"]

FACTORS = {"s": 1, "c": 2, "d": 3, "h": 4}
"""By suit, low to high (BO-2.3)."""

LADDER = (
    *("five", "six", "petite-misere", "seven", "piccolissimo", "eight", "grande-misere", "nine", "four-ace-misere"),
    *("ten", "petite-misere-ouverte", "eleven", "grande-misere-ouverte", "twelve", "boston", "boston-ouvert"),
)
"""The contracts, low to high (BO-4.1, BO-4.3)."""

TRICKS = {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}
SUPPORTED = {"five": 3, "six": 4, "seven": 4, "eight": 4}
"""What a supporter owes (BO-4)."""
WITHOUT_TRUMPS = {
    "petite-misere": 16,
    "piccolissimo": 24,
    "grande-misere": 32,
    "four-ace-misere": 40,
    "petite-misere-ouverte": 48,
    "grande-misere-ouverte": 56,
}
"""The bases of the misères (BO-4)."""
FOUR_ACES = "four-ace-misere"
DISCARDING = ("petite-misere", "piccolissimo", "petite-misere-ouverte")
OPEN = ("petite-misere-ouverte", "grande-misere-ouverte", "boston-ouvert")


class Played(NamedTuple):
    """What one seat did: tricks won, honours dealt."""

    won: int
    honours: int = 0


class Share(NamedTuple):
    """What one seat gains, by which rule, and whether honours count in it."""

    rule: str
    amount: int
    honours: bool


class Owed(NamedTuple):
    """The outcome, and what declarer and supporter gain; null where there is no line."""

    outcome: str
    declarer: Share | None
    supporter: Share | None = None


def height(contract: str, suit: str) -> tuple[int, int]:
    """What outranks what (BO-3.3)."""
    return LADDER.index(contract), FACTORS[suit]


def goal_of(contract: str) -> int:
    """How many tricks declarer is to win: so many or more, without trumps exactly so many (BO-4)."""
    if contract in TRICKS:
        return TRICKS[contract]
    return int(contract == "piccolissimo") if contract in WITHOUT_TRUMPS else 13


def worth(contract: str, suit: str, goal: int, did: Played, five_base: int) -> int:
    """What the contract is worth to a seat that should have won so many tricks (BO-7.1 to BO-7.4)."""
    if contract in TRICKS:
        level = TRICKS[contract] - 4
        base = 3 * level if contract != "five" else five_base
        premiums = abs(did.won - goal) + {3: 2, 4: 4}.get(did.honours, 0)
        return (base + level * premiums) * FACTORS[suit]
    return (WITHOUT_TRUMPS | {"boston": 100, "boston-ouvert": 200})[contract] * FACTORS[suit]


def owed(contract: str, suit: str, declarer: Played, supporter: Played | None = None, five_base: int = 3) -> Owed:
    """BO-7.5 and BO-8."""
    goal = goal_of(contract)
    own = worth(contract, suit, goal, declarer, five_base)
    made = declarer.won == goal if contract in WITHOUT_TRUMPS else declarer.won >= goal
    honours = contract in TRICKS and declarer.honours >= 3
    if supporter is None:
        return Owed("made" if made else "failed", Share("BO-7.5", own if made else -own, honours))
    owes = SUPPORTED[contract]
    other, theirs = worth(contract, suit, owes, supporter, five_base), supporter.honours >= 3
    if made == (supporter.won >= owes):
        sign, rule = (1, "BO-8.1") if made else (-1, "BO-8.2")
        shares = Share(rule, sign * -(-own // 2), honours), Share(rule, sign * -(-other // 2), theirs)
        return Owed("both-made" if made else "both-failed", *shares)
    both = Share("BO-8.3", -((own + other + 1) // 2), honours or theirs)
    return Owed("supporter-failed", None, both) if made else Owed("declarer-failed", both)


def over_after(contract: str, mine: int, played: int) -> bool:
    """Whether play is over once so many tricks are played, of which declarer has won some (BO-6.5)."""
    if played == (12 if contract in DISCARDING else 13):
        return True
    if contract in TRICKS:
        return False
    if contract in WITHOUT_TRUMPS:
        return mine > goal_of(contract)
    return mine < played


# the events

is_card = card_of(PACK)
is_contract = one_of(*LADDER)
SHAPES: Shapes = {
    "bid-made": (record_of(seat=is_seat, contract=is_contract, suit=is_suit, shown=list_of(is_card)), {}),
    "bid-passed": (seat_only, {}),
    "played-alone": (seat_only, {}),
    "support-called": (seat_only, {}),
    "support-answered": (record_of(seat=is_seat, accepted=is_bool), {}),
    "card-put-down": (seat_only, {"seat": record_of(card=is_card)}),
    "hand-exposed": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, 13)), {}),
}
ACTS = set(SHAPES) - {"hand-exposed", "trick-won"}

OUTCOMES = ("made", "failed", "both-made", "both-failed", "declarer-failed", "supporter-failed", "thrown-in")


def portions(dealer: int, options: Options) -> list[int | None]:
    """Four, four and five to each, from the dealer's left on (BO-2.2)."""
    return [(dealer + 1 + step) % 4 for batch in (4, 4, 5) for step in range(4) for _ in range(batch)]


# a deal


class BostonDeal(Deal):
    CARDS_RULE = "BO-2.1"
    LEAD_RULE = "BO-6.1"
    SUIT_RULE = "BO-6.2"
    TRICK_RULE = "BO-6.3"

    standing: tuple[int, str, str] | None = None
    """The seat that made the bid that stands, its contract and its suit."""
    declarer: int
    contract: str
    bid_suit: str
    bid_at: int
    supporter: int | None = None
    breaks: int = 0
    """How often declarer has broken the rule of following suit (BO-6.4)."""

    def play(self) -> Result:
        self.taken: dict[int, list[str]] = {seat: [] for seat in self.order}
        """What each seat has played."""
        if not self.auction():
            self.over()
            return Result("thrown-in", [], [], dict.fromkeys(("declarer", "supporter", "contract", "suit")))
        self.before_play()
        self.tricks()
        outcome, dues = self.dues()
        grounds = self.grounds()
        says = {
            "declarer": self.declarer, "supporter": self.supporter,
            "contract": self.contract, "suit": self.bid_suit,
        }  # fmt: skip
        return Result(outcome, dues, grounds, says)

    def grounds(self) -> list[int]:
        """BO-9.2: the bid, the support and the tricks."""
        return sorted([self.bid_at, *self.versions("played-alone", "support-called", "support-answered", "trick-won")])

    # the auction: BO-3

    def auction(self) -> bool:
        """Whether somebody is declarer."""
        waiting = list(self.order)
        while waiting and not self.is_last(waiting):
            event = self.act("bid-made", "bid-passed", turn=waiting[0])
            public, seat = event["public"], waiting.pop(0)
            if public["seat"] != seat:
                raise Stuck(f"version {event['version']}: BO-3.1: it is the turn of seat {seat}")
            if event["type"] == "bid-passed":
                continue
            waiting.append(seat)
            contract, suit = public["contract"], public["suit"]
            self.must(self.outranks(contract, suit), f"{contract} in {suit} does not outrank {self.standing}", "BO-3.3")
            self.must(self.is_played(contract), "there is no Piccolissimo", "BO-4.3")
            self.must_be("the cards shown", public["shown"], ACES if contract == FOUR_ACES else [], "BO-3.7")
            self.must(self.has_aces(seat, contract), f"seat {seat} has not all aces", "BO-3.7")
            self.standing, self.bid_at = (seat, contract, suit), event["version"]
        if self.standing is None:
            return False
        self.declarer, self.contract, self.bid_suit = self.standing
        return True

    def is_last(self, waiting: Sequence[int]) -> bool:
        """Whether nobody may speak after the bid that stands (BO-3.4, BO-3.6)."""
        if self.standing is None:
            return False
        bidder, *bid = self.standing
        return waiting == [bidder] or bid == ["boston-ouvert", "h"]

    def outranks(self, contract: str, suit: str) -> bool:
        """BO-3.3."""
        return self.standing is None or height(contract, suit) > height(*self.standing[1:])

    def has_aces(self, seat: int, contract: str) -> bool:
        """Whether the seat was dealt what the contract asks for (BO-3.7)."""
        return contract != FOUR_ACES or set(ACES) <= set(self.hands[seat])

    def is_played(self, contract: str) -> bool:
        """Whether the table plays this contract (BO-4.3)."""
        return contract != "piccolissimo" or self.options["piccolissimo"]

    # before play: BO-5

    def before_play(self) -> None:
        if self.contract in SUPPORTED:
            event = self.act("played-alone", "support-called", turn=self.declarer)
            self.must_be("who calls or plays alone", event["public"]["seat"], self.declarer, "BO-5.1")
            if event["type"] == "support-called":
                self.answers()
        if self.contract in DISCARDING:
            event = self.act("card-put-down", turn=self.declarer)
            self.must_be("who puts a card down", event["public"]["seat"], self.declarer, "BO-5.3")
            card = event["sealed"][f"seat:{event['public']['seat']}"]["data"]["card"]
            if card not in self.hands[self.declarer]:
                raise Stuck(f"version {event['version']}: BO-5.3: {card} was not held")
            self.hands[self.declarer].remove(card)
        if self.contract in OPEN:
            should = {"seat": self.declarer, "cards": self.sorted(self.hands[self.declarer])}
            self.must_be("the open hand", self.follow("hand-exposed")["public"], should, "BO-5.4")

    def answers(self) -> None:
        for steps in (1, 2, 3):
            seat = self.after(self.declarer, steps)
            public = self.act("support-answered", turn=seat)["public"]
            self.must_be("who answers", public["seat"], seat, "BO-5.2")
            if public["accepted"]:
                self.supporter = public["seat"]
                return

    # the play: BO-6

    def tricks(self) -> None:
        leader = self.order[0]
        while not self.done():
            trick = self.trick(leader)
            for seat, card in trick:
                self.taken[seat].append(card)
            leader = self.trick_won(trick)
        self.over()

    def done(self) -> bool:
        """BO-6.5."""
        return over_after(self.contract, self.won.count(self.declarer), len(self.won))

    def played(self, seat: int, card: str, led: str | None) -> str:
        """BO-6.4: what the declarer of a Four-ace misère may do, nobody else may, nor this one twice or too late."""
        if self.is_break(seat, card, led):
            text = f"{card} was played to trick {len(self.won) + 1}, after {self.breaks} such cards"
            self.must(self.may_break(), text, "BO-6.4")
            self.breaks += 1
            self.hands[seat].remove(card)
            return card
        return super().played(seat, card, led)

    def is_break(self, seat: int, card: str, led: str | None) -> bool:
        """Whether declarer of a Four-ace misère so plays another suit while holding the suit led."""
        if led is None or self.contract != FOUR_ACES or seat != self.declarer:
            return False
        hand = self.hands[seat]
        return card in hand and card not in self.playable(hand, led)

    def may_break(self) -> bool:
        """Whether declarer of a Four-ace misère may do so now."""
        return len(self.won) < 10 and (self.options["four_ace_revoke"] == "free" or not self.breaks)

    def trumps(self) -> str | None:
        return None if self.contract in WITHOUT_TRUMPS else self.bid_suit

    # what is refused

    def stage(self) -> Stage:
        return STAGES[self.waited_for[0]]

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "bid":
                if not self.outranks(act["contract"], act["suit"]):
                    yield "BO-3.3"
                if not self.has_aces(seat, act["contract"]):
                    yield "BO-3.7"
                if not self.is_played(act["contract"]):
                    yield "BO-4.3"
            case "put-down":
                if act["card"] not in self.hands[seat]:
                    yield "BO-5.3"
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])

    def breaks_by_playing(self, seat: int, card: str) -> Iterator[str]:
        if not self.is_break(seat, card, self.led):
            yield from super().breaks_by_playing(seat, card)
        elif not self.may_break():
            yield "BO-6.4"

    # the score: BO-7, BO-8

    def did(self, seat: int) -> Played:
        honours = sum(card[0] in "AKQJ" and card[1] == self.bid_suit for card in self.taken[seat])
        return Played(self.won.count(seat), honours)

    def dues(self) -> tuple[str, Sequence[Due]]:
        theirs = None if self.supporter is None else self.did(self.supporter)
        due = owed(self.contract, self.bid_suit, self.did(self.declarer), theirs, self.options["five_base"])
        shares = ((self.declarer, due.declarer), (self.supporter, due.supporter))
        return due.outcome, [self.due(seat, share) for seat, share in shares if seat is not None and share is not None]

    def due(self, seat: int, share: Share) -> Due:
        """What the seat gains; where honours count in it, it rests on the deal too (BO-9.2)."""
        dealt = self.versions("cards-dealt") if share.honours and self.rules_version > 1 else []
        return Due("contract", share.rule, share.amount, seat, "bank", [*dealt, *self.grounds()])


STAGES: Mapping[str, Stage] = {
    "bid-made": Stage("BO-3.1", {"bid": "BO-3.1", "pass": "BO-3.1"}),
    "played-alone": Stage("BO-5.1", {"play-alone": "BO-5.1", "call": "BO-5.1"}),
    "support-answered": Stage("BO-5.2", {"answer": "BO-5.2"}),
    "card-put-down": Stage("BO-5.3", {"put-down": "BO-5.3"}),
    "card-played": Stage("BO-6.1", {"play": "BO-6.1"}),
}
"""By the first type of event that is waited for."""

CHECKER = Rules(
    name="boston",
    pack=PACK,
    options=record_of(five_base=one_of(3, 4), piccolissimo=is_bool, four_ace_revoke=one_of("once", "free")),
    deals=lambda deals, _: deals % 4 == 0 and 4 <= deals <= 96,
    portions=portions,
    outcomes=OUTCOMES,
    shapes=SHAPES,
    acts=ACTS,
    deal=BostonDeal,
    scored={
        "declarer": or_null(is_seat),
        "supporter": or_null(is_seat),
        "contract": or_null(is_contract),
        "suit": or_null(is_suit),
    },
    cites={"deals": "BO-1.2", "dealer": "BO-1.3", "cards": "BO-2.2", "ledger": "BO-9.1", "winners": "BO-1.5"},
)
