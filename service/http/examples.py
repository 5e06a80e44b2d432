"""The values and played games from which the operations' examples are made."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.record.envelope import served
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import Audience
from domain.table.seat_offers import offers
from domain.table.view import to_act, view
from projections.cursors import DISPUTES, LEADERBOARD, STATEMENT, TABLES, cursor
from projections.ledgers import ledger_of

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
CLIENT = "https://client.example/in"
INVITATION = "codille_invitation_d2hpc3QgZm9yIGZvdXIgZnJpZW5kcywgYXQgc2V2ZW4"
INVITATION_ID = "0ab2ed89-472b-c6bd-51af-75f289cbe618"
EXPIRES_AT = "2099-12-31T00:00:00Z"
KEY = "9b2f0c1e-open-a-table"
CURSORS = {one: cursor(one, "90211") for one in (DISPUTES, LEADERBOARD, STATEMENT, TABLES)}
"""Cursors of lists, by the name of the list in them."""
CONTENT_TAG = '"0f1e2d3c4b5a69788796a5b4c3d2e1f0"'
REGISTERED_AT = f"{DAY}T09:30:00.250000Z"


def plain(value: object) -> Any:
    """The value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


class SampleTable(Struct, frozen=True):
    """A table's record, with the table's state at every version."""

    game: Game
    records: tuple[Recorded, ...]
    actions: Mapping[int, tuple[int, Mapping[str, Any]]]
    """The seat and the action as its client sent it, by the version at which it was taken."""

    @property
    def reader(self) -> Reader:
        """Reads the records."""
        return Reader({self.game.name: self.game})

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self.records)

    @property
    def ledger(self) -> dict[str, Any]:
        """The table's ledger, as it is served."""
        ledger: dict[str, Any] = msgspec.json.decode(ledger_of(self.history(self.version).table, self.game.unit))
        return ledger

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The ledger's lines as the events have them, with their places and deals."""
        events = [self.event(record.version, "public") for record in self.records]
        return [
            line | {"version": event["version"], "line": number, "deal": event["deal"]}
            for event in events
            for number, line in enumerate(event["public"].get("lines", ()))
        ]

    def history(self, version: int) -> History:
        """The table's history up to a version (from 1), as the house knows it."""
        history = self.reader.history(self.records[:version])
        assert history is not None, "there is at least one record"  # noqa: S101 (for the type checker)
        return history

    def view(self, version: int, audience: Audience) -> Any:
        """The audience's view at a version, as JSON."""
        return plain(view(self.game, self.reader.fold(None, self.records[:version], audience), audience))

    def views(self, audience: Audience) -> Iterator[Any]:
        """The audience's views at all versions, in order, as JSON."""
        reader, table = self.reader, None
        for record in self.records:
            table = reader.fold(table, (record,), audience)
            yield plain(view(self.game, table, audience))

    def offers(self, version: int, seat: int) -> Any:
        """The seat's offers at a version, as JSON."""
        return plain([offer.describe() for offer in offers(self.game, self.history(version).table, seat)])

    def to_act(self, version: int) -> list[int]:
        """The seats that must act at a version."""
        return list(to_act(self.game, self.history(version).table))

    def event(self, version: int, audience: Audience, *, over: bool = False) -> Any:
        """The event of a version, as JSON; `over` opens every section that a finished deal opens."""
        return msgspec.json.decode(served(self.records[version - 1], audience, over=over))

    @property
    def first_deal(self) -> list[int]:
        """The versions at which the actions of the first deal were taken."""
        return [version for version in self.actions if self.records[version - 1].deal == 1]

    def events_of_act(self, version: int, audience: Audience) -> tuple[int, list[Any]]:
        """The version after the act that was taken at this one, and the act's events, as JSON."""
        after = next(following for following in self.actions if following > version)
        return after, [self.event(number, audience) for number in range(version + 1, after + 1)]

    def midway(self) -> tuple[int, int, Mapping[str, Any]]:
        """A version amid the first deal, and the seat and action that came next."""
        version = self.first_deal[len(self.first_deal) * 2 // 3]
        return version, *self.actions[version]


class OneOfEach(Struct, frozen=True):
    """One event, one action and one offer of each type of a game, by type."""

    events: dict[str, Any]
    """With all sections open."""
    actions: dict[str, Any]
    offers: dict[str, Any]


class Sample(Struct, frozen=True):
    """The tables of one game from which examples are taken. `service.spec` plays them when it builds the document."""

    game: Game
    tables: Iterable[SampleTable]
    by_type: OneOfEach

    @property
    def played(self) -> SampleTable:
        """A table whose game was played to the end, from which most examples are taken."""
        return next(iter(self.tables))

    @property
    def disputed(self) -> SampleTable:
        """The same table after a line was disputed and the ledger corrected."""
        return next(islice(self.tables, 1, None))


def cards_opened(event: Event[Any]) -> dict[int, Card]:
    """The cards that an event opens, by their places."""
    parts = (event.public, *event.sealed.values())
    fields = [field for part in parts for field in structs.astuple(part) if isinstance(field, tuple)]
    return {one.position: one.card for field in fields for one in field if isinstance(one, Opening)}
