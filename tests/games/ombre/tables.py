"""Tables of Ombre, and its rules once more, written plainly and by brute force from their text.

A deal's players are named by their *place*: 0 eldest, 1 the second, 2 the dealer. Winners of tricks are
counted from the lone player: 0 Ombre (or the new Ombre), 1 the next in turn, 2 the other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import ClassVar, NamedTuple, Self, cast

from domain.games.ombre import OMBRE
from domain.games.ombre.events import EstuchesScored
from domain.games.ombre.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.events import CardsDealt
from tests.support.games import Live, destinations

BIDS = ("entrada", "vuelta", "solo")
BONUS = {"entrada": 0, "vuelta": 2, "solo": 10}
"""OM-8: C, by contract."""

HOLD = Options()
NO_HOLD = Options(hold=False)

_BLACK = ["K", "Q", "J", "7", "6", "5", "4", "3", "2"]
_RED = ["K", "Q", "J", "A", "2", "3", "4", "5", "6", "7"]
PLAIN: dict[str, list[str]] = {
    suit: [rank + suit for rank in ranks] for suit, ranks in (("s", _BLACK), ("h", _RED), ("d", _RED), ("c", _BLACK))
}
"""OM-2.1: each suit high to low where another is trump."""
TRUMPS: dict[str, list[str]] = {
    "s": ["As", "2s", "Ac", "Ks", "Qs", "Js", "7s", "6s", "5s", "4s", "3s"],
    "h": ["As", "7h", "Ac", "Ah", "Kh", "Qh", "Jh", "2h", "3h", "4h", "5h", "6h"],
    "d": ["As", "7d", "Ac", "Ad", "Kd", "Qd", "Jd", "2d", "3d", "4d", "5d", "6d"],
    "c": ["As", "2c", "Ac", "Kc", "Qc", "Jc", "7c", "6c", "5c", "4c", "3c"],
}
"""OM-2.1: all trumps high to low, by trump suit; the first three are the matadors."""
CARDS = ("As", *PLAIN["s"], *PLAIN["h"], *PLAIN["d"], "Ac", *PLAIN["c"])


def suit_with(card: str, trump: str) -> list[str]:
    """The suit that the card belongs to under these trumps."""
    return next(suit for suit in (TRUMPS[trump], *PLAIN.values()) if card in suit)


def legal_cards(hand: Sequence[str], led: str | None, trump: str) -> set[str]:
    """OM-5.1: what may be played."""
    if led is None:
        return set(hand)
    following = [card for card in suit_with(led, trump) if card in hand]
    matadors = TRUMPS[trump][:3]
    if led not in TRUMPS[trump]:
        return set(following or hand)
    for card in following:
        if card not in matadors or (led in matadors and matadors.index(led) < matadors.index(card)):
            return set(following)
    return set(hand)


def trick_winner(trick: Sequence[tuple[Seat, str]], trump: str) -> Seat:
    """OM-5.1: who wins these cards, in the order played."""
    trumps = [seat for card in TRUMPS[trump] for seat, played in trick if played == card]
    followers = [seat for card in suit_with(trick[0][1], trump) for seat, played in trick if played == card]
    return (trumps or followers)[0]


def run_of_trumps(hand: Collection[str], trump: str) -> list[str]:
    """OM-6.3: the estuches of this hand."""
    best = max(length for length in range(6) if set(TRUMPS[trump][:length]) <= set(hand))
    return TRUMPS[trump][:best] if best >= 3 else []


class Verdict(NamedTuple):
    """What nine tricks come to: the outcome, primeras or not, and which players are paid the pool's value."""

    outcome: str
    primeras: bool = False
    takers: tuple[int, ...] = ()


def verdict(winners: Sequence[int], *, stopped: bool = False) -> Verdict:
    """OM-6.1 and OM-6.2 for nine winners; `stopped` says that Ombre stopped after five."""
    assert len(winners) == 9
    ombre, *defenders = (winners.count(player) for player in range(3))
    if tuple(winners[:5]) == (0, 0, 0, 0, 0):
        return Verdict("win", True) if stopped else Verdict("vole" if ombre == 9 else "vole-failed")
    if ombre > max(defenders):
        return Verdict("win")
    if ombre == max(defenders):
        return Verdict("puesta")
    return Verdict("codille", takers=tuple(one for one in (1, 2) if defenders[one - 1] == max(defenders)))


def new_ombres(winners: Sequence[int]) -> Verdict:
    """OM-7.3 for nine winners."""
    assert len(winners) == 9
    return Verdict("new-ombre-won", takers=(0,)) if winners.count(0) >= 5 else Verdict("new-ombre-failed")


@lru_cache(maxsize=2)
def settled(*, new_ombre: bool = False) -> dict[tuple[int, ...], Verdict | None]:
    """By every beginning of a deal, the one verdict of all that may follow, or None where they differ (OM-6.4).

    Stopping is among what may follow until the sixth trick is begun.
    """
    known: dict[tuple[int, ...], set[Verdict]] = {}
    for winners in product(range(3), repeat=9):
        known[winners] = {new_ombres(winners) if new_ombre else verdict(winners)}
    for tricks in range(8, -1, -1):
        for winners in product(range(3), repeat=tricks):
            known[winners] = set().union(*(known[*winners, winner] for winner in range(3)))
            if winners == (0,) * 5 and not new_ombre:
                known[winners].add(verdict((*winners, 1, 1, 1, 1), stopped=True))
    return {winners: next(iter(some)) if len(some) == 1 else None for winners, some in known.items()}


