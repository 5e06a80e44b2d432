"""Crocodile, as its rules tell it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tests.support.checker.chance import Envelope
from tests.support.checker.record import Deal, Due, Ended, Options, Result, Rules, Shapes, Stage, Stuck, distinct_of
from tests.support.checker.shapes import (
    card_of,
    is_bool,
    is_int,
    is_seat,
    is_suit,
    is_text,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    seat_only,
)

SORTED_PACK = [rank + suit for suit in "shdc" for rank in "KQJ765432A"]

CONTRACTS: dict[str, dict[str, Any]] = {
    # value; positive or not; trumps: named, turned, none; declarer's exchange (least, most); may concede
    "casco": {"value": 1, "positive": True, "trumps": "casco", "exchange": None, "concede": True},
    "play": {"value": 2, "positive": True, "trumps": "named", "exchange": (0, 9), "concede": True},
    "grand": {"value": 2, "positive": True, "trumps": "none", "exchange": (0, 9), "concede": True},
    "tournee": {"value": 3, "positive": True, "trumps": "turned", "exchange": (0, 9), "concede": True},
    "exchange-nolo": {"value": 3, "positive": False, "trumps": "none", "exchange": (0, 4), "concede": False},
    "solo": {"value": 4, "positive": True, "trumps": "named", "exchange": None, "concede": False},
    "grandissimo": {"value": 4, "positive": True, "trumps": "none", "exchange": None, "concede": False},
    "tournee-respect": {"value": 6, "positive": True, "trumps": "turned", "exchange": (1, 1), "concede": False},
    "nolo": {"value": 6, "positive": False, "trumps": "none", "exchange": None, "concede": False},
    "nolo-ouvert": {"value": 10, "positive": False, "trumps": "none", "exchange": None, "concede": False},
}
BIDS = tuple(name for name in CONTRACTS if name != "casco")
POSITIVE = tuple(name for name, row in CONTRACTS.items() if row["positive"])
NEGATIVE = tuple(name for name, row in CONTRACTS.items() if not row["positive"])
BONUSES = ("talking", "cuatro", "primeras", "tout")
OUTCOMES = (
    "victory", "simple-remis", "piccolo-remis", "simple-loss", "crocodile-lunch", "contraprimeras", "contranolo",
    "conceded",
)  # fmt: skip
OPTIONS = {
    "contraprimeras": ("always", "if-lost"),
    "bonus_stacking": ("exclusive", "cumulative"),
    "casco_stock": ("all", "face-up"),
}


def height_of(card: str) -> int:
    """The more, the higher the card in its suit, aces low (CR-2)."""
    return -SORTED_PACK.index(card)


Booking = tuple[str, str, int]
"""Kind, rule and amount of what declarer gains."""
Worth = tuple[str, tuple[Booking, ...]]


def outcome_of(contract: str, won: tuple[int, ...], declarer: int, options: tuple[str, str]) -> tuple[str, str, int]:
    """Outcome, rule and multiple of the value, when the nine tricks went to the seats in `won` (CR-9)."""
    mine = won.count(declarer)
    others = sorted(won.count(seat) for seat in range(3) if seat != declarer)
    most = mine > others[1]
    if CONTRACTS[contract]["positive"]:
        first_five_lost = declarer not in won[:5]
        if first_five_lost and (options[0] == "always" or not most):
            return "contraprimeras", "CR-9.1", -4
        if most:
            return "victory", "CR-9.2", 1
        if mine == others[1]:
            return "simple-remis", "CR-9.3", -1
        if (mine, *others) == (1, 4, 4):
            return "piccolo-remis", "CR-9.4", -1
        return "crocodile-lunch", "CR-9.5", -2
    if mine == 0:
        return "victory", "CR-9.6", 1
    if mine == 1:
        return "simple-loss", "CR-9.7", -1
    if most:
        return "contranolo", "CR-9.8", -4
    return "crocodile-lunch", "CR-9.9", -2


def bonus_value(contract: str, bonus: str) -> int:
    """What a bonus bid is worth (CR-10.1)."""
    value: int = CONTRACTS[contract]["value"]
    return {"talking": 10, "cuatro": 2 * value, "primeras": 2 * value, "tout": 7 * value}[bonus]


def result(contract: str, bonus: str | None, won: tuple[int, ...], declarer: int, options: tuple[str, str]) -> Worth:
    """What a deal whose nine tricks went to `won` comes to (CR-9, CR-10)."""
    value: int = CONTRACTS[contract]["value"]
    outcome, rule, multiple = outcome_of(contract, won, declarer, options)
    bookings: list[Booking] = [("contract", rule, multiple * value)]
    victory = outcome == "victory"
    made = {
        "talking": victory,
        "cuatro": victory and won.count(declarer) == 4,
        "primeras": set(won[:5]) == {declarer},
        "tout": set(won) == {declarer},
    }
    if bonus is not None:
        worth = bonus_value(contract, bonus)
        bookings.append(("bonus", "CR-10.2", worth if made[bonus] else -worth))
    if CONTRACTS[contract]["positive"]:
        for feat, times in (("cuatro", 1), ("primeras", 1), ("tout", 3)):
            replaced = feat == "primeras" and made["tout"] and options[1] == "exclusive"
            if made[feat] and feat != bonus and not replaced:
                bookings.append(("bonus", "CR-10.3", times * value))
    return outcome, tuple(sorted(bookings))


def results(
    contract: str, bonus: str | None, won: Sequence[int], declarer: int, options: tuple[str, str]
) -> frozenset[Worth]:
    """All that may still come of a deal of which these tricks are played: every way of sharing out the rest (CR-8.4).

    Nothing asks in which order the first five tricks fell, nor the last four; so they may be sorted, and the seats
    counted from declarer, that fewer cases are to be gone through.
    """
    places = [(seat - declarer) % 3 for seat in won]
    return _results(contract, bonus, tuple(sorted(places[:5])), tuple(sorted(places[5:])), options)


@cache
def _results(
    contract: str, bonus: str | None, early: tuple[int, ...], late: tuple[int, ...], options: tuple[str, str]
) -> frozenset[Worth]:
    if len(early) + len(late) == 9:
        return frozenset({result(contract, bonus, early + late, 0, options)})
    further: set[Worth] = set()
    for seat in range(3):
        if len(early) < 5:
            further |= _results(contract, bonus, tuple(sorted((*early, seat))), late, options)
        else:
            further |= _results(contract, bonus, early, tuple(sorted((*late, seat))), options)
    return frozenset(further)


# the events

is_card = card_of(SORTED_PACK)
is_opening = opening_of(SORTED_PACK)
is_bonus = or_null(one_of(*BONUSES))
SHAPES: Shapes = {
    "bid-made": (record_of(seat=is_seat, contract=one_of(*BIDS)), {}),
    "bid-passed": (seat_only, {}),
    "casco-forced": (seat_only, {}),
    "contract-declared": (
        record_of(seat=is_seat, contract=one_of(*BIDS), trump=or_null(is_suit), bonus=is_bonus), {}
    ),
    "talon-turned": (record_of(card=is_card, trump=is_suit, opening=is_opening), {}),
    "casco-taken": (
        seat_only, {"seat": record_of(kept=is_card, discarded=list_of(is_card, 8), taken=list_of(is_opening, 13))}
    ),
    "casco-laid": (record_of(seat=is_seat, cards=list_of(is_card, 5), trump=or_null(is_suit), bonus=is_bonus), {}),
    "priority-offered": (record_of(seat=is_seat, to=is_seat), {}),
    "priority-answered": (record_of(seat=is_seat, accepted=is_bool), {}),
    "cards-exchanged": (
        record_of(seat=is_seat, count=is_int, taken=list_of(is_card)),
        {"seat": record_of(discarded=list_of(is_card), drawn=list_of(is_opening))},
    ),
    "hand-exposed": (record_of(seat=is_seat, cards=list_of(is_card, 9)), {}),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "trick-won": (record_of(seat=is_seat, trick=is_int), {}),
    "deal-conceded": (seat_only, {}),
    "table-talk": (seat_only, {"public": record_of(text=is_text)}),
}  # fmt: skip
ACTS = set(SHAPES) - {"casco-forced", "talon-turned", "hand-exposed", "trick-won"}


def portions(dealer: int, options: Options) -> list[int | None]:
    """Three batches of three from eldest on; the rest is the talon (CR-3)."""
    batches = [(dealer + 1 + batch) % 3 for batch in range(9)]
    return [*(seat for seat in batches for _ in range(3)), *[None] * 13]


# a deal


class CrocodileDeal(Deal):
    FREE = ("table-talk", "deal-conceded")
    CARDS_RULE = "CR-2.1"
    LEAD_RULE = "CR-8.1"
    SUIT_RULE = "CR-8.2"
    TRICK_RULE = "CR-8.3"
    EXCHANGE_RULE = "CR-7.1"

    contract: str | None = None
    bonus: str | None = None
    trump: str | None = None
    declarer: int
    bid: str | None = None
    """The bid that stands."""
    prior = False
    """Whether the second opponent exchanges now, having accepted priority."""
    may_concede: int | None = None
    """The seat that may concede now."""

    def play(self) -> Result:
        self.talkers: set[int] = set()
        self.said: Counter[int] = Counter()
        self.face_up: list[str] = []
        self.scoring: tuple[str, str] = (self.options["contraprimeras"], self.options["bonus_stacking"])
        self.declarer = self.auction()
        if self.bid is None:
            self.casco()
        else:
            self.declaration(self.bid)
        self.exchanges()
        return self.booked(self.tricks(), "trick-won")

    def auction(self) -> int:
        """Declarer; if no bid stands, it is Casco (CR-4)."""
        speaking = list(self.order)
        while True:
            event = self.act("bid-made", "bid-passed", turn=speaking[0])
            seat = event["public"]["seat"]
            self.must_be("the speaker", seat, speaking[0], "CR-4.1")
            if seat not in speaking:
                raise Stuck(f"version {event['version']}: CR-4.2: seat {seat} has passed already")
            if event["type"] == "bid-passed":
                speaking.remove(seat)
                if not speaking:
                    forced = self.follow("casco-forced")
                    self.must_be("declarer", forced["public"]["seat"], self.order[0], "CR-4.5")
                    return self.order[0]
            else:
                bid = event["public"]["contract"]
                self.must(self.outbids(bid), f"{bid} is no higher than {self.bid}", "CR-4.3")
                self.bid = bid
                speaking.remove(seat)
                speaking.append(seat)
                if bid == "nolo-ouvert":
                    return int(seat)
            if len(speaking) == 1 and self.bid is not None:
                return speaking[0]

    def outbids(self, bid: str) -> bool:
        """CR-4.3."""
        return bid in BIDS and (self.bid is None or BIDS.index(bid) > BIDS.index(self.bid))

    def declaration(self, bid: str) -> None:
        """CR-6, and the turn-up."""
        public = self.act("contract-declared", turn=self.declarer)["public"]
        self.must_be("declarer", public["seat"], self.declarer, "CR-6.1")
        name = public["contract"]
        kind = CONTRACTS[name]
        raised = kind["value"] > CONTRACTS[bid]["value"]
        self.must(name == bid or raised, f"{name} may not be declared on a bid of {bid}", "CR-6.1")
        named = kind["trumps"] == "named"
        self.must((public["trump"] is not None) == named, f"{name} with trump {public['trump']}", "CR-6.2")
        self.settle(name, public["trump"], public["bonus"])
        if kind["trumps"] == "turned":
            turned = self.follow("talon-turned")["public"]
            self.must_be("the turn-up", turned["card"], self.pack[27], "CR-6.4")
            self.must_be("its opening", turned["opening"], self.openings[27], "CR-6.4")
            self.must_be("trump", turned["trump"], self.pack[27][1], "CR-6.4")
            self.trump = self.pack[27][1]

    def settle(self, contract: str, trump: str | None, bonus: str | None) -> None:
        """Takes down what is played."""
        self.contract, self.trump, self.bonus = contract, trump, bonus
        self.must(goes_with(bonus, contract), f"{bonus} with {contract}", "CR-10.1")

    def casco(self) -> None:
        """Declarer's part of Casco: keep one, take the talon, lay five, name trumps (CR-7.6)."""
        dealt = list(self.hands[self.declarer])
        taken = self.act("casco-taken", turn=self.declarer)
        self.must_be("declarer", taken["public"]["seat"], self.declarer, "CR-7.6")
        data = taken["sealed"][f"seat:{taken['public']['seat']}"]["data"]
        self.must(data["kept"] in dealt, f"{data['kept']} was kept but not held", "CR-7.6")
        discarded = [card for card in dealt if card != data["kept"]]
        self.must_be("the discards", data["discarded"], discarded, "CR-7.6")
        self.must_be("the cards taken", data["taken"], self.stock, "CR-7.6")
        hand = self.hands[self.declarer] = [data["kept"], *self.pack[27:]]
        laid = self.act("casco-laid", turn=self.declarer)["public"]
        self.must_be("declarer", laid["seat"], self.declarer, "CR-7.6")
        cards = laid["cards"]
        self.must(distinct_of(cards, hand), f"{cards} were laid but not held", "CR-7.6")
        self.must_be("the order of the cards laid", cards, self.sorted(cards))
        self.hands[self.declarer] = [card for card in hand if card not in cards]
        self.settle("casco", laid["trump"], laid["bonus"])
        self.face_up = list(cards)
        unseen = discarded if self.options["casco_stock"] == "all" else []
        self.stock = [self.openings[self.pack.index(card)] for card in unseen]

    def exchanges(self) -> None:
        """CR-7: declarer, then the opponents, perhaps after an offer of priority."""
        assert self.contract is not None
        kind = CONTRACTS[self.contract]
        if kind["exchange"] is not None:
            self.exchange(self.act("cards-exchanged", turn=self.declarer), self.declarer, *kind["exchange"])
        if kind["concede"]:
            self.may_concede = self.declarer
        first, second = self.after(self.declarer), self.after(self.declarer, 2)
        event = self.act("cards-exchanged", "priority-offered", turn=first)
        if event["type"] == "priority-offered":
            self.must_be("the offer", event["public"], {"seat": first, "to": second}, "CR-7.4")
            answer = self.act("priority-answered", turn=second)["public"]
            self.must_be("who answers", answer["seat"], second, "CR-7.4")
            self.prior = answer["accepted"]
            if self.prior:
                first, second = second, first
            event = self.act("cards-exchanged", turn=first)
            self.prior = False
        self.exchange(event, first, 0, 9)
        if self.stock or self.face_up:
            self.exchange(self.act("cards-exchanged", turn=second), second, 0, 9)
        if self.contract == "nolo-ouvert":
            exposed = self.follow("hand-exposed")["public"]
            self.must_be("whose hand", exposed["seat"], self.declarer, "CR-5.3")
            self.must_be("the hand", exposed["cards"], self.sorted(self.hands[self.declarer]), "CR-5.3")
            if self.bonus == "talking":
                self.talkers = {0, 1, 2} - {self.declarer}

    def exchange(self, event: Envelope, seat: int, least: int, most: int, taken: Sequence[str] = ()) -> None:
        taken = event["public"]["taken"]
        self.must(distinct_of(taken, self.face_up), f"{taken} do not lie face up", "CR-7.7")
        self.must_be("the order of cards taken", taken, self.sorted(taken))
        super().exchange(event, seat, least, most, taken)
        self.face_up = [card for card in self.face_up if card not in taken]

    def tricks(self) -> Worth:
        """CR-8: every trick until all is settled, and none after it."""
        leader = self.order[0]
        while len(still := self.results()) > 1:
            trick: list[tuple[int, str]] = []
            for step in range(3):
                seat = self.after(leader, step)
                trick.append((seat, self.card(seat, trick[0][1] if trick else None)))
                if seat == self.declarer:
                    self.may_concede = None
            leader = self.trick_won(trick)
        self.over()
        (settled,) = still
        return settled

    def results(self) -> frozenset[Worth]:
        assert self.contract is not None
        return results(self.contract, self.bonus, self.won, self.declarer, self.scoring)

    def trumps(self) -> str | None:
        return self.trump

    def free(self, event: Envelope) -> None:
        if event["type"] == "table-talk":
            self.talk(event)
        else:
            raise Ended(self.booked(self.concession(event), "deal-conceded"))

    def talk(self, event: Envelope) -> None:
        seat = event["public"]["seat"]
        self.said[seat] += 1
        self.must(seat in self.talkers, f"seat {seat} may not talk now", "CR-10.7")
        self.must(self.said[seat] <= 50, f"seat {seat} talked more than 50 times", "CR-10.7")
        if not event["sealed"]:
            return  # what was said is erased
        text = event["sealed"]["public"]["data"]["text"]
        self.must(well_formed(text), f"an ill-formed text: {text!r}", "CR-10.7")

    def concession(self, event: Envelope) -> Worth:
        seat = event["public"]["seat"]
        if self.contract is None or self.may_concede is None:
            raise Stuck(f"version {event['version']}: CR-9.11: nobody may concede now")
        self.must_be("who concedes", seat, self.may_concede, "CR-9.11")
        bookings: list[Booking] = [("contract", "CR-9.11", -CONTRACTS[self.contract]["value"])]
        if self.bonus is not None:
            bookings.append(("bonus", "CR-10.2", -bonus_value(self.contract, self.bonus)))
        return "conceded", tuple(bookings)

    def stage(self) -> Stage:
        return STAGES[self.waited_for[0]]

    def turn_rule(self, seat: int) -> str | None:
        """CR-7.2: declarer first, if the contract lets declarer exchange; CR-7.4: the opponent with priority."""
        if self.waited_for[0] != "cards-exchanged":
            return None
        exchanges = self.contract is not None and CONTRACTS[self.contract]["exchange"] is not None
        if self.declarer in self.on_turn or (seat == self.declarer and not exchanges):
            return "CR-7.2"
        return "CR-7.4" if self.prior else None

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "bid":
                if not self.outbids(act["contract"]):
                    yield "CR-4.3"
            case "declare":
                yield from self.breaks_by_declaring(act["contract"], act["trump"], act["bonus"])
            case "take-casco":
                if act["keep"] not in self.hands[seat]:
                    yield "CR-7.6"
            case "lay-casco":
                if len(act["lay"]) != 5 or not distinct_of(act["lay"], self.hands[seat]):
                    yield "CR-7.6"
                if not goes_with(act["bonus"], "casco"):
                    yield "CR-10.1"
            case "exchange":
                yield from self.breaks_by_exchanging(seat, act["discard"], act["take"])
            case "offer-priority":
                if "priority-offered" not in self.waited_for:
                    yield "CR-7.4"
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])
            case "concede":
                if seat != self.may_concede:
                    yield "CR-9.11"
            case "talk":
                if seat not in self.talkers or self.said[seat] >= 50 or not well_formed(act["text"]):
                    yield "CR-10.7"

    def breaks_by_declaring(self, name: str, trump: str | None, bonus: str | None) -> Iterator[str]:
        assert self.bid is not None
        if name != self.bid and CONTRACTS[name]["value"] <= CONTRACTS[self.bid]["value"]:
            yield "CR-6.1"
        if (CONTRACTS[name]["trumps"] == "named") is (trump is None):
            yield "CR-6.2"
        if not goes_with(bonus, name):
            yield "CR-10.1"

    def breaks_by_exchanging(self, seat: int, discard: Sequence[str], take: Sequence[str]) -> Iterator[str]:
        assert self.contract is not None
        limits = CONTRACTS[self.contract]["exchange"] if seat == self.declarer else None
        if not distinct_of(discard, self.hands[seat]):
            yield "CR-7.1"
        if limits is not None and not limits[0] <= len(discard) <= limits[1]:
            yield "CR-7.1"
        if self.contract == "casco":
            unseen = len(discard) - len(take)
            if not distinct_of(take, self.face_up) or not 0 <= unseen <= len(self.stock):
                yield "CR-7.7"
        else:
            if take:
                yield "CR-7.1"
            if len(discard) > len(self.stock):
                yield "CR-7.3"

    def booked(self, worth: Worth, settled_by: str) -> Result:
        """Declarer against the bank (CR-9.12)."""
        outcome, bookings = worth
        dues = [Due(kind, rule, amount, self.declarer, "bank") for kind, rule, amount in bookings]
        grounds = self.versions("casco-forced", "contract-declared", "casco-laid", "talon-turned", settled_by)
        return Result(outcome, dues, grounds)


