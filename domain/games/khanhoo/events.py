"""The events of a deal of Khanhoo."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.games.khanhoo.contracts import MeldName, Melds
from domain.kernel.event import Payload
from domain.seats import Seat
from domain.table.events import DealScored


class DrawnCard(Struct, frozen=True, gc=False):
    """The opening of a card that was drawn unseen."""

    drawn: Opening


class StockDrawn(Payload, frozen=True, gc=False):
    """A player drew the top card of the stock."""

    TYPE: ClassVar = "stock-drawn"
    SECTIONS: ClassVar = {"seat": DrawnCard}

    seat: Seat


class DiscardDrawn(Payload, frozen=True, gc=False):
    """A player chose to draw the top card of the discard pile."""

    TYPE: ClassVar = "discard-drawn"

    seat: Seat
    card: Card


class DiscardTaken(Payload, frozen=True, gc=False):
    """The top card of the discard pile was drawn automatically, as the only card that the player could draw (KH-4.2,
    KH-6.5).
    """

    TYPE: ClassVar = "discard-taken"
    CHECK: ClassVar = "turn-up"

    seat: Seat
    card: Card


class CardDiscarded(Payload, frozen=True, gc=False):
    """A player discarded a card."""

    TYPE: ClassVar = "card-discarded"

    seat: Seat
    card: Card


class WentOut(Payload, frozen=True, gc=False):
    """A player discarded a card and went out."""

    TYPE: ClassVar = "went-out"

    seat: Seat
    card: Card


class Claim(Struct, frozen=True, gc=False):
    """A player's claim to the discard: the kind of meld, and the cards of the hand that form it, sorted.

    If the player let the discard go, no meld is named and the list is empty.
    """

    meld: MeldName | None
    cards: tuple[Card, ...]


class ClaimAnswered(Payload, frozen=True, gc=False):
    """A player has decided whether to bump or to let go (KH-6.1)."""

    TYPE: ClassVar = "claim-answered"
    SECTIONS: ClassVar = {"seat": Claim}

    seat: Seat


class Bumped(Struct, frozen=True, gc=False):
    """A bump, as announced."""

    seat: Seat
    meld: MeldName


class BumpsAnnounced(Payload, frozen=True, gc=False):
    """All have answered: the bumps, from the discarder's left on, and the seat whose bump stands, if one does."""

    TYPE: ClassVar = "bumps-announced"
    CHECK: ClassVar = "turn-up"

    bumps: tuple[Bumped, ...]
    standing: Seat | None


class BumpChallenged(Payload, frozen=True, gc=False):
    """The next player challenged the bump with a meld of this kind (KH-6.4)."""

    TYPE: ClassVar = "bump-challenged"
    SECTIONS: ClassVar = {"seat": Claim}

    seat: Seat
    meld: MeldName


class BumpYielded(Payload, frozen=True, gc=False):
    """The next player left the discard to the bumper."""

    TYPE: ClassVar = "bump-yielded"

    seat: Seat


class MeldLaid(Payload, frozen=True, gc=False):
    """The bumper took the discard and laid the meld; `cards` are all of its cards, sorted (KH-6.6)."""

    TYPE: ClassVar = "meld-laid"
    CHECK: ClassVar = "turn-up"

    seat: Seat
    meld: MeldName
    cards: tuple[Card, ...]


class RenewedStock(Struct, frozen=True, gc=False):
    """The house's secret of a renewed stock: its cards, from the top."""

    stock: tuple[Opening, ...]


class StockRenewed(Payload, frozen=True, gc=False):
    """All discards except the top one were shuffled into a new stock, at new places (KH-4.4)."""

    TYPE: ClassVar = "stock-renewed"
    CHECK: ClassVar = "draws"
    FIELD_CHECKS: ClassVar = {"card_commitments": "commitments"}
    SECTIONS: ClassVar = {"house": RenewedStock}

    renewal: int
    card_commitments: tuple[str, ...]


class HandShown(Struct, frozen=True, gc=False):
    """The cards of a hand at the end of a deal, sorted."""

    seat: Seat
    cards: tuple[Card, ...]


class HandsShown(Payload, frozen=True, gc=False):
    """The deal is over: all hands are shown (KH-8.1)."""

    TYPE: ClassVar = "hands-shown"
    CHECK: ClassVar = "turn-up"

    hands: tuple[HandShown, ...]


class HandDivided(Struct, frozen=True, gc=False):
    """The melds into which the house divided a hand, in the order of KH-8.4, without those laid before."""

    seat: Seat
    melds: Melds


class KhanhooScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with the seat that went out, if any, and the division of each hand."""

    out: Seat | None
    divisions: tuple[HandDivided, ...]


KhanhooEvent: TypeAlias = (
    StockDrawn
    | DiscardDrawn
    | DiscardTaken
    | CardDiscarded
    | WentOut
    | ClaimAnswered
    | BumpsAnnounced
    | BumpChallenged
    | BumpYielded
    | MeldLaid
    | StockRenewed
    | HandsShown
)

EVENTS: tuple[type[Payload], ...] = (*get_args(KhanhooEvent), KhanhooScored)
