"""The way between the log and the domain: a command makes records, and records are folded into a table.

The house folds whole records. An audience folds them with the sections that it may open.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.record.catalogue import Catalogue, UnknownEvent, UnknownRules, Unreadable
from domain.record.recorded import GENESIS, Recorded, sections, time_in, write
from domain.seats import HOUSE, PUBLIC, Audience
from domain.table.actions import Command, OpenTable
from domain.table.decide import decide, open_table
from domain.table.events import EVENTS, CardsDealt, TableOpened
from domain.table.state import Table, evolve, evolve_between_deals, opened, survives_deal


class Moment(Struct, frozen=True):
    """The inputs of a command from outside: its time (RFC 3339, UTC, microseconds), its id, and 32 secret
    random bytes.
    """

    at: str
    action: str | None
    chance: bytes


class History(Struct, frozen=True, gc=False):
    """A table as one audience knows it, with the hash and time of its last event.

    Commands are decided on the house's.
    """

    table: Table
    head: bytes = GENESIS
    at: str = ""

    @property
    def version(self) -> int:
        """The version of the table's last event."""
        return self.table.version


class Reader:
    """Decodes and folds records of the games it knows, each table under the rules that it was opened with."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        """The games by name, under their newest rules."""
        versions = [version for game in games.values() for version in (*game.earlier, game)]
        self._versions = {(version.name, version.rulebook.version): version for version in versions}
        self._pinned = {
            (version.name, version.rulebook.version, digest): version
            for version in versions
            for digest in (version.rulebook.digest(), *version.rulebook.also)
        }
        self._catalogues = {
            name: Catalogue((*EVENTS, *(event for version in (*game.earlier, game) for event in version.events)))
            for name, game in games.items()
        }
        self._surviving = {
            name: {key: survives_deal(payload) for key, payload in catalogue.payloads.items()}
            for name, catalogue in self._catalogues.items()
        }

        kinds = [kind for one in self._surviving.values() for kind in one.items()]
        outlasting = {type_ for (type_, _), survives in kinds if survives}
        self.passing = tuple(sorted({type_ for (type_, _), _ in kinds} - outlasting))
        """The types of event that, in every game, matter only within their deal."""

    def game(self, name: str, rules_version: int | None = None) -> Game:
        """The game of this name under these rules, or under the newest if no version is given. Raises UnknownRules."""
        try:
            return self.games[name] if rules_version is None else self._versions[name, rules_version]
        except KeyError:
            version = "" if rules_version is None else f" with rules of version {rules_version}"
            raise UnknownRules(f"no game is called {name}{version}") from None

    def pinned(self, name: str, rules_version: int, rules_digest: str) -> Game:
        """The game of this name under the rules that a table pinned. Raises UnknownRules."""
        try:
            return self._pinned[name, rules_version, rules_digest]
        except KeyError:
            version = self.game(name, rules_version).rulebook.version
            raise UnknownRules(
                f"the rules of {name} of version {version} never had the digest {rules_digest}"
            ) from None

    def of(self, table: Table) -> Game:
        """The table's game under the rules that the table was opened with. Raises UnknownRules."""
        return self.pinned(table.game, table.rules_version, table.rules_digest)

    def read(self, record: Recorded, audience: Audience = HOUSE) -> Event[Payload]:
        """The event with the sections that the audience could open when it happened. Raises UnknownEvent."""
        catalogue = self._catalogues.get(record.game)
        if catalogue is None:
            raise UnknownRules(f"no game is called {record.game}")
        return catalogue.read(record, audience)

    def fold(self, table: Table | None, records: Iterable[Recorded], audience: Audience = HOUSE) -> Table:
        """The table after these records, which continue it (None: at least one, its first), as the audience knows it.

        Of the deals before the last, only events that survive their deal are read. Raises Unreadable.
        """
        records = tuple(records)
        if table is None:
            table, records = self.opened(records[0], audience), records[1:]
        try:
            game, last = self.of(table), _last_dealt(records)
            for record in self._survivors(records[:last]):
                # Sections for one audience are about cards, which do not survive their deal.
                table = evolve_between_deals(game, table, self.read(record, PUBLIC))
            for record in records[last:]:
                table = evolve(game, table, self.read(record, audience))
        except Exception as error:  # a bad record must affect its own table alone
            raise unreadable(table.table, error) from error
        return table

    def opened(self, record: Recorded, audience: Audience = HOUSE) -> Table:
        """The table after its first record, as the audience knows it. Raises Unreadable."""
        try:
            first = self.read(record, audience)
            if not isinstance(first.public, TableOpened):
                raise UnknownEvent(f"{record.type} opens no table")
            public = first.public
            return opened(self.pinned(record.game, public.rules_version, public.rules_digest), record.table, first)
        except Exception as error:  # as above
            raise unreadable(record.table, error) from error

    def survives_deal(self, record: Recorded) -> bool:
        """Whether the event matters after its deal. Raises UnknownEvent."""
        try:
            return self._surviving[record.game][record.type, record.schema]
        except KeyError:
            self.game(record.game)
            raise UnknownEvent(f"{record.game}: {record.type} of schema {record.schema}") from None

    def _survivors(self, records: Iterable[Recorded]) -> list[Recorded]:
        """The records that matter after their deal. Raises UnknownEvent."""
        surviving = self._surviving
        try:
            # Most events do not matter, and a call for each would cost more than the fold itself.
            return [record for record in records if surviving[record.game][record.type, record.schema]]
        except KeyError:
            return list(filter(self.survives_deal, records))

    def history(
        self, records: Sequence[Recorded], before: History | None = None, audience: Audience = HOUSE
    ) -> History | None:
        """The audience's fold of these records, which continue `before`; `before` itself if there are none. Raises
        Unreadable.
        """
        if not records:
            return before
        table = self.fold(before.table if before else None, records, audience)
        return History(table, records[-1].hash, records[-1].at)