def goes_with(bonus: str | None, contract: str) -> bool:
    """CR-10.1."""
    bonuses = BONUSES[1:] if CONTRACTS[contract]["positive"] else BONUSES[:1] if contract == "nolo-ouvert" else ()
    return bonus is None or bonus in bonuses


def well_formed(text: str) -> bool:
    """CR-10.7."""
    return 1 <= len(text) <= 280 and not re.search("[\x00-\x1f\x7f-\x9f]", text)


STAGES: Mapping[str, Stage] = {
    "bid-made": Stage("CR-4.2", {"bid": "CR-4.1", "pass": "CR-4.1"}),
    "contract-declared": Stage("CR-6.1", {"declare": "CR-6.1"}),
    "casco-taken": Stage("CR-7.6", {"take-casco": "CR-7.6"}),
    "casco-laid": Stage("CR-7.6", {"lay-casco": "CR-7.6"}),
    "cards-exchanged": Stage("CR-7.1", {"exchange": "CR-7.3", "offer-priority": "CR-7.4"}, ("concede",)),
    "priority-answered": Stage("CR-7.4", {"answer-priority": "CR-7.4"}, ("concede",)),
    "card-played": Stage("CR-8.1", {"play": "CR-8.1"}, ("concede", "talk")),
}
"""By the first type of event that is waited for."""

CHECKER = Rules(
    name="crocodile",
    pack=SORTED_PACK,
    options=record_of(**{name: one_of(*values) for name, values in OPTIONS.items()}),
    seats=lambda _: 3,
    deals=lambda deals, _: deals % 3 == 0 and 3 <= deals <= 99,
    portions=portions,
    outcomes=OUTCOMES,
    shapes=SHAPES,
    acts=ACTS,
    deal=CrocodileDeal,
    cites={"deals": "CR-1.2", "dealer": "CR-1.3", "cards": "CR-3", "ledger": "CR-9.12", "winners": "CR-1.5"},
)