def stops_after(winners: Sequence[int], *, new_ombre: bool = False) -> int:
    """The number of tricks after which play stops, if these players win them and Ombre never stops."""
    known = settled(new_ombre=new_ombre)
    return next(tricks for tricks in range(10) if known[tuple(winners[:tricks])] is not None)


class Books(NamedTuple):
    """What a deal moves: what three players gain, and what is in the pool afterwards."""

    first: int
    second: int
    third: int
    pool: int


def books(judged: Verdict, p: int, c: int, e: int) -> Books:
    """The table of OM-8, in which P, C and E have these values.

    The players are Ombre, the next in turn and the other; after a surrender was forbidden the old Ombre, the new one,
    and the third.
    """
    r = 1 if judged.primeras else 0
    match judged.outcome:
        case "win":
            return Books(p + 2 * (5 + c + e + r), -(5 + c + e + r), -(5 + c + e + r), 0)
        case "vole":
            return Books(p + 2 * (35 + c + e), -(35 + c + e), -(35 + c + e), 0)
        case "vole-failed":
            return Books(p + 2 * (5 + c + e) - 60, -(5 + c + e) + 30, -(5 + c + e) + 30, 0)
        case "puesta" | "surrendered":
            return Books(-p - 10, 5, 5, 2 * p)
        case "codille" if judged.takers == (1, 2):
            return Books(-p - 10, p // 2 + 5, p // 2 + 5, p + p % 2)
        case "codille":
            return Books(-p - 10, p + 5 if judged.takers == (1,) else 5, p + 5 if judged.takers == (2,) else 5, p)
        case "new-ombre-won":
            return Books(-p - 10, p + 5, 5, p)
        case "new-ombre-failed":
            return Books(-p - 5, -p - 5, 10, 3 * p)
        case _:
            return Books(0, 0, 0, p)


class Speaking(NamedTuple):
    """Whose turn it is in the auction, and what may be said."""

    place: int
    bids: tuple[str, ...]
    may_hold: bool


class Won(NamedTuple):
    """How an auction ended; without a bid all have passed."""

    place: int | None
    bid: str | None


def auction(calls: Sequence[str], *, hold: bool) -> Speaking | Won:
    """OM-4.1 to OM-4.3 from their text: where the auction stands after these calls."""
    holding: int | None = None
    standing: str | None = None
    waiting = [0, 1, 2]
    """Those who have not passed, in the order in which they come to speak."""
    for call in (*calls, None):
        place = next((one for one in waiting if one != holding), None)
        rivals = [one for one in waiting if one != holding]
        higher = BIDS[BIDS.index(standing) + 1 :] if standing else BIDS
        may = {one: hold and holding is not None and one < holding for one in rivals}
        open_to_any = bool(higher) or any(may.values())
        if place is None or (holding is not None and not open_to_any):
            assert call is None
            return Won(holding, standing)
        if call is None:
            return Speaking(place, higher, may[place])
        while waiting[0] != place:
            waiting.append(waiting.pop(0))
        waiting.remove(place)
        if call == "pass":
            continue
        waiting.append(place)
        holding, standing = place, standing if call == "hold" else call
    raise AssertionError("an auction stands somewhere")


def order_of_turns(dealer: Seat) -> tuple[Seat, Seat, Seat]:
    """OM-1.1: eldest, the second and the dealer; right of a seat is the one below."""
    return ((dealer + 2) % 3, (dealer + 1) % 3, dealer)


_TRIPLES: tuple[tuple[str, ...], ...] = tuple(
    tuple(rank + suit for rank in ranks)
    for suit, three in (("s", ("KQJ", "765", "432")), ("h", ("KQJ", "A23", "456")), ("d", ("KQJ", "A23", "456")))
    for ranks in three
)
"""Nine tricks in which everybody follows suit; the first card of each wins where clubs are trumps."""


class OmbreLive(Live):
    """A table of Ombre, its `order` eldest, the second, the dealer."""

    game: ClassVar[Game] = OMBRE
    plan: list[dict[Seat, str]]
    """The card that each seat plays to each trick, in a deal stacked for that."""
    turns: tuple[Seat, Seat, Seat]
    """Ombre, the next in turn and the other in that deal."""

    @property
    def order(self) -> tuple[Seat, Seat, Seat]:
        """The players of the deal that is on, in the order of turns."""
        assert self.table.dealer is not None
        return order_of_turns(self.table.dealer)

    @property
    def score(self) -> EstuchesScored:
        """The last scored deal."""
        return cast("EstuchesScored", super().score)

    @property
    def pool(self) -> int:
        """What is in the pool."""
        return self.table.accounts.get("pool", 0)

    @classmethod
    def around(
        cls,
        hands: Mapping[int, Sequence[str]],
        *,
        talon: Sequence[str] = (),
        without: Mapping[int, Collection[str]] | None = None,
        dealer: Seat = 2,
        options: Options = HOLD,
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
        order = order_of_turns(dealer)
        return cls.stacked(
            {order[place]: full[place] for place in range(3)}, [*talon, *rest], dealer=dealer, options=options
        )

    def dealt_instead(self, hands: Mapping[Seat, Sequence[str]], talon: Sequence[str]) -> Self:
        """A table at which these hands and this talon lie in the deal that has just been dealt."""
        dealt = self.events[-1].public
        assert isinstance(dealt, CardsDealt)
        piles = {seat: iter(cards) for seat, cards in hands.items()}
        rest = iter(talon)
        portions = destinations(self.game, self.table, dealt.dealer)
        cards = tuple(next(rest if to is None else piles[to]) for to in portions)
        live = type(self)(self.records[:-1])
        live.append([live.dealing(cards, dealt.dealer)])
        return live

    def bid_out(self, declarer: Seat, contract: str) -> None:
        """The auction in which this seat bids this and the others pass."""
        while self.phase == "auction":
            if self.turn == declarer and self.table.deal_state.common.bidding.high_bid is None:
                self.do("bid", contract=contract)
            else:
                self.do("pass")

    def exchanged(self) -> Self:
        """After the exchanges, in which nobody exchanges."""
        while self.phase == "exchange":
            self.do("exchange", discard=[])
        return self

    def bound(self, *, until: int = 9) -> Self:
        """After the planned tricks up to this many, or fewer if the deal is over before."""
        deal = self.table.deal
        while self.table.deal == deal and self.phase == "play" and len(self.table.deal_state.tricks.winners) < until:
            self.do("play", card=self.plan[len(self.table.deal_state.tricks.winners)][self.turn])
        return self

    def surrendered(self, *answers: bool) -> Self:
        """After Ombre has offered to surrender and got these answers."""
        self.act(self.table.deal_state.commitment.ombre, "offer-surrender")
        for accept in answers:
            self.do("answer-surrender", accept=accept)
        return self

    def passed(self, deals: int = 1) -> Self:
        """After so many deals are passed out."""
        for _ in range(3 * deals):
            self.do("pass")
        return self

    def amounts(self, *seats: Seat) -> tuple[int, ...]:
        """What these seats gained in the last scored deal."""
        lines = self.score.lines
        return tuple(sum(line.amount for line in lines if line.seat == seat) for seat in seats)


def declared(
    contract: str,
    winners: Sequence[int] = (),
    *,
    place: int = 0,
    estuches: int = 0,
    pool: int = 5,
    dealer: Seat = 2,
    options: Options = HOLD,
) -> OmbreLive:
    """A deal of clubs right after the declaration (and the turn-up), in which these tricks can be won.

    Ombre sits at this place, and has so many of the highest trumps, nobody another one; they win the first tricks that
    Ombre leads and wins. The pool holds so much because deals before were passed out.
    """
    order = order_of_turns(dealer)
    turns = (order[place], order[place - 2], order[place - 1])
    filled = [*winners, *[0] * (9 - len(winners))]
    tricks = [
        {turns[(winner + step) % 3]: card for step, card in enumerate(triple)}
        for winner, triple in zip(filled, _TRIPLES, strict=True)
    ]
    leaders = [-place % 3, *filled]
    with_trumps = [number for number, winner in enumerate(filled) if winner == leaders[number] == 0]
    for number, trump in zip(with_trumps, TRUMPS["c"][:estuches], strict=False):
        tricks[number][turns[0]] = trump
    hands = {seat: [trick[seat] for trick in tricks] for seat in order}
    dealt = {card for hand in hands.values() for card in hand}
    assert len(dealt & set(TRUMPS["c"])) == estuches
    talon = sorted((card for card in CARDS if card not in dealt), key=lambda card: card != "3c")
    passed_out = pool // 5 - 1
    live = OmbreLive.stacked(hands, talon, dealer=(dealer + passed_out) % 3, options=options).passed(passed_out)
    if passed_out:
        live = live.dealt_instead(hands, talon)
    assert live.pool == pool
    live.plan, live.turns = tricks, turns
    live.bid_out(turns[0], contract)
    if contract != "vuelta":
        live.do("declare", trump="c")
    return live


def played(
    contract: str,
    winners: Sequence[int],
    *,
    place: int = 0,
    estuches: int = 0,
    pool: int = 5,
    dealer: Seat = 2,
    options: Options = HOLD,
) -> OmbreLive:
    """A deal in which these players win the tricks, until it is scored or the winners are used up."""
    live = declared(contract, winners, place=place, estuches=estuches, pool=pool, dealer=dealer, options=options)
    return live.exchanged().bound(until=len(winners))


def orders(*tricks: int) -> Iterator[tuple[int, ...]]:
    """Every order of nine tricks in which these players win so many."""
    return (order for order in product(range(3), repeat=9) if all(order.count(p) == tricks[p] for p in range(3)))
