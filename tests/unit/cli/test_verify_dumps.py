"""Dumps as files: written whole or not at all, and checked against their manifests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.record.note import parse_checkpoint
from domain.registry import GAMES
from service.cli.verify import ALTERED, INTACT, UNPINNED, UNREADABLE, run
from service.queries.dump_files import DumpManifest, DumpWriter, dump_manifests
from tests.support.corpus import RECORDS, index
from tests.support.exports import MemoryTransparency
from tests.support.for_each import for_each

KEY = MemoryTransparency().verifier
RECORD = (RECORDS / "finished.ndjson").read_bytes()
NOTE = msgspec.json.decode(RECORD.splitlines()[-1])["checkpoint"]
(ALTERED_RECORD,) = (one.data for one in index().altered if one.name == "tricks")


def write(folder: Path, *records: bytes, month: str = "2026-11", note: str = NOTE) -> DumpManifest:
    with DumpWriter(folder, month) as writer:
        for record in records:
            writer.add(record)
        return writer.put(parse_checkpoint(note)[0], note, (KEY,), "CC0-1.0")


def test_a_dump_is_checked_with_its_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = write(tmp_path, RECORD, RECORD)
    assert (manifest.records, manifest.events) == (2, 2 * (RECORD.count(b"\n") - 2))
    assert manifest.unpacked_bytes == 2 * len(RECORD)
    assert dump_manifests(tmp_path) == [manifest]
    assert run(tmp_path, GAMES, [KEY]) == INTACT
    assert "2 records" in capsys.readouterr().out
    assert run(tmp_path, GAMES, []) == UNPINNED


def test_the_same_records_give_the_same_file(tmp_path: Path) -> None:
    assert write(tmp_path / "one", RECORD) == write(tmp_path / "other", RECORD)


def test_a_month_without_games_has_a_dump_without_records(tmp_path: Path) -> None:
    assert write(tmp_path).records == 0
    assert run(tmp_path, GAMES, [KEY]) == INTACT


def test_of_an_altered_record_in_a_dump_the_verdict_is_altered(tmp_path: Path) -> None:
    write(tmp_path, ALTERED_RECORD)
    assert run(tmp_path, GAMES, [KEY]) == ALTERED


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], Any], int, str]] = {
    "records": (lambda told: told | {"records": 3}, ALTERED, "says 3 of records, and it has 2"),
    "events": (lambda told: told | {"events": 1}, ALTERED, "says 1 of events"),
    "bytes": (lambda told: told | {"unpacked_bytes": 1}, ALTERED, "says 1 of unpacked_bytes"),
    "hash": (lambda told: told | {"sha256": "0" * 64}, ALTERED, "says 0000"),
    "file": (lambda told: told | {"file": "codille-2026-11-0123456789abcdef.ndjson.zst"}, ALTERED, "is missing"),
    "path": (lambda told: told | {"file": "../codille-2026-11-0123456789abcdef.ndjson.zst"}, UNREADABLE, "no manifest"),
    "size": (lambda told: told | {"size": 1}, UNREADABLE, "another size"),
    "month": (lambda told: told | {"month": "2026-12"}, UNREADABLE, "it is of 2026-12"),
    "no object": (lambda _: 7, UNREADABLE, "no manifest"),
}


@for_each("name", FAULTS)
def test_what_is_not_as_the_manifest_says_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    manifest = write(tmp_path, RECORD, RECORD)
    change, status, text = FAULTS[name]
    path = tmp_path / manifest.name
    path.write_bytes(msgspec.json.encode(change(msgspec.json.decode(path.read_bytes()))))
    assert run(tmp_path, GAMES, [KEY]) == status
    assert text in " ".join(capsys.readouterr().out.split())
    # What is no manifest is not served either.
    assert len(dump_manifests(tmp_path)) == (0 if status == UNREADABLE else 1)


def test_another_checkpoint_than_the_records_have_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = parse_checkpoint(NOTE)[0]
    write(tmp_path, RECORD, note=NOTE.replace(f"\n{size}\n", f"\n{size + 1}\n", 1))
    assert run(tmp_path, GAMES, [KEY]) == ALTERED
    assert "1 record have another checkpoint" in " ".join(capsys.readouterr().out.split())


def test_a_dump_that_is_cut_off_leaves_nothing(tmp_path: Path) -> None:
    first = write(tmp_path, RECORD)

    def cut_off() -> None:
        with DumpWriter(tmp_path, "2026-11") as writer:
            writer.add(RECORD)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert {path.name for path in tmp_path.iterdir()} == {first.name, first.file}
    assert dump_manifests(tmp_path) == [first]


def test_two_at_once_do_not_mix_and_the_last_one_counts(tmp_path: Path) -> None:
    with DumpWriter(tmp_path, "2026-11") as one, DumpWriter(tmp_path, "2026-11") as other:
        (tmp_path / ".left-behind.part").write_bytes(b"of a writer that was killed")
        one.add(RECORD)
        other.add(RECORD)
        other.add(RECORD)
        size = parse_checkpoint(NOTE)[0]
        assert one.put(size, NOTE, (KEY,), None).records == 1
        assert dump_manifests(tmp_path)[0].records == 1
        last = other.put(size, NOTE, (KEY,), None)
    assert {path.name for path in tmp_path.iterdir()} == {last.name, last.file}
    assert run(tmp_path, GAMES, [KEY]) == INTACT


def test_months_stand_beside_each_other(tmp_path: Path) -> None:
    months = [write(tmp_path, RECORD, month=month) for month in ("2025-12", "2026-01")]
    assert dump_manifests(tmp_path) == months[::-1]
    assert dump_manifests(tmp_path / "nowhere") == []
    assert run(tmp_path, GAMES, [KEY]) == INTACT
