"""What a deal comes to, and what is booked for it (TY-4)."""

from collections.abc import Iterator

from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.seats import Seat
from tests.games.toy.meta import SIDES, side, value
from tests.games.toy.rules import LAPSED, LEVEL, WON, Result
from tests.games.toy.state import Playing, State, may_deal

DEAL = 2
"""The points for a deal won (TY-4.1)."""


def score(state: State) -> Score | None:
    """What the deal comes to; None until that is settled."""
    if not isinstance(state, Playing) or state.turn is not None or (state.lapse is None and may_deal(state)):
        return None
    captured = tuple(_captured(state, seats) for seats in SIDES)
    result, winner = _result(state, captured)
    return Score(result.outcome, tuple(_transfers(state, result, winner)), {"captured": captured})


def _captured(state: Playing, seats: tuple[Seat, ...]) -> int:
    """What the side has captured, and what its brows count (TY-4.1)."""
    brows = [card for seat in seats for card in state.common.cards.brows[seat] if card is not None]
    return sum(each.value for each in state.captures if each.seat in seats) + sum(map(value, brows))


def _result(state: Playing, captured: tuple[int, ...]) -> tuple[Result, int | None]:
    """The outcome, and the side that has won, if one has."""
    if state.lapse is not None:
        return LAPSED, 1 - side(state.lapse.seat)
    if captured[0] == captured[1]:
        return LEVEL, None
    return WON, captured.index(max(captured))


def _transfers(state: Playing, result: Result, winner: int | None) -> Iterator[Transfer]:
    ended = [each.version for each in state.captures] if state.lapse is None else [state.lapse.version]
    for number, seats in enumerate(SIDES):
        pledged = sum(len(pledge.cards) for pledge in state.pledges if pledge.seat in seats)
        stake = 0 if winner is None else pledged if winner == number else -pledged
        for seat in seats:
            if number == winner:
                yield _points(seat, DEAL, "deal", result.rule, f"Deal {result.name}", (state.opened, *ended))
            yield _points(seat, stake, "pledge", "TY-2.2", f"{pledged} cards pledged", (state.opened, *ended))
            for snap in state.snaps:
                if snap.seat in seats:
                    yield _points(seat, 1, "snap", "TY-3.4", f"Seat {snap.seat} snapped", (snap.version,))


def _points(seat: Seat, amount: int, kind: str, rule: str, text: str, events: tuple[int, ...]) -> Transfer:
    return Transfer(seat, BANK, amount, kind, rule, text, events)
