"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.solo.actions import Ask, Declare, Pass, Play, Yes
from domain.games.solo.contracts import CONTRACTS, LEAST_ALONE, contract_of
from domain.games.solo.offers import callable_cards, must_play_alone
from domain.games.solo.state import Auction, Declaration, Playing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either
from domain.parts.tricks import play_refusals
from domain.seats import Seat


def _to_answer(state: Auction, _: Seat, _action: Ask) -> str | None:
    auction = state.common.auction
    return f"you are asked for level {auction.question}: say yes, or pass" if auction.open else None


def _not_asked(state: Auction, _: Seat, _action: Yes) -> str | None:
    return None if state.common.auction.open else "nobody has asked you for a level: ask, or pass"


def _bound(state: Auction, seat: Seat, _: Pass) -> str | None:
    question = state.common.auction.question
    if question > LEAST_ALONE or not must_play_alone(state.hands[seat]):
        return None
    return f"you hold both black queens, and do not pass at level {question}"


def _not_called(state: Declaration, seat: Seat, action: Declare) -> str | None:
    if not contract_of(action.game, state.common.options.color, state.common.options.color).partner:
        return f"a {action.game} is played alone: called must be left out" if action.called else None
    may = callable_cards(state.hands[seat])
    if not may:
        return "you hold all aces and kings, and so there is no card to call"
    return None if action.called in may else f"a {action.game} game calls a card that you do not hold: {either(may)}"


def _too_low(state: Declaration, _: Seat, action: Declare) -> str | None:
    level = _level(state, action)
    return None if level >= state.level else f"you hold level {state.level}, and this game is one of level {level}"


def _queens_declare(state: Declaration, seat: Seat, action: Declare) -> str | None:
    level = _level(state, action)
    if level >= LEAST_ALONE or not must_play_alone(state.hands[seat]):
        return None
    return f"you hold both black queens: level {LEAST_ALONE} or higher is declared, and this game is one of {level}"


def _not_simple(state: Declaration, _: Seat, action: Declare) -> str | None:
    if state.level or CONTRACTS[_level(state, action)].partner:
        return None
    return f"all have passed: a simple game is declared, not a {action.game}"


def _level(state: Declaration, action: Declare) -> int:
    return contract_of(action.game, action.trump, state.common.options.color).level


REFUSALS = Refusals(
    cards="SO-1.1",
    acts={
        Ask: (Refusal("SO-3.1", _to_answer),),
        Yes: (Refusal("SO-3.1", _not_asked),),
        Pass: (Refusal("SO-3.3", _bound),),
        Declare: (
            Refusal("SO-2.1", _not_called, ("game", "called")),
            Refusal("SO-3.2", _too_low, ("game", "trump")),
            Refusal("SO-3.3", _queens_declare, ("game", "trump")),
            Refusal("SO-3.4", _not_simple, ("game", "trump")),
        ),
        Play: play_refusals("SO-4.1", "SO-4.1", Playing),
    },
)
