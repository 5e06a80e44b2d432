"""The generated files of `api-spec`: writing them, and comparing them with the code.

`openapi.json` and `asyncapi.json` are the documents. `schemas/GAME` holds the JSON Schemas of a game, `events/GAME` and
`events/table` a JSON Schema with an example for every event, `examples` bodies of requests and answers, and a whole
table's record.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import msgspec

from domain.seats import PUBLIC
from service.app import OPERATIONS, VERSION
from service.queries.game_schemas import event_schemas, game_schemas
from service.spec.asyncapi import asyncapi
from service.spec.document import declared_operations, document
from service.spec.examples import Bodies, GameBodies, GameSample

Files: TypeAlias = Mapping[str, str]
"""The texts of files, by path."""


def specification(samples: Sequence[GameSample]) -> dict[str, Any]:
    """The OpenAPI document of the whole interface to the games of these samples."""
    return document(OPERATIONS, _bodies(samples), VERSION)


def write(directory: Path, files: Files) -> None:
    """Writes the generated files, and removes those that are not among them. Raises OSError."""
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    for path in _present(directory, files) - files.keys():
        (directory / path).unlink()


def check(directory: Path, files: Files) -> list[str]:
    """The differences of the directory from the generated files, one text each, sorted by path. Nothing is written."""
    present = _present(directory, files)
    differences = [f"{path}: is missing" for path in files.keys() - present]
    differences += [f"{path}: is no longer made" for path in present - files.keys()]
    differences += [
        f"{path}: differs from the code" for path in files.keys() & present if _read(directory / path) != files[path]
    ]
    return sorted(differences)


def _present(directory: Path, files: Files) -> set[str]:
    """The paths of the generated files in the directory. What is not generated is written by hand."""
    examples = {str(PurePosixPath(path).parent) for path in files if path.startswith("examples/")}
    generated = ("openapi.json", "asyncapi.json", "schemas", "events", *examples)
    inner = [path for own in generated for path in (directory / own).rglob("*") if path.is_file()]
    alone = [directory / own for own in generated if (directory / own).is_file()]
    return {path.relative_to(directory).as_posix() for path in (*inner, *alone)}


def _read(path: Path) -> str | None:
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return None


def generated_files(samples: Sequence[GameSample]) -> Files:
    """All generated files of a specification with the games of these samples."""
    bodies = _bodies(samples)
    openapi = document(OPERATIONS, bodies, VERSION)
    files: dict[str, Any] = {"openapi.json": openapi, "asyncapi.json": asyncapi(openapi, samples, VERSION)}
    events = event_schemas([sample.game for sample in samples])
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
        files |= _examples(own)
    return {path: _json(value) for path, value in files.items()}


def _bodies(samples: Sequence[GameSample]) -> Bodies:
    return Bodies(declared_operations(OPERATIONS), samples)


def _examples(own: GameBodies) -> Mapping[str, Any]:
    played, name = own.sample.played, own.sample.game.name
    record = [played.event(version, PUBLIC, over=True) for version in range(1, played.version + 1)]
    return {
        f"examples/{name}/requests.json": own.requests,
        f"examples/{name}/answers.json": own.answers,
        f"examples/{name}/record.json": record,
    }


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
