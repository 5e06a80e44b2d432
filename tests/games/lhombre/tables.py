"""Tables of L'Hombre, and its rules once more, written plainly and by brute force from their text.

A deal's players are named by their *place*: 0 forehand, 1 middlehand, 2 backhand. Winners of tricks are counted from
declarer: 0 declarer, 1 the defender next in turn, 2 the other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import ClassVar, NamedTuple, Self, cast

from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat
from tests.support.games import Live


class Facts(NamedTuple):
    """A row of the table of LH-5.1. `trumps` are what may be named with the declaration."""

    positive: bool
    trumps: tuple[str | None, ...]
    exchanges: bool
    defenders: bool
    win: int
    kodille: int
    abandon: bool


_NAMED = ("s", "h", "d", "c")
_SPADES = ("s",)
_NONE = (None,)

CONTRACTS: dict[str, Facts] = {
    "simple-game": Facts(True, _NAMED, True, True, 1, 2, True),
    "spade-game": Facts(True, _SPADES, True, True, 1, 2, True),
    "tourne": Facts(True, _NONE, True, True, 1, 2, True),
    "simple-nolo": Facts(False, _NONE, True, False, 2, 3, False),
    "grand-tourne": Facts(True, _NONE, True, True, 2, 3, True),
    "solo": Facts(True, _NAMED, False, True, 2, 3, False),
    "pure-nolo": Facts(False, _NONE, False, False, 3, 5, False),
    "spade-solo": Facts(True, _SPADES, False, True, 3, 5, False),
    "nolo-ouvert": Facts(False, _NONE, False, False, 5, 8, False),
}
BIDS = tuple(CONTRACTS)
GAMES = tuple(name for name, facts in CONTRACTS.items() if facts.positive)
NOLOS = tuple(name for name, facts in CONTRACTS.items() if not facts.positive)
EXCHANGING = tuple(name for name, facts in CONTRACTS.items() if facts.exchanges)
ABANDONABLE = tuple(name for name, facts in CONTRACTS.items() if facts.abandon)
REDEFINED = {"simple-game": ("spade-game", "tourne", "simple-nolo"), "solo": ("spade-solo",)}
"""What a bid may be made into (LH-5.1)."""

FOUR = Options()
THREE = Options(players=3)
SITTER_FREE = Options(sitter_pays=False)


def ranks(bid: str) -> int:
    """LH-4.1: Pure Nolo and Spade Solo are equal."""
    return BIDS.index("pure-nolo" if bid == "spade-solo" else bid)


_BLACK = ["K", "Q", "J", "7", "6", "5", "4", "3", "2", "A"]
_RED = ["K", "Q", "J", "A", "2", "3", "4", "5", "6", "7"]

NOLO_SUITS: dict[str, list[str]] = {
    "s": [rank + "s" for rank in _BLACK],
    "h": [rank + "h" for rank in _RED],
    "d": [rank + "d" for rank in _RED],
    "c": [rank + "c" for rank in _BLACK],
}
"""LH-2.2: each suit high to low without trumps."""
CARDS = tuple(card for suit in NOLO_SUITS.values() for card in suit)

TRUMPS: dict[str, list[str]] = {
    "s": ["As", "2s", "Ac", "Ks", "Qs", "Js", "7s", "6s", "5s", "4s", "3s"],
    "h": ["As", "7h", "Ac", "Ah", "Kh", "Qh", "Jh", "2h", "3h", "4h", "5h", "6h"],
    "d": ["As", "7d", "Ac", "Ad", "Kd", "Qd", "Jd", "2d", "3d", "4d", "5d", "6d"],
    "c": ["As", "2c", "Ac", "Kc", "Qc", "Jc", "7c", "6c", "5c", "4c", "3c"],
}
"""LH-2.3: all trumps high to low, by trump suit. The first three are the matadors (LH-2.4)."""


def suits(trump: str | None) -> list[list[str]]:
    """All suits as they rank under these trumps, the trumps first if there are any."""
    if trump is None:
        return list(NOLO_SUITS.values())
    plain = ([card for card in suit if card not in ("As", "Ac")] for name, suit in NOLO_SUITS.items() if name != trump)
    return [TRUMPS[trump], *plain]


def suit_with(card: str, trump: str | None) -> list[str]:
    """The suit that the card belongs to under these trumps."""
    return next(suit for suit in suits(trump) if card in suit)


def legal_cards(hand: Sequence[str], led: str | None, trump: str | None) -> set[str]:
    """LH-7.1 and LH-7.2."""
    if led is None:
        return set(hand)
    suit = suit_with(led, trump)
    following = {card for card in hand if card in suit}
    if trump is None or led not in TRUMPS[trump]:
        return following or set(hand)
    matadors = TRUMPS[trump][:3]
    only_matadors = following <= set(matadors)
    forced = led in matadors and any(matadors.index(card) > matadors.index(led) for card in following & set(matadors))
    return set(hand) if only_matadors and not forced else following


def trick_winner(trick: Sequence[tuple[int, str]], trump: str | None) -> int:
    """LH-7.3: who wins these cards, in the order played."""
    trumps = [] if trump is None else TRUMPS[trump]
    suit = trumps if any(card in trumps for _, card in trick) else suit_with(trick[0][1], trump)
    return min((suit.index(card), seat) for seat, card in trick if card in suit)[1]


class Verdict(NamedTuple):
    """What a deal comes to: the outcome and its rule, and what declarer gets of each payer, by kind."""

    outcome: str
    rule: str
    contract: int
    kodille: int = 0
    tout: int = 0

    @property
    def amount(self) -> int:
        """What declarer gets of each payer."""
        return self.contract + self.kodille + self.tout


def verdict(contract: str, winners: Sequence[int], *, stopped: bool = False) -> Verdict:
    """LH-8 for nine winners; `stopped` says that declarer stopped after five."""
    assert len(winners) == 9
    facts = CONTRACTS[contract]
    d, a, b = (winners.count(player) for player in range(3))
    if not facts.positive:
        if d == 0:
            return Verdict("win", "LH-8.2", facts.win)
        if d == 1:
            return Verdict("bete", "LH-8.2", -facts.win)
        each = 2 + (d - 1) if contract == "simple-nolo" else facts.kodille
        return Verdict("kodille", "LH-8.2", -facts.win, facts.win - each)
    if d > a and d > b:
        tried = not stopped and set(winners[:5]) == {0}
        return Verdict("win", "LH-8.1", facts.win, 0, (1 if d == 9 else -1) if tried else 0)
    if d == max(a, b):
        return Verdict("bete", "LH-8.1", -facts.win)
    return Verdict("kodille", "LH-8.1", -facts.win, facts.win - facts.kodille)


@lru_cache(maxsize=len(CONTRACTS))
def settled(contract: str) -> dict[tuple[int, ...], Verdict | None]:
    """By every beginning of a deal, the one verdict of all that may follow, or None where they differ (LH-8.5).

    Stopping is among what may follow until the sixth trick is begun.
    """
    known: dict[tuple[int, ...], set[Verdict]] = {}
    for winners in product(range(3), repeat=9):
        known[winners] = {verdict(contract, winners)}
    for tricks in range(8, -1, -1):
        for winners in product(range(3), repeat=tricks):
            known[winners] = set().union(*(known[*winners, winner] for winner in range(3)))
            if winners == (0,) * 5 and CONTRACTS[contract].positive:
                known[winners].add(verdict(contract, (*winners, 0, 0, 0, 0), stopped=True))
    return {winners: next(iter(some)) if len(some) == 1 else None for winners, some in known.items()}


def stops_after(contract: str, winners: Sequence[int]) -> int:
    """The number of tricks after which play stops, if these players win them and declarer never stops."""
    known = settled(contract)
    return next(tricks for tricks in range(10) if known[tuple(winners[:tricks])] is not None)


def splits(*tricks: int) -> Iterator[tuple[int, ...]]:
    """Every order of nine tricks in which declarer and the defenders win so many."""
    return (order for order in product(range(3), repeat=9) if all(order.count(p) == tricks[p] for p in range(3)))


class Speaking(NamedTuple):
    """Whose turn it is in the auction, and what may be said."""

    place: int
    bids: tuple[str, ...]
    may_self: bool


class Won(NamedTuple):
    """How an auction ended; without a bid all have passed."""

    place: int | None
    bid: str | None


def auction(calls: Sequence[str], aces: int | None = None) -> Speaking | Won:
    """LH-4 from its text: where the auction stands after these calls, if `aces` was dealt both black aces."""
    passed: set[int] = set()
    spoken: set[int] = set()
    holder: int | None = None
    standing: str | None = None

    def bids(place: int) -> tuple[str, ...]:
        above = (bid for bid in BIDS if standing is None or ranks(bid) > ranks(standing))
        return tuple(bid for bid in above if bid != "grand-tourne" or place == aces)

    def may_self(place: int) -> bool:
        return holder is not None and place < holder and (standing != "grand-tourne" or place == aces)

    def speaker() -> int | None:
        others = {0, 1, 2} - passed - {holder}
        if holder is not None and not any(bids(place) or may_self(place) for place in others):
            return None
        if 0 not in spoken:
            return 0
        if 1 not in spoken:
            return 1
        if not passed:
            return 1 - cast("int", holder)
        left = ({0, 1} - passed) or {2}
        if 2 in passed:
            return None
        if 2 not in spoken or holder != 2:
            return 2
        return None if left == {2} else left.pop()

    for call in calls:
        place = speaker()
        assert place is not None
        spoken.add(place)
        if call == "pass":
            passed.add(place)
        else:
            holder, standing = place, standing if call == "self" else call
    place = speaker()
    return Won(holder, standing) if place is None else Speaking(place, bids(place), may_self(place))


def order_of_turns(dealer: Seat, players: int) -> tuple[Seat, Seat, Seat]:
    """LH-1.1 and LH-1.2: forehand, middlehand, backhand, by the table's sides: right of a seat is the one below."""
    return ((dealer - 1) % players, (dealer + 1) % players, dealer)


