"""The rules that limit the acts, in their order. What is offered is computed."""

from domain.kernel.acts import ActRules, Acts, Bar, Refusal
from domain.kernel.sums import splits
from domain.parts.holding import not_held
from domain.seats import Seat
from tests.games.toy.actions import Capture, Lay, Pass, Pledge, Snap, Turn
from tests.games.toy.events import CardLaid, CardPassed, CardsCaptured, CardTurned, PledgeMade, Snapped
from tests.games.toy.meta import PACK, value
from tests.games.toy.state import Playing, State


def _not_in_hand(state: State, seat: Seat, action: Pass | Lay | Capture) -> str | None:
    return not_held(state.common.cards.hands[seat], action.card)


def _no_pledge(state: State, seat: Seat, action: Pledge) -> str | None:
    hand = state.common.cards.hands[seat]
    missing = not_held(hand, *action.cards)
    if missing or not action.cards:
        return missing
    rank = PACK.rank(action.cards[0])
    alike = [card for card in hand.known if PACK.rank(card) == rank]
    return None if set(alike) == set(action.cards) else "all the cards that you hold of one rank are pledged, or none"


def _no_capture(state: Playing, _: Seat, action: Capture) -> str | None:
    if not action.taken:
        return "a card or more is taken, and none is named"
    for place, card in enumerate(action.taken):
        if card not in state.common.cards.table:
            return f"{card} does not lie on the table"
        if card in action.taken[:place]:
            return f"{card} is named twice"
    if splits([value(card) for card in action.taken], value(action.card)):
        return None
    return f"{', '.join(action.taken)} cannot be split into sets of {value(action.card)}"


def _turned(state: Playing, seat: Seat) -> str | None:
    return None if state.common.cards.blinds[seat] else "you have turned up your unseen card"


def _no_snap(state: Playing, seat: Seat) -> str | None:
    if state.snapper == seat:
        return "you have snapped already"
    return None if state.alike else "no card lies on one of its rank that was put down just before"


ACTS = Acts("TY-1.2", (
    ActRules(Pass, CardPassed, (Refusal("TY-2.1", _not_in_hand, ("card",)),)),
    ActRules(Pledge, PledgeMade, (Refusal("TY-2.2", _no_pledge, ("cards",)),)),
    ActRules(Lay, CardLaid, (Refusal("TY-3.1", _not_in_hand, ("card",)),)),
    ActRules(Capture, CardsCaptured, (
        Refusal("TY-3.1", _not_in_hand, ("card",)),
        Refusal("TY-3.2", _no_capture, ("card", "taken")),
    )),
    ActRules(Turn, CardTurned, (Bar("TY-3.3", _turned),)),
    ActRules(Snap, Snapped, (Bar("TY-3.4", _no_snap),)),
))  # fmt: skip
