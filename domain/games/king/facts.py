"""What a deal's score depends on, as a player knows it who keeps the score (KG-4, KG-6)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from domain.games.king.contracts import AIMS, TRICKS, Aim, AimName
from domain.games.king.meta import SEATS
from domain.games.king.state import Playing, State
from domain.kernel.worth import Flaw, Terms
from domain.parts.phases import expect
from domain.parts.scoring import AtTable, Number
from domain.parts.tricks import Tricks


class Facts(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A deal that was played, for an aim."""

    aim: AimName
    captured: tuple[Number, ...]
    """The number of tricks, or of cards that count, captured by each seat."""
    buyer: AtTable | None = None
    """The high bidder for the right to name trumps (KG-5.6)."""
    price: Annotated[int, Meta(ge=1, le=TRICKS)] | None = None
    """The high bid."""
    stopped: bool = False
    """Whether play stopped before the last trick, since all that counts was captured (KG-3.5)."""


def counted(aim: Aim, tricks: Tricks) -> list[int]:
    """The count of each complete trick: its cards that count, or the trick itself (KG-4, KG-6)."""
    return [
        sum([card in aim.cards for card in tricks.cards_of(index)]) if aim.cards else int(index + 1 in aim.tricks)
        for index in range(len(tricks.winners))
    ]


def facts(state: State) -> Facts:
    """The facts of a settled deal."""
    play = expect(state, Playing)
    aim, tricks = play.contract.aim, play.tricks
    captured = [0] * SEATS
    for winner, count in zip(tricks.winners, counted(aim, tricks), strict=True):
        captured[winner] += count
    trumps, stopped = play.contract.trumps, len(tricks.winners) < TRICKS
    if trumps is None or trumps.bought is None:
        return Facts(aim.aim, tuple(captured), stopped=stopped)
    return Facts(aim.aim, tuple(captured), trumps.bought.seat, trumps.bought.price)


def flaws(terms: Terms, facts: Facts) -> Iterator[Flaw]:
    """The flaws of the facts."""
    aim = AIMS[facts.aim]
    due = len(aim.cards or aim.tricks)
    if len(facts.captured) != SEATS:
        yield Flaw("KG-1.1", f"{SEATS} seats capture", ("captured",))
    if sum(facts.captured) != due:
        yield Flaw(aim.rule, f"{due} are captured in all, and not {sum(facts.captured)}", ("captured",))
    if facts.stopped and not aim.cards:
        yield Flaw("KG-3.5", "a deal in which tricks count is played out", ("stopped", "aim"))
    if (facts.buyer is None) != (facts.price is None) or (facts.buyer is not None and not aim.price):
        yield Flaw(
            "KG-6.3", "trumps are bought in a positive deal, by a seat and for a price", ("buyer", "price", "aim")
        )
    if facts.buyer == terms.order[-1]:
        yield Flaw("KG-5.2", "the dealer does not bid", ("buyer",))
