"""The score of a deal, and its lines: one for each item and player (DL-9)."""

from collections.abc import Iterator, Sequence

from domain.games.diloti.contracts import CARDS, EQUAL, MOST, MOST_CARDS, NOTHING, POINTS, XERI, Scoring
from domain.games.diloti.events import SideScore
from domain.games.diloti.facts import Facts, facts, flaws, xeris
from domain.games.diloti.state import Capture, State
from domain.kernel import worth
from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Grounds, Score, Terms
from domain.parts.scoring import options_alone
from domain.parts.sides import Side, in_words, number_of, two_sides


def points(captures: Sequence[Capture]) -> int:
    """The points for the xeris and the cards named among these captures, without those for most cards."""
    taken = [POINTS[card] for capture in captures for card in capture.cards if card in POINTS]
    return XERI.points * xeris(captures) + sum(taken)


def settled(state: State) -> bool | None:
    """True once all cards are played (DL-9.1) and the rest is taken (DL-9.2); None until then."""
    return None if state.stock or not state.empty_handed or state.rest_due else True


def _worth(terms: Terms, facts: Facts) -> Score:
    first, second = (pile.cards for pile in facts.piles)
    result = MOST if first != second else EQUAL if first else NOTHING
    sides = two_sides(terms.options)
    items = [list(_items(facts, side, number)) for number, side in enumerate(sides)]
    # Each player's lines are the side's whole score, in full (DL-9.8).
    transfers = [
        Transfer(seat, BANK, row.points, "card" if row in CARDS else row.scoring, row.rule, text, rests=(ground,))
        for seat in sorted(sum(sides, ()))
        for row, text, ground in items[number_of(seat, sides)]
    ]
    scores = [
        SideScore(side, pile.cards, sum([seat in side for seat in facts.xeris]), sum([row.points for row, *_ in own]))
        for side, pile, own in zip(sides, facts.piles, items, strict=True)
    ]
    return Score(result.outcome, tuple(transfers), {"sides": tuple(scores)})


_Item = tuple[Scoring, str, Ground]
"""A scoring item, its text, and the ground on which it rests."""


def _items(facts: Facts, side: Side, number: int) -> Iterator[_Item]:
    """All scoring items of the side, row by row (DL-9.3 to DL-9.8)."""
    who = in_words(side)
    for xeri, seat in enumerate(facts.xeris):
        if seat in side:
            yield XERI, f"Xeri by seat {seat} for {who}: {XERI.points}", xeri
    own, other = facts.piles[number], facts.piles[1 - number]
    if own.cards > other.cards:
        yield MOST_CARDS, f"Most cards, {own.cards} to {other.cards} for {who}: {MOST_CARDS.points}", "captures"
    for row in CARDS:
        if row.card is not None and row.card in own.scoring:
            yield row, f"{row.name.capitalize()} for {who}: {row.points}", row.card


def _grounds(state: State) -> Grounds:
    """The events behind each xeri by its number, each card, and all captures."""
    xeris = enumerate([capture.version for capture in state.captures if capture.xeri])
    return {
        "captures": [capture.version for capture in state.captures],
        **{number: (version,) for number, version in xeris},
        **{card: (capture.version,) for capture in state.captures for card in capture.cards},
    }


SCORING = worth.Scoring(Facts, facts, settled, flaws, _worth, _grounds, options_alone, options_alone)
