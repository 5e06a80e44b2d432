"""The score of a deal, and its lines: one for each item and player (DL-9)."""

from collections.abc import Iterator, Sequence

from domain.games.diloti.contracts import CARDS, EQUAL, MOST, MOST_CARDS, NOTHING, POINTS, XERI, Result, Scoring
from domain.games.diloti.events import SideScore
from domain.games.diloti.state import Capture, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import once_settled
from domain.parts.sides import in_words
from domain.seats import Seat


def counted(captures: Sequence[Capture]) -> int:
    """The number of cards that these captures brought."""
    return sum([len(capture.cards) for capture in captures])


def xeris(captures: Sequence[Capture]) -> int:
    """The number of xeris among these captures (DL-8.1)."""
    return sum([capture.xeri for capture in captures])


def points(captures: Sequence[Capture]) -> int:
    """The points for the xeris and the cards named among these captures, without those for most cards."""
    taken = [POINTS[card] for capture in captures for card in capture.cards if card in POINTS]
    return XERI.points * xeris(captures) + sum(taken)


def settled(state: State) -> Result | None:
    """How the deal has ended; None until all cards are played (DL-9.1) and the rest is taken (DL-9.2)."""
    if state.stock or not state.empty_handed or state.rest_due:
        return None
    first, second = map(counted, state.by_side)
    return MOST if first != second else EQUAL if first else NOTHING


def _score(state: State, result: Result) -> Score:
    by_side = state.by_side
    numbers = [counted(captures) for captures in by_side]
    items = [list(_items(state, captures, numbers)) for captures in by_side]
    transfers = tuple([line for seat in range(len(state.order)) for line in _of_seat(state, seat, items)])
    points = [sum([row.points for row, _, _ in scored]) for scored in items]
    sides = tuple(map(SideScore, state.sides, numbers, map(xeris, by_side), points))
    return Score(result.outcome, transfers, {"sides": sides})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


_Item = tuple[Scoring, str, tuple[int, ...]]
"""A scoring item, its text, and the versions of the events behind it."""


def _items(state: State, captures: Sequence[Capture], numbers: Sequence[int]) -> Iterator[_Item]:
    """All scoring items of the side with these captures, row by row (DL-9.3 to DL-9.8)."""
    for capture in captures:
        if capture.xeri:
            yield XERI, f"Xeri by seat {capture.seat}", (capture.version,)
    own = counted(captures)
    if own == max(numbers) != min(numbers):
        events = tuple([capture.version for capture in state.captures])
        yield MOST_CARDS, f"Most cards, {own} to {min(numbers)}", events
    taken = {card: capture.version for capture in captures for card in capture.cards}
    for row in CARDS:
        if row.card in taken:
            yield row, row.name.capitalize(), (taken[row.card],)


def _of_seat(state: State, seat: Seat, items: Sequence[Sequence[_Item]]) -> Iterator[Transfer]:
    """The lines of a player: the side's whole score, in full (DL-9.8)."""
    side = state.side(seat)
    who = in_words(state.sides[side])
    for row, what, events in items[side]:
        text = f"{what} for {who}: {row.points}"
        kind = "card" if row in CARDS else row.scoring
        yield Transfer(seat, BANK, row.points, kind, row.rule, text, events)
