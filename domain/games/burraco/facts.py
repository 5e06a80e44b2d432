"""What a deal's score depends on, as a player knows it who keeps the score (BU-10)."""

from domain.cards import Card
from domain.games.burraco.contracts import CLOSED, Outcome
from domain.games.burraco.melds import arranged, burraco
from domain.games.burraco.meta import ORDER, PACK
from domain.games.burraco.outcomes import settled
from domain.games.burraco.state import Common, Drawing
from domain.kernel.hands import Hand
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.copies import Named, with_copies
from domain.parts.scoring import AtTable, BySeat, BySide, Fact, Number, Uncounted
from domain.parts.sides import number_of, two_sides
from domain.seats import Seat


class Laid(Fact, frozen=True, gc=False):
    """A meld on the table. No amount depends on which copies its cards are, or on its number in the deal, 0 if
    unknown.
    """

    cards: tuple[Named, ...]
    number: Uncounted[Number] = 0


class Own(Fact, frozen=True, gc=False):
    """A side's melds, as laid, and whether it has taken its pozzetto (BU-8.1)."""

    melds: tuple[Laid, ...]
    pozzetto: bool


class Facts(Fact, frozen=True, gc=False):
    """How the deal ended, what each side has, and the cards left to each seat."""

    ended: Outcome
    sides: BySide[Own]
    hands: BySeat[tuple[Named, ...]]
    """A pozzetto not yet looked at is its owner's hand (BU-10.5)."""
    closer: AtTable | None = None


def facts(play: Drawing) -> Facts:
    common, ending = play.common, settled(play)
    melds = [tuple([Laid(meld.arranged.cards, meld.meld) for meld in common.melds_of(side)]) for side in (0, 1)]
    first, second = [Own(own, taker is not None) for own, taker in zip(melds, common.takers, strict=True)]
    hands = tuple([_held(common, seat) for seat in range(common.options.players)])
    return Facts(CLOSED.outcome if ending is None else ending.outcome, (first, second), hands, play.closer)


def _held(common: Common, seat: Seat) -> tuple[Card, ...]:
    lying = common.face_down(seat)
    return (common.hands[seat] if lying is None else Hand.of(lying.cards, ORDER)).known


def flaws(terms: Terms, facts: Facts) -> Flaws:
    players, named = terms.options.players, with_copies(PACK, facts)
    if len(facts.hands) != players or (facts.closer is not None and facts.closer >= players):
        yield Flaw("BU-1.1", f"{players} players sit at the table", ("hands", "closer"))
    if isinstance(named, str):
        text = f"each card of the two packs is in one place, and {named} is given too often"
        yield Flaw("BU-2.1", text, ("sides", "hands"))
        return
    by_side = [[arranged(laid.cards) for laid in own.melds] for own in named.sides]
    for side, melds in enumerate(by_side):
        wrong = tuple([f"sides/{side}/melds/{place}" for place, meld in enumerate(melds) if meld is None])
        if wrong:
            yield Flaw("BU-5.1", "a meld is a set or a run", wrong)
        ranks = [meld.rank for meld in melds if meld is not None and meld.rank is not None]
        if len(ranks) > len({*ranks}):
            yield Flaw("BU-5.1", "a side has at most one set of each rank", (f"sides/{side}",))
    if (facts.closer is None) != (facts.ended != CLOSED.outcome):
        yield Flaw("BU-9.2", "who has closed is named if the deal was closed, and only then", ("closer", "ended"))
    if not all(hand or seat == facts.closer for seat, hand in enumerate(facts.hands)):
        yield Flaw("BU-9.1", "who has no card left has closed, or taken a pozzetto", ("hands", "closer"))
    if facts.closer is not None:
        side = number_of(facts.closer, two_sides(terms.options))
        kinds = [meld and burraco(meld, semi_clean=terms.options.semi_clean) for meld in by_side[side]]
        if facts.hands[facts.closer] or not facts.sides[side].pozzetto or not any(kinds):
            yield Flaw("BU-9.2", "who closes has no card left, and a side with pozzetto and burraco", ("closer",))
