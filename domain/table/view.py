"""A table's view: what its audience may know at a version."""

from domain.kernel.game import Game
from domain.kernel.view import DisputeView, TableView
from domain.seats import Audience, Seat, seat_in
from domain.table.disputes import Dispute
from domain.table.state import Table, waiting_for


def to_act(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that must act for the game to go on; none while an event is to happen without an action.

    Before a deal they are those that have not said that they are ready, where the game waits for that.
    """
    if table.running_deal is None:
        return waiting_for(game, table)
    return game.decider.to_act(table.deal_state)


def view(game: Game, table: Table, audience: Audience) -> TableView:
    """The view of the audience whose fold the table is."""
    showing, state = game.showing, table.deal_state
    return showing.view(
        you=seat_in(audience),
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
        seats=showing.seats(table.players, state),
        to_act=to_act(game, table),
        totals=table.totals,
        winners=table.winners,
        disputes=tuple(map(_dispute, table.disputes)),
        **(showing.accounts(table.standing) if showing.accounts else {}),
        **(showing.fields(state) if state is not None else {}),
    )


def _dispute(dispute: Dispute) -> DisputeView:
    return DisputeView(dispute.dispute, dispute.seat, dispute.lines, dispute.status)
