"""The committed specification equals what the code makes."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from domain.registry import GAMES
from service.spec import export
from service.spec.examples import sample_of
from tests.support.checker import violations
from tests.support.samples import sample

API_SPEC = Path(__file__).parents[3] / "api-spec"


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    """All files of the code, which take a while to make."""
    return export.generated_files([sample(game) for game in GAMES])


def test_the_committed_files_are_what_the_code_makes(files: Mapping[str, str]) -> None:
    assert export.check(API_SPEC, files) == [], "run `codille openapi`"


def test_files_made_anew_are_the_same(files: Mapping[str, str], tmp_path: Path) -> None:
    export.write(tmp_path, export.generated_files([sample_of(game) for game in GAMES.values()]))
    assert {path: (tmp_path / path).read_text() for path in files} == files


def test_files_just_written_do_not_differ(files: Mapping[str, str], tmp_path: Path) -> None:
    export.write(tmp_path, files)
    assert export.check(tmp_path, files) == []


def test_every_difference_is_named_and_removed_by_writing(files: Mapping[str, str], tmp_path: Path) -> None:
    export.write(tmp_path, files)
    (tmp_path / "asyncapi.json").write_text("{}\n")
    (tmp_path / "openapi.json").write_text("{}\n")
    (tmp_path / "events/table/seat-left.json").unlink()
    (tmp_path / "events/table/seat-sold.json").write_bytes(b"\xff")
    (tmp_path / "schemas/crocodile/view.json").write_bytes(b"\xff")
    (tmp_path / "record.md").write_text("Written by hand.\n")
    assert export.check(tmp_path, files) == [
        "asyncapi.json: differs from the code",
        "events/table/seat-left.json: is missing",
        "events/table/seat-sold.json: is no longer made",
        "openapi.json: differs from the code",
        "schemas/crocodile/view.json: differs from the code",
    ]
    export.write(tmp_path, files)
    assert export.check(tmp_path, files) == []
    assert (tmp_path / "record.md").read_text() == "Written by hand.\n"


def test_an_empty_directory_misses_every_file(files: Mapping[str, str], tmp_path: Path) -> None:
    assert all(difference.endswith(": is missing") for difference in export.check(tmp_path, files))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_example_record_keeps_the_rules(game: str) -> None:
    assert violations(json.loads((API_SPEC / f"examples/{game}/record.json").read_text())) == []