_TRIPLES: tuple[tuple[str, ...], ...] = tuple(
    tuple(rank + suit for rank in three)
    for three, suit in (
        *(("KQJ", "s"), ("KQJ", "c"), ("KQJ", "h"), ("KQJ", "d")),
        *(("765", "s"), ("765", "c"), ("234", "h"), ("234", "d"), ("A56", "h")),
    )
)
"""Nine tricks in which everybody follows suit; the first card of each wins, whatever is trump."""
_REST = tuple(card for card in CARDS if all(card not in triple for triple in _TRIPLES))


class LhombreLive(Live):
    """A table of L'Hombre, its `order` forehand, middlehand, backhand."""

    game: ClassVar[Game] = LHOMBRE
    plan: list[dict[Seat, str]]
    """The card that each seat plays to each trick, in a deal stacked for that."""

    @property
    def order(self) -> tuple[Seat, ...]:
        """Who plays the deal, in the order of turns."""
        return tuple(self.view("house")["order"])

    @property
    def sitting_out(self) -> tuple[Seat, ...]:
        """Who sits out the deal."""
        return tuple(seat for seat in self.seats if seat not in self.order)

    @classmethod
    def around(
        cls,
        hands: Mapping[int, Sequence[str]],
        *,
        talon: Sequence[str] = (),
        without: Mapping[int, Collection[str]] | None = None,
        dealer: Seat = 2,
        options: Options = THREE,
    ) -> Self:
        """A dealt table in which the players at these places hold these cards among others.

        What a place is `without` it is not dealt besides.
        """
        barred = without or {}
        named = {*talon, *(card for hand in hands.values() for card in hand)}
        rest = [card for card in CARDS if card not in named]
        full: dict[int, list[str]] = {}
        for place in sorted(range(3), key=lambda place: -len(barred.get(place, ()))):
            full[place] = list(hands.get(place, ()))
            for card in [card for card in rest if card not in barred.get(place, ())][: 9 - len(full[place])]:
                rest.remove(card)
                full[place].append(card)
        order = order_of_turns(dealer, options.players)
        return cls.stacked(
            {order[place]: full[place] for place in range(3)}, [*talon, *rest], dealer=dealer, options=options
        )

    def bid_out(self, declarer: Seat, contract: str) -> None:
        """The auction in which declarer bids this and the others pass."""
        while self.phase == "auction":
            if self.turn == declarer and self.table.deal_state.common.bidding.high_bid is None:
                self.do("bid", contract=contract)
            else:
                self.do("pass")

    def declare(self, contract: str, trump: str | None = None) -> None:
        """Declares the contract, unless its declaration has followed by itself."""
        if self.phase == "declaration":
            (only, *others) = CONTRACTS[contract].trumps
            self.do("declare", contract=contract, trump=trump if others else only)

    def exchanged(self) -> Self:
        """After the exchanges of a planned deal: nobody exchanges but declarer in Grand Tourné, for planned cards."""
        while self.phase == "exchange":
            planned = {trick[self.turn] for trick in self.plan}
            self.do("exchange", discard=[card for card in self.hand(self.turn) if card not in planned])
        return self

    def played_on(self, *, until: int = 9) -> Self:
        """After the planned tricks up to this many, or fewer if the deal is over before."""
        while not self.table.scored and len(self.table.deal_state.tricks.winners) < until:
            self.do("play", card=self.plan[len(self.table.deal_state.tricks.winners)][self.turn])
        return self


