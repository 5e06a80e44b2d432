"""Disclosure: the sealed sections that anyone may open once a deal, or the game, is over."""

from collections.abc import Container, Iterable
from typing import TypeVar

from msgspec import Struct

from domain.kernel.event import redact
from domain.record.recorded import Recorded
from domain.seats import Audience
from domain.table.events import ENDINGS, DealScored
from domain.table.state import Table

T = TypeVar("T")


class Disclosure(Struct, frozen=True):
    """The events whose sections are all open to everyone: those of scored deals, and every event once the game
    is over.
    """

    scored: Container[int]
    """The numbers of the deals that are scored."""
    over: bool
    """Whether the game is finished, or the table closed."""

    @classmethod
    def of_table(cls, table: Table) -> "Disclosure":
        """The disclosure at this state of the table."""
        return cls(range(1, table.scored + 1), table.over)

    @classmethod
    def of_records(cls, records: Iterable[Recorded]) -> "Disclosure":
        """The disclosure after the last of these records, from their types alone; they begin with the table's first
        event.
        """
        scored: set[int] = set()
        over = False
        for record in records:
            if record.type == DealScored.TYPE and record.deal is not None:
                scored.add(record.deal)
            over = over or record.type in ENDINGS
        return cls(scored, over)

    def opens(self, record: Recorded) -> bool:
        """Whether every section of the event is open to everyone."""
        return self.over or (record.deal is not None and record.deal in self.scored)

    def open_to(self, audience: Audience, record: Recorded, sections: dict[Audience, T]) -> dict[Audience, T]:
        """The event's sections that the audience may open by now."""
        return sections if self.opens(record) else redact(sections, audience)
