"""Tables remembered: the least recently used goes first, and an audience's have no other's fold."""

from domain.record.remembered import AudienceTables, RememberedTables
from domain.seats import HOUSE, PUBLIC
from tests.support.games import AUDIENCES, READER, Live, chance, finished


class At:
    """A table of which only the version counts."""

    def __init__(self, version: int) -> None:
        self.version = version


def test_the_least_recently_used_table_is_forgotten() -> None:
    tables: RememberedTables[str, At] = RememberedTables(2)
    first, second, third = At(1), At(1), At(1)
    tables.keep("first", first)
    tables.keep("second", second)
    assert tables.get("first") is first
    tables.keep("third", third)
    assert (tables.peek("first"), tables.peek("second"), tables.peek("third")) == (first, None, third)
    # To peek is no use.
    tables.keep("second", second)
    assert tables.peek("first") is None
    assert len(tables) == 2
    tables.forget("second")
    tables.forget("fourth")
    assert len(tables) == 1
    tables.clear()
    assert not len(tables)


def test_an_event_continues_the_version_before_it_alone() -> None:
    tables: RememberedTables[str, At] = RememberedTables(2)
    tables.keep("table", At(4))
    assert [version for version in range(1, 9) if tables.before("table", version)] == [5]
    assert tables.before("another", 1) is None


def test_an_audience_has_its_own_fold_at_every_version() -> None:
    records = finished(Live.started(deals=3), chance("remembered")).records
    stores: dict[str, AudienceTables[str]] = {one: AudienceTables(READER, one, 1) for one in (*AUDIENCES, HOUSE)}
    for record in records:
        for audience, tables in stores.items():
            tables.fold("table", (record,), tables.before("table", record.version))
            assert tables.get("table") == READER.history(records[: record.version], None, audience)
    assert stores[HOUSE].get("table") != stores[PUBLIC].get("table")


def test_nothing_is_remembered_of_no_events() -> None:
    tables: AudienceTables[str] = AudienceTables(READER, PUBLIC, 1)
    assert tables.fold("table", ()) is None
    assert tables.get("table") is None