def declared(
    contract: str,
    winners: Sequence[int] = (),
    *,
    place: int = 0,
    trump: str = "c",
    dealer: Seat = 2,
    options: Options = THREE,
) -> LhombreLive:
    """A deal right after the declaration (and the turn-up), declarer at this place, where these tricks can be won."""
    order = order_of_turns(dealer, options.players)
    turns = (*order[place:], *order[:place])
    filled = [*winners, *[0] * (9 - len(winners))]
    tricks = [
        {turns[(winner + step) % 3]: card for step, card in enumerate(triple)}
        for winner, triple in zip(filled, _TRIPLES, strict=True)
    ]
    hands = {seat: [trick[seat] for trick in tricks] for seat in order}
    talon = list(_REST)
    declarer = order[place]
    if contract == "tourne":
        talon.sort(key=lambda card: card not in TRUMPS[trump][1:2])
    if contract == "grand-tourne":
        first, second, *kept = sorted(hands[declarer], key=lambda card: card[1] != trump)
        hands[declarer] = ["As", "Ac", *kept]
        talon = [first, second, *(card for card in talon if card not in ("As", "Ac"))]
    live = LhombreLive.stacked(hands, talon, dealer=dealer, options=options)
    live.plan = tricks
    live.bid_out(declarer, contract)
    live.declare(contract, trump)
    return live


def played(
    contract: str,
    winners: Sequence[int],
    *,
    place: int = 0,
    trump: str = "c",
    dealer: Seat = 2,
    options: Options = THREE,
) -> LhombreLive:
    """A deal in which these players win the tricks, until it is scored or the winners are used up."""
    live = declared(contract, winners, place=place, trump=trump, dealer=dealer, options=options)
    return live.exchanged().played_on(until=len(winners))
