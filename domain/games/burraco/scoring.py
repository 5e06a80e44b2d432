"""The score of a deal, and its lines: one for each item and player (BU-10)."""

from collections.abc import Iterator, Sequence

from domain.games.burraco.contracts import BURRACO_OF, CLEAN, CLOSING, NO_POZZETTO, worth
from domain.games.burraco.events import SideScore
from domain.games.burraco.facts import Facts, Own, facts, flaws
from domain.games.burraco.melds import arranged, burraco
from domain.games.burraco.meta import PACK
from domain.games.burraco.outcomes import settled
from domain.games.burraco.state import Drawing, Meld
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.copies import with_copies
from domain.parts.phases import expect
from domain.parts.scoring import in_common, in_turn
from domain.parts.sides import in_words, number_of, two_sides


def points(melds: Sequence[Meld]) -> int:
    """The value of these melds, including burrachi (BU-10.1 to BU-10.3)."""
    bonuses = [BURRACO_OF[meld.burraco].bonus for meld in melds if meld.burraco is not None]
    return worth([card for meld in melds for card in meld.arranged.cards]) + sum(bonuses)


def _worth(terms: Terms, facts: Facts) -> Score:
    sides, named = two_sides(terms.options), expect(with_copies(PACK, facts), Facts)
    by_side = [list(_items(terms, named, number)) for number in range(len(sides))]
    transfers = [
        Transfer(seat, BANK, amount, kind, rule, text, rests=(ground,))
        for seat in range(terms.options.players)
        for kind, rule, amount, text, ground in by_side[number_of(seat, sides)]
    ]
    amounts = [sum([amount for _, _, amount, _, _ in items]) for items in by_side]
    return Score(facts.ended, tuple(transfers), {"sides": tuple(map(SideScore, sides, amounts))})


_Item = tuple[str, str, int, str, Ground]
"""Kind, rule, amount, text and ground of a line."""


def _items(terms: Terms, facts: Facts, number: int) -> Iterator[_Item]:
    """The side's whole score, row by row (BU-10.7)."""
    own, side = facts.sides[number], two_sides(terms.options)[number]
    yield from _of_melds(terms, own, in_words(side))
    if facts.closer in side:
        yield "closing", "BU-10.4", CLOSING, f"Closing by seat {facts.closer}: {CLOSING}", "end"
    for seat in side:
        held = PACK.sorted(facts.hands[seat])
        value = worth(held)
        if held:
            yield "hand", "BU-10.5", -value, f"Cards left to seat {seat}: {value} ({' '.join(held)})", "end"
    if not own.pozzetto:
        text = f"No pozzetto taken by {in_words(side)}: {NO_POZZETTO}"
        yield "pozzetto", "BU-10.6", -NO_POZZETTO, text, "end"


def _of_melds(terms: Terms, own: Own, who: str) -> Iterator[_Item]:
    numbered = [(laid.number, meld) for laid in own.melds if (meld := arranged(laid.cards)) is not None]
    for meld_number, meld in numbered:
        value = worth(meld.cards)
        text = f"{_name(meld_number)} of {who}: {value} ({' '.join(meld.cards)})"
        yield "meld", "BU-10.1", value, text, meld_number
    kinds = [(each, burraco(each[1], semi_clean=terms.options.semi_clean)) for each in numbered]
    rows = [(each, BURRACO_OF[kind]) for each, kind in kinds if kind is not None]
    for (meld_number, meld), row in sorted(rows, key=lambda each: each[1] != CLEAN):
        what = f"{row.name.capitalize()}, {_name(meld_number).lower()}"
        yield "burraco", row.rule, row.bonus, f"{what} of {who}: {row.bonus} ({' '.join(meld.cards)})", meld_number


def _name(number: int) -> str:
    return f"Meld {number}" if number else "A meld"


def _grounds(play: Drawing) -> Grounds:
    """The events behind each meld, by its number, and the discard that ended the deal."""
    return {**{meld.meld: meld.events for meld in play.common.melds}, "end": (play.discarded,)}


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, in_turn, in_common)
