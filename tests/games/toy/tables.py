"""Tables at which the toy is played in tests."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar

from domain.kernel.game import Game
from domain.table.options import DEFAULT, TableOptions
from tests.games.toy.game import TOY
from tests.games.toy.meta import SEATS
from tests.support.games import DecodedLive

HANDS = ("4s.1 3s.1", "4h.1 3h.1", "4d.1 3d.1", "4c.1 3c.1")
BLINDS = "2s.1 2h.1 2d.1 2c.1"
BROWS = "As.1 Ah.1 Ad.1 Ac.1"
STOCK = "4s.2 4h.2 4d.2 4c.2 3s.2"


class ToyLive(DecodedLive):
    """A table of the toy."""

    game: ClassVar[Game] = TOY

    @classmethod
    def dealt(
        cls,
        *,
        hands: Sequence[str] = HANDS,
        top: str = "2s.2",
        blinds: str = BLINDS,
        brows: str = BROWS,
        stock: str = STOCK,
        options: Any = None,
        table: TableOptions = DEFAULT,
    ) -> "ToyLive":
        """A table in whose first deal, of which seat 0 is eldest, the cards lie so."""
        live = cls(cls.started(options=options, table=table).records[: 2 + SEATS])
        rounds = zip(*(hand.split() for hand in hands), strict=True)
        cards = [top, *chain.from_iterable(rounds), *blinds.split(), *brows.split(), *stock.split()]
        live.append([live.dealing(cards, None)])
        return live

    def play_to(self, phase: str) -> "ToyLive":
        """The deal goes on to this phase: eldest passes the last card held, and nobody pledges anything."""
        if self.phase == "passing" and phase != "passing":
            self.do("pass", card=self.hand(self.turn)[-1])
        while self.phase == "pledging" and phase == "playing":
            self.act(self.to_act[0], "pledge", cards=[])
        return self
