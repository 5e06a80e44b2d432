"""The acts of a player in Diloti, each of which plays one card (DL-4.1), the rules that limit them, their events."""

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.games.diloti.events import (
    CardLaid,
    CardsCaptured,
    DeclarationMade,
)
from domain.games.diloti.meta import HIGHEST, PACK, VALUES
from domain.games.diloti.state import Declaration, State
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Refusal
from domain.kernel.event import Event
from domain.kernel.sums import splits
from domain.parts.holding import not_held
from domain.seats import Seat


class Lay(Action, frozen=True, tag="lay"):
    """Lay a card loose on the table."""

    RULE: ClassVar = "DL-4.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card


class Capture(Action, frozen=True, tag="capture"):
    """Take loose cards and declarations with a card, for the pile of the player's side."""

    RULE: ClassVar = "DL-5.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card
    loose: tuple[Card, ...] = ()
    declarations: tuple[int, ...] = ()


class Declare(Action, frozen=True, tag="declare"):
    """Make a declaration of this value from a card of the hand, loose cards, and declarations by their numbers."""

    RULE: ClassVar = "DL-6.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card
    value: int
    loose: tuple[Card, ...] = ()
    declarations: tuple[int, ...] = ()


DilotiAction: TypeAlias = Lay | Capture | Declare


def _not_in_hand(state: State, seat: Seat, action: Lay | Capture | Declare) -> str | None:
    return not_held(state.hands[seat], action.card)


def _past_a_match(state: State, _: Seat, action: Lay) -> str | None:
    if action.card in VALUES or state.options.court_lay == "free":
        return None
    alike = _alike(state, action.card)
    return f"{' and '.join(alike)} lies on the table: {action.card} must capture" if alike else None


def _owner_lays(state: State, seat: Seat, _: Lay) -> str | None:
    own = state.owned(seat)
    return None if own is None else f"you own declaration {own.declaration}, of value {own.value}"


def _court_takes(state: State, _: Seat, action: Capture) -> str | None:
    if action.card in VALUES:
        return None
    alike = _alike(state, action.card)
    lying = f"of its rank lie loose: {', '.join(alike) or 'none'}"
    if action.declarations:
        return f"{action.card} takes no declarations; {lying}"
    if state.options.court_capture == "all":
        good = bool(alike) and len(action.loose) == len(alike) and set(action.loose) == set(alike)
        return None if good else f"{action.card} takes all loose cards of its rank; {lying}"
    good = action.loose in [(card,) for card in alike]
    return None if good else f"{action.card} takes one loose card of its rank; {lying}"


def _numeral_takes(state: State, _: Seat, action: Capture) -> str | None:
    value = VALUES.get(action.card)
    if value is None:
        return None
    if not action.loose and not action.declarations:
        return "something is taken; no loose card and no declaration is named"
    wrong = _not_there(state, action.loose, action.declarations)
    if wrong is not None:
        return wrong
    for each in state.named(action.declarations):
        if each.value != value:
            return f"declaration {each.declaration} has value {each.value}, {action.card} takes those of {value}"
    return _no_sets(action.loose, (), value)


def _owner_owes(state: State, seat: Seat, action: Capture) -> str | None:
    own = state.owned(seat)
    if own is None or own.declaration in action.declarations or VALUES.get(action.card) != own.value:
        return None
    if _keeps(state, seat, action.card, own.value):
        return None
    return f"{action.card} is your last {own.value}: it captures your declaration {own.declaration}, whatever else"


def _no_declaration(_: State, _seat: Seat, action: Declare) -> str | None:
    if not 1 <= action.value <= HIGHEST:
        return f"a declaration has a value from 1 to {HIGHEST}, not {action.value}"
    return None


def _names_what_lies(state: State, _: Seat, action: Declare) -> str | None:
    return _not_there(state, action.loose, action.declarations)


def _of_another_value(state: State, seat: Seat, action: Declare) -> str | None:
    """The fault of declarations named with another value, unless the card raises them."""
    others = _raised(state, action)
    for each in others:
        raising = f"declaration {each.declaration} has value {each.value}, not {action.value}"
        if each.value + VALUES.get(action.card, 0) != action.value:
            return f"{raising}, and {action.card} does not raise it to that"
        if each.sets > 1:
            return f"{raising}, and a group is not raised"
        if state.side(each.owner) == state.side(seat):
            return f"{raising}, and only the other side's are raised"
    return "one declaration is raised at a time" if len(others) > 1 else None


def _not_in_sets(state: State, _: Seat, action: Declare) -> str | None:
    """The fault of cards that form no sets; a card that raises a declaration needs no set."""
    return _no_sets(action.loose, () if _raised(state, action) else (action.card,), action.value)


def _of_one_card(_: State, _seat: Seat, action: Declare) -> str | None:
    named = action.loose or action.declarations
    return None if named else "it takes in loose cards or declarations, and none is named"


