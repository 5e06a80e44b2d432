"""A rule of thumb for Khanhoo: claim and go out where possible, and discard the card that fits the others least."""

from collections.abc import Callable, Mapping, Sequence

from domain.cards import Card
from domain.games.khanhoo.contracts import FACE, FACES, PATTERNS, ROWS, Face
from domain.games.khanhoo.state import Ended, State
from domain.kernel.offers import Offer
from domain.kernel.policy import narrowed
from domain.seats import Seat

_FIRST = ("go-out", "bump", "challenge", "let-go", "yield")
"""The acts that are taken as soon as they are offered, the first before the others."""

_JOKER = 1000
"""How well a joker fits, which stands for any card: better than every other card."""


def _fitting() -> Mapping[Face, Mapping[Face, int]]:
    """How well two faces fit: the points of the melds of three cards that have both."""
    fit: dict[Face, dict[Face, int]] = {face: {} for face in FACES}
    for pattern in PATTERNS:
        for index, one in enumerate(pattern.faces if len(pattern.faces) == 3 else ()):
            for other in (*pattern.faces[:index], *pattern.faces[index + 1 :]):
                fit[one][other] = fit[one].get(other, 0) + ROWS[pattern.meld].points
    return fit


FITTING = _fitting()

HORIZON = 24
"""The acts that are played on before a deal is valued."""


def policy(state: State, seat: Seat, offers: Sequence[Offer], chance: Callable[[int], int]) -> Offer:
    """The offer by the rule of thumb."""
    kinds = {offer.type: offer for offer in offers}
    for kind in _FIRST:
        if kind in kinds:
            return kinds[kind]
    held = state.cards.hands[seat].known
    least = _least_fitting(held, chance)
    if "discard" in kinds:
        return narrowed(kinds["discard"], least)
    return kinds["draw-discard" if _fit(state.cards.top, held) > _fit(least, held) else "draw-stock"]


def _fit(card: Card, held: Sequence[Card]) -> int:
    fit = FITTING[FACE[card]]
    return sum([fit.get(FACE[other], 0) for other in held]) if fit else _JOKER


def _least_fitting(held: Sequence[Card], chance: Callable[[int], int]) -> Card:
    """The card that fits the others least; any of equal ones."""
    first = chance(len(held))
    return min((*held[first:], *held[:first]), key=lambda card: _fit(card, held))


def over(state: State, version: int) -> Ended:
    """The deal as if the limit had been reached, with all hands shown."""
    return Ended(state.cards, version, shown=version)
