"""The documents for any game and for one: small, valid, without other games, and with examples that fit."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from domain.seats import PUBLIC
from service.built import BUILT
from service.http.interface import GENERIC
from service.spec.components import COMPONENTS
from tests.support.for_each import for_each
from tests.support.openapi import Document, Schemas, operations
from tests.support.registry import GAMES
from tests.support.samples import sample

MOST = {"game": (310, 620_000), GENERIC: (210, 440_000)}
"""The most schemas and bytes of an OpenAPI document."""

NEEDS = (GENERIC, *GAMES)

Made = Mapping[str, tuple[Document, Document]]


@pytest.fixture(scope="module")
def made(specification: Path) -> Made:
    """The OpenAPI and the AsyncAPI document for each need."""

    def document(kind: str, need: str) -> Document:
        decoded: Document = json.loads((specification / BUILT / kind / f"{need}.json").read_bytes())
        return decoded

    return {need: (document("openapi", need), document("asyncapi", need)) for need in NEEDS}


def examples(part: Any) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """All examples below this part of a document, each with its schema."""
    match part:
        case {"schema": schema, "examples": dict(named)}:
            yield from ((schema, example["value"]) for example in named.values())
        case {"schema": schema, "example": example}:
            yield schema, example
        case dict():
            for value in part.values():
                yield from examples(value)
        case list():
            for value in part:
                yield from examples(value)


def alternatives(part: Any) -> Iterator[str]:
    """The names of the components among which unions choose."""
    match part:
        case {"discriminator": {"mapping": named}} if len(named) > 1:
            yield from (reference.removeprefix(COMPONENTS) for reference in named.values())
        case dict():
            for value in part.values():
                yield from alternatives(value)
        case list():
            for value in part:
                yield from alternatives(value)


@for_each("need", NEEDS)
def test_it_is_small(made: Made, need: str) -> None:
    openapi, _ = made[need]
    schemas, size = MOST.get(need, MOST["game"])
    assert len(openapi["components"]["schemas"]) <= schemas
    assert len(json.dumps(openapi, ensure_ascii=False, separators=(",", ":")).encode()) <= size


@pytest.mark.parametrize("need", [GENERIC, "lorum"])
def test_it_is_valid_openapi(made: Made, need: str) -> None:
    OpenAPIV31SpecValidator(made[need][0]).validate()


@for_each("need", NEEDS)
def test_it_has_every_operation(made: Made, need: str) -> None:
    whole, own = (
        {one["operationId"] for methods in made[each][0]["paths"].values() for one in methods.values()}
        for each in (GENERIC, need)
    )
    assert own == whole
    assert len(whole) > 60


@for_each("need", NEEDS)
def test_every_example_fits(made: Made, need: str) -> None:
    openapi, asyncapi = made[need]
    schemas = Schemas(openapi)
    found = 0
    for path, operation in operations(openapi):
        for schema, example in examples(operation):
            found += 1
            assert schemas.errors(schema, example) == [], (path, operation["operationId"])
    for name, schema in openapi["components"]["schemas"].items():
        assert schema["description"], name
        for example in schema.get("examples", ()):
            found += 1
            assert schemas.errors({"$ref": COMPONENTS + name}, example) == [], name
    schemas = Schemas(asyncapi)
    for channel in asyncapi["channels"].values():
        for name, message in channel["messages"].items():
            for example in message["examples"]:
                found += 1
                assert schemas.errors(message["payload"], example["payload"]) == [], name
    assert found > 250


@for_each("need", NEEDS)
def test_every_body_and_every_alternative_has_an_example(made: Made, need: str) -> None:
    openapi, _ = made[need]
    components = openapi["components"]["schemas"]
    for path, operation in operations(openapi):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (one for body in bodies for one in body.get("content", {}).values()):
            assert "example" in content or content["examples"], path
    described = [schema for _, operation in operations(openapi) for schema, _ in examples(operation)]
    shown = {schema["$ref"].removeprefix(COMPONENTS) for schema in described if "$ref" in schema}
    for name in set(alternatives(components)) - shown:
        assert "examples" in components[name] or "discriminator" in components[name], name


@for_each("game", GAMES)
def test_a_games_document_has_its_cards_and_nothing_of_other_games(made: Made, game: str) -> None:
    components = made[game][0]["components"]["schemas"]
    assert components["Card"]["enum"] == list(GAMES[game].pack)
    own = {name for name in components if name.startswith(GAMES[game].name.capitalize())}
    assert any(name.endswith("View") for name in own)
    for other in GAMES.keys() - {game}:
        assert not [name for name in components if name.startswith(other.capitalize()) and name not in own], other


@for_each("game", GAMES)
def test_the_generic_document_describes_every_game(made: Made, game: str) -> None:
    schemas, shown = Schemas(made[GENERIC][0]), sample(game)
    table = shown.played
    for version in range(1, table.version + 1, 7):
        event, view = table.event(version, PUBLIC), msgspec.to_builtins(table.view(version, PUBLIC))
        assert schemas.errors({"$ref": f"{COMPONENTS}Event"}, event) == []
        assert schemas.errors({"$ref": f"{COMPONENTS}View"}, view) == []
    for action in shown.by_type.actions.values():
        assert schemas.errors({"$ref": f"{COMPONENTS}Action"}, action) == []
    for offer in shown.by_type.offers.values():
        assert schemas.errors({"$ref": f"{COMPONENTS}Offer"}, offer) == []
    for event in shown.by_type.events.values():
        assert schemas.errors({"$ref": f"{COMPONENTS}Event"}, event) == []
    assert schemas.errors({"$ref": f"{COMPONENTS}Event"}, {"type": "card-played"})
