"""What a deal's score depends on, as a player knows it who keeps the score (DG-8)."""

from collections.abc import Sequence

from domain.games.dingo.hunts import Won, spoils, spoils_of_aces
from domain.games.dingo.meta import ACE, DINGOES, LOW_TO_HIGH, PACK, RABBITS, WOLVES
from domain.games.dingo.state import State
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.scoring import Fact
from domain.parts.tricks import Played


class Facts(Fact, frozen=True, gc=False):
    """The score piles and the penalty piles, in the order in which cards came to them."""

    won: tuple[Won, ...]


def facts(state: State) -> Facts:
    return Facts(state.common.won)


def flaws(_: Terms, facts: Facts) -> Flaws:
    """Cards of a rank that no hunt brings to their piles are a flaw."""
    cards = [each.card for each in facts.won]
    if len(set(cards)) < len(cards) or not set(cards) <= set(PACK):
        yield Flaw("DG-2.1", "a card of the pack is in one pile of one seat", ("won",))
    for rank in LOW_TO_HIGH:
        won = [each for each in facts.won if PACK.rank(each.card) == rank]
        if (won or rank == ACE) and not _hunted(rank, won):
            yield Flaw("DG-6.5" if rank == ACE else "DG-5.6", f"no hunt brings these cards of rank {rank}", ("won",))


def _hunted(rank: str, won: Sequence[Won]) -> bool:
    """Whether a hunt of the rank brings just these cards to their piles."""
    at = {each.card: each for each in won}
    dingo, rabbit = at.pop(DINGOES[rank], None), at.pop(RABBITS[rank], None)
    wolves = [Played(each.seat, card) for card, each in at.items()]
    # The rabbit is its hunter's, who played the last wolf.
    hunter = None if rabbit is None else rabbit.seat
    if dingo is None or (rank != ACE and hunter == dingo.seat):
        return False
    if rank != ACE:
        due = spoils(rank, dingo.seat, sorted(wolves, key=lambda wolf: wolf.seat == hunter))
    elif rabbit is None or (rabbit.scored and len(wolves) < len(WOLVES[ACE])):
        return False
    else:
        due = spoils_of_aces(dingo.seat, wolves, rabbit.seat, played=rabbit.scored)
    piles = [(each, scored) for scored, pile in ((True, due.score), (False, due.penalty)) for each in pile]
    return {*piles} == {(Played(each.seat, each.card), each.scored) for each in won}
