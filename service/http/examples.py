"""The values and played games from which the operations' examples are made."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from domain.kernel.game import Game
from domain.record.history import History
from domain.record.recorded import Recorded
from domain.seats import Audience

TABLE = "019752d0-6c00-7000-8000-0000000000aa"
BEFORE = "019752d0-6c00-7000-8000-0000000000cc"
"""The table that another is a rematch of."""
PLAYERS = tuple(f"019752d0-6c00-7000-8000-0000000000{seat:02x}" for seat in range(1, 17))
NAMES = ("Ada", "Berta", "Carl", "Dora")
"""The names of the first players."""
ARBITER = "019752d0-6c00-7000-8000-0000000000bb"
REASON = "The fifth trick was mine."
JUDGEMENT = "The line is booked once more, as the record has it."
REMARK = "Good luck, everybody."
ENTROPY = "5eed"
DAY = "2026-11-20"
TOKEN = "codille_Zm9sbG93IHN1aXQsIG9yIHBsYXkgYW55IGNhcmQuIQ"  # noqa: S105 (an example)
TOKEN_ID = "019752d0-6c00-7000-a000-000000000001"  # noqa: S105 (an id)
WEBHOOK_ID = "019752d0-6c00-7000-b000-000000000001"
SECRET = "6f1d3c0e9b7a45528c14d2e6f08b93a7"  # noqa: S105 (an example)
RECOVERY_SECRET = "codille_recovery_c2F5IHRoZSBzZWNyZXQgYW5kIGJlIGtub3duIGFnYWlu"  # noqa: S105 (an example)
CODE = "7KQMWX3P"
INVITATION = "codille_invitation_d2hpc3QgZm9yIGZvdXIgZnJpZW5kcywgYXQgc2V2ZW4"
INVITATION_ID = "0ab2ed89-472b-c6bd-51af-75f289cbe618"
EXPIRES_AT = "2099-12-31T00:00:00Z"
KEY = "9b2f0c1e-open-a-table"
CURSOR = "b3Blbi1zZXNhbWU"
CONTENT_TAG = '"0f1e2d3c4b5a69788796a5b4c3d2e1f0"'
REGISTERED_AT = f"{DAY}T09:30:00.250000Z"


class PlayedTable(Protocol):
    """A table's record, with the table's state at every version."""

    @property
    def game(self) -> Game:
        """The game that was played."""

    @property
    def records(self) -> Sequence[Recorded]:
        """The whole record."""

    @property
    def actions(self) -> Mapping[int, tuple[int, Mapping[str, Any]]]:
        """By version, the seat that acted and its action as the client sent it."""

    @property
    def version(self) -> int:
        """The version of the last event."""

    def history(self, version: int) -> History:
        """The table's history up to a version (from 1), with the house's knowledge."""

    def view(self, version: int, audience: Audience) -> Any:
        """The audience's view at a version, as JSON."""

    def offers(self, version: int, seat: int) -> Any:
        """The seat's offers at a version, as JSON."""

    def to_act(self, version: int) -> list[int]:
        """The seats that must act at a version."""

    def event(self, version: int, audience: Audience, *, over: bool = False) -> Any:
        """The event of a version, as JSON; `over` opens every section that the end of a deal opens."""

    def midway(self) -> tuple[int, int, Mapping[str, Any]]:
        """A version within the first deal, and the seat and action that came next."""


class Sample(Protocol):
    """The tables of one game from which examples are taken. `service.spec` plays them when it builds the document."""

    @property
    def played(self) -> PlayedTable:
        """A table whose game was played to the end."""

    @property
    def disputed(self) -> PlayedTable:
        """The same table after a line was disputed and the ledger corrected."""

    @property
    def actions(self) -> Mapping[str, Any]:
        """An action of each type of the game, as clients send it."""


def booked_lines(played: PlayedTable) -> Iterator[dict[str, Any]]:
    """The lines of a table's ledger with their places and deals, in order of booking."""
    for record in played.records:
        event = played.event(record.version, "public")
        for number, line in enumerate(event["public"].get("lines", ())):
            yield line | {"version": record.version, "line": number, "deal": event["deal"]}
