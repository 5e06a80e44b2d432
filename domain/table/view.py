"""A table's view: what its audience may know at a version."""

from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.view import DisputeView, SeatView, TableView
from domain.seats import Seat
from domain.table.disputes import Dispute
from domain.table.state import Table


def to_act(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that must act for the game to go on; none outside a running deal."""
    if table.running_deal is None:
        return ()
    return game.to_act(table.deal_state)


def view(game: Game, table: Table) -> TableView:
    """The view of the audience whose fold the table is."""
    started = table.deal_state is not None
    seats = len(table.players)
    hands = game.hands(table.deal_state) if started else (Hand(),) * seats
    tricks = game.tricks(table.deal_state) if started else (0,) * seats
    return game.view(
        table=table.table,
        game=table.game,
        rules_version=table.rules_version,
        version=table.version,
        status=table.status,
        options=table.options,
        deals=table.deals,
        deal=table.deal,
        dealer=table.dealer,
        phase=table.phase,
        seats=tuple(map(SeatView, range(seats), table.players, hands, tricks)),
        to_act=to_act(game, table),
        totals=table.totals,
        winners=table.winners,
        disputes=tuple(map(_dispute, table.disputes)),
        **game.show_accounts(table.accounts, table.totals, table.options),
        **(game.show(table.deal_state) if started else {}),
    )


def _dispute(dispute: Dispute) -> DisputeView:
    return DisputeView(dispute.dispute, dispute.seat, dispute.lines, dispute.status)
