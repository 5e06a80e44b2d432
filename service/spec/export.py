"""The generated files of `api-spec`: writing them, and comparing them with the code.

`openapi.json` and `asyncapi.json` are the documents. `schemas/GAME` holds the JSON Schemas of a game, `events/GAME` and
`events/table` a JSON Schema with an example for every event, `examples` bodies of requests and answers, and a whole
table's record.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from domain.kernel.game import Game
from domain.seats import PUBLIC
from service.app import OPERATIONS, VERSION
from service.queries.game_schemas import event_schemas, game_schemas
from service.spec.asyncapi import asyncapi
from service.spec.document import declared_operations, document
from service.spec.examples import GameSample, answers, requests, sample_of

Games: TypeAlias = Mapping[str, Game]


def specification(games: Games) -> dict[str, Any]:
    """The OpenAPI document of the whole interface to these games."""
    return document(OPERATIONS, [sample_of(game) for game in games.values()], VERSION)


def write(directory: Path, games: Games) -> None:
    """Writes all generated files, and removes those that the code no longer makes. Raises OSError."""
    files = _files(games)
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    for path in _present(directory, games) - files.keys():
        (directory / path).unlink()


def check(directory: Path, games: Games) -> list[str]:
    """The differences between the files and the code, one text each, sorted by path. Nothing is written."""
    files = _files(games)
    present = _present(directory, games)
    differences = [f"{path}: is missing" for path in files.keys() - present]
    differences += [f"{path}: is no longer made" for path in present - files.keys()]
    differences += [
        f"{path}: differs from the code" for path in files.keys() & present if _read(directory / path) != files[path]
    ]
    return sorted(differences)


def _present(directory: Path, games: Games) -> set[str]:
    """The paths of the generated files in the directory. What is not generated is written by hand."""
    generated = ("openapi.json", "asyncapi.json", "schemas", "events", *(f"examples/{game}" for game in games))
    inner = [path for own in generated for path in (directory / own).rglob("*") if path.is_file()]
    files = [directory / own for own in generated if (directory / own).is_file()]
    return {path.relative_to(directory).as_posix() for path in (*inner, *files)}


def _read(path: Path) -> str | None:
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return None


def _files(games: Games) -> dict[str, str]:
    """The texts of all generated files, by path."""
    samples = [sample_of(game) for game in games.values()]
    openapi = document(OPERATIONS, samples, VERSION)
    files: dict[str, Any] = {"openapi.json": openapi, "asyncapi.json": asyncapi(openapi, samples, VERSION)}
    events = event_schemas(tuple(games.values()))
    for sample in samples:
        game = sample.played.game
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
        files |= _examples(sample)
    return {path: _json(value) for path, value in files.items()}


def _examples(sample: GameSample) -> Mapping[str, Any]:
    played, name = sample.played, sample.played.game.name
    operations = declared_operations(OPERATIONS)
    record = [played.event(version, PUBLIC, over=True) for version in range(1, played.version + 1)]
    return {
        f"examples/{name}/requests.json": requests(operations, sample),
        f"examples/{name}/answers.json": answers(operations, sample),
        f"examples/{name}/record.json": record,
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
