"""Events as the domain sees them: a public payload, and sealed sections for those who may open them."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel.seats import HOUSE, PUBLIC, Audience

S = TypeVar("S", bound=Struct)
P_co = TypeVar("P_co", bound="Payload", covariant=True)


class Telling(Struct, frozen=True, gc=False):
    """What an event of some type does to what audiences know."""

    shows: str | None = None
    """The field of the payload with a card or cards that everybody sees the place of."""
    tells: str | None = None
    """The field of a seat's section with the openings of cards that this seat alone sees."""
    conceals: bool = False
    """Whether cards leave the hand of the payload's seat, unless it counts none, and only its section says which."""
    deals: bool = False
    """Whether a new deal begins, of which nothing was known."""


SILENT = Telling()
"""That of an event that shows no card, and moves none but openly."""


class Payload(Struct, frozen=True, gc=False):
    """What an event says to everyone. Each event type is a subclass that names itself on the wire."""

    TYPE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    SECTIONS: ClassVar[Mapping[str, type[Struct]]] = {}
    """The sealed sections by kind of audience: `seat`, `house` or `public`."""
    TELLING: ClassVar[Telling | None] = None
    """What it tells of cards; None: it may have moved any card, so that nobody knows one after it."""


class Event(Struct, Generic[P_co], frozen=True, gc=False):
    """Something that happened at a table.

    An audience is told the public payload and the sections it may open; nothing else exists for it. So redaction
    is closed: what has no section for the audience cannot reach it.
    """

    public: P_co
    sealed: dict[Audience, Struct] = {}
    actor: str = HOUSE
    version: int = 0
    """The place in the table's stream; given when the event follows others."""
    deal: int | None = None

    def section(self, audience: Audience, kind: type[S]) -> S | None:
        """The section for this audience if it is open here. Raises TypeError if it is of another kind."""
        data = self.sealed.get(audience)
        if data is not None and not isinstance(data, kind):
            raise TypeError(f"the section of {self.public.TYPE} for {audience} is no {kind.__name__}")
        return data


def redact(event: Event[P_co], audience: Audience) -> Event[P_co]:
    """The event as the audience is told of it when it happens."""
    if audience == HOUSE or not event.sealed:
        return event
    told = {to: section for to, section in event.sealed.items() if to in (audience, PUBLIC)}
    return msgspec.structs.replace(event, sealed=told)


def may_open(audience: Audience, section: Audience) -> bool:
    """Whether the audience is told the section when the event happens."""
    return audience == HOUSE or section in (audience, PUBLIC)


def kind_of(audience: Audience) -> str:
    """`seat` for a seat's audience, else the audience itself."""
    return audience.partition(":")[0]
