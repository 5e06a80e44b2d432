"""Running scores: what each seat, or each side, has after each deal."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import Struct

from domain.kernel.ledger import signed
from domain.seats import Seat
from service.describe.texts import Texts


class ScoredLine(Struct, frozen=True):
    """What running scores need of a booked line as it is served."""

    amount: int
    seat: Seat | None = None
    deal: int | None = None


class Curve(Struct, frozen=True):
    """The running total of a seat, or of seats that win and lose together."""

    seats: tuple[Seat, ...]
    totals: tuple[int, ...]
    """0, then the total after each deal, and after what is booked outside deals if something is."""


class RunningScores(Struct, frozen=True):
    """The running totals of a table."""

    deals: int
    """The number of the last deal that has booked lines; 0 without one."""
    curves: tuple[Curve, ...]

    @property
    def has_end(self) -> bool:
        """Whether the last totals are those after what is booked outside deals."""
        return bool(self.curves) and len(self.curves[0].totals) > self.deals + 1


def about(scores: RunningScores, unit: str, texts: Texts) -> str:
    """What the totals are, in a sentence."""
    return texts.plain("scores.after-end" if scores.has_end else "scores.after", count=scores.deals, unit=unit)


def last_deal(scores: RunningScores, texts: Texts) -> str:
    """What the last totals stand after."""
    return texts.plain("scores.end" if scores.has_end else "scores.deal", deal=scores.deals)


def written(total: int) -> str:
    """A total as it is read: zero has no sign."""
    return signed(total) if total else "0"


def running_scores(lines: Iterable[ScoredLine], seats: int, sides: Sequence[tuple[Seat, ...]]) -> RunningScores:
    """The running totals of `seats` seats from the lines of a ledger.

    A line counts for the deal that it belongs to, so a correction changes the totals from that deal on. The seats of a
    side share a curve as long as they have the same totals.
    """
    booked = [line for line in lines if line.seat is not None]
    deals = max((line.deal or 0 for line in booked), default=0)
    has_end = any(line.deal is None for line in booked)
    gains = [[0] * (deals + 1 + has_end) for _ in range(seats)]
    for line in booked:
        if line.seat is not None:
            gains[line.seat][deals + 1 if line.deal is None else line.deal] += line.amount
    totals = [tuple(accumulate(each)) for each in gains]
    shared = [side for side in sides if len({totals[seat] for seat in side}) == 1]
    alone = [(seat,) for seat in range(seats) if not any(seat in side for side in shared)]
    return RunningScores(deals, tuple(Curve(side, totals[side[0]]) for side in sorted([*shared, *alone])))
