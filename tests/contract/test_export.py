"""Exports over the interface: what whom, with what proves it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from domain.audit.verification import Verification
from domain.record.export import Trailer
from domain.seats import PUBLIC
from service.app import create_app
from service.commands.erasing import erase_text
from service.compute.folds import KeptFolds
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.queries import exports
from service.queries.exports import ErasedFromExport, Export, export_pieces, prepare_export
from service.services import Services
from service.store.database import Database
from service.store.store import Store
from service.transparency import Keyring, SigningKey
from tests.contract.conftest import SECRET, Caller, client_of, deal_over, opened, problem, register
from tests.support.exports import MemoryTransparency, file_of, signed_file, transparency_over, verified

KEY = str(SigningKey(SECRET).verifier)


async def exported(caller: Caller, table: str) -> bytes:
    answer = await caller.get(f"/tables/{table}/export")
    assert answer.status_code == 200, answer.text
    return answer.content


def failed(verification: Verification) -> Sequence[str]:
    return [check.text for check in verification.checks if not check.passed]


async def test_an_export_proves_itself(three: list[Caller], table: str) -> None:
    for _ in range(3):
        await deal_over(three, table)
    answer = await three[0].http.get(f"/v1/tables/{table}/export")
    assert answer.headers["content-type"] == "application/x-ndjson"
    version, _, _ = answer.headers["etag"].strip('"').partition("-")
    assert answer.headers["content-disposition"] == f'attachment; filename="codille-{table}-{version}.ndjson"'
    verification = verified(answer.content, KEY)
    assert (verification.verdict, failed(verification), verification.unchecked) == ("intact", [], ())
    assert (verification.table, verification.audience, verification.events) == (table, "public", int(version))


async def test_exported_and_served_events_are_equal(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    for caller in (*three, await register(three[0].http)):
        lines = [msgspec.json.decode(line) for line in (await exported(caller, table)).splitlines()]
        events = (await caller.get(f"/tables/{table}/events?limit=200")).json()["items"]
        assert lines[1:-1] == events
        assert lines[0]["head"] == events[-1]["hash"]


async def test_a_running_table_is_exported_as_far_as_it_is_open(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    for caller, audience in ((three[1], "seat:1"), (await register(three[0].http), "public")):
        data = await exported(caller, table)
        verification = verified(data, KEY)
        assert (verification.verdict, failed(verification), verification.audience) == ("intact", [], audience)
        assert [text for text in verification.unchecked if "Deal 2 is not over" in text]
        lines = [msgspec.json.decode(line) for line in data.splitlines()]
        dealt = {line["deal"]: line for line in lines if line.get("type") == "cards-dealt"}
        assert set(dealt[1]["sealed"]) == {"house", "seat:0", "seat:1", "seat:2"}
        assert set(dealt[2]["sealed"]) == ({audience} - {"public"})
        assert lines[1]["sealed"] == {}


async def test_another_key_is_detected(three: list[Caller], table: str) -> None:
    other = MemoryTransparency(secret=b"\1" * 32).verifier
    verification = verified(await exported(three[0], table), other)
    assert verification.verdict == "altered"
    assert {check.name for check in verification.checks if not check.passed} == {"signer"}


@pytest.mark.parametrize("other", [None, b"\1" * 32])
async def test_without_the_key_that_signs_nothing_is_exported(
    three: list[Caller],
    table: str,
    services: Services,
    database: Database,
    tmp_path: Path,
    other: bytes | None,
) -> None:
    await exported(three[0], table)
    services.log.transparency._keyring = Keyring(other, tmp_path, make=False)
    async with client_of(create_app(services)) as client:
        problem(await client.get(f"/v1/tables/{table}/export"), 503, "unavailable")


@pytest.fixture
async def rotating(services: Services, database: Database, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same service, which takes its key from a file in `tmp_path`."""
    services.log.transparency._keyring = Keyring(None, tmp_path, make=False)
    (tmp_path / "signing.key").write_text(SECRET.hex())
    async with client_of(create_app(services)) as client:
        yield client


async def test_after_changes_of_keys_the_key_that_was_pinned_verifies_old_and_new_exports(
    three: list[Caller], table: str, services: Services, rotating: httpx.AsyncClient
) -> None:
    """`items 0 verifier` of the log's keys, as the README pins it."""
    old = await exported(three[0], table)
    pinned = (await rotating.get("/v1/log/keys")).json()["items"][0]["verifier"]
    keys = [await services.log.transparency.rotate(bytes([number]) * 32) for number in (1, 2)]
    # The checkpoint is still the one that the first key signed, until the log grows.
    same = (await rotating.get(f"/v1/tables/{table}/export")).content
    await deal_over(three, table)
    grown = (await rotating.get(f"/v1/tables/{table}/export")).content
    for data in (old, same, grown):
        assert (verified(data, pinned).verdict, failed(verified(data, pinned))) == ("intact", [])
    assert (await rotating.get("/v1/log/keys")).json()["items"][0]["verifier"] == pinned == KEY
    for data in (same, grown):
        assert msgspec.json.decode(data.splitlines()[-1])["keys"] == [KEY, *map(str, keys)]
        assert verified(data, str(keys[-1])).verdict == "intact"
    assert verified(old, str(keys[-1])).verdict == "altered"


