"""Tables on which L'Hombre is played.

A deal's players are named by their *place*: 0 forehand, 1 middlehand, 2 backhand. Winners of tricks are counted from
declarer: 0 declarer, 1 the defender next in turn, 2 the other.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Self

from domain.games.lhombre import LHOMBRE
from domain.games.lhombre.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat
from tests.games.lhombre.checker import trumps_for, turns
from tests.support.checker.matadors import PACK, TRUMPS, power_in, suit_in
from tests.support.games import Live, filled_without

FOUR = Options()
THREE = Options(players=3)
SITTER_FREE = Options(sitter_pays=False)


def of_suit(suit: str, trump: str | None = None) -> list[str]:
    """The cards that belong to the suit under these trumps, high to low."""
    return sorted((card for card in PACK if suit_in(card, trump) == suit), key=lambda card: -power_in(card, trump))


_TRIPLES: tuple[tuple[str, ...], ...] = tuple(
    tuple(rank + suit for rank in three)
    for three, suit in (
        *(("KQJ", "s"), ("KQJ", "c"), ("KQJ", "h"), ("KQJ", "d")),
        *(("765", "s"), ("765", "c"), ("234", "h"), ("234", "d"), ("A56", "h")),
    )
)
"""Nine tricks in which everybody follows suit; the first card of each wins, whatever is trump."""
_REST = tuple(card for card in PACK if all(card not in triple for triple in _TRIPLES))


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

    def turn_rule(self, seat: Seat, rule: str) -> str:
        """The rule by which it is not the seat's turn: this one, or that of who sits out."""
        return "LH-1.2" if seat in self.sitting_out else rule

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
        full, rest = filled_without(hands, without or {}, (card for card in PACK if card not in talon))
        order = turns(dealer, options.players)
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
            (only, *others) = trumps_for(contract)
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
    order = turns(dealer, options.players)
    seats = (*order[place:], *order[:place])
    filled = [*winners, *[0] * (9 - len(winners))]
    tricks = [
        {seats[(winner + step) % 3]: card for step, card in enumerate(triple)}
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
