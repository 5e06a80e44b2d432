"""The end of the log in memory, as far as this process has just written it."""

from collections import deque
from collections.abc import Sequence
from itertools import islice

from domain.record.recorded import Recorded


class Recent:
    """The last events that this process appended, one after the other; at most `bound` of them.

    Who follows the log closely reads them here, without a round trip: in a busy process one takes several turns of
    the event loop, tens of milliseconds.
    """

    def __init__(self, bound: int = 2048) -> None:
        self._records: deque[Recorded] = deque(maxlen=bound)

    def add(self, records: Sequence[Recorded]) -> None:
        """Notes what was appended, in the order of the log."""
        for record in records:
            if self._records and self._records[-1].position + 1 != record.position:
                # What is between them another process has appended.
                self._records.clear()
            self._records.append(record)

    def after(self, position: int, limit: int) -> list[Recorded]:
        """The events after a position, at most `limit` of them; none if the next one is not here."""
        following = self._records[-1].position - position if self._records else 0
        if following <= 0 or following > len(self._records):
            return []
        # Counted from the end, since whoever asks is close to it.
        found = list(islice(reversed(self._records), following))
        found.reverse()
        return found[:limit]
