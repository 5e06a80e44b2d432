"""`codille verify` for several records: one after the other, in a folder, packed; the worst verdict decides."""

import gzip
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
import zstandard

from domain.registry import GAMES
from service.cli import verify_many
from service.cli.verify import ALTERED, INTACT, UNPINNED, UNREADABLE, run
from service.cli.verify_many import exports
from tests.support.corpus import RECORDS, index
from tests.support.exports import MemoryTransparency
from tests.support.for_each import for_each

KEY = MemoryTransparency().verifier
NAMES = ("finished.ndjson", "running.ndjson", "finished-don.ndjson")
WHOLE = [(RECORDS / name).read_bytes() for name in NAMES]
STREAM = b"".join(WHOLE)
(ALTERED_RECORD,) = (one.data for one in index().altered if one.name == "tricks")


def zst(data: bytes) -> bytes:
    """Two frames, as of pieces that were packed one by one."""
    packer = zstandard.ZstdCompressor()
    return packer.compress(data[:1000]) + packer.compress(data[1000:])


def unpacked(data: bytes) -> bytes:
    return data


PACKED: dict[str, Callable[[bytes], bytes]] = {".ndjson": unpacked, ".ndjson.gz": gzip.compress, ".ndjson.zst": zst}


def counts(output: str) -> dict[str, int]:
    """The printed counts by verdict."""
    rows = re.findall(r"^(intact|unpinned|unknown|unreadable|altered) +(\d+) *$", output, re.MULTILINE)
    return {verdict: int(count) for verdict, count in rows}


def test_exports_begin_at_their_headers() -> None:
    assert list(exports(BytesIO(STREAM))) == WHOLE
    carried = STREAM.replace(b"\n", b"\r\n")
    assert list(exports(BytesIO(carried))) == [one.replace(b"\n", b"\r\n") for one in WHOLE]


@for_each("suffix", list(PACKED))
def test_a_stream_is_counted_by_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    file = tmp_path / f"taken{suffix}"
    file.write_bytes(PACKED[suffix](STREAM))
    for keys, unpinned, status, verdict in (
        ([KEY], False, INTACT, "intact"),
        ([], False, UNPINNED, "unpinned"),
        ([], True, INTACT, "unpinned"),
    ):
        assert run(file, GAMES, keys, unpinned=unpinned) == status
        output = capsys.readouterr().out
        assert counts(output) == {verdict: 3}
        events = STREAM.count(b'"actor":')
        assert f"3 records · {events} events" in output


def test_one_packed_record_is_told_as_one_that_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for suffix, packed in PACKED.items():
        file = tmp_path / f"one{suffix}"
        file.write_bytes(packed(WHOLE[0]))
        assert run(file, GAMES, [KEY]) == INTACT
        outputs.append(capsys.readouterr().out)
    assert outputs[0].rstrip().endswith("intact")
    assert outputs == outputs[:1] * 3


def test_the_worst_of_a_folder_decides_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without_don = {name: game for name, game in GAMES.items() if name != "don"}
    (tmp_path / "deep").mkdir()
    (tmp_path / "some.ndjson").write_bytes(STREAM)
    (tmp_path / "notes.txt").write_text("No record.")
    assert run(tmp_path, without_don, []) == UNREADABLE
    assert counts(capsys.readouterr().out) == {"unpinned": 2, "unknown": 1}
    (tmp_path / "deep" / "letter.ndjson").write_text("Dear Ada,\n")
    assert run(tmp_path, without_don, [], unpinned=True) == UNREADABLE
    output = capsys.readouterr().out
    assert counts(output) == {"unpinned": 2, "unknown": 1, "unreadable": 1}
    assert f"unreadable: {tmp_path}/deep/letter.ndjson: form: This is no export" in output
    (tmp_path / "deep" / "more.ndjson.gz").write_bytes(gzip.compress(WHOLE[0] + ALTERED_RECORD + WHOLE[1]))
    assert run(tmp_path, without_don, [KEY]) == ALTERED
    output = capsys.readouterr().out
    assert counts(output) == {"intact": 4, "unknown": 1, "unreadable": 1, "altered": 1}
    assert output.rstrip().endswith("worst: altered")
    assert f"altered: {tmp_path}/deep/more.ndjson.gz, table " in output


def test_a_packed_file_that_is_cut_off_is_not_taken_for_a_whole_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in (".ndjson.gz", ".ndjson.zst"):
        file = tmp_path / f"cut{suffix}"
        file.write_bytes(PACKED[suffix](STREAM)[:-30])
        assert run(file, GAMES, [KEY]) in (ALTERED, UNREADABLE)
        assert counts(capsys.readouterr().out)["intact"] == 2


def test_what_unpacks_to_too_much_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify_many, "MOST_BYTES", 1 << 22)
    for name, bomb in (("line", bytes(1 << 25)), ("lines", b"{}\n" * (1 << 23))):
        for suffix in (".ndjson.gz", ".ndjson.zst"):
            (tmp_path / f"{name}{suffix}").write_bytes(PACKED[suffix](WHOLE[0] + bomb))
    assert run(tmp_path, GAMES, [KEY]) == UNREADABLE
    output = capsys.readouterr().out
    assert counts(output)["unreadable"] == 4
    assert output.count("has more than 4194304 bytes") == 4


def test_a_code_is_not_looked_for_in_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "several.ndjson"
    file.write_bytes(STREAM)
    assert run(file, GAMES, [KEY], "1-abc") == UNREADABLE
    assert "several" in capsys.readouterr().err


def test_a_folder_without_records_verifies_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, GAMES, [KEY]) == UNREADABLE
    assert "no record was verified" in capsys.readouterr().err


def test_names_of_files_do_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "\x1b[2Jevil.ndjson").write_text("Dear Ada,\n")
    assert run(tmp_path, GAMES, [KEY]) == UNREADABLE
    assert "\x1b[2J" not in capsys.readouterr().out
