"""The events of a deal of Dingo."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts.tricks import HandExposed, Played
from domain.seats import Seat
from domain.table.events import DealScored


class CardDiscarded(Payload, frozen=True, gc=False):
    """A player discarded a card face up (DG-4.1)."""

    TYPE: ClassVar = "card-discarded"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


class PassedCard(Struct, frozen=True, gc=False):
    """The card that was passed, as giver and receiver know it."""

    card: Card


class CardPassed(Payload, frozen=True, gc=False):
    """A player passed a card face down (DG-4.3). Giver and receiver each have a section that names it (DG-4.4)."""

    TYPE: ClassVar = "card-passed"
    SECTIONS: ClassVar = {"seat": PassedCard}
    REVEALS: ClassVar = Reveals(to_seats="card", hides=True)

    seat: Seat
    to: Seat


class DingoPlayed(Payload, frozen=True, gc=False):
    """The hunt of a rank began: its dingo was played for the seat that held it (DG-5.1, DG-6.1)."""

    TYPE: ClassVar = "dingo-played"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    rank: str
    seat: Seat
    card: Card


class HuntOff(Payload, frozen=True, gc=False):
    """A rank is not hunted, since its dingo was discarded (DG-5.1)."""

    TYPE: ClassVar = "hunt-off"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    rank: str


class WolfPlayed(Payload, frozen=True, gc=False):
    """A player played a wolf (DG-5.2)."""

    TYPE: ClassVar = "wolf-played"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


class WolfPassed(Payload, frozen=True, gc=False):
    """A player played no wolf (DG-5.2)."""

    TYPE: ClassVar = "wolf-passed"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class WolvesPlayed(Payload, frozen=True, gc=False):
    """A player played the black aces in `cards`, if any (DG-6.2)."""

    TYPE: ClassVar = "wolves-played"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    cards: tuple[Card, ...]


class RabbitPlayed(Payload, frozen=True, gc=False):
    """The ace of diamonds was played for its holder, since both black aces were out in time (DG-6.3, DG-6.4)."""

    TYPE: ClassVar = "rabbit-played"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


class AceShown(Payload, frozen=True, gc=False):
    """The ace of diamonds could not be played: its holder shows it (DG-6.5)."""

    TYPE: ClassVar = "ace-shown"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


class HuntEnded(Payload, frozen=True, gc=False):
    """The hunt of a rank is over: the cards that went to score piles and to penalty piles, with their players."""

    TYPE: ClassVar = "hunt-ended"
    CHECK: ClassVar = "tricks"
    REVEALS: ClassVar = NOTHING

    rank: str
    score: tuple[Played, ...]
    penalty: tuple[Played, ...]


class DingoScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with the highest rabbit in each score pile, by seat; null for none (DG-8.4)."""

    REVEALS: ClassVar = NOTHING

    rabbits: tuple[str | None, ...]


DingoEvent: TypeAlias = (
    CardDiscarded
    | CardPassed
    | DingoPlayed
    | HuntOff
    | WolfPlayed
    | WolfPassed
    | WolvesPlayed
    | RabbitPlayed
    | AceShown
    | HuntEnded
    | HandExposed
)

EVENTS: tuple[type[Payload], ...] = (*get_args(DingoEvent), DingoScored)
