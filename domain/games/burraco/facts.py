"""What a deal's score depends on, as a player knows it who keeps the score (BU-10)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.cards import Card
from domain.games.burraco.contracts import CLOSED, Outcome
from domain.games.burraco.melds import Arranged, arranged, burraco
from domain.games.burraco.meta import ORDER, PACK
from domain.games.burraco.outcomes import settled
from domain.games.burraco.state import Common, Drawing, State
from domain.kernel.hands import Hand
from domain.kernel.worth import Flaw, Terms
from domain.parts.copies import Named, with_copies
from domain.parts.phases import expect
from domain.parts.scoring import AtTable, Number
from domain.parts.sides import number_of, two_sides
from domain.seats import Seat


class Laid(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A meld on the table. No amount depends on which copies its cards are, or on its number in the deal, 0 if
    unknown.
    """

    cards: tuple[Named, ...]
    number: Number = 0


class Own(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A side's melds, as laid, and whether it has taken its pozzetto (BU-8.1)."""

    melds: tuple[Laid, ...]
    pozzetto: bool


class Facts(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How the deal ended, what each side has, and the cards left to each seat."""

    ended: Outcome
    sides: tuple[Own, Own]
    hands: tuple[tuple[Named, ...], ...]
    """The cards left to each seat; a pozzetto not yet looked at is its owner's hand (BU-10.5)."""
    closer: AtTable | None = None
    """The seat that has closed (BU-9.2)."""


class Cards(Struct, frozen=True, gc=False):
    """The cards with their copies: melds in their order, by side, and hands in the pack's, by seat."""

    melds: tuple[tuple[Arranged | None, ...], ...]
    hands: tuple[tuple[Card, ...], ...]


def cards_of(facts: Facts) -> Cards | None:
    """The cards with their copies; None if the pack has not so many of a face. A meld is None if it is none (BU-5)."""
    groups = with_copies(PACK, [*[laid.cards for own in facts.sides for laid in own.melds], *facts.hands])
    if groups is None:
        return None
    left = iter(groups)
    melds = tuple([tuple([arranged(next(left)) for _ in own.melds]) for own in facts.sides])
    return Cards(melds, tuple(map(PACK.sorted, left)))


def facts(state: State) -> Facts:
    """The facts of a settled deal."""
    play = expect(state, Drawing)
    common, ending = play.common, settled(state)
    first, second = [
        Own(
            tuple([Laid(meld.arranged.cards, meld.meld) for meld in common.melds_of(side)]),
            pozzetto=common.takers[side] is not None,
        )
        for side in range(len(common.sides))
    ]
    hands = tuple([_held(common, seat) for seat in range(common.options.players)])
    return Facts(CLOSED.outcome if ending is None else ending.outcome, (first, second), hands, play.closer)


def _held(common: Common, seat: Seat) -> tuple[Card, ...]:
    lying = common.face_down(seat)
    return (common.hands[seat] if lying is None else Hand.of(lying.cards, ORDER)).known


def flaws(terms: Terms, facts: Facts) -> Iterator[Flaw]:
    """The flaws of the facts."""
    players, cards = terms.options.players, cards_of(facts)
    if len(facts.hands) != players or (facts.closer is not None and facts.closer >= players):
        yield Flaw("BU-1.1", f"{players} players sit at the table", ("hands", "closer"))
    if cards is None:
        yield Flaw("BU-2.1", "each card of the two packs is in one place", ("sides", "hands"))
        return
    for melds in cards.melds:
        if None in melds:
            yield Flaw("BU-5.1", "a meld is a set or a run", ("sides",))
        ranks = [meld.rank for meld in melds if meld is not None and meld.rank is not None]
        if len(ranks) > len({*ranks}):
            yield Flaw("BU-5.1", "a side has at most one set of each rank", ("sides",))
    if (facts.closer is None) != (facts.ended != CLOSED.outcome):
        yield Flaw("BU-9.2", "a deal is closed by a seat", ("ended", "closer"))
    if not all(hand or seat == facts.closer for seat, hand in enumerate(facts.hands)):
        yield Flaw("BU-9.1", "who has no card left has closed, or taken a pozzetto", ("hands", "closer"))
    if facts.closer is not None:
        side = number_of(facts.closer, two_sides(terms.options))
        kinds = [meld and burraco(meld, semi_clean=terms.options.semi_clean) for meld in cards.melds[side]]
        if facts.hands[facts.closer] or not facts.sides[side].pozzetto or not any(kinds):
            yield Flaw("BU-9.2", "who closes has no card left, and a side with pozzetto and burraco", ("closer",))
