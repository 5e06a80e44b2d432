"""What a deal's score depends on, as a player knows it who keeps the score (SO-4.2)."""

from typing import Annotated

from msgspec import Meta

from domain.games.solo.contracts import CONTRACTS, HIGHEST
from domain.games.solo.meta import HAND, TURNS
from domain.games.solo.state import Playing
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.scoring import AtTable, BySeat, Fact, Number, flaws_of_tricks


class Facts(Fact, frozen=True, gc=False):
    """A game that was played; `tricks` are those won by each seat, as far as they were played."""

    declarer: AtTable
    level: Annotated[int, Meta(ge=1, le=HIGHEST)]
    tricks: BySeat[Number]
    partner: AtTable | None = None


def facts(play: Playing) -> Facts:
    partner = None if play.partner is None else play.partner.seat
    won = play.tricks.won_by(TURNS.size)
    return Facts(play.commitment.declarer, play.commitment.contract.level, won, partner)


SEARCHED = Searched("declarer", "partner", contract="level", terms="level", trump="contract.trump")


def flaws(_: Terms, facts: Facts) -> Flaws:
    yield from flaws_of_tricks("SO-1.1", facts.tricks, range(TURNS.size), HAND, TURNS.size)
    if not CONTRACTS[facts.level].partner:
        if facts.partner is not None:
            yield Flaw("SO-2.1", "only in a simple game declarer has a partner", ("partner", "level"))
    elif facts.partner is None or facts.partner == facts.declarer:
        yield Flaw("SO-2.1", "in a simple game another seat is declarer's partner", ("partner",))
