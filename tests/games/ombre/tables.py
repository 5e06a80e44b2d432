"""Tables on which Ombre is played.

A deal's players are named by their *place*: 0 eldest, 1 the second, 2 the dealer. Winners of tricks are
counted from the lone player: 0 Ombre (or the new Ombre), 1 the next in turn, 2 the other.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Self, cast

from domain.games.ombre import OMBRE
from domain.games.ombre.events import EstuchesScored
from domain.games.ombre.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.events import CardsDealt
from tests.games.ombre.checker import Terms, Worth, results
from tests.support.checker.matadors import PACK, TRUMPS
from tests.support.games import Live, destinations, filled_without

HOLD = Options()
NO_HOLD = Options(hold=False)


def order_of_turns(dealer: Seat) -> tuple[Seat, Seat, Seat]:
    """OM-1.1: eldest, the second and the dealer; right of a seat is the one below."""
    return ((dealer + 2) % 3, (dealer + 1) % 3, dealer)


_TRIPLES: tuple[tuple[str, ...], ...] = tuple(
    tuple(rank + suit for rank in ranks)
    for suit, three in (("s", ("KQJ", "765", "432")), ("h", ("KQJ", "A23", "456")), ("d", ("KQJ", "A23", "456")))
    for ranks in three
)
"""Nine tricks in which everybody follows suit; the first card of each wins where clubs are trumps."""


def still(winners: Sequence[int], *, new_ombre: bool = False) -> frozenset[Worth]:
    """What may still come, by the checker, of a deal of which these players have won tricks, with 5 in the pool."""
    return results(Terms("entrada", 2, 5, 0, new=0) if new_ombre else Terms("entrada", 0, 5, 0), winners)


def stops_after(winners: Sequence[int], *, new_ombre: bool = False) -> int:
    """The number of tricks after which play stops, if these players win them and Ombre never stops."""
    return next(tricks for tricks in range(10) if len(still(winners[:tricks], new_ombre=new_ombre)) == 1)


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
        full, rest = filled_without(hands, without or {}, (card for card in PACK if card not in talon))
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
    talon = sorted((card for card in PACK if card not in dealt), key=lambda card: card != "3c")
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
