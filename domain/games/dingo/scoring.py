"""The score of a deal: a line for each card in a score pile and in a penalty pile (DG-8)."""

from collections.abc import Sequence

from domain.games.dingo.hunts import HUNTED, Result, value_of
from domain.games.dingo.meta import LOW_TO_HIGH, PACK, RABBITS, SEATS
from domain.games.dingo.state import Open, State, Won
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import once_settled, reason
from domain.seats import Seat


def points(won: Sequence[Won]) -> tuple[int, ...]:
    """The value of the piles, by seat (DG-8.2)."""
    values = [0] * SEATS
    for each in won:
        values[each.seat] += _amount(each)
    return tuple(values)


def best_rabbit(won: Sequence[Won], seat: Seat) -> str | None:
    """The rank of the highest rabbit in the seat's score pile; None for none (DG-8.4)."""
    taken = {
        PACK.rank(each.card) for each in won if each.seat == seat and each.scored and each.card in RABBITS.values()
    }
    return max(taken, key=LOW_TO_HIGH.index, default=None)


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on, until all ranks are hunted and the hands laid open (DG-7.1)."""
    return HUNTED if isinstance(state, Open) and not state.to_open else None


def _score(state: State, result: Result) -> Score:
    won = state.common.won
    rabbits = tuple(best_rabbit(won, seat) for seat in range(SEATS))
    return Score(result.outcome, tuple(map(_line, won)), {"rabbits": rabbits})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _amount(won: Won) -> int:
    value = value_of(won.card, scored=won.scored)
    return value if won.scored else -value


def _line(won: Won) -> Transfer:
    kind = "score" if won.scored else "penalty"
    text = reason(won.card, won.seat, f"{kind} pile", value_of(won.card, scored=won.scored))
    return Transfer(won.seat, BANK, _amount(won), kind, won.rule, text, won.events)
