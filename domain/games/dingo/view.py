"""Dingo's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card
from domain.games.dingo.hunts import Won
from domain.games.dingo.meta import LOW_TO_HIGH, OPEN_RABBITS, SEATS
from domain.games.dingo.scoring import points
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Passing, State
from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.parts.tricks import Played
from domain.seats import Seat


class DingoSeatView(HandView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, its piles, and their value in this deal."""

    score_pile: tuple[Card, ...]
    penalty_pile: tuple[Card, ...]
    points: int


class HuntView(Struct, frozen=True, gc=False):
    """The hunt of a rank: the seat of the dingo, the seats still to answer, and the wolves in the order played."""

    rank: str
    dingo: Seat | None
    queue: tuple[Seat, ...]
    wolves: tuple[Played, ...]


class DingoView(TableView, frozen=True, kw_only=True):
    """A table of Dingo as its audience knows it."""

    seats: tuple[DingoSeatView, ...]
    step: int | None = None
    discards: tuple[Played, ...] = ()
    rabbits: tuple[Card, ...] = ()
    hunt: HuntView | None = None


def seats(players: Players, state: State | None) -> tuple[DingoSeatView, ...]:
    """The seats of a view; the state is None before the first deal."""
    if state is None:
        return tuple(DingoSeatView(seat, player, Hand(), (), (), 0) for seat, player in enumerate(players))
    won = state.common.won
    scored, penalties = _piles(won, scored=True), _piles(won, scored=False)
    return tuple(map(DingoSeatView, range(SEATS), players, state.hands, scored, penalties, points(won)))


def _piles(won: tuple[Won, ...], *, scored: bool) -> tuple[tuple[Card, ...], ...]:
    """The score piles or the penalty piles, by seat."""
    piles: list[list[Card]] = [[] for _ in range(SEATS)]
    for each in won:
        if each.scored == scored:
            piles[each.seat].append(each.card)
    return tuple(map(tuple, piles))


def show(state: State) -> dict[str, Any]:
    """The fields that Dingo adds to a table's view."""
    fields: dict[str, Any] = {"discards": state.common.discards}
    match state:
        case Discarding() | Passing():
            fields |= {"step": state.step.step, "rabbits": OPEN_RABBITS}
        case Hunt() | AceHunt():
            queue = () if state.turn is None else state.queue
            fields |= {
                "rabbits": OPEN_RABBITS[LOW_TO_HIGH.index(state.rank) :],
                "hunt": HuntView(state.rank, state.dingo, queue, state.wolves),
            }
        case _:
            pass
    return fields
