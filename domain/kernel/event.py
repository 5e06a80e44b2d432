"""Events as the domain sees them: a public payload, and sealed sections for those who may open them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from domain.kernel.record import Recorded, Section, event_hash, seal, sections
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


class UnknownEvent(Exception):
    """The record holds an event of a type or schema that this version does not know."""


class Catalogue:
    """The event types of a game by (type, schema), and how their records are written and read."""

    def __init__(self, payloads: tuple[type[Payload], ...]) -> None:
        self.payloads = {(payload.TYPE, payload.SCHEMA): payload for payload in payloads}
        self._public = {key: msgspec.json.Decoder(payload) for key, payload in self.payloads.items()}
        self._sections: dict[tuple[str, int, str], msgspec.json.Decoder[Struct]] = {
            (*key, kind): msgspec.json.Decoder(section)
            for key, payload in self.payloads.items()
            for kind, section in payload.SECTIONS.items()
        }

    def read(self, record: Recorded, audience: Audience = HOUSE) -> Event[Payload]:
        """The event as the audience is told of it. Raises UnknownEvent."""
        key = (record.type, record.schema)
        try:
            public = self._public[key].decode(record.public)
        except KeyError:
            raise UnknownEvent(f"{record.game}: {record.type} of schema {record.schema}") from None
        opened: dict[Audience, Struct] = {}
        if record.sealed != b"{}":
            for to, section in sections(record.sealed).items():
                if may_open(audience, to):
                    opened[to] = self._sections[*key, kind_of(to)].decode(section.data)
        return Event(public, opened, record.actor, record.version, record.deal)


def kind_of(audience: Audience) -> str:
    """`seat` for a seat's audience, else the audience itself."""
    return audience.partition(":")[0]


_encoder = msgspec.json.Encoder(order="sorted")


def write(
    event: Event[Any], *, table: str, game: str, previous: bytes, at: str, action: str | None, chance: bytes
) -> Recorded:
    """The record of an event whose predecessor has the hash `previous`. Salts are drawn from `chance`."""
    public = _encoder.encode(event.public)
    seals, sealed = seal(chance, event.version, cast("Mapping[str, object]", event.sealed))
    payload = type(event.public)
    return Recorded(
        table=table,
        game=game,
        version=event.version,
        deal=event.deal,
        type=payload.TYPE,
        schema=payload.SCHEMA,
        at=at,
        actor=event.actor,
        action=action,
        public=public,
        seals=seals,
        sealed=sealed,
        hash=event_hash(
            previous=previous,
            table=table,
            game=game,
            version=event.version,
            deal=event.deal,
            type=payload.TYPE,
            schema=payload.SCHEMA,
            at=at,
            actor=event.actor,
            action=action,
            public=public,
            seals=seals,
        ),
    )


class _Envelope(Struct, frozen=True, gc=False):
    """An event as served; fields in the order of the documentation."""

    table: str
    game: str
    version: int
    position: int
    deal: int | None
    type: str
    schema: int
    at: str
    actor: str
    action: str | None
    public: msgspec.Raw
    seals: msgspec.Raw
    sealed: msgspec.Raw | dict[str, Section]
    hash: str


_plain = msgspec.json.Encoder()


def served(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """The event as JSON for the audience, its stored bytes inside; every section is open when it is `over`."""
    opened: msgspec.Raw | dict[str, Section]
    if over or audience == HOUSE or record.sealed == b"{}":
        opened = msgspec.Raw(record.sealed)
    else:
        opened = {to: section for to, section in sections(record.sealed).items() if may_open(audience, to)}
    return _plain.encode(
        _Envelope(
            record.table,
            record.game,
            record.version,
            record.position,
            record.deal,
            record.type,
            record.schema,
            record.at,
            record.actor,
            record.action,
            msgspec.Raw(record.public),
            msgspec.Raw(record.seals),
            opened,
            record.hash.hex(),
        )
    )
