"""The score of a deal: a line for each penalty, on the account of the player who won the trick (TE-4, TE-5)."""

from collections.abc import Iterator

from domain.games.tetka.meta import PACK, SEATS, TRICKS
from domain.games.tetka.penalties import CARD_POINTS, EIGHT, MOST_TRICKS, NINE, OF_SUIT, Bum, Penalty, Result
from domain.games.tetka.state import Playing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, reason
from domain.parts.tricks import Tricks
from domain.seats import Seat


def most_tricks(tricks: Tricks, bum: Bum) -> Seat | None:
    """The seat with the most tricks; a tie goes to the one with most cards of the bum suit, then the highest (TE-4.9).

    None if the tied seats captured none of that suit (TE-4.10).
    """
    numbers = tricks.won_by(SEATS)
    leading = [seat for seat in range(SEATS) if numbers[seat] == max(numbers)]
    if len(leading) == 1:
        return leading[0]
    of_suit = tricks.captures(SEATS, OF_SUIT[bum.suit])
    most = max([len(of_suit[seat]) for seat in leading])
    captors = {card: seat for seat in leading if len(of_suit[seat]) == most for card in of_suit[seat]}
    return captors[min(captors, key=PACK.order.__getitem__)] if captors else None


def points(state: Playing) -> tuple[int, ...]:
    """The points for the tricks so far, by seat, without those for most tricks."""
    bum, winners = state.bum, state.tricks.winners
    costs = list(state.tricks.worth(SEATS, CARD_POINTS[bum.card]))
    for number in {bum.number, TRICKS}:
        if number <= len(winners):
            costs[winners[number - 1]] += sum([penalty.points for penalty, _ in bum.penalties((), number)])
    return tuple(costs)


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on, until all tricks are played (TE-3.3)."""
    if len(state.tricks.winners) < TRICKS:
        return None
    return EIGHT if most_tricks(state.tricks, state.bum) is None else NINE


def score(state: State) -> Score | None:
    """The score of the deal; None until it is settled."""
    result = settled(state)
    if result is None:
        return None
    seat = most_tricks(state.tricks, state.bum)
    of_most = () if seat is None else (_of_most(state.tricks, seat),)
    return Score(result.outcome, (*_of_tricks(state), *of_most))


def _of_tricks(state: Playing) -> Iterator[Transfer]:
    tricks = state.tricks
    for index, winner in enumerate(tricks.winners):
        for penalty, card in state.bum.penalties(tricks.cards_of(index), index + 1):
            what = reason(f"Trick {index + 1}", winner, penalty.name, penalty.points, card)
            yield _line(penalty, winner, what, tricks.events_of(index))


def _of_most(tricks: Tricks, seat: Seat) -> Transfer:
    numbers = tricks.won_by(SEATS)
    note = "equal in tricks, first by the bum suit" if numbers.count(max(numbers)) > 1 else None
    text = reason(f"{numbers[seat]} tricks", seat, MOST_TRICKS.name, MOST_TRICKS.points, note)
    return _line(MOST_TRICKS, seat, text, cited(*tricks.played_at, *tricks.won_at))


def _line(penalty: Penalty, seat: Seat, text: str, events: tuple[int, ...]) -> Transfer:
    """A transfer for the penalty, which is a loss, so that the highest balance wins (TE-5.1)."""
    return Transfer(seat, BANK, -penalty.points, penalty.penalty, penalty.rule, text, events)
