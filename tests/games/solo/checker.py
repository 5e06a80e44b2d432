"""Solo, as its rules tell it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tests.support.checker.record import Deal, Due, Options, Result, Rules, Shapes, Stage, Stuck, taker
from tests.support.checker.shapes import card_of, from_to, is_seat, is_suit, one_of, or_null, record_of, seat_only

RANKS = "AKQJT987"
PACK = [rank + suit for suit in "shdc" for rank in RANKS]
BLACK_QUEENS = {"Qc", "Qs"}

LEVELS = {"simple": 1, "solo": 3, "tout": 5}
"""The level of each game in suit; in color it is one more (SO-2)."""
VALUES = {1: 2, 2: 4, 3: 4, 4: 8, 5: 16, 6: 32}
"""What the games are worth, by level (SO-2)."""


def trumps(suit: str) -> list[str]:
    """The trumps from the queen of clubs down (SO-1.3)."""
    rest = [rank + suit for rank in RANKS if rank != "7" and rank + suit not in BLACK_QUEENS]
    return ["Qc", "7" + suit, "Qs", *rest]


def callable_cards(hand: Sequence[str]) -> list[str]:
    """What this declarer may call: an ace not held, who holds all aces a king not held (SO-2.1)."""
    for rank in "AK":
        if cards := [rank + suit for suit in "shdc" if rank + suit not in hand]:
            return cards
    return []


def suit_in(card: str, trump: str) -> str:
    """The suit that the card belongs to under these trumps."""
    return trump if card in trumps(trump) else card[1]


def power_in(card: str, trump: str) -> int:
    """The more, the higher the card in its suit under these trumps."""
    return -(trumps(trump) if suit_in(card, trump) == trump else PACK).index(card)


def winner_of(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """Who wins these cards under these trumps (SO-4.1)."""
    return taker(trick, trump, lambda card: suit_in(card, trump), lambda card: power_in(card, trump))


def may_pass(level: int, *, both: bool) -> bool:
    """Whether a seat, which may hold both black queens, may refuse this level (SO-3.3)."""
    return level > 3 or not both


def auction(order: Sequence[int], calls: Callable[[int, int, str], bool]) -> tuple[int | None, int]:
    """Who holds which level at last, if anybody (SO-3.1); `calls` says whether a seat takes a level by this event."""
    waiting = list(order)
    holder = next((seat for seat in order if calls(waiting.pop(0), 1, "bid-asked")), None)
    level = 0 if holder is None else 1
    for asker in waiting:
        while level < 6 and calls(asker, level + 1, "bid-asked"):
            level += 1
            if holder is not None and not calls(holder, level, "bid-held"):
                holder = asker
                break
    return holder, level


def fates(game: str, mine: int, others: int) -> frozenset[str]:
    """What may still come of a game in which declarer's side and the others have so many tricks (SO-2, SO-4.3)."""
    return _fates(8 if game == "tout" else 5, mine, others)


@cache
def _fates(goal: int, mine: int, others: int) -> frozenset[str]:
    if mine + others == 8:
        return frozenset({"made" if mine >= goal else "failed"})
    return _fates(goal, mine + 1, others) | _fates(goal, mine, others + 1)


# the events

is_card = card_of(PACK)
is_level = from_to(1, 6)
SHAPES: Shapes = {
    "bid-asked": (record_of(seat=is_seat, level=is_level), {}),
    "bid-held": (record_of(seat=is_seat, level=is_level), {}),
    "bid-passed": (seat_only, {}),
    "queen-shown": (record_of(seat=is_seat, card=is_card), {}),
    "contract-declared": (
        record_of(seat=is_seat, game=one_of(*LEVELS), trump=is_suit, called=or_null(is_card), level=is_level), {}
    ),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "partner-shown": (seat_only, {}),
    "trick-won": (record_of(seat=is_seat, trick=from_to(1, 8)), {}),
}  # fmt: skip
ACTS = set(SHAPES) - {"contract-declared", "queen-shown", "partner-shown", "trick-won"}


def portions(dealer: int, options: Options) -> list[int | None]:
    """Two batches of four from the dealer's left on (SO-1.1)."""
    return [(dealer + 1 + batch) % 4 for batch in range(8) for _ in range(4)]


# a deal


BIDDING = Stage("SO-3.1", dict.fromkeys(("ask", "yes", "pass"), "SO-3.1"))
STAGES = {
    "bid-asked": BIDDING,
    "bid-held": BIDDING,
    "contract-declared": Stage("SO-3.2", {"declare": "SO-3.2"}),
    "card-played": Stage("SO-4.1", {"play": "SO-4.1"}),
}
"""What may be done, by the first event that is waited for."""


