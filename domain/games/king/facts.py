"""What a deal's score depends on, as a player knows it who keeps the score (KG-4, KG-6)."""

from typing import Annotated

from msgspec import Meta

from domain.games.king.contracts import AIMS, TRICKS, VALUES, Aim, AimName
from domain.games.king.meta import SEATS
from domain.games.king.state import Playing
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.scoring import AtTable, BySeat, Fact, Number
from domain.parts.tricks import Tricks


class Facts(Fact, frozen=True, gc=False):
    """A deal that was played, for an aim."""

    aim: AimName
    captured: BySeat[Number]
    buyer: AtTable | None = None
    price: Annotated[int, Meta(ge=1, le=TRICKS)] | None = None
    stopped: bool = False


def captured(aim: Aim, tricks: Tricks) -> tuple[int, ...]:
    """The number of tricks, or of cards that count, captured by each seat so far (KG-4, KG-6)."""
    if aim.cards:
        return tuple(map(len, tricks.captures(SEATS, VALUES[aim.aim])))
    won = [tricks.winners[number - 1] for number in aim.tricks if number <= len(tricks.winners)]
    return tuple(map(won.count, range(SEATS)))


def facts(play: Playing) -> Facts:
    aim, tricks = play.contract.aim, play.tricks
    bought = None if play.contract.trumps is None else play.contract.trumps.bought
    buyer, price = (None, None) if bought is None else (bought.seat, bought.price)
    return Facts(aim.aim, captured(aim, tricks), buyer, price, len(tricks.winners) < TRICKS)


SEARCHED = Searched(contract="aim", terms="aim", trump="trumps.trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    aim = AIMS[facts.aim]
    due = len(aim.cards or aim.tricks)
    if terms.kind != (None if aim.price else aim.aim):
        yield Flaw("KG-1.2", f"the aim of this deal is {(terms.kind or 'up or down').replace('-', ' ')}", ("aim",))
    if len(facts.captured) != SEATS:
        yield Flaw("KG-1.1", f"{SEATS} seats capture", ("captured",))
    if sum(facts.captured) != due:
        yield Flaw(aim.rule, f"{due} are captured in all, and not {sum(facts.captured)}", ("captured",))
    if facts.stopped and not aim.cards:
        yield Flaw("KG-3.5", "a deal in which tricks count is played out", ("stopped", "aim"))
    if (facts.buyer is None) != (facts.price is None) or (facts.buyer is not None and not aim.price):
        text = "trumps are bought in a positive deal, by a seat and for a price"
        yield Flaw("KG-6.3", text, ("buyer", "price", "aim"))
    if facts.buyer == terms.order[-1]:
        yield Flaw("KG-5.2", "the dealer does not bid", ("buyer",))
