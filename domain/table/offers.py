"""The offers of a seat at a table."""

from domain.kernel.action import tag_of
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.seats import Seat
from domain.table.state import Table, waiting_for


def offers(game: Game, table: Table, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do now: in a deal what the game offers, before one to say that it is ready."""
    if table.running_deal is not None:
        return game.decider.offers(table.deal_state, seat)
    gate = game.course.gate
    return () if gate is None or seat not in waiting_for(game, table) else (Offer(tag_of(gate)),)
