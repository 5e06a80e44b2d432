"""The course of a game: its seats and sides, the number of its deals, its dealers, its end and its winners."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.fair.lots import FirstDealer, Lots, by_number
from domain.kernel.action import Action
from domain.kernel.ledger import Party
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat


class Standing(Struct, frozen=True, gc=False):
    """The course of a game so far, from which every question about its course and its deals is answered.

    During a deal it is the standing when the cards were dealt: a correction ruled during the deal does not change it.
    """

    options: Any
    deals: int
    """The number of deals agreed; in games to a target, the most that are played."""
    deal: int
    """The number of the current deal; between deals, of the one scored last; 0 before the first."""
    dealer: Seat | None
    """The dealer of that deal; None in a game without one."""
    totals: tuple[int, ...]
    """The points or chips won and lost so far, by seat."""
    accounts: Mapping[Party, int]
    """Every balance, by account: a player's by seat, a table's by name."""
    result: Mapping[str, Any] = {}
    """The fields that the game itself added to the last `deal-scored`."""
    out: tuple[Seat, ...] = ()
    """The seats that can no longer win, since their players have left the game."""


def dealer_of(standing: Standing) -> Seat:
    """The dealer. Raises ValueError in a game without one."""
    if standing.dealer is None:
        raise ValueError("no seat deals")
    return standing.dealer


class Deals(Struct, frozen=True, gc=False):
    """The numbers of deals that may be agreed: the default, and the multiples of `multiple_of` from least to most."""

    default: int
    least: int
    most: int
    rule: str
    """The numbered rule that sets these limits."""
    multiple_of: int = 1

    def allows(self, deals: int) -> bool:
        """Whether this number of deals may be agreed."""
        return deals == self.default or (self.least <= deals <= self.most and not deals % self.multiple_of)

    def bound(self, deals: int) -> bool:
        """Whether this number of deals is only a bound, since points end the game."""
        return deals == self.default == self.most

    def require(self, deals: int) -> None:
        """Checks that this number of deals may be agreed. Raises Rejected if not."""
        if self.allows(deals):
            return
        limits = f"{self.least} to {self.most}" if self.least < self.most else f"exactly {self.least}"
        steps = f", divisible by {self.multiple_of}" if self.multiple_of > 1 else ""
        default = f", or {self.default}" if self.default % self.multiple_of else ""
        raise Rejected(Code.RULE_VIOLATION, f"deals must be {limits}{steps}{default}", self.rule)


def each_alone(_: Any) -> tuple[tuple[Seat, ...], ...]:
    """No sides: each seat plays for itself."""
    return ()


def only_after_last_deal(_: Standing) -> str | None:
    """None: the game ends with the last deal agreed and never before."""
    return None


def highest_totals(standing: Standing) -> tuple[Seat, ...]:
    """The seats that share the highest total, among those that can win."""
    totals = {seat: total for seat, total in enumerate(standing.totals) if seat not in standing.out}
    return tuple(seat for seat, total in totals.items() if total == max(totals.values()))


class Course(Struct, frozen=True):
    """The course of a game, as functions of its options and its standing."""

    seats: Callable[[Any], int]
    """The number of seats under these options."""
    deals: Callable[[Any], Deals]
    """The numbers of deals that may be agreed under these options."""
    next_dealer: Callable[[Standing], Seat | None]
    """The dealer of the next deal."""
    first_dealer: Callable[[Lots], FirstDealer] = by_number
    sides: Callable[[Any], tuple[tuple[Seat, ...], ...]] = each_alone
    """The seats that win and lose together, one tuple a side. Empty where each plays for itself."""
    over: Callable[[Standing], str | None] = only_after_last_deal
    """Why the game is over before the last deal agreed; None while it goes on. Called after each deal."""
    winners: Callable[[Standing], tuple[Seat, ...]] = highest_totals
    """The seats that have won a game that is over. Called at the end, and after each correction from then on.

    Seats that are `out` do not win even if they are named here. Called only if a deal was scored.
    """
    gate: type[Action] | None = None
    """The action by which each player declares readiness for the next deal. None: it is dealt at once."""

    def side_of(self, seat: Seat, options: Any) -> tuple[Seat, ...]:
        """All seats of this seat's side, itself included."""
        return next((side for side in self.sides(options) if seat in side), (seat,))
