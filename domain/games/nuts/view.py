"""Nuts' part of a table's view."""

from typing import Any

from domain.games.nuts.meta import COLUMNS, ORDER
from domain.games.nuts.state import Layout, State
from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.kernel.table_view import SeatView, TableView
from domain.parts.piles import StackView, face_down_stack, face_up_stack
from domain.seats import Seat


class LayoutView(SeatView, frozen=True, gc=False):
    """A seat: its player, and the layout before it."""

    reserve: StackView
    tableau: tuple[Hand, ...]
    discards: StackView
    stock: StackView
    founded: int


class NutsView(TableView, frozen=True, kw_only=True, gc=False):
    """A table of Nuts, which all audiences know alike."""

    seats: tuple[LayoutView, ...]
    foundations: tuple[StackView, ...] = ()
    stuck: tuple[Seat, ...] = ()
    shifts: int = 0
    called: Seat | None = None


_BEFORE_A_HAND = Layout((), ((),) * COLUMNS, ())


def seat_views(players: Players, state: State | None) -> tuple[LayoutView, ...]:
    """The seats, with empty layouts before the first hand."""
    layouts = (_BEFORE_A_HAND,) * len(players) if state is None else state.layouts
    return tuple(map(_layout, range(len(players)), players, layouts))


def _layout(seat: Seat, player: str | None, layout: Layout) -> LayoutView:
    return LayoutView(
        seat,
        player,
        face_up_stack(layout.reserve, ORDER),
        tuple([Hand(column) for column in layout.columns]),
        face_up_stack(layout.discards, ORDER),
        face_down_stack(layout.stock, ORDER),
        len(layout.founded),
    )


def show(state: State) -> dict[str, Any]:
    """The fields that Nuts adds to a table's view."""
    return {
        "foundations": tuple([face_up_stack(foundation[::-1], ORDER) for foundation in state.foundations]),
        "stuck": tuple([seat for seat, layout in enumerate(state.layouts) if layout.stuck]),
        "shifts": state.shifts,
        "called": state.called,
    }
