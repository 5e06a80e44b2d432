"""Drawing the first dealer from the seed of the first deal and all entropies."""

from collections.abc import Callable, Sequence
from itertools import cycle

from msgspec import Struct

from domain.cards import Card, Pack
from domain.fair.shuffle import drawn_number, shuffled
from domain.seats import Seat


class Draw(Struct, frozen=True, gc=False):
    """A card that a player drew for the first deal."""

    seat: Seat
    card: Card


class FirstDealer(Struct, frozen=True, gc=False):
    """The seat that deals first (None in games without a dealer), and the cards drawn for it, in their order."""

    dealer: Seat | None
    draws: tuple[Draw, ...] = ()


class Lots(Struct, frozen=True):
    """The inputs of the draw for the first dealer. The same inputs always give the same dealer, so an audit can repeat
    it.
    """

    seats: int
    seed: bytes
    table: str
    entropies: Sequence[bytes]


def by_number(lots: Lots) -> FirstDealer:
    """The first dealer by a number below the number of seats, drawn under the label `codille-first-dealer`."""
    return FirstDealer(
        drawn_number(
            lots.seats, label="codille-first-dealer", seed=lots.seed, table=lots.table, entropies=lots.entropies
        )
    )


def by_cards(pack: Pack, ranks: str) -> Callable[[Lots], FirstDealer]:
    """The first dealer by the highest card drawn; `ranks` lists the ranks from high to low.

    The pack is shuffled under the label `codille-dealer-draw` (deal 0). In seat order each seat takes the next card.
    Seats that tie for the highest take another card each, until one card is highest.
    """

    def draw(lots: Lots) -> FirstDealer:
        cards = cycle(
            shuffled(
                pack.cards,
                label="codille-dealer-draw",
                seed=lots.seed,
                table=lots.table,
                deal=0,
                entropies=lots.entropies,
            )
        )
        drawing: list[Seat] = list(range(lots.seats))
        draws: list[Draw] = []
        while len(drawing) > 1:
            drawn = [Draw(seat, next(cards)) for seat in drawing]
            draws += drawn
            best = min(ranks.index(pack.rank(each.card)) for each in drawn)
            drawing = [each.seat for each in drawn if ranks.index(pack.rank(each.card)) == best]
        return FirstDealer(drawing[0], tuple(draws))

    return draw
