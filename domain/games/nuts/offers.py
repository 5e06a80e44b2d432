"""The acts open to a seat now, from what everybody sees."""

from collections.abc import Iterator

from domain.cards import Card
from domain.games.nuts.actions import MILDEST, Found, NutsAction
from domain.games.nuts.events import Source
from domain.games.nuts.meta import BUILT_ON, FOUNDED_ON, PACK, is_ace, passed
from domain.games.nuts.scoring import settled
from domain.games.nuts.state import Layout, State
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.seats import Seat


def to_act(_: State) -> tuple[Seat, ...]:
    """No seats: nobody must act, and everybody may at any time (NU-4)."""
    return ()


def may_act(state: State) -> bool:
    """Whether players may act: the hand is not settled, and no automatic event is due."""
    return settled(state) is None and not state.all_stuck and state.nuts is None


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now; none once the hand is over."""
    return tuple(_offers(state, seat)) if may_act(state) else ()


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    layout = state.layouts[seat]
    yield from _founds(state, seat, layout)
    yield from _builds(layout)
    if layout.stock:
        yield Offer("turn")
    elif layout.discards:
        yield Offer("flip")
    if not layout.stuck:
        yield Offer("stuck")
    if not layout.reserve:
        yield Offer("nuts")


def source_of(layout: Layout, card: Card) -> Source | None:
    """The source of the card; None if the card cannot be moved to a column (NU-5.1)."""
    if card in layout.reserve[:1]:
        return "reserve"
    if card in layout.discards[:1]:
        return "discards"
    return "tableau" if any(card in column for column in layout.columns) else None


def tops(layout: Layout) -> list[Card]:
    """The cards of the layout that can be moved to the middle (NU-5.1)."""
    cards = [*layout.reserve[:1], *layout.discards[:1], *[column[-1] for column in layout.columns if column]]
    return [card for card in cards if card is not None]


def _builds(layout: Layout) -> Iterator[Offer]:
    """An offer for each column that some card goes onto (NU-5.2)."""
    piles = [card for card in (*layout.reserve[:1], *layout.discards[:1]) if card is not None]
    movable = {*piles, *[card for column in layout.columns for card in column]}
    for number, column in enumerate(layout.columns, 1):
        if column:
            # No card of this column can be among these, since it would lie under a card that it goes onto.
            cards = tuple([card for card in BUILT_ON[column[-1]] if card in movable])
        else:
            cards = (*piles, *[card for other in layout.columns for card in other[1:]])
        if cards:
            yield Offer("build", {"card": OneOf(cards, "NU-5.1"), "column": OneOf((number,), "NU-5.2")})


def _founds(state: State, seat: Seat, layout: Layout) -> Iterator[Offer]:
    """An offer for each card that goes onto some foundation, and one for all aces (NU-5.3)."""
    movable = tops(layout)
    wanted: dict[Card, list[int]] = {}
    for number, foundation in enumerate(state.foundations, 1):
        for card in FOUNDED_ON[foundation[-1]][seat : seat + 1]:
            wanted.setdefault(card, []).append(number)
    aces = tuple([card for card in movable if is_ace(card)])
    if aces:
        yield _found(aces, (None,))
    for card in movable:
        if card in wanted:
            yield _found((card,), tuple(wanted[card]))


def _found(cards: tuple[Card, ...], foundations: tuple[int | None, ...]) -> Offer:
    return Offer("found", {"card": OneOf(cards, "NU-5.1"), "foundation": OneOf(foundations, "NU-5.3")})


def race(state: State, seat: Seat, action: NutsAction) -> str | None:
    """The rule by which another card was there first (NU-6.2, NU-6.3); None if no race was lost."""
    if not isinstance(action, Found) or action.card not in tops(state.layouts[seat]) or not may_act(state):
        return None
    number = action.foundation or 0
    there = state.foundations[number - 1 : number] if number > 0 else ()
    lost = not is_ace(action.card) and any(passed(column[-1], action.card) for column in there)
    return "NU-6.3" if lost else None


default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house would take for a player."""
