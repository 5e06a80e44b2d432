"""Tables on which Burraco is played, their cards stacked.

Cards are named without a copy where it does not matter: then the first copy is meant that is still free.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from domain.games.burraco import BURRACO
from domain.games.burraco.meta import PACK, Options
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.seats import Seat
from tests.support.games import DecodedLive

HAND = 11
TWO = Options(players=2)


class BurracoLive(DecodedLive):
    """A table of Burraco."""

    game: ClassVar[Game] = BURRACO

    def held(self, name: str) -> str:
        """The card of this name, or its first copy, in the hand of the seat whose turn it is."""
        return next(card for card in self.hand(self.turn) if card == name or card.partition(".")[0] == name)

    def lay(self, names: str, wild: str | None = None) -> tuple[Event[Any], ...]:
        """The seat whose turn it is lays these cards, and a wild one."""
        fields = {} if wild is None else {"wild": self.held(wild)}
        return self.do("lay", cards=[self.held(name) for name in names.split()], **fields)

    def add(self, meld: int, names: str) -> tuple[Event[Any], ...]:
        """The seat whose turn it is adds these cards, one by one; what the last of them made."""
        events: tuple[Event[Any], ...] = ()
        for name in names.split():
            events = self.do("add", meld=meld, card=self.held(name))
        return events

    def discard(self, name: str) -> tuple[Event[Any], ...]:
        """The seat whose turn it is discards the card."""
        return self.do("discard", card=self.held(name))

    def pass_by(self, turns: int = 1) -> None:
        """So many players draw from the stock and discard that card."""
        for _ in range(turns):
            seat = self.turn
            before = self.hand(seat)
            self.do("draw")
            (drawn,) = [card for card in self.hand(seat) if card not in before]
            self.do("discard", card=drawn)

    def melds(self, side: int = 0) -> list[str]:
        """The melds of the side, without copies, a star for what counts as wild."""
        return [shown(meld["cards"], meld["wild"]) for meld in self.view("public")["sides"][side]["melds"]]


def shown(cards: list[str], wild: str | None) -> str:
    """A meld, without copies, a star for what counts as wild."""
    return " ".join("*" if card == wild else card.partition(".")[0] for card in cards)


def dealt(
    hands: Mapping[Seat, str],
    *,
    pozzetti: tuple[str, str] = ("", ""),
    up: str = "",
    stock: str = "",
    last: str = "",
    dealer: Seat | None = None,
    options: Options | None = None,
) -> BurracoLive:
    """A table on which these cards lie, each pile filled up in the pack's order; `last` is the end of the stock.

    Seat 0 plays first, unless a dealer is named.
    """
    options = options or Options()
    free = list(PACK.cards)

    def taken(names: str) -> list[str]:
        return [_take(free, name) for name in names.split()]

    named = {seat: taken(hands.get(seat, "")) for seat in range(options.players)}
    piles = [taken(names) for names in (*pozzetti, up, stock)]
    end = taken(last)
    full = {seat: cards + [free.pop(0) for _ in range(HAND - len(cards))] for seat, cards in named.items()}
    sizes = (HAND, HAND, 1)
    for pile, size in zip(piles, sizes, strict=False):
        pile += [free.pop(0) for _ in range(size - len(pile))]
    talon = [card for pile in piles for card in pile] + free + end
    return BurracoLive.stacked(full, talon, dealer=options.players - 1 if dealer is None else dealer, options=options)


def _take(free: list[str], name: str) -> str:
    """The card of this name, or its first copy that is free."""
    card = next(card for card in free if card == name or card.partition(".")[0] == name)
    free.remove(card)
    return card


RUN = "3s 4s 5s 6s 7s 8s 9s"
"""A clean burraco of 45 points for its cards."""
KINGS = "Kh Kd Kc Ks"
"""With `RUN` a hand of eleven that can be laid."""


def laid_out(live: BurracoLive) -> BurracoLive:
    """Who holds `RUN` and `KINGS` lays all of them."""
    live.lay("3s 4s 5s")
    live.add(1, "6s 7s 8s 9s")
    live.lay("Kh Kd Kc")
    live.add(2, "Ks")
    return live
