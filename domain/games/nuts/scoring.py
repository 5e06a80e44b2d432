"""The score of a hand of Nuts, and its lines (NU-9)."""

from collections.abc import Iterator

from domain.games.nuts.facts import Facts, facts, flaws
from domain.games.nuts.outcomes import FOUNDED, LEFT, settled
from domain.games.nuts.state import State
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import options_alone


def _worth(_: Terms, facts: Facts) -> Score:
    return Score(facts.ended, tuple(_transfers(facts)))


def _transfers(facts: Facts) -> Iterator[Transfer]:
    """At most two transfers a player, against the bank (NU-9.3)."""
    for seat, own in enumerate(facts.seats):
        text = f"Cards of seat {seat} on the foundations: {own.founded}"
        yield Transfer(seat, BANK, FOUNDED * own.founded, "founded", "NU-9.1", text, rests=(f"founded {seat}",))
        cards = f" ({' '.join(own.cards)})" if own.cards else ""
        text = f"Cards left in the reserve of seat {seat}: {own.left} × {LEFT}{cards}"
        yield Transfer(seat, BANK, -LEFT * own.left, "reserve", "NU-9.2", text, rests=(f"reserve {seat}",))


def _grounds(state: State) -> Grounds:
    """The events that took each seat's cards to the foundations, and those that took cards from its reserve."""
    grounds: dict[Ground, tuple[int, ...]] = {}
    for seat, layout in enumerate(state.layouts):
        grounds |= {f"founded {seat}": layout.founded, f"reserve {seat}": (state.dealt_at, *layout.uncovered)}
    return grounds


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, options_alone, options_alone)
