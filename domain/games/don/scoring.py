"""The score of a trick, the score of a deal, and the lines (ND-4 to ND-7)."""

from collections.abc import Iterator, Sequence
from operator import add

from domain.cards import Card, Suit
from domain.games.don.contracts import COUNTS, GAME, GAME_EQUAL, GAME_WON, TARGET_REACHED, Result, scoring
from domain.games.don.events import CardPoints, SideScore
from domain.games.don.facts import SEARCHED, Facts, facts, flaws
from domain.games.don.facts import points as points_of
from domain.games.don.meta import HAND, TURNS
from domain.games.don.state import Playing, State
from domain.kernel.course import Standing
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import reason
from domain.parts.sides import OPPOSITE, number_of, scores, together


def points(cards: Sequence[Card], trump: Suit) -> tuple[CardPoints, ...]:
    """The immediate scores of these cards, in their order; cards that score nothing are left out (ND-4.1)."""
    return tuple([CardPoints(card, row.points) for card in cards if (row := scoring(card, trump)) is not None])


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
    """A deal ends once a side has the points of the target (ND-6.1), or all tricks are won (ND-3.4)."""
    if not isinstance(state, Playing):
        return None
    if max(state.scores) >= state.common.options.target:
        return TARGET_REACHED
    if len(state.tricks.winners) < HAND:
        return None
    return GAME_WON if any(for_game(counts(state))) else GAME_EQUAL


def _worth(_: Terms, facts: Facts) -> Score:
    """The score, in which points beyond the target are booked too (ND-6.3)."""
    game = (0, 0) if facts.counts is None else for_game(facts.counts)
    result = TARGET_REACHED if facts.counts is None else GAME_WON if any(game) else GAME_EQUAL
    sides = tuple(map(SideScore, OPPOSITE, points_of(facts), facts.counts or (None, None), game))
    return Score(result.outcome, (*_for_cards(facts), *_for_game(sides)), {"sides": sides})


def _for_cards(facts: Facts) -> Iterator[Transfer]:
    """A transfer for each scoring card and player, in the order the cards were played (ND-7.2)."""
    for each in facts.captured:
        if (row := scoring(each.card, facts.trump)) is not None:
            trick = f"trick {each.trick}" if each.trick else "a trick"
            text = reason(f"{row.name}, {trick} won", each.seat, None, row.points, each.card)
            for seat in OPPOSITE[number_of(each.seat)]:
                yield Transfer(seat, BANK, row.points, "card", "ND-4.1", text, rests=(each.card,))


def _for_game(sides: Sequence[SideScore]) -> Iterator[Transfer]:
    """A transfer for each player of the side that has game (ND-5.2)."""
    for side, other in zip(sides, reversed(sides), strict=True):
        if side.game:
            first, second = side.seats
            text = f"Game for seats {first} and {second}, {side.count} to {other.count}: {side.game}"
            for seat in side.seats:
                yield Transfer(seat, BANK, side.game, "game", "ND-5.2", text, rests=("tricks",))


def _grounds(play: Playing) -> Grounds:
    """The events behind each captured card, with the first, which fixes trumps; and all tricks won."""
    tricks = play.tricks
    grounds: dict[Ground, Sequence[int | None]] = {"tricks": tricks.won_at}
    for index, trick in enumerate(tricks.complete):
        *played_at, won_at = tricks.events_of(index)
        for played, version in zip(trick.cards, played_at, strict=True):
            grounds[played.card] = (tricks.played_at[0], version, won_at)
    return grounds


def _terms(standing: Standing) -> Terms:
    return Terms(standing.options, scores=scores(standing.totals))


def _dealt(state: State) -> Terms:
    return Terms(state.common.options, scores=state.common.scores)


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, _terms, _dealt, searched=SEARCHED)
