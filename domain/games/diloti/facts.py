"""What a deal's score depends on, as a player knows it who keeps the score (DL-9)."""

from collections.abc import Sequence

from domain.cards import Card
from domain.games.diloti.contracts import CARDS
from domain.games.diloti.meta import PACK
from domain.games.diloti.state import Capture, State
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.scoring import AtTable, BySide, Fact, Number
from domain.parts.sides import two_sides


class Pile(Fact, frozen=True, gc=False):
    """What a side has captured: the number of its cards, and those that score by themselves."""

    cards: Number
    scoring: tuple[Card, ...] = ()


class Facts(Fact, frozen=True, gc=False):
    """What each side has captured, and who made xeris, in their order."""

    piles: BySide[Pile]
    xeris: tuple[AtTable, ...] = ()


def xeris(captures: Sequence[Capture]) -> int:
    """The number of xeris among these captures (DL-8.1)."""
    return sum([capture.xeri for capture in captures])


def facts(state: State) -> Facts:
    first, second = map(_pile, state.by_side)
    return Facts((first, second), tuple([capture.seat for capture in state.captures if capture.xeri]))


def _pile(captures: Sequence[Capture]) -> Pile:
    """What these captures brought."""
    captured = [card for capture in captures for card in capture.cards]
    return Pile(len(captured), tuple([row.card for row in CARDS if row.card in captured]))


def flaws(terms: Terms, facts: Facts) -> Flaws:
    total, scoring = sum(pile.cards for pile in facts.piles), [card for pile in facts.piles for card in pile.scoring]
    if total not in (len(PACK), 0):
        yield Flaw("DL-9.2", f"both sides together have {total} cards, and a pack has {len(PACK)}", ("piles",))
    if len(scoring) != len(CARDS) * bool(total) or any(row.card not in scoring for row in CARDS if total):
        yield Flaw("DL-9.5", "each of the cards that score is captured by one side", ("piles",))
    if any(pile.cards < len(pile.scoring) for pile in facts.piles):
        yield Flaw("DL-9.4", "a side has fewer cards than score by themselves", ("piles",))
    made = [sum([seat in side for seat in facts.xeris]) for side in two_sides(terms.options)]
    least = [2 * xeris for xeris in made]
    if sum(made) < len(facts.xeris) or any(pile.cards < cards for pile, cards in zip(facts.piles, least, strict=True)):
        yield Flaw("DL-8.1", "a xeri is made by a seat that plays, and brings its side two cards or more", ("xeris",))
