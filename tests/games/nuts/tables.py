"""Tables on which Nuts is played in tests, their layouts stacked as a test wants them."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from domain.games.nuts import NUTS
from domain.games.nuts.meta import Options
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.options import DEFAULT, TableOptions
from tests.support.games import Live

OWN = tuple(rank + suit for suit in "shdc" for rank in "KQJT98765432A")
"""A seat's pack, the cards named without their owner."""
PLACES = {"reserve": 13, "tableau": 4, "stock": 35}

Layout = Mapping[str, str]
"""The first cards of a seat's piles, from the top or from column 1 on, named without their owner."""


def cards_of(seat: Seat, layout: Layout) -> list[str]:
    """A seat's cards in the order dealt: those of the layout, and others wherever it names none."""
    named = {pile: layout.get(pile, "").split() for pile in PLACES}
    rest = iter([card for card in OWN if all(card not in cards for cards in named.values())])
    full = {pile: [*cards, *(next(rest) for _ in range(PLACES[pile] - len(cards)))] for pile, cards in named.items()}
    return [f"{seat}.{card}" for cards in full.values() for card in cards]


class NutsLive(Live):
    """A table of Nuts."""

    game: ClassVar[Game] = NUTS

    @classmethod
    def begun(
        cls, *layouts: Layout, options: Options | None = None, deals: int | None = None, table: TableOptions = DEFAULT
    ) -> "NutsLive":
        """A table in whose first hand the cards lie so; of seats that are not named, anyhow."""
        live = cls.started(options=options, deals=deals, table=table)
        for seat in live.seats[:-1]:
            live.act(seat, "ready")
        live = cls([*live.records, *_last_ready(live)])
        return live.lay(*layouts)

    def lay(self, *layouts: Layout) -> "NutsLive":
        """The next hand, in which the cards lie so."""
        every = [*layouts, *({} for _ in self.seats[len(layouts) :])]
        self.append([self.dealing([card for seat in self.seats for card in cards_of(seat, every[seat])], None)])
        return self

    def layout(self, seat: Seat) -> dict[str, Any]:
        """The seat's part of the view, which all see alike."""
        seats: list[dict[str, Any]] = self.view("public")["seats"]
        return seats[seat]

    def columns(self, seat: Seat) -> list[str]:
        """The seat's columns, each as a text, cards without their owner."""
        return [" ".join(card[2:] for card in column["known"]) for column in self.layout(seat)["tableau"]]

    def pile(self, seat: Seat, name: str) -> list[str]:
        """The seat's pile as the house knows it, from its top, cards without their owner."""
        cards: Sequence[str] = getattr(self.table.deal_state.layouts[seat], name)
        return [card[2:] for card in cards]

    def top(self, seat: Seat, name: str) -> tuple[str | None, int]:
        """The top card of the seat's pile as all see it, and the number of those under it."""
        shown = self.layout(seat)[name]
        top = None if shown["top"] is None else shown["top"][2:]
        return top, max(0, len(shown["known"]) + shown["hidden"] - 1)

    @property
    def foundations(self) -> list[tuple[str, int]]:
        """The top card of each foundation, and how many cards it holds."""
        piles = self.view("public")["foundations"]
        return [(pile["top"], len(pile["known"]) + pile["hidden"]) for pile in piles]

    def founds(self, seat: Seat, *cards: str) -> None:
        """The seat founds these cards, named without their owner, each on the first foundation that takes it."""
        for card in cards:
            offer = next(offer for offer in self.offered(seat, "found") if f"{seat}.{card}" in offer["card"]["one_of"])
            self.act(seat, "found", card=f"{seat}.{card}", foundation=offer["foundation"]["one_of"][0])


def _last_ready(live: Live) -> list[Any]:
    """The record of the last player's being ready, without the hand that is then dealt by the fair shuffle."""
    before = len(live.records)
    live.act(live.seats[-1], "ready")
    return live.records[before : before + 1]
