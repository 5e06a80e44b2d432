"""What a deal's score depends on, as a player knows it who keeps the score (KG-4, KG-6)."""

from collections.abc import Iterator, Sequence
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


def counted(aim: Aim, tricks: Tricks) -> tuple[int, ...]:
    """The count of each complete trick: its cards that count, or the trick itself (KG-4, KG-6)."""
    taken = range(len(tricks.winners))
    if aim.cards:
        return tuple([sum([card in aim.cards for card in tricks.cards_of(index)]) for index in taken])
    return tuple([int(index + 1 in aim.tricks) for index in taken])


def facts(state: State) -> Facts:
    """The facts of a settled deal."""
    play = expect(state, Playing)
    aim, tricks = play.contract.aim, play.tricks
    captured = [0] * SEATS
    for winner, count in zip(tricks.winners, counted(aim, tricks), strict=True):
        captured[winner] += count
    bought = None if play.contract.trumps is None else play.contract.trumps.bought
    buyer, price = (None, None) if bought is None else (bought.seat, bought.price)
    return Facts(aim.aim, tuple(captured), buyer, price, stopped=len(tricks.winners) < TRICKS)


def flaws(terms: Terms, facts: Facts) -> Iterator[Flaw]:
    """The flaws of the facts."""
    aim, due = AIMS[facts.aim], _due(AIMS[facts.aim])
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


def _due(aim: Aim) -> int:
    counting: Sequence[object] = aim.cards or aim.tricks
    return len(counting)