def unreadable(table: str, error: Exception) -> Unreadable:
    """The exception for a table whose record caused this error: the error itself if it is an Unreadable."""
    if isinstance(error, Unreadable):
        return error
    return Unreadable(f"the record of table {table} cannot be followed ({type(error).__name__}: {error})")


def record_opening(game: Game, table: str, command: OpenTable, moment: Moment) -> tuple[History, tuple[Recorded, ...]]:
    """A new table and its first records, to be appended. Raises Rejected, and ValueError if the id is not a UUIDv7.

    The table is never opened before the time in its id, even if the clock was put back.
    """
    at = max(moment.at, time_in(table))
    state, events = open_table(game, table, command, at)
    return _recorded(game, state, GENESIS, events, moment, at)


def record_command(
    game: Game, history: History, command: Command, moment: Moment
) -> tuple[History, tuple[Recorded, ...]]:
    """The table after the command, and the records to append. Raises Rejected.

    Their time is never earlier than that of the table's last event, since clocks are put back, and the clocks of
    several machines differ.
    """
    at = max(moment.at, history.at)
    state, events = decide(game, history.table, command, at)
    return _recorded(game, state, history.head, events, moment, at)


def without_section(record: Recorded, audience: Audience) -> Recorded:
    """The record with its section for the audience erased. Seals and hash stay, so the chain stays valid."""
    others = {to: section for to, section in sections(record.sealed).items() if to != audience}
    return msgspec.structs.replace(record, sealed=canonical(others))


def _last_dealt(records: Sequence[Recorded]) -> int:
    """The index of the record that begins the last of these deals; 0 if none begins one."""
    backwards = range(len(records) - 1, -1, -1)
    return next((index for index in backwards if records[index].type == CardsDealt.TYPE), 0)


def _recorded(
    game: Game, table: Table, head: bytes, events: Sequence[Event[Payload]], moment: Moment, at: str
) -> tuple[History, tuple[Recorded, ...]]:
    records: list[Recorded] = []
    for event in events:
        record = write(
            event,
            table=table.table,
            game=game.name,
            previous=head,
            at=at,
            action=moment.action,
            chance=moment.chance,
        )
        head = record.hash
        records.append(record)
    return History(table, head, at), tuple(records)
