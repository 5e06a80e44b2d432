"""Tables on which Boston is played.

`planned` stacks a deal in which any order of trick winners can be played.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from domain.games.boston import BOSTON
from domain.games.boston.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat, clockwise
from tests.support.games import Live

SUITS = ("s", "c", "d", "h")
"""Low to high; the factor of each is its place from 1 (BO-2.3)."""
RANKS = "AKQJT98765432"
PACK: tuple[str, ...] = tuple(rank + suit for suit in "shdc" for rank in RANKS)
ACES = ("As", "Ah", "Ad", "Ac")


class BostonLive(Live):
    """A table of Boston."""

    game: ClassVar[Game] = BOSTON

    def bid_out(self, declarer: Seat, contract: str, suit: str = "s") -> None:
        """The auction in which declarer bids this and the others pass."""
        while self.phase == "auction":
            if self.turn == declarer:
                self.do("bid", contract=contract, suit=suit)
            else:
                self.do("pass")

    def said(self) -> list[tuple[Seat, str | None, str | None]]:
        """The auction as all see it."""
        return [(one["seat"], one["contract"], one["suit"]) for one in self.view("public")["auction"]]

    def hand_seen(self, audience: str, seat: Seat, version: int | None = None) -> tuple[list[str], int]:
        """The seat's hand as the audience sees it: the cards it knows, and the number of others."""
        hand = self.view(audience, version)["seats"][seat]["hand"]
        return list(hand["known"]), hand["hidden"]

    def put_down_seen(self, audience: str) -> tuple[list[str], int]:
        """The card that was put down, as the audience sees it."""
        hand = self.view(audience)["put_down"]
        return list(hand["known"]), hand["hidden"]

    def offered_bids(self, seat: Seat) -> list[tuple[str, str]]:
        """The bids that the seat is offered."""
        return [
            (contract, suit)
            for fields in self.offered(seat, "bid")
            for contract in fields["contract"]["one_of"]
            for suit in fields["suit"]["one_of"]
        ]

    def playable(self, seat: Seat) -> set[str]:
        """The cards that the seat may play."""
        return {card for fields in self.offered(seat, "play") for card in fields["card"]["one_of"]}


def dealt(
    hands: Mapping[Seat, str],
    *,
    dealer: Seat = 3,
    options: Options | None = None,
    void: Iterable[tuple[Seat, str]] = (),
) -> BostonLive:
    """A table whose seats hold these cards, their hands filled up with others, of no suit that they are void in."""
    own = {seat: hands.get(seat, "").split() for seat in range(4)}
    rest = [card for card in PACK if all(card not in cards for cards in own.values())]
    voids = set(void)
    for seat in sorted(own, key=lambda seat: not any((seat, suit) in voids for suit in SUITS)):
        for card in [card for card in rest if (seat, card[1]) not in voids][: 13 - len(own[seat])]:
            rest.remove(card)
            own[seat].append(card)
    return BostonLive.stacked(own, (), dealer=dealer, options=options)


Plan = list[dict[Seat, str]]
"""The card that each seat plays to each trick."""


def planned(winners: Sequence[Seat], trump: str, honours: int = 0, holder: Seat = 0) -> Plan:
    """A plan in which these seats win the thirteen tricks. The holder, if there is one, has so many honours.

    All follow suit in twelve tricks, of which the first card wins; the last is of four suits, and trumps win it.
    """
    threes = {suit: ["AKQJ", "T987", "6543"] for suit in SUITS}
    last = dict.fromkeys(SUITS, "2")
    threes[trump] = {0: threes[trump], 3: ["AT98", "K765", "QJ43"], 4: ["AT98", "K765", "Q432"]}[honours]
    last[trump] = "J" if honours == 4 else "2"
    trumps = [[rank + trump for rank in four] for four in threes.pop(trump)]
    others = [[rank + suit for rank in four] for suit, fours in threes.items() for four in fours]
    own = [place for place in range(12) if winners[place] == holder][:3] if honours else []
    plan: Plan = []
    for place in range(12):
        four = (trumps if place in own or not others or (not honours and trumps) else others).pop(0)
        plan.append(dict(zip(clockwise(winners[place], 4), four, strict=True)))
    final = [last[trump] + trump, *(last[suit] + suit for suit in SUITS if suit != trump)]
    plan.append(dict(zip(clockwise(winners[12], 4), final, strict=True)))
    return plan


