"""The offers of a seat at a table."""

from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.seats import Seat
from domain.table.state import Table


def offers(game: Game, table: Table, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do now; nothing outside a running deal."""
    if table.running_deal is None:
        return ()
    return game.offers(table.deal_state, seat)
