"""The committed AsyncAPI document, and whether what is sent fits it."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "api-spec" / "asyncapi.json").read_text())

_REGISTRY = Registry().with_resource("urn:document", DRAFT202012.create_resource(DOCUMENT))


def errors(schema: Any, value: object) -> list[str]:
    """The errors of the value under the schema, whose references point into the document."""
    validator = Draft202012Validator(
        _absolute(schema), registry=_REGISTRY, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def messages_of(channel: str, headers: object, payload: object) -> list[str]:
    """The names of the messages of a channel that these headers and this payload fit."""
    return [
        name
        for name, message in DOCUMENT["channels"][channel]["messages"].items()
        if not errors(message.get("headers", {}), headers) and not errors(message["payload"], payload)
    ]


def resolved(reference: str) -> Any:
    """What a reference into the document points to. Raises KeyError."""
    part: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        part = part[step]
    return part


def _absolute(schema: Any) -> Any:
    match schema:
        case dict():
            return {key: f"urn:document{value}" if key == "$ref" else _absolute(value) for key, value in schema.items()}
        case list():
            return [_absolute(part) for part in schema]
        case _:
            return schema
