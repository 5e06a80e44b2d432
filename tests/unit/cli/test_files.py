"""Exports on the terminal, without a server: a deal's page, and the code by which a record is known."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli.audit import read_checkpoint
from service.cli.bench import read_tokens
from service.cli.commands import app
from service.cli.deal_file import deal_file
from service.cli.replay import from_file
from service.describe.event_codes import code_of
from tests.support.foreign_words import in_text
from tests.support.registry import GAMES

RECORDS = Path(__file__).parents[3] / "api-spec/examples/records"
FINISHED = RECORDS / "finished.ndjson"


def run(*arguments: str | Path) -> tuple[int, str]:
    """The exit status and what was printed, on a terminal so wide that no path breaks a line."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "300"})
    return done.exit_code, done.output


def scored() -> tuple[int, str]:
    """The version and the hash of the event that ends the second deal."""
    events = from_file(FINISHED, GAMES).events
    return next(
        (event["version"], event["hash"]) for event in events if (event["type"], event["deal"]) == ("deal-scored", 2)
    )


def test_a_deal_of_a_file_is_a_page() -> None:
    status, page = run("replay", FINISHED, "--deal", "2", "--html")
    assert status == 0
    assert page.encode() == deal_file(from_file(FINISHED, GAMES), 2, GAMES)
    assert page.startswith("<!doctype html>")
    assert code_of(*scored()) in page


def test_a_file_is_narrated_and_a_deal_of_it_alone() -> None:
    whole, second = run("replay", FINISHED)[1], run("replay", FINISHED, "--deal", "2")[1]
    assert second in whole
    assert "Deal 2 of 3" in second
    assert "Deal 1 of 3" not in second
    assert "Deal 3 of 3" not in second
    assert "seat 1 holds" in second


@pytest.mark.parametrize("mark", [b"", BOM_UTF8], ids=["plain", "marked"])
def test_files_with_other_line_ends_are_read_as_what_they_were(tmp_path: Path, mark: bytes) -> None:
    file, note = tmp_path / "carried.ndjson", tmp_path / "checkpoint"
    data = FINISHED.read_bytes()
    file.write_bytes(mark + data.replace(b"\n", b"\r\n") + b"\r\n")
    assert run("replay", file) == run("replay", FINISHED)
    assert run("replay", file, "--deal", "2", "--html") == run("replay", FINISHED, "--deal", "2", "--html")
    assert run("verify", file, "--unpinned", "--code", code_of(*scored()))[0] == 0
    signed = json.loads(data.splitlines()[-1])["checkpoint"]
    note.write_bytes(mark + signed.rstrip().replace("\n", "\r\n").encode())
    assert read_checkpoint(note).note == signed
    note.write_bytes(mark + b"codille_1\r\ncodille_2\r\n")
    assert read_tokens(note) == ["codille_1", "codille_2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--deal", "9", "--html"), "no deal 9 has started"),
        (("--html",), "needs --deal"),
        (("--deal", "1", "--html", "--as", "public"), "needs --deal"),
        (("--deal", "0"), "not in the range"),
    ],
)
def test_what_cannot_be_replayed_is_said(arguments: tuple[str, ...], said: str) -> None:
    status, output = run("replay", FINISHED, *arguments)
    assert (status, said in output) == (2, True), output


def test_what_is_no_record_is_said(tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert "neither a table's id nor a file" in run("replay", other)[1]
    other.write_text("{}\n[]\n{}\n")
    status, output = run("replay", other)
    assert (status, "is no export" in output) == (2, True)


def test_a_record_has_the_event_of_a_code_or_counts_as_altered() -> None:
    version, digest = scored()
    code = code_of(version, digest)
    assert run("verify", FINISHED, "--code", code)[0] == 3
    assert f"has the event of the code {code}" in run("verify", FINISHED, "--code", code)[1]
    for other in (code_of(version + 1, digest), code_of(version, digest[::-1]), "x"):
        status, output = run("verify", FINISHED, "--code", other)
        assert (status, "has no event of the code" in output) == (1, True)


def test_a_code_does_not_make_an_altered_record_intact(tmp_path: Path) -> None:
    altered = tmp_path / "altered.ndjson"
    altered.write_bytes(FINISHED.read_bytes().replace(b'"seat":0', b'"seat":1', 1))
    assert run("verify", altered, "--code", code_of(*scored()))[0] == 1


FORMAL = ("form:", "header:", "checkpoint:", "inclusion:", "signature:", "signer:", "codille:", "│")
"""How lines begin that say what is wrong with a file. Those about its events quote what has been altered."""


def damaged() -> Iterator[bytes]:
    """A record with faults in its form."""
    whole = (RECORDS / "boston-misere.ndjson").read_bytes()
    yield from (b"", b"no\nrecord\n", bytes(range(256)), whole[: len(whole) // 2], b"[" * 5000 + b"\n", b"null\n" * 3)
    lines = whole.splitlines(keepends=True)
    for old, new in (
        (b'"version":2', b'"version":2.5'),
        (b'"version":2', b'"version":' + b"9" * 5000),
        (b'"version":2', b'"version":"2"'),
        (b'"version":2', b'"version":NaN'),
        (b'"actor"', b'"actress"'),
        (b'"hash":"', b'"hash":"zz'),
        (b'"hash":"', b'"hash":"\xff'),
        (b"{", b"[" * 3000),
    ):
        yield b"".join([lines[0], lines[1], lines[2].replace(old, new, 1), *lines[3:]])
    for old, new in (
        (b'"proofs":[["', b'"proofs":[["zz'),
        (b'"checkpoint":"', b'"checkpoint":"?'),
        (b"\xe2\x80\x94", b"-"),
    ):
        yield b"".join([*lines[:-1], lines[-1].replace(old, new)])


def test_what_is_wrong_with_a_file_is_said_in_words_of_this_program(tmp_path: Path) -> None:
    file = tmp_path / "damaged"
    for damage in damaged():
        file.write_bytes(damage)
        for command in ("verify", "replay"):
            status, output = run(command, file)
            assert status in (0, 1, 2), output
            said = [line for line in output.splitlines() if line.startswith(FORMAL)]
            assert not in_text("\n".join(said)), said
