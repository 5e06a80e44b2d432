"""Examples that say the same again, which a document for one need leaves out."""

from collections.abc import Iterator, Mapping

from service.describe.json_schema import Schema, references

UNIONS = ("oneOf", "anyOf")


def without_repeated_examples(components: Mapping[str, Schema], paths: object) -> dict[str, Schema]:
    """The components, of which only the alternatives of unions keep their examples.

    Bodies have examples at their operations, and those contain all that is no alternative.
    """
    kept = set(_alternatives(list(components.values()))) - set(_bodies(paths))
    return {
        name: schema
        if name in kept and not any(union in schema for union in UNIONS)
        else {key: part for key, part in schema.items() if key != "examples"}
        for name, schema in components.items()
    }


def _alternatives(part: object) -> Iterator[str]:
    """The names of the components among which unions choose."""
    match part:
        case dict():
            for key, value in part.items():
                if key in UNIONS:
                    names = list(references(value))
                    if len(names) > 1:
                        yield from names
                yield from _alternatives(value)
        case list():
            for value in part:
                yield from _alternatives(value)
        case _:
            return


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
