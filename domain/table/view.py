"""A table's view: the facts that its audience may know at a version."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.kernel.game import Game
from domain.kernel.table_view import ClockView, DeadlineView, DisputeView, LeavingView, TableView
from domain.seats import Audience, Seat, seat_in
from domain.table.deadlines import deadlines
from domain.table.disputes import Dispute
from domain.table.following import goes_on_by_itself
from domain.table.options import DEFAULT
from domain.table.state import Table, bots_playing, opponent_at, waiting_for


def to_act(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that must act for the game to go on; none while an automatic event is due.

    Before a deal they are the seats that are not ready yet, in games that wait for them.
    """
    # This repeats `seats_due`, which saves most tables a call; `to_act` is called at every act.
    due = waiting_for(game, table) if table.running_deal is None else game.decider.to_act(table.deal_state)
    if table.leaving is None and table.timing is None:
        return due
    return () if due and goes_on_by_itself(game, table) else due


def view(game: Game, table: Table, audience: Audience) -> TableView:
    """The view of the audience whose fold the table is."""
    showing, state = game.showing, table.deal_state
    # Views are made at every act, so fields that most tables lack must cost them no call.
    fields: Mapping[str, Any] = {} if state is None else showing.fields(state)
    if showing.settled is not None and state is not None and table.running_deal is None:
        fields = {**fields, **showing.settled(fields, table.standing)}
    if showing.accounts is not None:
        fields = {**showing.accounts(table.standing), **fields}
    if table.leaving is not None or table.timing is not None or table.table_options is not DEFAULT:
        fields = {**fields, **_seldom(game, table)}
    seats = showing.seats(table.players, state)
    for seat in bots_playing(table):
        seats = (*seats[:seat], replace(seats[seat], bot=opponent_at(table, seat)), *seats[seat + 1 :])
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
        seats=seats,
        to_act=to_act(game, table),
        totals=table.totals,
        winners=table.winners,
        disputes=tuple(map(_dispute, table.disputes)) if table.disputes else (),
        **fields,
    )


def _seldom(game: Game, table: Table) -> dict[str, Any]:
    """The fields of a view that most tables lack."""
    leaving, timing = table.leaving, table.timing
    fields: dict[str, Any] = {}
    if leaving is not None:
        fields["leaving"] = LeavingView(leaving.agreed, leaving.abandoned, leaving.bots)
    if table.table_options != DEFAULT:
        fields["table_options"] = table.table_options
    if timing is not None:
        due = deadlines(game, table) if table.status == "playing" else ()
        fields["deadlines"] = tuple(DeadlineView(one.at, one.seat, one.rule) for one in due)
        if timing.clock is not None:
            fields["clocks"] = tuple(
                ClockView(seat, clock.reserve_ms, clock.run_out) for seat, clock in enumerate(timing.seats)
            )
    return fields


def _dispute(dispute: Dispute) -> DisputeView:
    return DisputeView(dispute.dispute, dispute.seat, dispute.lines, dispute.status)
