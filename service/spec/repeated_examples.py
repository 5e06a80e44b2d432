"""Examples that say the same again, which a document for one need leaves out."""

import json
from collections.abc import Iterator, Mapping

from service.describe.json_schema import Schema, nested, references

UNIONS = ("oneOf", "anyOf")


def without_repeated_examples(components: Mapping[str, Schema], paths: object) -> dict[str, Schema]:
    """The components, of which only the alternatives of unions keep their examples.

    Bodies have examples at their operations, and those contain all that is no alternative. An alternative that is shown
    whole inside another one's example, as a section in its event, has none of its own.
    """
    kept = set(_alternatives(list(components.values()))) - set(_bodies(paths))
    kept = {name for name in kept if not any(union in components[name] for union in UNIONS)}
    inside = {part for name in kept for example in components[name].get("examples", ()) for part in _parts(example)}
    return {
        name: schema
        if name in kept and not {json.dumps(example) for example in schema.get("examples", ())} & inside
        else {key: part for key, part in schema.items() if key != "examples"}
        for name, schema in components.items()
    }


def _parts(example: object) -> Iterator[str]:
    """The objects inside an example, without the example itself."""
    yield from (json.dumps(part) for part in nested(example) if isinstance(part, dict) and part is not example)


def _alternatives(components: object) -> Iterator[str]:
    """The names of the components among which unions choose."""
    for part in nested(components):
        if isinstance(part, dict):
            for union in UNIONS:
                names = list(references(part.get(union)))
                if len(names) > 1:
                    yield from names


def _bodies(part: object) -> Iterator[str]:
    """The names of the components that describe a body with an example."""
    match part:
        case {"schema": {"$ref": _} as schema, "example": _} | {"schema": {"$ref": _} as schema, "examples": _}:
            yield from references(schema)
        case dict():
            for value in part.values():
                yield from _bodies(value)
        case _:
            return
