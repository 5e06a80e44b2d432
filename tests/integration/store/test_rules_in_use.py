"""`codille migrate` says how many tables have pinned rules that this version does not have."""

from msgspec.structs import replace

from domain.games.crocodile import CROCODILE
from domain.record.history import Reader
from domain.record.recorded import GENESIS, Recorded
from service.store.rules_in_use import tables_of_unknown_rules
from service.store.store import Append, Store
from tests.support.forging import forged, puts
from tests.support.games import READER, Live
from tests.support.log import new_id


def elsewhere(records: list[Recorded]) -> list[Recorded]:
    """The records as those of another table."""
    table = new_id()
    return forged([replace(record, table=table) for record in records], 1)


async def test_tables_of_rules_that_are_not_known_are_counted(store: Store, dsn: str) -> None:
    opened = list(Live.opened().records)
    known, later, other = (elsewhere(opened) for _ in range(3))
    later = forged(later, 1, puts("rules_version", CROCODILE.rulebook.version + 1))
    other = forged(other, 1, puts("rules_digest", "ab" * 32))
    for records in (known, later, other):
        await store.append([Append(records[0].table, 0, GENESIS, tuple(records))])
    assert await tables_of_unknown_rules(dsn, READER) == 2
    assert await tables_of_unknown_rules(dsn, Reader({})) == 3
