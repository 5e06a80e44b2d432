"""Words are erased from the log by its owner alone, and only where an event says so."""

import asyncpg
import msgspec
import pytest

from domain.record.recorded import Recorded, rehash
from service.store.database import SERVICE_ROLE, Database
from service.store.erasure import NotTheOwner, erase
from service.store.store import Append, Appended, Conflict, Store
from tests.support.log import chained, command, following, new_id, spans
from tests.support.postgres import Owner

WORDS = b'{"public":{"data":{"text":"who I am"},"salt":"00"},"seat:1":{"data":{},"salt":"11"}}'
LEFT = b'{"seat:1":{"data":{},"salt":"11"}}'
UPDATE = "UPDATE codille.event SET {} WHERE version = 2"


def spoken(table: str) -> Append:
    """Two events, in the second of which something is said."""
    before = command(table, count=2)
    one, two = before.records
    said = msgspec.structs.replace(two, sealed=WORDS, hash=b"")
    said = msgspec.structs.replace(said, hash=rehash(said, one.hash))
    return msgspec.structs.replace(before, records=(one, said))


def telling(before: Append, version: int = 2, audience: str = "public") -> Append:
    """The event that tells of an erasure, which follows."""
    (event,) = following(before).records
    public = b'{"audience":"%b","version":%d}' % (audience.encode(), version)
    event = msgspec.structs.replace(event, type="text-erased", public=public, sealed=b"{}", hash=b"")
    event = msgspec.structs.replace(event, hash=rehash(event, before.records[-1].hash))
    return Append(before.table, before.records[-1].version, before.records[-1].hash, (event,))


def left(before: Append) -> Recorded:
    return msgspec.structs.replace(before.records[1], sealed=LEFT)


async def test_words_are_erased_together_with_the_event_that_tells_so(store: Store, dsn: str) -> None:
    before = spoken(new_id())
    await store.append([before])
    erasure = telling(before)
    assert spans([await erase(dsn, erasure, left(before))]) == [(3, 3, 3)]
    records = await store.stream(before.table)
    assert [record.sealed for record in records] == [before.records[0].sealed, LEFT, b"{}"]
    assert [record.seals for record in records[:2]] == [event.seals for event in before.records]
    assert chained(records)


async def test_a_table_that_has_moved_keeps_its_words(store: Store, dsn: str) -> None:
    before = spoken(new_id())
    await store.append([before])
    erasure = telling(before)
    await store.append([following(before)])
    assert isinstance(await erase(dsn, erasure, left(before)), Conflict)
    assert (await store.stream(before.table))[1].sealed == WORDS


async def test_the_service_cannot_erase(store: Store, dsn: str, database: Database) -> None:
    before = spoken(new_id())
    await store.append([before])
    with pytest.raises(NotTheOwner):
        await erase(f"{dsn}&options=-crole%3D{SERVICE_ROLE}", telling(before), left(before))
    assert await store.stream(before.table) == [
        msgspec.structs.replace(event, position=at) for at, event in enumerate(before.records, 1)
    ]
    await store.append([telling(before)])
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await database.fetch(UPDATE.format("sealed = '{}'"))


@pytest.mark.parametrize("audience", ["seat:1", "house"])
async def test_nothing_is_erased_that_no_event_tells_of(store: Store, owner: Owner, audience: str) -> None:
    before = spoken(new_id())
    other = spoken(new_id())
    await store.append([before, other])
    erasure = telling(before, version=1)
    again = telling(erasure, audience=audience)
    outcomes = [*await store.append([erasure, telling(other)]), *await store.append([again])]
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute("UPDATE codille.event SET sealed = $1 WHERE table_id = $2", LEFT, before.table)


@pytest.mark.parametrize(
    "change",
    [
        "sealed = '{}'",
        "sealed = sealed",
        """sealed = '{"seat:1":{"data":{"card":"Ks"},"salt":"11"}}'""",
        f"sealed = '{LEFT.decode()}', public = '{{}}'",
        f"sealed = '{LEFT.decode()}', actor = 'house'",
        f"sealed = '{LEFT.decode()}', position = 9",
        f"sealed = '{LEFT.decode()}', version = 9",
    ],
)
async def test_nothing_but_the_words_is_erased(store: Store, owner: Owner, change: str) -> None:
    before = spoken(new_id())
    await store.append([before])
    await store.append([telling(before)])
    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute(UPDATE.format(change))
    await owner.execute("UPDATE codille.event SET sealed = $1 WHERE version = 2", LEFT)
