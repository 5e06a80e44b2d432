"""The part of a table's record that the audit of a deal reads: the deal, and the events that it follows from."""

from collections.abc import Sequence

from msgspec import Struct

from domain.record.recorded import Recorded
from domain.table.events import CardsDealt


class Stretch(Struct, frozen=True):
    """The parts of a record that the audit of a deal follows event by event.

    The first part, with the rules and the players, ends with the event that begins the first deal. The second part is
    the previous deal, from which clocks and automatic events follow, and the deal itself, up to the next one.
    """

    opening: int
    """The version of the event that begins the first deal; 0 if the parts are one."""
    after: int
    """The version of the event that begins the previous deal; 0 if the parts are one."""
    until: int | None
    """The version of the event that begins the next deal; None if there is none."""

    @classmethod
    def of(cls, outline: Sequence[Recorded], deal: int) -> "Stretch":
        """The stretch of a deal. `outline` has at least the table's events that survive their deal.

        It follows from the order of the events, so an event that names the wrong deal does not move it.
        """
        own = [record.version for record in outline if record.deal == deal]
        dealt = [record.version for record in outline if record.type == CardsDealt.TYPE]
        if not own:
            return cls(0, 0, None)
        begun = [version for version in dealt if version <= own[0]]
        until = next((version for version in dealt if version > own[-1]), None)
        return cls(begun[0], begun[-2], until) if len(begun) > 2 else cls(0, 0, until)


class Extract(Struct, frozen=True):
    """The events that an audit reads, in order; a whole record is all `opening`."""

    opening: Sequence[Recorded]
    """The first events, without a gap. They are checked."""
    passed: Sequence[Recorded] = ()
    """The next events, at least those that survive their deal; the last one begins a deal. They are folded."""
    stretch: Sequence[Recorded] = ()
    """The events after them, without a gap. They are checked."""
    later: Sequence[Recorded] = ()
    """The remaining events, at least those that say which sections are open now."""

    @classmethod
    def of(cls, outline: Sequence[Recorded], stretch: Stretch, followed: Sequence[Recorded]) -> "Extract":
        """The extract for the audit of a deal, from the table's outline and the events that are followed one by one."""
        later = [] if stretch.until is None else [one for one in outline if one.version >= stretch.until]
        if not stretch.after:
            return cls(followed, later=later)
        return cls(
            [record for record in followed if record.version <= stretch.opening],
            [record for record in outline if stretch.opening < record.version <= stretch.after],
            [record for record in followed if record.version > stretch.after],
            later,
        )

    @property
    def checked(self) -> Sequence[Recorded]:
        """The events that are checked."""
        return (*self.opening, *self.stretch) if self.stretch else self.opening

    @property
    def records(self) -> Sequence[Recorded]:
        """All events of the extract, in order."""
        if not self.passed and not self.later:
            return self.opening
        return (*self.opening, *self.passed, *self.stretch, *self.later)
