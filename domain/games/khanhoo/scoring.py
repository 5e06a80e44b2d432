"""The score of a deal: a line for each meld, and one for going out (KH-8)."""

from collections.abc import Iterator

from domain.games.khanhoo.contracts import ALL_LAID, OUT, ROWS, UNDECIDED, WENT_OUT, Meld
from domain.games.khanhoo.division import best_division
from domain.games.khanhoo.events import HandDivided
from domain.games.khanhoo.facts import Facts, Laid, Own, cards_of, facts, flaws
from domain.games.khanhoo.state import Ended, State
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.phases import expect
from domain.parts.scoring import options_alone, reason
from domain.seats import Seat


def settled(state: State) -> int | None:
    """The version of the event that showed the hands, with which the deal ends (KH-8.1); None while it goes on."""
    return state.shown if isinstance(state, Ended) else None


def _worth(_: Terms, facts: Facts) -> Score:
    seats, out = expect(cards_of(facts), tuple), facts.out
    result = UNDECIDED if out is None else ALL_LAID if seats[out].all_laid else WENT_OUT
    # A player who has laid all fifteen still holds one card, which belongs to no meld (KH-8.3).
    divisions = tuple(
        [
            HandDivided(seat, best_division(own.hand, without_rest=seat == out and result is WENT_OUT))
            for seat, own in enumerate(seats)
        ]
    )
    lines = [line for divided, own in zip(divisions, seats, strict=True) for line in _lines(divided, own, out)]
    return Score(result.outcome, tuple(lines), {"out": out, "divisions": divisions})


def _lines(divided: HandDivided, own: Own, out: Seat | None) -> Iterator[Transfer]:
    """The seat's lines: the melds laid, in order; those of the hand; going out (KH-8.5)."""
    seat = divided.seat
    for number, laid in enumerate(own.laid):
        yield _for_meld(seat, laid, "laid", f"laid {seat} {number}")
    for meld in divided.melds:
        yield _for_meld(seat, meld, "in hand", "shown")
    if seat == out:
        text = reason("Going out", seat, None, OUT)
        yield Transfer(seat, BANK, OUT, "out", "KH-8.2", text, rests=("ended", "shown"))


def _for_meld(seat: Seat, meld: Meld | Laid, where: str, ground: Ground) -> Transfer:
    row = ROWS[meld.meld]
    text = reason(row.name.capitalize(), seat, where, row.points, " ".join(meld.cards))
    return Transfer(seat, BANK, row.points, "meld", row.rule, text, rests=(ground,))


def _grounds(ended: Ended) -> Grounds:
    """The events behind each meld laid, by seat and number, the deal's end, and the hands shown."""
    laid: dict[Ground, tuple[int | None, ...]] = {
        f"laid {seat} {number}": (each.version,)
        for seat, own in enumerate(ended.cards.laid)
        for number, each in enumerate(own)
    }
    return {**laid, "ended": (ended.ended,), "shown": (ended.shown,)}


SCORING = Scoring(
    Facts, facts, settled, flaws, _worth, _grounds, options_alone, lambda state: Terms(state.cards.options)
)