class SoloDeal(Deal):
    CARDS_RULE = "SO-1.1"
    LEAD_RULE = "SO-4.1"
    SUIT_RULE = "SO-4.1"
    TRICK_RULE = "SO-4.1"

    declarer: int
    game: str
    trump: str
    level: int
    called: str | None
    partner: int | None = None
    """The partner, once shown."""

    def play(self) -> Result:
        self.bound = [seat for seat in self.order if set(self.hands[seat]) >= BLACK_QUEENS]
        """Who holds both black queens."""
        self.declaration(*self.auction())
        outcome = self.tricks()
        sign = 1 if outcome == "made" else -1
        side = [self.declarer] if self.partner is None else [self.declarer, self.partner]
        dues = [Due("contract", "SO-4.2", sign * VALUES[self.level], seat, "bank") for seat in side]
        grounds = self.versions("queen-shown", "contract-declared", "partner-shown", "trick-won")
        says = {"declarer": self.declarer, "partner": self.partner, "game": self.game, "level": self.level}
        return Result(outcome, dues, grounds, says)

    def stage(self) -> Stage:
        shown = self.waited_for[0] == "contract-declared" and not self.held
        return Stage("SO-3.4", {"declare": "SO-3.4"}) if shown else STAGES[self.waited_for[0]]

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        match act["type"]:
            case "ask" if self.waited_for[0] != "bid-asked":
                yield "SO-3.1"
            case "yes" if self.waited_for[0] != "bid-held":
                yield "SO-3.1"
            case "pass" if seat in self.bound and self.question <= 3:
                yield "SO-3.3"
            case "declare":
                yield from self.breaks_by_declaring(seat, act["game"], act["trump"], act.get("called"))
            case "play":
                yield from self.breaks_by_playing(seat, act["card"])

    def breaks_by_declaring(self, seat: int, game: str, trump: str, called: str | None) -> Iterator[str]:
        """SO-2.1, SO-3.2 to SO-3.4."""
        level = LEVELS[game] + (trump == self.options["color"])
        if called not in (callable_cards(self.hands[seat]) if game == "simple" else [None]):
            yield "SO-2.1"
        if level < self.held:
            yield "SO-3.2"
        if seat in self.bound and level < 3:
            yield "SO-3.3"
        if not self.held and game != "simple":
            yield "SO-3.4"

    def call(self, seat: int, level: int, other: str) -> bool:
        """Whether this seat, whose turn it is, takes the level in question by this event; else it passes."""
        self.question = level
        event = self.act(other, "bid-passed", turn=seat)
        public = event["public"]
        if public["seat"] != seat:
            raise Stuck(f"version {event['version']}: SO-3.1: it is the turn of seat {seat}")
        if event["type"] == "bid-passed":
            self.must(may_pass(level, both=seat in self.bound), f"seat {seat} holds both black queens", "SO-3.3")
            return False
        self.must_be("the level in question", public["level"], level, "SO-3.1")
        return True

    def auction(self) -> tuple[int, int | None]:
        """Declarer and the level held, if anybody asked (SO-3)."""
        holder, level = auction(self.order, self.call)
        if holder is None:
            holder = next(seat for seat in self.order if "Qc" in self.hands[seat])
            shown = self.follow("queen-shown")["public"]
            self.must_be("the queen shown", shown, {"seat": holder, "card": "Qc"}, "SO-3.4")
            return holder, None
        return holder, level

    def declaration(self, declarer: int, held: int | None) -> None:
        """SO-3.2 to SO-3.4, SO-2.1."""
        self.held = held or 0
        public = self.declared("SO-3.2", by_itself=held == 6, turn=declarer)["public"]
        self.must_be("declarer", public["seat"], declarer, "SO-3.2" if held else "SO-3.4")
        self.declarer, self.game = declarer, public["game"]
        self.trump, self.called = public["trump"], public["called"]
        self.level = LEVELS[self.game] + (self.trump == self.options["color"])
        self.must_be("the level of the game", public["level"], self.level, "SO-2")
        if held is None:
            self.must(self.game == "simple", f"{self.game} was declared when all had passed", "SO-3.4")
        else:
            self.must(self.level >= held, f"a game of level {self.level} was declared, {held} is held", "SO-3.2")
        if declarer in self.bound:
            self.must(self.level >= 3, f"both black queens in a game of level {self.level}", "SO-3.3")
        if self.game == "simple":
            may = callable_cards(self.hands[declarer])
            self.must(self.called in may, f"{self.called} was called, {may} may be", "SO-2.1")
        else:
            self.must_be("the card called", self.called, None, "SO-2.1")

    def tricks(self) -> str:
        """SO-4: every card until the result is settled, and none after it; a trick that is complete is still won."""
        leader = self.order[0]
        while True:
            trick: list[tuple[int, str]] = []
            for step in range(4):
                seat = self.after(leader, step)
                card = self.card(seat, trick[0][1] if trick else None)
                trick.append((seat, card))
                if card == self.called:
                    shown = self.follow("partner-shown")["public"]
                    self.must_be("the partner", shown["seat"], seat, "SO-2.1")
                    self.partner = seat
                    if step < 3 and (result := self.settled()):
                        return result
            leader = self.trick_won(trick)
            if result := self.settled():
                return result

    def settled(self) -> str | None:
        """The result, once it can no longer change; the partner must be known for that."""
        if self.game == "simple" and self.partner is None:
            return None
        mine = sum(winner in (self.declarer, self.partner) for winner in self.won)
        still = fates(self.game, mine, len(self.won) - mine)
        if len(still) > 1:
            return None
        self.over()
        (result,) = still
        return result

    def suit(self, card: str) -> str:
        return suit_in(card, self.trump)

    def power(self, card: str) -> int:
        return power_in(card, self.trump)

    def trumps(self) -> str | None:
        return self.trump


CHECKER = Rules(
    name="solo",
    pack=PACK,
    options=record_of(color=is_suit),
    deals=lambda deals, _: deals % 4 == 0 and 4 <= deals <= 96,
    portions=portions,
    outcomes=("made", "failed"),
    shapes=SHAPES,
    schemas={"deal-scored": 2},
    acts=ACTS,
    acts_or_follows={"contract-declared"},
    deal=SoloDeal,
    scored={"declarer": is_seat, "partner": or_null(is_seat), "game": one_of(*LEVELS), "level": is_level},
    cites={"deals": "SO-1.1", "dealer": "SO-1.1", "cards": "SO-1.1", "ledger": "SO-4.2", "winners": "SO-1.1"},
)
