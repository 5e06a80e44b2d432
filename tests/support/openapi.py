"""Operations of an OpenAPI document, with the components instead of references to them, except for schemas."""

from collections.abc import Iterator, Mapping
from typing import Any

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
