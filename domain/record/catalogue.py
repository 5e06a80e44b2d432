"""The event types of a game, and the decoding of their records."""

import msgspec
from msgspec import Struct

from domain.kernel.event import Event, Payload, kind_of, redact
from domain.record.recorded import Recorded, sections
from domain.seats import HOUSE, PUBLIC, Audience


class Unreadable(Exception):
    """This version cannot read or fold a table's record. Other tables are not affected."""


class UnknownEvent(Unreadable):
    """The record holds an event of a game, rules, type or schema that this version does not know."""


class UnknownRules(UnknownEvent):
    """The table pinned rules that this version does not have."""


class Catalogue:
    """The event types of a game by type and schema, including earlier schemas. It decodes records of events."""

    def __init__(self, payloads: tuple[type[Payload], ...]) -> None:
        self.payloads = {(form.TYPE, form.SCHEMA): form for payload in payloads for form in (*payload.EARLIER, payload)}
        self._public = {key: msgspec.json.Decoder(payload) for key, payload in self.payloads.items()}
        self._sections: dict[tuple[str, int, str], msgspec.json.Decoder[Struct]] = {
            (*key, kind): msgspec.json.Decoder(section)
            for key, payload in self.payloads.items()
            for kind, section in payload.SECTIONS.items()
        }

    def read(self, record: Recorded, audience: Audience = HOUSE) -> Event[Payload]:
        """The event with the sections that the audience may open when it happens.

        Raises UnknownEvent, and msgspec.DecodeError if a payload does not fit its type.
        """
        key = (record.type, record.schema)
        try:
            public = self._public[key].decode(record.public)
        except KeyError:
            raise UnknownEvent(f"{record.game}: {record.type} of schema {record.schema}") from None
        opened: dict[Audience, Struct] = {}
        # A fold reads mostly events of earlier deals, for everybody, so their sections are not even looked at.
        if record.sealed != b"{}" and (audience != PUBLIC or PUBLIC in public.SECTIONS):
            for to, section in redact(sections(record.sealed), audience).items():
                opened[to] = self._sections[*key, kind_of(to)].decode(section.data)
        return Event(public, opened, record.actor, record.version, record.deal, record.at)
