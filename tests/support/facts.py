"""Deals scored by their facts alone."""

from typing import Any

import msgspec

from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.ledger import Party
from domain.kernel.worth import Flaw, Score
from domain.registry import GAMES


def scored(game: Game, standing: Standing, facts: Any) -> Score | Flaw:
    """The score of a deal with these facts, or their first flaw."""
    scoring = game.scoring
    terms = scoring.terms(standing)
    flaw = next(scoring.flaws(terms, facts), None)
    return flaw or scoring.worth(terms, facts) or Flaw(game.basis["stopping-point"], "more must be played", ())


def typed(of: str, facts: Any, options: Any = None, dealer: int = 0, **standing: Any) -> Score | Flaw:
    """The score of a deal whose facts are plain JSON, or their first flaw. Raises ValidationError."""
    game = GAMES[of]
    options = options or game.options()
    seats = game.course.seats(options)
    begun = {"deals": game.course.deals(options).default, "deal": 1, "totals": (0,) * seats, "accounts": {}}
    dealt = Standing(options, dealer=dealer, **(begun | standing))
    return scored(game, dealt, msgspec.convert(facts, game.scoring.facts_type))


def gained(score: Score | Flaw, party: Party) -> int:
    """What a seat, the bank or the pool gains by a score."""
    assert isinstance(score, Score), score
    booked = [(each.account, each.amount) for each in score.transfers]
    booked += [(each.counter, -each.amount) for each in score.transfers]
    return sum(amount for account, amount in booked if account == party)


def gains(score: Score | Flaw, seats: int) -> tuple[int, ...]:
    """What each seat gains by a score."""
    return tuple(gained(score, seat) for seat in range(seats))


def fault(found: Score | Flaw) -> str:
    """The rule of the flaw in facts that cannot be scored."""
    assert isinstance(found, Flaw), found
    return found.rule
