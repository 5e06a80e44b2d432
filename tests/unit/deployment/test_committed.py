"""What is committed can be read line by line."""

import re
import subprocess
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

RECORDS = ("api-spec/examples/records/*", "tests/games/*/earlier/*.json")
DOCUMENTS = ("api-spec/openapi.json", "api-spec/asyncapi.json")


@pytest.fixture(scope="module")
def committed() -> Mapping[str, bytes]:
    """All files that git keeps, by path, as they stand here."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {path: (ROOT / path).read_bytes() for path in listed.split("\0") if (ROOT / path).is_file()}


def test_no_line_is_long_outside_records_and_documents(committed: Mapping[str, bytes]) -> None:
    long = {
        path: max(map(len, data.splitlines()))
        for path, data in committed.items()
        if data and not matches(path, (*RECORDS, *DOCUMENTS)) and is_text(data)
    }
    assert {path: length for path, length in long.items() if length > 4096} == {}


def test_a_clone_has_every_file_as_it_was_committed() -> None:
    """Git for Windows changes the line ends of what it takes for text (`core.autocrlf`)."""
    command = ["git", "ls-files", "--eol"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line for line in listed if not re.match(r"i/(lf|-text|none) +w/\S+ +attr/-text ", line)] == []


def test_what_is_built_is_not_committed(committed: Mapping[str, bytes]) -> None:
    assert [path for path in committed if path.startswith("api-spec/built/")] == []


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)


def is_text(data: bytes) -> bool:
    return b"\0" not in data