def hands_of(plan: Plan) -> dict[Seat, list[str]]:
    """What the seats hold."""
    return {seat: [trick[seat] for trick in plan] for seat in range(4)}


def declared(
    contract: str,
    plan: Plan,
    *,
    suit: str = "s",
    declarer: Seat = 0,
    supporter: Seat | None = None,
    eldest: Seat = 0,
    options: Options | None = None,
) -> BostonLive:
    """A deal of the plan in which play is about to begin; declarer puts down the card of the plan's last trick."""
    live = BostonLive.stacked(hands_of(plan), (), dealer=(eldest + 3) % 4, options=options)
    live.bid_out(declarer, contract, suit)
    if live.phase == "support":
        live.do("play-alone" if supporter is None else "call")
    while live.phase == "answer":
        live.do("answer", accept=live.turn == supporter)
    if live.phase == "discard":
        live.do("put-down", card=plan[12][declarer])
    return live


def played(
    contract: str,
    winners: Sequence[Seat],
    *,
    suit: str = "s",
    declarer: Seat = 0,
    supporter: Seat | None = None,
    eldest: Seat = 0,
    honours: int = 0,
    holder: Seat = 0,
    options: Options | None = None,
) -> BostonLive:
    """A deal of this contract in which these seats win the tricks, until it is scored."""
    plan = planned(winners, suit, honours, holder)
    live = declared(contract, plan, suit=suit, declarer=declarer, supporter=supporter, eldest=eldest, options=options)
    return live.play_out(plan)


def shared_out(mine: int, theirs: int = 0) -> list[Seat]:
    """Winners of thirteen tricks: seat 0 and seat 2 of so many each, seat 1 of the rest."""
    return [0] * mine + [2] * theirs + [1] * (13 - mine - theirs)


def to_declarer(live: BostonLive, led: str) -> None:
    """Leads this card, and plays on until it is the turn of seat 0: the highest cards that may be played."""
    live.do("play", card=led)
    while live.turn != 0:
        live.do("play", card=min(live.playable(live.turn), key=lambda card: RANKS.index(card[0])))


def trick(live: BostonLive, own: str, led: str) -> None:
    """A trick to which this card is led, and seat 0 plays its own, as the last or not."""
    to_declarer(live, led)
    live.do("play", card=own)
    while live.table.deal_state.tricks.trick:
        live.do("play", card=min(live.playable(live.turn), key=lambda card: RANKS.index(card[0])))


def nine_tricks(options: Options) -> BostonLive:
    """A Four-ace misère by seat 0 after nine tricks, all won by seat 1; an ace was thrown off on the first."""
    live = dealt(
        {
            0: "As 2s 3s Ah 2h 3h Ad 2d 3d Ac 2c 3c 4c",
            1: "Ks Qs Js Kh Qh Jh Kd Qd Jd Kc Qc Jc Tc",
            2: "Ts 9s 8s Th 9h 8h Td 9d 8d 9c 8c 7c 7s",
            3: "6s 5s 4s 6h 5h 4h 6d 5d 4d 6c 5c 7h 7d",
        },
        dealer=0,
        options=options,
    )
    live.bid_out(0, "four-ace-misere")
    leads = ("Ks", "Qs", "Js", "Kh", "Qh", "Kd", "Qd", "Kc", "Qc")
    for led, card in zip(leads, ("Ad", "2s", "3s", "2h", "3h", "2d", "3d", "2c", "3c"), strict=True):
        trick(live, card, led)
    return live
