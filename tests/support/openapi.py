"""Operations of an OpenAPI document, with the components instead of references to them, except for schemas."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from service.describe.json_schema import references, relocated
from service.spec.components import COMPONENTS

Document = Mapping[str, Any]


def operations(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All operations, each with its path."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, resolved(document, operation)


def operation_at(document: Document, method: str, path: str) -> Mapping[str, Any]:
    """The operation of this method and path."""
    found: Mapping[str, Any] = resolved(document, document["paths"][path][method])
    return found


def resolved(document: Document, part: Any) -> Any:
    """The part with responses, parameters, examples and headers instead of references to them."""
    match part:
        case {"$ref": str(reference)} if not reference.startswith("#/components/schemas/"):
            _, _, kind, name = reference.split("/")
            return resolved(document, document["components"][kind][name])
        case dict():
            # An example's own members mean nothing here.
            return {key: value if key == "value" else resolved(document, value) for key, value in part.items()}
        case list():
            return [resolved(document, value) for value in part]
        case _:
            return part


class Schemas:
    """Checks values under the components of a document, each of which is compiled once."""

    def __init__(self, document: Document) -> None:
        self._definitions = relocated(document["components"]["schemas"], "#/$defs/", COMPONENTS)
        self._compiled: dict[str, jsonschema_rs.Validator] = {}

    def errors(self, schema: Mapping[str, Any], value: object) -> list[str]:
        """The errors of the value under the schema."""
        text = json.dumps(schema, sort_keys=True)
        if text not in self._compiled:
            local = relocated(schema, "#/$defs/", COMPONENTS)
            self._compiled[text] = jsonschema_rs.Draft202012Validator(
                local | {"$defs": self._reached(local)}, validate_formats=True
            )
        return [error.message for error in self._compiled[text].iter_errors(value)]

    def _reached(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        reached: dict[str, Any] = {}
        pending = list(references(schema))
        while pending:
            name = pending.pop()
            if name not in reached:
                reached[name] = self._definitions[name]
                pending.extend(references(reached[name]))
        return reached