async def test_an_export_after_a_change_of_keys_names_the_signing_keys(
    three: list[Caller], table: str, services: Services, rotating: httpx.AsyncClient
) -> None:
    await exported(three[0], table)
    new = str(await services.log.transparency.rotate(b"\1" * 32))
    data = (await rotating.get(f"/v1/tables/{table}/export")).content
    assert verified(data, KEY, new).verdict == "intact"
    *lines, last = data.splitlines(keepends=True)
    unannounced = msgspec.convert(msgspec.json.decode(last) | {"announcements": [""]}, Trailer)
    log = MemoryTransparency(secret=b"\1" * 32)
    assert verified(signed_file(b"".join(lines), unannounced, log), KEY).verdict == "altered"


async def test_a_key_that_signs_no_more_signs_no_export(
    three: list[Caller], table: str, services: Services, rotating: httpx.AsyncClient, tmp_path: Path
) -> None:
    await exported(three[0], table)
    await services.log.transparency.rotate(b"\1" * 32)
    (tmp_path / "signing.key").write_text(SECRET.hex())
    problem(await rotating.get(f"/v1/tables/{table}/export"), 503, "unavailable")


async def test_only_lines_are_answered(three: list[Caller], table: str) -> None:
    answer = await three[0].get(f"/tables/{table}/export", headers={"Accept": "application/json"})
    problem(answer, 406, "not-acceptable")
    answer = await three[0].get("/tables/01970000-0000-7000-8000-0000000000ff/export")
    problem(answer, 404, "no-such-table")


async def test_different_exports_have_different_entity_tags(three: list[Caller], table: str) -> None:
    """The record is the same at one version; the head that proves it is the whole log's, and another one each time."""

    async def taken(caller: Caller) -> tuple[str, bytes]:
        answer = await caller.get(f"/tables/{table}/export")
        return answer.headers["etag"], answer.content

    first, again, others = await taken(three[0]), await taken(three[0]), await taken(three[1])
    assert first == again
    assert first[0] != others[0]
    await opened(three[0])
    later = await taken(three[0])
    assert later[1] != first[1]
    assert later[1].splitlines()[:-1] == first[1].splitlines()[:-1]
    assert later[0] != first[0]


A_PIECE = 8


class Reading:
    """An export in small pieces, and the events that were read for it."""

    def __init__(self, services: Services, export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[tuple[int, int | None]] = []
        stream = Store.stream

        async def watched(store: Store, table: str, after: int = 0, upto: int | None = None, *more: Any) -> Any:
            self.read.append((after, upto))
            return await stream(store, table, after, upto, *more)

        monkeypatch.setattr(exports, "PIECE", A_PIECE)
        monkeypatch.setattr(Store, "stream", watched)
        folds = KeptFolds(services.log.store, services.reader)
        heavy = HeavyReads(JobContext(services.log.store, services.log.transparency, services.reader, folds), None)
        self.pieces = export_pieces(heavy, services.log.transparency, export, Spending(("an address",)))


async def prepared(services: Services, table: str) -> Export:
    history = await services.tables.cache.current(table)
    return await prepare_export(services.log.store, services.log.transparency, table, PUBLIC, history)


async def test_an_export_is_read_and_sent_piece_by_piece(
    three: list[Caller], table: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await deal_over(three, table)
    whole = (await three[0].http.get(f"/v1/tables/{table}/export")).content
    export = await prepared(services, table)
    reading = Reading(services, export, monkeypatch)
    pieces = []
    spans = [(after, min(after + A_PIECE, export.version)) for after in range(0, export.version, A_PIECE)]
    async for piece in reading.pieces:
        pieces.append(piece)
        # Nothing is read before what was made is taken.
        assert reading.read == spans[: len(pieces)]
    assert b"".join(pieces) == whole
    events = -(-export.version // A_PIECE)
    assert len(pieces) == events + 1 + events + 1
    assert all(piece.count(b"\n") <= A_PIECE + 1 for piece in pieces)


async def test_the_bytes_of_an_export_are_those_of_a_file_made_at_once(
    three: list[Caller], table: str, services: Services
) -> None:
    for _ in range(3):
        await deal_over(three, table)
    records = await services.log.store.stream(table)
    data = (await three[0].http.get(f"/v1/tables/{table}/export")).content
    *before, last = data.splitlines(keepends=True)
    log = transparency_over(records, secret=SECRET)
    at_once = await asyncio.to_thread(file_of, records, PUBLIC, lambda _: True, log)
    *expected, _ = at_once.splitlines(keepends=True)
    assert before == expected
    trailer = msgspec.json.decode(last, type=Trailer)
    proofs = await services.log.transparency.tree.inclusions(
        [record.position for record in records], int(trailer.checkpoint.splitlines()[1])
    )
    assert trailer.proofs == tuple(tuple(node.hex() for node in path) for path in proofs)
    assert signed_file(b"".join(before), trailer, log) == data


async def test_a_text_that_is_erased_ends_an_export_that_has_begun(
    three: list[Caller], table: str, services: Services, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal_over(three, table)
    disputed = await three[0].post(f"/tables/{table}/disputes", {"reason": "It was less.", "deal": 1})
    assert disputed.status_code == 201, disputed.text
    export = await prepared(services, table)
    assert export.texts
    reading = Reading(services, export, monkeypatch)
    await anext(reading.pieces)
    await erase_text(services.log.store, services.reader, dsn, table, export.texts[0])
    with pytest.raises(ErasedFromExport):
        _ = [piece async for piece in reading.pieces]
    again = await prepared(services, table)
    assert again.tag != export.tag
    assert "It was less." not in (await three[0].http.get(f"/v1/tables/{table}/export")).text
