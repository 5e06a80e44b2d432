"""The acts of a player in Khanhoo."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.games.khanhoo.contracts import MeldName
from domain.kernel.action import Action


class DrawStock(Action, frozen=True, tag="draw-stock"):
    """Draw the top card of the stock."""

    RULE: ClassVar = "KH-4.1"


class DrawDiscard(Action, frozen=True, tag="draw-discard"):
    """Draw the top card of the discard pile."""

    RULE: ClassVar = "KH-4.1"


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card face up."""

    RULE: ClassVar = "KH-4.3"
    ORDER: ClassVar = "KH-4.1"

    card: Card


class GoOut(Action, frozen=True, tag="go-out"):
    """Discard a card and go out, with all other cards in melds."""

    RULE: ClassVar = "KH-7.1"
    ORDER: ClassVar = "KH-4.1"

    card: Card


class Bump(Action, frozen=True, tag="bump"):
    """Claim the discard for a meld with these cards of the hand."""

    RULE: ClassVar = "KH-6.2"
    ORDER: ClassVar = "KH-6.1"

    meld: MeldName
    cards: tuple[Card, ...]


class LetGo(Action, frozen=True, tag="let-go"):
    """Let the discard go."""

    RULE: ClassVar = "KH-6.1"


class Challenge(Action, frozen=True, tag="challenge"):
    """Keep the discard from the bumper, with a meld of it and these cards of the hand."""

    RULE: ClassVar = "KH-6.4"

    meld: MeldName
    cards: tuple[Card, ...]


class Yield(Action, frozen=True, tag="yield"):
    """Leave the discard to the bumper."""

    RULE: ClassVar = "KH-6.4"


KhanhooAction: TypeAlias = DrawStock | DrawDiscard | Discard | GoOut | Bump | LetGo | Challenge | Yield

MILDEST: tuple[type[Action], ...] = (LetGo, Yield, DrawStock, Discard)
"""The act that the house takes for a player whose clock has run out."""
