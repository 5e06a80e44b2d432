"""The committed specification equals what the code makes."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from domain.kernel.canonical import canonical
from domain.registry import GAMES
from service.built import STAMP
from service.describe.game_details import details
from service.spec import generated
from service.spec.sample import sample_of
from tests.support.checker import violations
from tests.support.samples import bodies

API_SPEC = Path(__file__).parents[3] / "api-spec"
SOME = ("crocodile", "khanhoo")
"""Two games: what is made of all takes long."""


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    """All committed files, as the code makes them, which takes a while."""
    return generated.committed_files(bodies(tuple(GAMES)))


@pytest.fixture(scope="module")
def texts() -> Mapping[str, str]:
    """All files that are built and not committed, as the code makes them."""
    return generated.built_files(bodies(tuple(GAMES)))


def test_the_committed_files_are_what_the_code_makes(files: Mapping[str, str]) -> None:
    assert generated.check(API_SPEC, files) == [], "run `codille openapi`"


def test_what_is_built_here_is_what_the_code_makes(built: Path, texts: Mapping[str, str]) -> None:
    assert {path: text for path, text in written(built).items() if path != STAMP} == texts


def test_files_made_anew_are_the_same() -> None:
    """The committed ones of all games were made by another process, and are the same."""
    anew = generated.bodies_of([sample_of(GAMES[name]) for name in SOME])
    for make in (generated.committed_files, generated.built_files):
        assert make(anew) == make(bodies(SOME))


def test_files_just_written_do_not_differ(files: Mapping[str, str], tmp_path: Path) -> None:
    generated.write_committed(tmp_path, files)
    assert generated.check(tmp_path, files) == []


def test_every_difference_is_named_and_removed_by_writing(files: Mapping[str, str], tmp_path: Path) -> None:
    generated.write_committed(tmp_path, files)
    (tmp_path / "asyncapi.json").write_text("{}\n")
    (tmp_path / "openapi.json").write_text("{}\n")
    (tmp_path / "catalogue/table.txt").unlink()
    (tmp_path / "catalogue/bridge.txt").write_bytes(b"\xff")
    (tmp_path / "catalogue/crocodile.txt").write_bytes(b"\xff")
    (tmp_path / "record.md").write_text("Written by hand.\n")
    assert generated.check(tmp_path, files) == [
        "asyncapi.json: differs from the code",
        "catalogue/bridge.txt: is no longer made",
        "catalogue/crocodile.txt: differs from the code",
        "catalogue/table.txt: is missing",
        "openapi.json: differs from the code",
    ]
    generated.write_committed(tmp_path, files)
    assert generated.check(tmp_path, files) == []
    assert (tmp_path / "record.md").read_text() == "Written by hand.\n"


def test_what_is_built_is_no_difference_and_is_replaced_as_a_whole(
    files: Mapping[str, str], texts: Mapping[str, str], tmp_path: Path
) -> None:
    generated.write_committed(tmp_path, files)
    generated.write_built(tmp_path, texts)
    (tmp_path / "built/events/table/seat-left.json").unlink()
    (tmp_path / "built/events/table/seat-sold.json").write_bytes(b"\xff")
    (tmp_path / "built/schemas/crocodile/view.json").write_bytes(b"\xff")
    assert generated.check(tmp_path, files) == []
    generated.write_built(tmp_path, texts)
    assert written(tmp_path / "built") == texts
    assert generated.check(tmp_path, files) == []


def written(folder: Path) -> Mapping[str, str]:
    """The texts of all files in the folder, by path."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_an_empty_directory_misses_every_file(files: Mapping[str, str], tmp_path: Path) -> None:
    assert all(difference.endswith(": is missing") for difference in generated.check(tmp_path, files))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_example_record_keeps_the_rules(game: str, texts: Mapping[str, str]) -> None:
    assert violations(json.loads(texts[f"examples/{game}/record.json"])) == []


def test_a_document_breaks_lines_where_it_is_long_and_nowhere_else(files: Mapping[str, str]) -> None:
    parts = {"short": [1, 2], "text": "x" * 600, "long": [{"a": "é" * 300}, {"b": "é" * 300}]}
    assert generated.in_lines(parts).splitlines() == [
        "{",
        '"short":[1,2],',
        f'"text":"{"x" * 600}",',
        '"long":[',
        f'{{"a":"{"é" * 300}"}},',
        f'{{"b":"{"é" * 300}"}}',
        "]",
        "}",
    ]
    assert json.loads(generated.in_lines(parts)) == parts
    for name in ("openapi.json", "asyncapi.json"):
        assert generated.in_lines(json.loads(files[name])) + "\n" == files[name]


def test_what_is_built_is_served_in_other_places(files: Mapping[str, str], texts: Mapping[str, str]) -> None:
    document = json.loads(files["openapi.json"])
    schemas = {name: details(game).schemas for name, game in GAMES.items()}
    described = document["components"]["schemas"].values()
    examples = {canonical(example) for schema in described for example in schema["examples"]}
    for path, text in texts.items():
        folder, of, *names = path.removesuffix(".json").split("/")
        if folder == "schemas":
            assert json.loads(text) == schemas[of][names[0]], path
        elif folder == "events":
            assert {canonical(example) for example in json.loads(text)["examples"]} <= examples, path
