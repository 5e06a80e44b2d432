"""The rules pinned by the tables of a log: a service that reads the log must have them."""

import msgspec
from msgspec import Struct

from domain.record.catalogue import UnknownRules
from domain.record.history import Reader
from service.store.hosts import Hosts

# One look-up in the primary key per table, however many events there are.
_OPENINGS = """
    SELECT e.game, e.public
    FROM codille.stream s
    JOIN LATERAL (SELECT game, public FROM codille.event WHERE table_id = s.id AND version = 1) e ON true
"""

_PAGE = 1000


class _Pinned(Struct, frozen=True):
    rules_version: int
    rules_digest: str


_pinned = msgspec.json.Decoder(_Pinned)


async def tables_of_unknown_rules(url: str, reader: Reader) -> int:
    """The number of tables whose pinned rules the reader lacks, or whose first event it cannot read."""
    unknown = 0
    connection = await Hosts(url).connect(server_settings={"application_name": "codille migrate"})
    try:
        async with connection.transaction(readonly=True):
            async for game, public in connection.cursor(_OPENINGS, prefetch=_PAGE):
                try:
                    pinned = _pinned.decode(public)
                    reader.pinned(game, pinned.rules_version, pinned.rules_digest)
                except (UnknownRules, msgspec.DecodeError):
                    unknown += 1
    finally:
        await connection.close()
    return unknown
