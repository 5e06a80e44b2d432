"""The generated files of a specification: writing them, and comparing those that are committed with the code.

The documents `openapi.json` and `asyncapi.json` and the `catalogue` of events are committed. The folder `built` is not:
it has the OpenAPI and AsyncAPI documents for each game and the generic ones (`openapi` and `asyncapi`), the JSON
Schemas of each game (`schemas/GAME`), one for every event with an example (`events/GAME` and `events/table`), and
bodies of requests and answers and a whole table's record (`examples/GAME`).
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from domain.seats import PUBLIC
from service.app import OPERATIONS, VERSION
from service.built import BUILT, STAMP
from service.describe.game_schemas import event_schemas, game_schemas
from service.http.examples import Sample
from service.http.operation import declared_operations
from service.spec.asyncapi import asyncapi
from service.spec.catalogue_text import catalogue
from service.spec.document import ANY_GAME, document, for_game
from service.spec.example_bodies import Bodies, game_bodies

Files: TypeAlias = Mapping[str, str]
"""The texts of files, by path."""

DOCUMENTS = ("openapi.json", "asyncapi.json")
CATALOGUE = "catalogue"

WIDTH = 500
"""The most characters of a value of a document that is not broken into lines."""


def bodies_of(samples: Sequence[Sample]) -> Bodies:
    """The example bodies from these samples, for all that is made below. They take a while."""
    operations = declared_operations(OPERATIONS)
    return Bodies(operations, [game_bodies(operations, sample) for sample in samples])


def specification(bodies: Bodies) -> dict[str, Any]:
    """The OpenAPI document of the whole interface to the games of these bodies."""
    return document(OPERATIONS, bodies, VERSION)


def committed_files(bodies: Bodies) -> Files:
    """The documents and the catalogue for the games of these bodies."""
    openapi = specification(bodies)
    documents = {"openapi.json": openapi, "asyncapi.json": asyncapi(openapi, bodies.samples, VERSION)}
    texts = catalogue(bodies.games)
    return {path: in_lines(document) + "\n" for path, document in documents.items()} | {
        f"{CATALOGUE}/{name}.txt": text for name, text in texts.items()
    }


def built_files(bodies: Bodies) -> Files:
    """The files that are built and not committed, by path below `BUILT`, for the games of these bodies."""
    documents = {
        f"{name.removesuffix('.json')}/{need}.json": _compact(document)
        for need, own in documents_by_need(bodies).items()
        for name, document in zip(DOCUMENTS, own, strict=True)
    }
    return {**documents, **_described_files(bodies)}


def documents_by_need(bodies: Bodies) -> Mapping[str, tuple[dict[str, Any], dict[str, Any]]]:
    """The OpenAPI and the AsyncAPI document for any game, under `generic`, and those for one game under its name."""
    needs = [(ANY_GAME, 0), *((for_game(game), index) for index, game in enumerate(bodies.games))]
    made = {}
    for need, index in needs:
        own = bodies.of_game(index)
        openapi = document(OPERATIONS, own, VERSION, need)
        made[need.name] = openapi, asyncapi(openapi, own.samples, VERSION, need)
    return made


def _described_files(bodies: Bodies) -> Files:
    """The schemas of games and of single events, and examples, by path."""
    files: dict[str, Any] = {}
    events = event_schemas(bodies.games)
    for own in bodies.by_game:
        sample, game = own.sample, own.sample.game
        for name, schema in game_schemas(game).items():
            if name != "events":
                files[f"schemas/{game.name}/{name}.json"] = schema
        examples = sample.by_type.events
        for kind, schemas in events.items():
            if kind in ("table", game.name):
                # Not every table's event happens in every game.
                for name, schema in schemas.items():
                    if name in examples:
                        files.setdefault(f"events/{kind}/{name}.json", schema | {"examples": [examples[name]]})
        played = sample.played
        record = [played.event(version, PUBLIC, over=True) for version in range(1, played.version + 1)]
        bodies_by_kind = {"requests": own.requests, "answers": own.answers, "record": record}
        files |= {f"examples/{game.name}/{kind}.json": value for kind, value in bodies_by_kind.items()}
    return {path: _indented(value) for path, value in files.items()}


def write_committed(directory: Path, files: Files) -> None:
    """Writes the documents and the catalogue, and removes catalogue files that are no longer made. Raises OSError."""
    _write(directory, files, _committed(directory))


def write_built(directory: Path, files: Files) -> None:
    """Writes the files that are built, and removes those that are no longer made. Raises OSError."""
    _write(directory / BUILT, files, _files(directory / BUILT) - {STAMP})


def check(directory: Path, files: Files) -> list[str]:
    """The differences of the directory from the committed files, one text each, sorted by path. Nothing is written."""
    present = _committed(directory)
    differences = [f"{path}: is missing" for path in files.keys() - present]
    differences += [f"{path}: is no longer made" for path in present - files.keys()]
    differences += [
        f"{path}: differs from the code"
        for path in files.keys() & present
        if (directory / path).read_bytes() != files[path].encode()
    ]
    return sorted(differences)


def in_lines(value: object) -> str:
    """The value as JSON without indentation. Objects and lists longer than `WIDTH` have a line for each member."""
    whole = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(whole) <= WIDTH:
        return whole
    match value:
        case dict():
            return "{\n" + ",\n".join(f"{json.dumps(key)}:{in_lines(part)}" for key, part in value.items()) + "\n}"
        case list():
            return "[\n" + ",\n".join(map(in_lines, value)) + "\n]"
        case _:
            return whole


def _write(directory: Path, files: Files, present: set[str]) -> None:
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    for path in present - files.keys():
        (directory / path).unlink()


def _committed(directory: Path) -> set[str]:
    """The paths of the generated files in the directory that are committed; others are written by hand, or built."""
    catalogued = {f"{CATALOGUE}/{path}" for path in _files(directory / CATALOGUE)}
    return {name for name in DOCUMENTS if (directory / name).is_file()} | catalogued


def _files(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _indented(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
