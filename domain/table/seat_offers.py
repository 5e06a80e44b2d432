"""The offers of a seat at a table."""

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.seats import Seat
from domain.table.state import Table, waiting_for
from domain.table.talk import talk_offers


def default_action(game: Game, table: Table, seat: Seat) -> Action:
    """The act of the house for a seat whose player's clock runs out; before a deal, it declares the seat ready.

    Raises ValueError if the game does not wait for the seat.
    """
    if table.running_deal is not None:
        return game.decider.default_action(table.deal_state, seat)
    if game.course.gate is None or seat not in waiting_for(game, table):
        raise ValueError(f"seat {seat} is not to act")
    return game.course.gate()


def offers(game: Game, table: Table, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now.

    In a deal they are the game's offers, before one the offer to be ready; talk is added if the table allows it. A
    player who has left the game for good is offered nothing (TL-3.3).
    """
    if table.leaving is not None and seat in table.leaving.abandoned:
        return ()
    running = table.running_deal is not None
    own = game.decider.offers(table.deal_state, seat) if running else _ready(game, table, seat)
    return (*own, *talk_offers(table, seat)) if table.table_options.talk else own


def _ready(game: Game, table: Table, seat: Seat) -> tuple[Offer, ...]:
    """The offer to be ready for the next deal, if the game waits for the seat's readiness."""
    gate = game.course.gate
    return () if gate is None or seat not in waiting_for(game, table) else (Offer(tag_of(gate)),)
