"""What a document has once: parameters and examples that several operations have, and what examples would repeat."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from service.describe.json_schema import Schema, nested, pascal, references

PREFIX = "#/components/parameters/"

OFTEN = 3
"""A parameter becomes a component if so many operations have it."""


def share_parameters(paths: Mapping[str, Mapping[str, Schema]]) -> dict[str, Schema]:
    """Replaces parameters that often occur by references, and returns the components that these refer to.

    Of several parameters of one name, the most frequent one is shared.
    """
    counts = Counter(
        json.dumps(parameter)
        for methods in paths.values()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
    )
    components: dict[str, Schema] = {}
    names: dict[str, str] = {}
    for text, count in counts.most_common():
        parameter = json.loads(text)
        name = pascal(parameter["name"])
        if count >= OFTEN and name not in components:
            components[name], names[text] = parameter, name
    for methods in paths.values():
        for operation in methods.values():
            if "parameters" in operation:
                operation["parameters"] = [
                    {"$ref": PREFIX + names[text]} if (text := json.dumps(parameter)) in names else parameter
                    for parameter in operation["parameters"]
                ]
    return dict(sorted(components.items()))


LONG = 1000
"""Examples of responses from this number of characters on become components if two operations have the same."""


def share_examples(paths: Mapping[str, Mapping[str, Schema]]) -> dict[str, Schema]:
    """Replaces long examples of responses that occur again by references, and returns the components for these."""
    counts = Counter(json.dumps(content["example"]) for _, content in _bodies(paths) if "example" in content)
    components: dict[str, Schema] = {}
    names: dict[str, str] = {}
    for operation, content in _bodies(paths):
        text = json.dumps(content.get("example"))
        if counts[text] > 1 and len(text) >= LONG:
            name = names.setdefault(text, operation)
            components[name] = {"value": content.pop("example")}
            content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}
    return components


def _bodies(paths: Mapping[str, Mapping[str, Schema]]) -> Iterator[tuple[str, Schema]]:
    """The bodies of responses, each with its operation's id."""
    for methods in paths.values():
        for operation in methods.values():
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    yield operation["operationId"], content


def parameters_of(operation: Mapping[str, Any], components: Mapping[str, Schema]) -> list[Schema]:
    """The operation's parameters, with the components instead of references to them."""
    return [
        components[parameter["$ref"].removeprefix(PREFIX)] if "$ref" in parameter else parameter
        for parameter in operation.get("parameters", ())
    ]


UNIONS = ("oneOf", "anyOf")


def without_repeated_examples(components: Mapping[str, Schema], paths: object) -> dict[str, Schema]:
    """The components, of which only the alternatives of unions keep their examples.

    Bodies have examples at their operations, and those contain all that is no alternative. An alternative that is shown
    whole inside another one's example, as a section in its event, has none of its own.
    """
    kept = set(_alternatives(list(components.values()))) - set(_bodies_with_examples(paths))
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


def _bodies_with_examples(part: object) -> Iterator[str]:
    """The names of the components that describe a body with an example."""
    match part:
        case {"schema": {"$ref": _} as schema, "example": _} | {"schema": {"$ref": _} as schema, "examples": _}:
            yield from references(schema)
        case dict():
            for value in part.values():
                yield from _bodies_with_examples(value)
        case _:
            return
