"""The committed specification equals what the code makes."""

import json
from pathlib import Path

import pytest

from domain.registry import GAMES
from service.spec import export
from tests.support.checker import violations

API_SPEC = Path(__file__).parents[3] / "api-spec"


def test_the_committed_files_are_what_the_code_makes() -> None:
    assert export.check(API_SPEC, GAMES) == [], "run `codille openapi`"


def test_files_just_written_do_not_differ(tmp_path: Path) -> None:
    export.write(tmp_path, GAMES)
    assert export.check(tmp_path, GAMES) == []


def test_every_difference_is_named_and_removed_by_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The files of the code stay the same meanwhile, and take a while to make.
    files = export._files(GAMES)
    monkeypatch.setattr(export, "_files", lambda _: files)
    export.write(tmp_path, GAMES)
    (tmp_path / "openapi.json").write_text("{}\n")
    (tmp_path / "events/table/seat-left.json").unlink()
    (tmp_path / "events/table/seat-sold.json").write_bytes(b"\xff")
    (tmp_path / "schemas/crocodile/view.json").write_bytes(b"\xff")
    (tmp_path / "record.md").write_text("Written by hand.\n")
    assert export.check(tmp_path, GAMES) == [
        "events/table/seat-left.json: is missing",
        "events/table/seat-sold.json: is no longer made",
        "openapi.json: differs from the code",
        "schemas/crocodile/view.json: differs from the code",
    ]
    export.write(tmp_path, GAMES)
    assert export.check(tmp_path, GAMES) == []
    assert (tmp_path / "record.md").read_text() == "Written by hand.\n"


def test_an_empty_directory_misses_every_file(tmp_path: Path) -> None:
    assert all(difference.endswith(": is missing") for difference in export.check(tmp_path, GAMES))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_example_record_keeps_the_rules(game: str) -> None:
    assert violations(json.loads((API_SPEC / f"examples/{game}/record.json").read_text())) == []
