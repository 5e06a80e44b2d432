"""What the audit of a deal reads of a table's record: that deal, and of the rest what it follows from."""

from collections.abc import Sequence

from msgspec import Struct

from domain.record.recorded import Recorded
from domain.table.events import CardsDealt


class Stretch(Struct, frozen=True):
    """The parts of a record that the audit of a deal follows event by event.

    One part goes up to the event that begins the first deal: it has the rules and the players. The other has the deal
    before, since the seats' clocks and what is due follow from its events, and the deal, up to the next one.
    """

    opening: int
    """The version of the event that begins the first deal; 0 where both parts are one."""
    after: int
    """The version of the event that begins the deal before; 0 where both parts are one."""
    until: int | None
    """The version of the event that begins the next deal; None where none does."""

    @classmethod
    def of(cls, outline: Sequence[Recorded], deal: int) -> "Stretch":
        """The stretch of a deal. `outline` are the table's events, or at least those of them that outlast their deal.

        The places of events tell, so that an event that names another deal than its own does not move it.
        """
        own = [record.version for record in outline if record.deal == deal]
        dealt = [record.version for record in outline if record.type == CardsDealt.TYPE]
        if not own:
            return cls(0, 0, None)
        begun = [version for version in dealt if version <= own[0]]
        until = next((version for version in dealt if version > own[-1]), None)
        return cls(begun[0], begun[-2], until) if len(begun) > 2 else cls(0, 0, until)


class Extract(Struct, frozen=True):
    """The events that an audit reads, in order: of a whole record all, as its `opening`."""

    opening: Sequence[Recorded]
    """The first events, without a gap. They are checked."""
    passed: Sequence[Recorded] = ()
    """Of those that follow, at least the ones that outlast their deal; the last one begins a deal. They are folded."""
    stretch: Sequence[Recorded] = ()
    """Those after them, without a gap. They are checked."""
    later: Sequence[Recorded] = ()
    """Of those after these, at least the ones that say what is open by now."""

    @classmethod
    def of(cls, outline: Sequence[Recorded], stretch: Stretch, followed: Sequence[Recorded]) -> "Extract":
        """What the audit of a deal reads: of the table's outline, and of the events that it follows one by one."""
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
        """All that is read."""
        if not self.passed and not self.later:
            return self.opening
        return (*self.opening, *self.passed, *self.stretch, *self.later)
