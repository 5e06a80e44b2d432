"""`codille verify`: what it prints, and what its exit status tells."""

from pathlib import Path

import pytest

from domain.record.history import Reader
from service.cli.verify import ALTERED, INTACT, UNPINNED, UNREADABLE, run
from tests.support.corpus import RECORDS, index
from tests.support.exports import MemoryTransparency, exported, placed
from tests.support.for_each import for_each
from tests.support.games import chance
from tests.support.projecting import Play
from tests.support.registry import GAMES
from tests.support.versions import CROCODILE_2

KEY = MemoryTransparency().verifier
OTHER = MemoryTransparency(secret=b"\3" * 32).verifier


def test_an_intact_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RECORDS / "finished.ndjson", GAMES, [KEY]) == INTACT
    output = capsys.readouterr().out
    assert output.rstrip().endswith("intact")
    assert "not checked" not in output
    assert "failed" not in output


@for_each("end", [b"\r\n", b"\n"])
def test_a_record_with_other_line_ends_is_said_to_be_intact_but_for_them(tmp_path: Path, end: bytes) -> None:
    file = tmp_path / "carried.ndjson"
    file.write_bytes((RECORDS / "opened.ndjson").read_bytes().replace(b"\n", end).rstrip())
    assert run(file, GAMES, [f"{KEY}\r\n"]) == INTACT


def test_the_finding_of_line_ends_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = (RECORDS / "opened.ndjson").read_bytes().replace(b"\n", b"\r\n")
    file = tmp_path / "carried.ndjson"
    for altered, status, verdict in (
        (data, INTACT, "intact, but for its line ends"),
        (data[1:], UNREADABLE, "no export"),
    ):
        file.write_bytes(altered)
        assert run(file, GAMES, [KEY]) == status
        assert capsys.readouterr().out.rstrip().rpartition("\n")[2] == verdict


def test_without_a_key_the_signer_is_not_pinned(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RECORDS / "finished.ndjson", GAMES, []) == UNPINNED
    output = capsys.readouterr().out
    assert "The signer is not pinned" in output
    assert output.rstrip().rpartition("\n")[2].startswith("unpinned: ")
    assert run(RECORDS / "finished.ndjson", GAMES, [], unpinned=True) == INTACT


def test_a_file_without_a_pinned_signer_is_no_better_than_it_is(tmp_path: Path) -> None:
    """What `--unpinned` excuses is the missing key, and nothing else."""
    (altered,) = (one for one in index().altered if one.name == "tricks")
    file = tmp_path / "file"
    for data, status in ((altered.data, ALTERED), (b"{}\n", UNREADABLE)):
        file.write_bytes(data)
        for keys in ([], [KEY]):
            assert run(file, GAMES, keys, unpinned=True) == run(file, GAMES, keys) == status
    assert run(RECORDS / "finished.ndjson", GAMES, [OTHER], unpinned=True) == ALTERED
    assert run(RECORDS / "finished.ndjson", GAMES, [], "no-such-code", unpinned=True) == ALTERED


def test_one_of_several_keys_will_do() -> None:
    assert run(RECORDS / "finished.ndjson", GAMES, [OTHER, KEY]) == INTACT
    assert run(RECORDS / "finished.ndjson", GAMES, [OTHER]) == ALTERED


def test_of_a_running_table_it_says_what_cannot_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RECORDS / "running.ndjson", GAMES, [KEY]) == INTACT
    assert "Deal 2 is not over" in capsys.readouterr().out


def test_an_altered_record_is_told_with_place_and_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (altered,) = (one for one in index().altered if one.name == "tricks")
    file = tmp_path / "tricks.ndjson"
    file.write_bytes(altered.data)
    assert run(file, GAMES, [KEY]) == ALTERED
    output = capsys.readouterr().out
    assert f"Not so at event {altered.event}" in output
    assert "recorded" in output
    assert "computed" in output
    assert output.rstrip().endswith("altered")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"hello", b"{}\n", b'{"format":"codille-export-v2"}\n', b"\xff\xfe", b"[" * 100_000]
)
def test_what_is_no_export(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    assert run(file, GAMES, []) == UNREADABLE


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "nowhere", GAMES, []) == UNREADABLE
    assert "cannot be read" in capsys.readouterr().err


@for_each("key", ["", "x", "a+b+c", KEY[:-1], KEY.replace("+", "-"), KEY[:12] + "f" + KEY[13:]])
def test_what_is_no_key(key: str) -> None:
    assert run(RECORDS / "finished.ndjson", GAMES, [key]) == UNREADABLE


def test_rules_that_are_not_known_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = Play(1, chance("unknown rules"), game=CROCODILE_2)
    records = placed([record for records in play.steps() for record in records])
    file = tmp_path / "record.ndjson"
    file.write_bytes(exported(records, reader=Reader({"crocodile": CROCODILE_2})))
    assert run(file, GAMES, [KEY]) == UNREADABLE
    assert "rules are not known" in capsys.readouterr().out


def test_nothing_in_a_record_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.ndjson"
    lines = (RECORDS / "finished.ndjson").read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"table":"', b'"table":"\\u001b[31m')
    lines[7] = lines[7].replace(b'"actor":"', b'"actor":"\\u001b[31m')
    file.write_bytes(b"".join(lines))
    assert run(file, GAMES, []) == ALTERED
    assert "\x1b" not in capsys.readouterr().out
