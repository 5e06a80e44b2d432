"""The score of a deal: a line for each card in a score pile and in a penalty pile (DG-8)."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from domain.games.dingo.facts import Facts, facts, flaws
from domain.games.dingo.hunts import HUNTED, Result, Won, rule_of, value_of
from domain.games.dingo.meta import DINGOES, LOW_TO_HIGH, PACK, RABBITS, SEATS
from domain.games.dingo.state import Open, State
from domain.kernel.ledger import BANK, Transfer
from domain.kernel.worth import Score, Scoring, Terms
from domain.parts.scoring import reason
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


def _worth(_: Terms, facts: Facts) -> Score:
    cards = {each.card for each in facts.won if each.scored}
    wolves = Counter([PACK.rank(card) for card in cards.difference(DINGOES.values(), RABBITS.values())])
    rabbits = tuple(best_rabbit(facts.won, seat) for seat in range(SEATS))
    lines = tuple(_line(each, wolves[PACK.rank(each.card)]) for each in facts.won)
    return Score(HUNTED.outcome, lines, {"rabbits": rabbits})


def _amount(won: Won) -> int:
    value = value_of(won.card, scored=won.scored)
    return value if won.scored else -value


def _line(won: Won, wolves: int) -> Transfer:
    """The line for a card of a hunt in which this number of wolves was played."""
    kind, rank = "score" if won.scored else "penalty", PACK.rank(won.card)
    text = reason(won.card, won.seat, f"{kind} pile", value_of(won.card, scored=won.scored))
    return Transfer(won.seat, BANK, _amount(won), kind, rule_of(rank, wolves), text, rests=(rank,))


SCORING = Scoring(Facts, facts, settled, flaws, _worth, attrgetter("common.hunted_at"))
