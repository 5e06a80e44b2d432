"""The score of a trick, the score of a deal, and the lines (ND-4 to ND-7)."""

from collections.abc import Iterator, Sequence
from operator import add

from domain.cards import Card, Suit
from domain.games.don.contracts import COUNTS, GAME, GAME_EQUAL, GAME_WON, TARGET_REACHED, Result, scoring
from domain.games.don.events import CardPoints, SideScore
from domain.games.don.meta import HAND, TURNS
from domain.games.don.state import Playing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, once_settled, reason
from domain.parts.sides import OPPOSITE, number_of, together
from domain.seats import Seat


def points(cards: Sequence[Card], trump: Suit) -> tuple[CardPoints, ...]:
    """The immediate scores of these cards, in their order; cards that score nothing are left out (ND-4.1)."""
    rows = ((card, scoring(card, trump)) for card in cards)
    return tuple([CardPoints(card, row.points) for card, row in rows if row is not None])


def counts(state: Playing) -> tuple[int, ...]:
    """The counts towards points for game of each side's captured cards so far (ND-5.1)."""
    return together(state.tricks.worth(TURNS.size, COUNTS))


def for_game(counted: tuple[int, ...]) -> tuple[int, ...]:
    """The sides' points for game: all to the higher count, none if both are equal (ND-5.2)."""
    first, second = counted
    return (GAME * (first > second), GAME * (second > first))


def side_scores(state: Playing) -> tuple[int, ...]:
    """The sides' scores so far: for the tricks, and for game once that is counted (ND-4.1, ND-5.2, ND-6.1)."""
    if settled(state) in (None, TARGET_REACHED):
        return state.scores
    return tuple(map(add, state.scores, for_game(counts(state))))


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on.

    It ends once a side has the points of the target (ND-6.1), or all tricks are won (ND-3.4).
    """
    if not isinstance(state, Playing):
        return None
    if max(state.scores) >= state.common.options.target:
        return TARGET_REACHED
    if len(state.tricks.winners) < HAND:
        return None
    return GAME_WON if any(for_game(counts(state))) else GAME_EQUAL


def _score(state: Playing, result: Result) -> Score:
    """The score, in which points beyond the target are booked too (ND-6.3)."""
    counted = None if result is TARGET_REACHED else counts(state)
    scored = [now - before for before, now in zip(state.common.scores, state.scores, strict=True)]
    both = (None, None) if counted is None else counted
    game = (0, 0) if counted is None else for_game(counted)
    sides = tuple(map(SideScore, OPPOSITE, scored, both, game))
    return Score(result.outcome, (*_for_cards(state), *_for_game(state, sides)), {"sides": sides})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _for_cards(state: Playing) -> Iterator[Transfer]:
    """A transfer for each scoring card and player, in the order the cards were played (ND-7.2)."""
    tricks = state.tricks
    for index, trick in enumerate(tricks.complete):
        *played_at, won_at = tricks.events_of(index)
        for played, version in zip(trick.cards, played_at, strict=True):
            row = scoring(played.card, state.trump)
            if row is not None:
                text = reason(f"{row.name}, trick {index + 1} won", trick.winner, None, row.points, played.card)
                events = cited(tricks.played_at[0], version, won_at)
                for seat in OPPOSITE[number_of(trick.winner)]:
                    yield _booked(seat, row.points, "card", "ND-4.1", text, events)


def _for_game(state: Playing, sides: Sequence[SideScore]) -> Iterator[Transfer]:
    """A transfer for each player of the side that has game (ND-5.2)."""
    for side, other in zip(sides, reversed(sides), strict=True):
        if side.game:
            first, second = side.seats
            text = f"Game for seats {first} and {second}, {side.count} to {other.count}: {side.game}"
            for seat in side.seats:
                yield _booked(seat, side.game, "game", "ND-5.2", text, state.tricks.won_at)


def _booked(seat: Seat, amount: int, kind: str, rule: str, text: str, events: tuple[int, ...]) -> Transfer:
    return Transfer(seat, BANK, amount, kind, rule, text, events)
