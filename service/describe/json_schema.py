"""JSON Schemas as components that refer to each other by `#/$defs/NAME`: building and splitting them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LOCAL = "#/$defs/"


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": LOCAL + name}


def any_of(description: str, names: Iterable[str]) -> Schema:
    """Any of these components."""
    return {"description": description, "anyOf": [ref(name) for name in names]}


def some(names: Sequence[str]) -> Schema:
    """Any of these components; for one component the reference alone."""
    return ref(names[0]) if len(names) == 1 else {"anyOf": [ref(name) for name in names]}


def one_of(description: str, discriminator: str, names: Mapping[str, str]) -> Schema:
    """One of these components, selected by the value of the property `discriminator`."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": discriminator,
            "mapping": {value: LOCAL + name for value, name in names.items()},
        },
    }


def record(description: str, properties: Schema, *, optional: Iterable[str] = ()) -> Schema:
    """An object with these properties and no others."""
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in set(optional)],
        "additionalProperties": False,
    }


def alone(title: str, root: str, components: Mapping[str, Schema]) -> Schema:
    """The component `root` as a schema that is complete in itself."""
    needed = sorted(reachable(components[root], components) - {root})
    schema = {"$schema": DIALECT, "title": title} | components[root]
    return schema | ({"$defs": {name: components[name] for name in needed}} if needed else {})


def reachable(schema: object, components: Mapping[str, Schema]) -> set[str]:
    """The names of the components that the schema refers to, directly or not."""
    reached: set[str] = set()
    pending = list(references(schema))
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending.extend(references(components[name]))
    return reached


def relocated(schema: Any, prefix: str, former: str = LOCAL) -> Any:
    """The schema with references that begin with `prefix` instead of `former`."""
    match schema:
        case dict():
            return {key: relocated(value, prefix, former) for key, value in schema.items()}
        case list():
            return [relocated(value, prefix, former) for value in schema]
        case str() if schema.startswith(former):
            return prefix + schema.removeprefix(former)
        case _:
            return schema


def nested(value: object) -> Iterator[object]:
    """The value, and all values in it."""
    yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nested(part)


def references(schema: object) -> Iterator[str]:
    """The names of the components that the schema itself refers to."""
    for part in nested(schema):
        if isinstance(part, str) and part.startswith(LOCAL):
            yield part.removeprefix(LOCAL)


def enumerated(schema: object) -> Iterator[tuple[str, ...]]:
    """The lists of texts of the schema's enumerations."""
    for part in nested(schema):
        match part:
            case {"type": "string", "enum": [*values]}:
                yield tuple(map(str, values))
            case _:
                pass


def with_named_values(schema: Any, names: Mapping[tuple[str, ...], str]) -> Any:
    """The schema with references to these named lists of texts instead of the lists."""
    match schema:
        case {"type": "string", "enum": [*values], **rest} if (name := names.get(tuple(map(str, values)))) is not None:
            return rest | ref(name)
        case dict():
            return {key: with_named_values(value, names) for key, value in schema.items()}
        case list():
            return [with_named_values(value, names) for value in schema]
        case _:
            return schema


def pascal(name: str) -> str:
    """The component's name for a lower-case name with hyphens or underscores."""
    return "".join(word.capitalize() for word in name.replace("_", "-").split("-"))
