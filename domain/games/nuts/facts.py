"""What a hand's score depends on, as a player knows it who keeps the score (NU-9)."""

from domain.cards import Card
from domain.games.nuts.meta import IN_RESERVE, OWN, PACK
from domain.games.nuts.outcomes import NUTS, STALLED, Outcome, Result, settled
from domain.games.nuts.state import State
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.phases import expect
from domain.parts.scoring import BySeat, Fact, Number, Uncounted


class Own(Fact, frozen=True, gc=False):
    """A player's cards: on the foundations, and left in the reserve. No amount depends on which ones are left."""

    founded: Number
    left: Number
    cards: Uncounted[tuple[Card, ...]] = ()


class Facts(Fact, frozen=True, gc=False):
    """How the hand ended, and each seat's cards."""

    ended: Outcome
    seats: BySeat[Own]


def facts(state: State) -> Facts:
    seats = [Own(len(each.founded), len(each.reserve), tuple(filter(None, each.reserve))) for each in state.layouts]
    return Facts(expect(settled(state), Result).outcome, tuple(seats))


def flaws(terms: Terms, facts: Facts) -> Flaws:
    if len(facts.seats) != terms.options.players:
        yield Flaw("NU-1.1", f"{terms.options.players} players have cards", ("seats",))
    for seat, own in enumerate(facts.seats):
        if own.left > IN_RESERVE or own.founded + own.left > OWN:
            yield Flaw("NU-3.2", f"seat {seat} has {OWN} cards, {IN_RESERVE} of them in the reserve", ("seats",))
        if len(own.cards) not in (0, own.left) or len({*own.cards}) < len(own.cards):
            yield Flaw("NU-9.2", f"{own.left} cards are left to seat {seat}, each once", ("seats",))
        if any(PACK.faces[card].owner != seat for card in own.cards):
            yield Flaw("NU-2.1", f"the cards left to seat {seat} are of its own pack", ("seats",))
    empty, called = [own.left for own in facts.seats].count(0), facts.ended == NUTS.outcome
    if called > empty or (terms.options.nuts_call == "at-once" and called != empty):
        yield Flaw("NU-8.1", "Nuts is called for a player whose reserve is empty", ("ended", "seats"))
    if facts.ended == STALLED.outcome and terms.options.stall:
        yield Flaw("NU-7.5", "at this table a time limit ends a hand without progress", ("ended",))
