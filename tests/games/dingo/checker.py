"""Dingo, as its rules tell it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.support.checker.chance import Shuffle
from tests.support.checker.record import Deal, Due, Envelope, Options, Result, Rules, Shapes, Stage, Stuck
from tests.support.checker.shapes import card_of, is_seat, list_of, one_of, or_null, record_of

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "shdc" for rank in reversed(RANKS)]
DEALT = [card for card in PACK if card[1] != "d" or card == "Ad"]

STEPS = (None, 1, None, 2, None, 3, None)
"""DG-4: how far to the left each step passes a card; None for a discard."""


def value(card: str) -> int:
    """DG-2.2, but for the ace of diamonds in a score pile."""
    return 3 if card[0] == "A" else 2 if card[0] in "TJQK" else 1


def draw(shuffle: Shuffle, _: Sequence[str], __: Options) -> tuple[list[str], list[list[str]]]:
    """DG-3.1: the rabbits from 2 to king are not dealt."""
    return shuffle("codille-deal", DEALT), []


def portions(dealer: int, _: Options) -> list[int | None]:
    """DG-3.1."""
    return [(dealer + 1 + place) % 4 for place in range(40)]


def of_equals(best: Sequence[int], deals: int, extra: Mapping[str, Any]) -> Sequence[int]:
    """DG-8.4."""
    if deals > 1:
        return best
    height = {seat: RANKS.find(extra["rabbits"][seat] or "none") for seat in best}
    return [seat for seat in best if height[seat] == max(height.values())]


is_card = card_of(PACK)
is_rank = one_of(*RANKS)
is_pile = list_of(record_of(seat=is_seat, card=is_card))
SEAT_AND_CARD = (record_of(seat=is_seat, card=is_card), {})
SHAPES: Shapes = {
    "card-discarded": SEAT_AND_CARD,
    "card-passed": (record_of(seat=is_seat, to=is_seat), {"seat": record_of(card=is_card)}),
    "dingo-played": (record_of(rank=is_rank, seat=is_seat, card=is_card), {}),
    "hunt-off": (record_of(rank=is_rank), {}),
    "wolf-played": SEAT_AND_CARD,
    "wolf-passed": (record_of(seat=is_seat), {}),
    "wolves-played": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
    "rabbit-played": SEAT_AND_CARD,
    "ace-shown": SEAT_AND_CARD,
    "hunt-ended": (record_of(rank=is_rank, score=is_pile, penalty=is_pile), {}),
    "hand-exposed": (record_of(seat=is_seat, cards=list_of(is_card)), {}),
}

Pile = list[dict[str, Any]]


STAGES = {
    "card-discarded": Stage("DG-4.1", {"discard": "DG-4.1"}),
    "card-passed": Stage("DG-4.3", {"pass-card": "DG-4.1"}),
    "wolf-played": Stage("DG-5.2", {"play-wolf": "DG-5.2", "pass": "DG-5.2"}),
    "wolves-played": Stage("DG-6.2", {"play-wolves": "DG-6.2"}),
}
"""What may be done, by the first event that is waited for."""


class DingoDeal(Deal):
    CARDS_RULE = "DG-2.1"

    def play(self) -> Result:
        self.gone: set[str] = set()
        """What was discarded."""
        self.dues: list[Due] = []
        self.rabbits: list[str | None] = [None] * 4
        dealer = self.order[-1]
        clockwise = [(dealer + step) % 4 for step in range(4)]
        for left in STEPS:
            for seat in clockwise:
                self.discard(seat) if left is None else self.hand_over(seat, (seat + left) % 4)
        for rank in RANKS[:-1]:
            self.hunt(rank)
        self.ace_hunt()
        for seat in clockwise:
            if self.hands[seat]:
                shown = self.follow("hand-exposed")["public"]
                self.must_be("what is shown", shown, {"seat": seat, "cards": self.sorted(self.hands[seat])}, "DG-7.1")
        return Result("hunted", self.dues, [], {"rabbits": self.rabbits})

    def stage(self) -> Stage:
        return STAGES[self.waited_for[0]]

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        hand = self.hands[seat]
        match act["type"]:
            case "discard":
                if act["card"] not in hand or act["card"][0] == "A":
                    yield "DG-4.1"
            case "pass-card":
                if act["card"] not in hand:
                    yield "DG-4.3"
            case "play-wolf":
                if act["card"] not in hand or act["card"] not in (f"{self.rank}s", f"{self.rank}c"):
                    yield "DG-5.2"
            case "play-wolves":
                cards = act.get("cards", [])
                if len(cards) != len(set(cards)) or not set(cards) <= {"As", "Ac"} & set(hand):
                    yield "DG-6.2"

    def by(self, event: Envelope, seat: int, rule: str) -> dict[str, Any]:
        """The public part of an act that must be this seat's."""
        public: dict[str, Any] = event["public"]
        if public["seat"] != seat:
            raise Stuck(f"version {event['version']}: {rule}: it is the turn of seat {seat}")
        return public

    def leave(self, seat: int, card: str) -> None:
        if card not in self.hands[seat]:
            raise Stuck(f"{card} left the hand of seat {seat}, who did not hold it")
        self.hands[seat].remove(card)

    def holder(self, card: str) -> int:
        for seat, hand in self.hands.items():
            if card in hand:
                return seat
        raise Stuck(f"nobody holds {card} any more")

    def discard(self, seat: int) -> None:
        """DG-4.1."""
        card = self.by(self.act("card-discarded", turn=seat), seat, "DG-4.1")["card"]
        self.must(card[0] != "A", f"{card} was discarded", "DG-4.1")
        self.leave(seat, card)
        self.gone.add(card)

    def hand_over(self, seat: int, to: int) -> None:
        """DG-4.3, DG-4.4."""
        event = self.act("card-passed", turn=seat)
        if self.by(event, seat, "DG-4.3")["to"] != to:
            raise Stuck(f"version {event['version']}: DG-4.3: the card is for seat {to}")
        card = event["sealed"][f"seat:{seat}"]["data"]["card"]
        self.must_be("what the receiver sees", event["sealed"][f"seat:{to}"]["data"]["card"], card, "DG-4.4")
        self.leave(seat, card)
        self.hands[to].append(card)

    def dingo(self, rank: str) -> int:
        """The holder of the dingo, who must play it (DG-5.1)."""
        holder = self.holder(f"{rank}h")
        played = self.follow("dingo-played")["public"]
        self.must_be("the dingo", played, {"rank": rank, "seat": holder, "card": f"{rank}h"}, "DG-5.1")
        self.leave(holder, f"{rank}h")
        return holder

    def hunt(self, rank: str) -> None:
        """DG-5."""
        start, self.rank = self.table.at, rank
        if f"{rank}h" in self.gone:
            self.must_be("the rank", self.follow("hunt-off")["public"], {"rank": rank}, "DG-5.1")
            return
        dingo = self.dingo(rank)
        wolves: Pile = []
        for step in (1, 2, 3):
            if {f"{rank}s", f"{rank}c"} <= self.gone | {wolf["card"] for wolf in wolves}:
                break
            seat = (dingo + step) % 4
            event = self.act("wolf-played", "wolf-passed", turn=seat)
            public = self.by(event, seat, "DG-5.2")
            if event["type"] == "wolf-played":
                self.must(
                    public["card"] in (f"{rank}s", f"{rank}c"), f"{public['card']} is no wolf of {rank}", "DG-5.2"
                )
                self.leave(seat, public["card"])
                wolves.append(public)
        own, rabbit = {"seat": dingo, "card": f"{rank}h"}, f"{rank}d"
        if not wolves:
            self.ended(rank, "DG-5.4", [], [own], start)
        elif len(wolves) == 1:
            self.ended(rank, "DG-5.5", [wolves[0], {**wolves[0], "card": rabbit}, own], [], start)
        else:
            caught = {**wolves[0], "seat": dingo}
            self.ended(rank, "DG-5.6", [wolves[1], {**wolves[1], "card": rabbit}, own, caught], [], start)

    def ace_hunt(self) -> None:
        """DG-6."""
        start = self.table.at
        dingo = self.dingo("A")
        wolves: Pile = []
        asked: list[int] = []
        while len(asked) < 4 and len(wolves) < 2:
            seat = (dingo + 1 + len(asked)) % 4
            asked.append(seat)
            cards = self.by(self.act("wolves-played", turn=seat), seat, "DG-6.2")["cards"]
            self.must(set(cards) <= {"As", "Ac"}, f"{cards} are not all black aces", "DG-6.2")
            self.must_be("the order of the aces", cards, self.sorted(set(cards)))
            for card in cards:
                self.leave(seat, card)
                wolves.append({"seat": seat, "card": card})
        holder = self.holder("Ad")
        in_time = len(wolves) == 2 and holder not in asked[:-1]
        ace = {"seat": holder, "card": "Ad"}
        shown = self.follow("rabbit-played" if in_time else "ace-shown")["public"]
        self.must_be("the ace of diamonds", shown, ace, "DG-6.4")
        self.leave(holder, "Ad")
        own = {"seat": dingo, "card": "Ah"}
        score = [*wolves, *([own] if wolves else []), *([ace] if in_time else [])]
        penalty = [*([] if wolves else [own]), *([] if in_time else [ace])]
        self.ended("A", "DG-6.5", score, penalty, start)

    def ended(self, rank: str, rule: str, score: Pile, penalty: Pile, start: int) -> None:
        """The hunt is over, and its cards are booked (DG-8.1)."""
        ended = self.follow("hunt-ended")["public"]
        self.must_be("what the hunt comes to", ended, {"rank": rank, "score": score, "penalty": penalty}, rule)
        grounds = [
            event["version"]
            for event in self.table.events[start : self.table.at]
            if event["type"] in ("dingo-played", "wolf-played", "rabbit-played", "ace-shown", "hunt-ended")
            or (event["type"] == "wolves-played" and event["public"]["cards"])
        ]
        for won in score:
            worth = 10 if won["card"] == "Ad" else value(won["card"])
            self.dues.append(Due("score", rule, worth, won["seat"], "bank", grounds))
            if won["card"][1] == "d":
                self.rabbits[won["seat"]] = rank
        for lost in penalty:
            self.dues.append(Due("penalty", rule, -value(lost["card"]), lost["seat"], "bank", grounds))


CHECKER = Rules(
    name="dingo",
    pack=PACK,
    deals=lambda deals, _: deals == 1 or (deals % 4 == 0 and 4 <= deals <= 96),
    portions=portions,
    outcomes=("hunted",),
    shapes=SHAPES,
    acts={"card-discarded", "card-passed", "wolf-played", "wolf-passed", "wolves-played"},
    deal=DingoDeal,
    cites={"deals": "DG-1.2", "dealer": "DG-1.3", "cards": "DG-3.1", "ledger": "DG-8.1", "winners": "DG-8.4"},
    scored={"rabbits": list_of(or_null(is_rank), 4)},
    draw=draw,
    dealt=40,
    sealed={"card-passed": lambda public, _: {f"seat:{public['seat']}", f"seat:{public['to']}"}},
    of_equals=of_equals,
)
