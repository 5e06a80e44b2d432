"""What each seat is offered, from what everybody sees."""

from domain.cards import Card
from domain.games.nuts.acts import ACTS, MILDEST, Build, Found, NutsAction, tops
from domain.games.nuts.meta import ACES, BUILT_ON, FOUNDED_ON, PACK, passed
from domain.games.nuts.outcomes import settled
from domain.games.nuts.state import State
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.seats import Seat


def to_act(_: State) -> tuple[Seat, ...]:
    """No seats: nobody must act, and everybody may at any time (NU-4)."""
    return ()


def may_act(state: State) -> bool:
    """Whether players may act: the hand is not settled, and no automatic event is due."""
    return settled(state) is None and not state.all_stuck and state.nuts is None


def _builds(state: State, seat: Seat) -> tuple[Offer, ...]:
    """An offer for each column that some card goes onto (NU-5.2)."""
    layout = state.layouts[seat]
    piles = [card for card in (*layout.reserve[:1], *layout.discards[:1]) if card is not None]
    found: list[Offer] = []
    movable = {*piles, *[card for column in layout.columns for card in column]}
    for number, column in enumerate(layout.columns, 1):
        if column:
            # No card of this column can be among these, since it would lie under a card that it goes onto.
            cards = tuple([card for card in BUILT_ON[column[-1]] if card in movable])
        else:
            cards = (*piles, *[card for other in layout.columns for card in other[1:]])
        if cards:
            found.append(Offer("build", {"card": OneOf(cards), "column": OneOf((number,))}))
    return tuple(found)


def _founds(state: State, seat: Seat) -> tuple[Offer, ...]:
    """An offer for each card that goes onto some foundation, and one for all aces (NU-5.3)."""
    movable = tops(state.layouts[seat])
    wanted: dict[Card, list[int]] = {}
    for number, foundation in enumerate(state.foundations, 1):
        for card in FOUNDED_ON[foundation[-1]][seat : seat + 1]:
            wanted.setdefault(card, []).append(number)
    aces = tuple([card for card in movable if card in ACES])
    others = tuple([_found((card,), tuple(wanted[card])) for card in movable if card in wanted])
    return (_found(aces, (None,)), *others) if aces else others


def _found(cards: tuple[Card, ...], foundations: tuple[int | None, ...]) -> Offer:
    return Offer("found", {"card": OneOf(cards), "foundation": OneOf(foundations)})


_offers = ACTS.offers(to_act, {Found: _founds, Build: _builds})


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now; none once the hand is over."""
    return _offers(state, seat) if may_act(state) else ()


def race(state: State, seat: Seat, action: NutsAction) -> str | None:
    """The rule by which another card was there first (NU-6.2, NU-6.3); None if no race was lost."""
    if not isinstance(action, Found) or action.card not in tops(state.layouts[seat]) or not may_act(state):
        return None
    number = action.foundation or 0
    there = state.foundations[number - 1 : number] if number > 0 else ()
    lost = action.card not in ACES and any(passed(column[-1], action.card) for column in there)
    return "NU-6.3" if lost else None


default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house would take for a player."""