def _none_kept(state: State, seat: Seat, action: Declare) -> str | None:
    kept = _keeps(state, seat, action.card, action.value)
    return None if kept else f"no card of value {action.value} would be left in your hand"


def _leaves_own(state: State, seat: Seat, action: Declare) -> str | None:
    own = state.owned(seat)
    if own is None or own.declaration in action.declarations:
        return None
    return f"you own declaration {own.declaration}, of value {own.value}, which must go into it"


def _alike(state: State, card: Card) -> list[Card]:
    """The loose cards of the card's rank."""
    return [other for other in state.loose if PACK.rank(other) == PACK.rank(card)]


def _raised(state: State, action: Declare) -> list[Declaration]:
    """The declarations named whose value differs from the new one."""
    return [each for each in state.named(action.declarations) if each.value != action.value]


def _keeps(state: State, seat: Seat, played: Card, value: int) -> bool:
    """Whether a card of the value is left in the hand after this one."""
    return any(VALUES.get(card) == value for card in state.hands[seat].known if card != played)


def _not_there(state: State, loose: Sequence[Card], declarations: Sequence[int]) -> str | None:
    """The sentence that something named is not on the table, or is named twice; None if all is there."""
    numbers = [each.declaration for each in state.declarations]
    for index, card in enumerate(loose):
        if card not in state.loose:
            return f"{card} does not lie loose on the table"
        if card in loose[:index]:
            return f"{card} is named twice"
    for index, number in enumerate(declarations):
        if number not in numbers:
            return f"there is no declaration {number} on the table"
        if number in declarations[:index]:
            return f"declaration {number} is named twice"
    return None


def _no_sets(loose: Sequence[Card], beside: Sequence[Card], total: int) -> str | None:
    """The sentence that these cards, with those beside them, form no sets of the total; None if they do."""
    cards = (*beside, *loose)
    for card in cards:
        if card not in VALUES:
            return f"{card} is no numeral"
    if splits([VALUES[card] for card in cards], total):
        return None
    return f"{', '.join(cards)} cannot be split into sets of {total}"


def _captured(state: State, seat: Seat, action: Capture) -> Event[CardsCaptured]:
    """The capture; it is a xeri if it clears the table and is not the deal's first turn (DL-8.1)."""
    loose, declarations = PACK.sorted(action.loose), tuple(sorted(action.declarations))
    taken = PACK.sorted([*loose, *(card for each in state.named(declarations) for card in each.cards)])
    left = state.without(loose, declarations)
    xeri = bool(state.turns) and not left.loose and not left.declarations
    return Event(CardsCaptured(seat, action.card, loose, declarations, taken, xeri))


def _declared(state: State, seat: Seat, action: Declare) -> Event[DeclarationMade]:
    """The declaration of all that is named. Every set adds up to its value, so the sum gives the number of sets."""
    loose, declarations = PACK.sorted(action.loose), tuple(sorted(action.declarations))
    within = [card for each in state.named(declarations) for card in each.cards]
    cards = PACK.sorted([action.card, *loose, *within])
    sets = sum([VALUES[card] for card in cards]) // action.value
    made = DeclarationMade(seat, action.card, action.value, loose, declarations, state.made + 1, cards, sets)
    return Event(made)


ACTS = Acts("DL-2.1", (
    ActRules(Lay, CardLaid, (
        Refusal("DL-4.1", _not_in_hand, ("card",)),
        Refusal("DL-4.2", _past_a_match, ("card",)),
        Refusal("DL-4.3", _owner_lays),
    )),
    ActRules(Capture, CardsCaptured, (
        Refusal("DL-4.1", _not_in_hand, ("card",)),
        Refusal("DL-5.1", _court_takes, ("card", "loose", "declarations")),
        Refusal("DL-5.2", _numeral_takes, ("card", "loose", "declarations")),
        Refusal("DL-7.1", _owner_owes, ("card", "declarations")),
    ), make=_captured),
    ActRules(Declare, DeclarationMade, (
        Refusal("DL-4.1", _not_in_hand, ("card",)),
        Refusal("DL-6.1", _no_declaration, ("value",)),
        Refusal("DL-6.2", _names_what_lies, ("loose", "declarations")),
        Refusal("DL-6.2.1", _of_another_value, ("card", "value", "declarations")),
        Refusal("DL-6.2.2", _not_in_sets, ("card", "value", "loose", "declarations")),
        Refusal("DL-6.2.3", _of_one_card, ("loose", "declarations")),
        Refusal("DL-6.2.4", _none_kept, ("card", "value")),
        Refusal("DL-6.2.5", _leaves_own, ("declarations",)),
    ), make=_declared),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Lay, Capture)
"""The acts that the house takes for a player whose clock has run out: an owner may not lay, but can then capture."""
