"""The score of a deal: a line for each penalty, on the account of the player who won the trick (TE-4, TE-5)."""

from collections.abc import Iterator, Sequence
from typing import Literal

from domain.games.tetka.facts import Facts, facts, flaws, leading
from domain.games.tetka.meta import SEATS, TRICKS
from domain.games.tetka.penalties import BUMS, CARD_POINTS, EIGHT, MOST_TRICKS, NINE, Penalty
from domain.games.tetka.state import Playing, State
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import reason
from domain.seats import Seat


def points(state: Playing) -> tuple[int, ...]:
    """The points for the tricks so far, by seat, without those for most tricks."""
    bum, winners = state.bum, state.tricks.winners
    costs = list(state.tricks.worth(SEATS, CARD_POINTS[bum.card]))
    for number in {bum.number, TRICKS}:
        if number <= len(winners):
            costs[winners[number - 1]] += sum([penalty.points for penalty, _ in bum.penalties((), number)])
    return tuple(costs)


def settled(state: State) -> Literal["played"] | None:
    """How the deal has ended; None while it goes on, until all tricks are played (TE-3.3)."""
    return "played" if len(state.tricks.winners) == TRICKS else None


def _worth(_: Terms, facts: Facts) -> Score:
    equal = leading(facts)
    seat = facts.highest if len(equal) > 1 else next(iter(equal), None)
    if seat is None:
        return Score(EIGHT.outcome, tuple(_of_tricks(facts)))
    return Score(NINE.outcome, (*_of_tricks(facts), _of_most(facts.tricks, seat)))


def _of_tricks(facts: Facts) -> Iterator[Transfer]:
    """The penalties in the order of the tricks, those of unknown tricks first (TE-5.2)."""
    bum = BUMS[facts.bum]
    winners = {bum.number: facts.numbered, TRICKS: facts.last} | {each.trick: each.seat for each in facts.costly}
    unknown = [(0, each.seat, [each.card]) for each in facts.costly if not each.trick]
    known = [
        (number, winners[number], [each.card for each in facts.costly if each.trick == number])
        for number in sorted(winners.keys() - {0})
    ]
    for number, winner, cards in (*unknown, *known):
        for penalty, card in bum.penalties(cards, number):
            trick = f"Trick {number}" if number else "A trick"
            text = reason(trick, winner, penalty.name, penalty.points, card)
            yield _line(penalty, winner, text, number)


def _of_most(won: Sequence[int], seat: Seat) -> Transfer:
    note = "equal in tricks, first by the bum suit" if won.count(max(won)) > 1 else None
    text = reason(f"{won[seat]} tricks", seat, MOST_TRICKS.name, MOST_TRICKS.points, note)
    return _line(MOST_TRICKS, seat, text, "tricks")


def _line(penalty: Penalty, seat: Seat, text: str, ground: Ground) -> Transfer:
    """A transfer for the penalty, which is a loss, so that the highest balance wins (TE-5.1)."""
    return Transfer(seat, BANK, -penalty.points, penalty.penalty, penalty.rule, text, rests=(ground,))


def _grounds(state: State) -> Grounds:
    """The events of each trick, by its number, and of all."""
    tricks = state.tricks
    by_number: dict[Ground, tuple[int, ...]] = {number: tricks.events_of(number - 1) for number in range(1, TRICKS + 1)}
    return {**by_number, "tricks": (*tricks.played_at, *tricks.won_at)}


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds)
