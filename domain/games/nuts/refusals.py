"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.cards import Card
from domain.games.nuts.actions import Build, Flip, Found, Nuts, Stuck, Turn
from domain.games.nuts.meta import BUILT_ON, COLUMNS, FOUNDED_ON, PACK, is_ace
from domain.games.nuts.offers import source_of, tops
from domain.games.nuts.state import State
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either
from domain.seats import Seat


def _is_dealt(state: State, card: Card) -> bool:
    owner = PACK.faces[card].owner
    return owner is not None and owner < state.options.players


def _no_stock(state: State, seat: Seat, _: Turn) -> str | None:
    return None if state.layouts[seat].stock else "your stock is empty"


def _not_flipped(state: State, seat: Seat, _: Flip) -> str | None:
    layout = state.layouts[seat]
    if layout.stock:
        return f"there are {len(layout.stock)} cards in your stock, which must be empty"
    return None if layout.discards else "your discard pile is empty"


def _is_stuck(state: State, seat: Seat, _: Stuck) -> str | None:
    return "you have said so already" if state.layouts[seat].stuck else None


def _not_built(state: State, seat: Seat, action: Build) -> str | None:
    if source_of(state.layouts[seat], action.card) is not None:
        return None
    movable = "the top of your reserve or of your discard pile, or in your tableau"
    return f"{action.card} cannot be moved to a column: it is not {movable}"


def _not_to_middle(state: State, seat: Seat, action: Found) -> str | None:
    open_ = tops(state.layouts[seat])
    return None if action.card in open_ else f"{action.card} cannot be moved to the middle: {either(open_)} can"


def _own_column(state: State, seat: Seat, action: Build) -> str | None:
    column = state.layouts[seat].columns[action.column - 1 : action.column] if action.column >= 1 else ()
    lies_there = any(action.card in cards for cards in column)
    return f"{action.card} lies in column {action.column}, and goes onto another one" if lies_there else None


def _wrong_column(state: State, seat: Seat, action: Build) -> str | None:
    layout = state.layouts[seat]
    if not 1 <= action.column <= COLUMNS:
        return f"there is no column {action.column}, but 1 to {COLUMNS}"
    column = layout.columns[action.column - 1]
    if column:
        return None if action.card in BUILT_ON[column[-1]] else f"{action.card} does not go onto {column[-1]}"
    whole = any(action.card == other[0] for other in layout.columns if other)
    return "a whole column is not moved into an empty one" if whole else None


def _wrong_foundation(state: State, _: Seat, action: Found) -> str | None:
    number, count = action.foundation, len(state.foundations)
    if is_ace(action.card):
        return None if number is None else "an ace starts a new foundation: foundation must be left out"
    if number is None or not 1 <= number <= count:
        named = "no foundation is named" if number is None else f"there is no foundation {number}"
        return f"{named}: {f'there are 1 to {count}' if count else 'none is started yet'}"
    top = state.foundations[number - 1][-1]
    return None if action.card in FOUNDED_ON[top] else f"{action.card} does not go onto {top}, on foundation {number}"


def _not_called(state: State, seat: Seat, _: Nuts) -> str | None:
    left = len(state.layouts[seat].reserve)
    return f"cards are left in your reserve: {left}" if left else None


REFUSALS = Refusals(
    cards="NU-2.1",
    acts={
        Turn: (Refusal("NU-4.1", _no_stock),),
        Flip: (Refusal("NU-4.2", _not_flipped),),
        Stuck: (Refusal("NU-4.5", _is_stuck),),
        Build: (
            Refusal("NU-5.1", _not_built, ("card",)),
            Refusal("NU-5.1", _own_column, ("card", "column")),
            Refusal("NU-5.2", _wrong_column, ("card", "column")),
        ),
        Found: (
            Refusal("NU-5.1", _not_to_middle, ("card",)),
            Refusal("NU-5.3", _wrong_foundation, ("card", "foundation")),
        ),
        Nuts: (Refusal("NU-8.1", _not_called),),
    },
    dealt=_is_dealt,
)
