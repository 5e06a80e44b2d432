"""Nuts' part of a table's view."""

from typing import Annotated, Any

from msgspec import Meta

from domain.games.nuts.meta import COLUMNS, ORDER
from domain.games.nuts.state import Layout, State
from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.kernel.table_view import SeatView, TableView
from domain.parts.piles import StackView, face_down_stack, face_up_stack
from domain.seats import Seat


class LayoutView(SeatView, frozen=True, gc=False):
    """A seat: its player, and the layout before it."""

    reserve: Annotated[StackView, Meta(description="The reserve, of which only the top card lies face up.")]
    tableau: Annotated[
        tuple[Hand, ...],
        Meta(description="The columns of the tableau, from column 1 on, each from its first card to its last."),
    ]
    discards: Annotated[StackView, Meta(description="The discard pile, with the cards that were seen in it before.")]
    stock: Annotated[StackView, Meta(description="The stock, with the cards that were seen in an earlier pass.")]
    founded: Annotated[int, Meta(description="How many own cards are on the foundations.")]


class NutsView(TableView, frozen=True, kw_only=True, gc=False):
    """A table of Nuts, which all audiences know alike."""

    seats: tuple[LayoutView, ...]
    foundations: Annotated[
        tuple[StackView, ...], Meta(description="The foundations in the middle: the first is number 1.")
    ] = ()
    stuck: Annotated[tuple[Seat, ...], Meta(description="The seats whose `stuck` stands.")] = ()
    shifts: Annotated[int, Meta(description="How many shifts there were since the last progress.")] = 0
    called: Annotated[Seat | None, Meta(description="The seat for which Nuts was called; null before.")] = None


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
