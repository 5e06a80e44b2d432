"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.lorum.actions import Pass, Play, TurnUp
from domain.games.lorum.offers import due_card, fitting, leads
from domain.games.lorum.state import Blind, Domino, Playing, Quart, Train
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either, not_held
from domain.parts.tricks import lead_refusal, play_refusals
from domain.seats import Seat


def _empty(state: Blind, seat: Seat, action: TurnUp) -> str | None:
    numbers = [place.number for place in state.places[seat]]
    return None if action.place in numbers else f"no card stands at place {action.place}: turn up {either(numbers)}"


def _not_counted(state: Train, seat: Seat, action: Play) -> str | None:
    return not_held(state.hands[seat], action.card)


def _no_start(state: Quart, seat: Seat, action: Play) -> str | None:
    begun = state.sequence or state.gone
    return None if begun else not_held(state.hands[seat], action.card)


def _not_next(state: Quart, _: Seat, action: Play) -> str | None:
    due = due_card(state)
    return None if due in (None, action.card) else f"the sequence goes on with {due}, which you hold"


def _no_new_start(state: Quart, seat: Seat, action: Play) -> str | None:
    missing = not_held(state.hands[seat], action.card)
    return missing and f"{missing}: start a sequence with any card that you do"


def _no_first(state: Domino, seat: Seat, action: Play) -> str | None:
    return None if state.laid else not_held(state.hands[seat], action.card)


def _not_fitting(state: Domino, seat: Seat, action: Play) -> str | None:
    fit = fitting(state, seat)
    if action.card in fit:
        return None
    would = f"play {either(fit)}" if fit else "none of your cards does, so pass"
    return f"{not_held(state.hands[seat], action.card) or f'{action.card} does not fit the layout'}: {would}"


def _may_play(state: Domino, seat: Seat, _: Pass) -> str | None:
    fit = fitting(state, seat)
    return f"you have cards that fit: play {either(fit)}" if fit else None


REFUSALS = Refusals(
    cards="LO-2.1",
    acts={
        Play: (
            *play_refusals("LO-3.1", "LO-3.1", Playing),
            lead_refusal("LO-3.2", leads, "no heart is led to the first trick", Playing),
            Refusal("LO-5.1", _not_counted, ("card",), Train),
            Refusal("LO-6.1", _no_start, ("card",), Quart),
            Refusal("LO-6.2", _not_next, ("card",), Quart),
            Refusal("LO-6.4", _no_new_start, ("card",), Quart),
            Refusal("LO-7.1", _no_first, ("card",), Domino),
            Refusal("LO-7.2", _not_fitting, ("card",), Domino),
        ),
        TurnUp: (Refusal("LO-4.2", _empty, ("place",)),),
        Pass: (Refusal("LO-7.3", _may_play),),
    },
)
