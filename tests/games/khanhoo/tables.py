"""Tables at which Khanhoo is played in tests.

Cards are written without their copies, in the order of the pack; the copies of a face go from the first seat on.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from domain.games.khanhoo import KHANHOO
from domain.games.khanhoo.events import KhanhooScored
from domain.games.khanhoo.meta import Options
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.seats import Seat, clockwise
from tests.games.khanhoo.checker import PACK, plain
from tests.support.games import DecodedLive


class KhanhooLive(DecodedLive):
    """A table of Khanhoo."""

    game: ClassVar[Game] = KHANHOO

    def cards(self, seat: Seat, plainly: str) -> list[str]:
        """The cards of the seat's hand that these are, each the first copy that is not named before."""
        hand, named = [*self.hand(seat)], []
        for name in plainly.split():
            card = next(card for card in hand if plain(card) == name)
            hand.remove(card)
            named.append(card)
        return named

    def discard(self, seat: Seat, plainly: str) -> tuple[Event[Any], ...]:
        """The seat discards this card."""
        return self.act(seat, "discard", card=self.cards(seat, plainly)[0])

    def go_out(self, seat: Seat, plainly: str) -> tuple[Event[Any], ...]:
        """The seat goes out with this card."""
        return self.act(seat, "go-out", card=self.cards(seat, plainly)[0])

    def bump(self, seat: Seat, meld: str, plainly: str) -> tuple[Event[Any], ...]:
        """The seat bumps with these cards."""
        return self.act(seat, "bump", meld=meld, cards=self.cards(seat, plainly))

    def challenge(self, seat: Seat, meld: str, plainly: str) -> tuple[Event[Any], ...]:
        """The seat challenges with these cards."""
        return self.act(seat, "challenge", meld=meld, cards=self.cards(seat, plainly))

    def let_go(self) -> None:
        """All who are asked let the discard go."""
        while self.phase == "claim":
            self.act(self.to_act[0], "let-go")

    def turns(self, number: int) -> "KhanhooLive":
        """So many discards, each of the first card held; all draw from the stock, and nobody claims anything."""
        for _ in range(number):
            if self.phase == "draw":
                self.do("draw-stock")
            if self.phase != "discard":
                break
            self.do("discard", card=self.hand(self.turn)[0])
            self.let_go()
        return self

    def to_limit(self) -> "KhanhooLive":
        """The deal goes on until its limit."""
        scored = self.table.scored
        while self.table.scored == scored:
            self.turns(1)
        return self

    def scores(self, deal: int = 1) -> KhanhooScored:
        """What a deal came to."""
        scored = self.of(KhanhooScored)[deal - 1]
        assert isinstance(scored, KhanhooScored)
        return scored

    def booked(self, seat: Seat, deal: int = 1) -> list[tuple[str, int]]:
        """The rules and amounts of the seat's lines of a deal."""
        return [(line.rule, line.amount) for line in self.scores(deal).lines if line.seat == seat]

    def divisions(self, seat: Seat) -> list[tuple[str, str]]:
        """How the seat's hand was divided."""
        (mine,) = [each for each in self.scores().divisions if each.seat == seat]
        return [(each.meld, " ".join(map(plain, each.cards))) for each in mine.melds]


def dealt(
    hands: Mapping[Seat, str],
    *,
    stock: str = "",
    players: int = 3,
    eldest: Seat = 0,
    target: int = 50,
    turn_limit: int = 10,
) -> KhanhooLive:
    """A table whose seats hold these cards, and whose stock has these on top.

    Hands are filled up with others, in the order of the pack, from seat 0 on; what is left lies below in the stock.
    """
    order = clockwise(eldest, players)
    sizes = {seat: 16 if seat == eldest else 15 for seat in order}
    free = [*PACK]
    full = {seat: _taken(free, hands.get(seat, "").split()) for seat in range(players)}
    talon = _taken(free, stock.split())
    for seat in range(players):
        missing = sizes[seat] - len(full[seat])
        full[seat] += free[:missing]
        del free[:missing]
    options = msgspec.convert({"players": players, "target": target, "turn_limit": turn_limit}, Options)
    return KhanhooLive.stacked(full, [*talon, *free], dealer=(eldest - 1) % players, options=options)


def _taken(free: list[str], names: Sequence[str]) -> list[str]:
    taken = []
    for name in names:
        card = next(card for card in free if plain(card) == name)
        free.remove(card)
        taken.append(card)
    return taken
