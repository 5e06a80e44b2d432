"""The score of a deal: a line for each meld, and one for going out (KH-8)."""

from collections.abc import Iterator

from domain.games.khanhoo.contracts import ALL_LAID, OUT, ROWS, UNDECIDED, WENT_OUT, Meld, Melds, Result
from domain.games.khanhoo.division import best_division
from domain.games.khanhoo.events import HandDivided
from domain.games.khanhoo.state import Ended, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, reason
from domain.seats import Seat


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on, until the hands are shown (KH-8.1)."""
    if not isinstance(state, Ended) or state.shown is None:
        return None
    if state.out is None:
        return UNDECIDED
    return ALL_LAID if state.cards.all_laid(state.out) else WENT_OUT


def score(state: State) -> Score | None:
    """The score of the deal; None until it is settled."""
    result = settled(state)
    if result is None or not isinstance(state, Ended) or state.shown is None:
        return None
    divisions = tuple([HandDivided(seat, _division(state, seat, result)) for seat in range(state.cards.players)])
    transfers = tuple([line for each in divisions for line in _lines(state, each, state.shown)])
    return Score(result.outcome, transfers, {"out": state.out, "divisions": divisions})


def _division(state: Ended, seat: Seat, result: Result) -> Melds:
    """The hand's best division, without a rest for the player who went out by a discard (KH-8.3).

    A player who has laid all fifteen still holds one card, which belongs to no meld.
    """
    return best_division(state.cards.hands[seat].known, without_rest=seat == state.out and result is WENT_OUT)


def _lines(state: Ended, divided: HandDivided, shown: int) -> Iterator[Transfer]:
    """The seat's lines: the melds laid, in order; those of the hand; going out (KH-8.5)."""
    seat = divided.seat
    for laid in state.cards.laid[seat]:
        yield _for_meld(seat, laid.meld, "laid", (laid.version,))
    for meld in divided.melds:
        yield _for_meld(seat, meld, "in hand", (shown,))
    if seat == state.out:
        yield Transfer(
            seat, BANK, OUT, "out", "KH-8.2", reason("Going out", seat, None, OUT), cited(state.ended, shown)
        )


def _for_meld(seat: Seat, meld: Meld, where: str, events: tuple[int, ...]) -> Transfer:
    row = ROWS[meld.meld]
    text = reason(row.name.capitalize(), seat, where, row.points, " ".join(meld.cards))
    return Transfer(seat, BANK, row.points, "meld", row.rule, text, events)
