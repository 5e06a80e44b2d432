"""The OpenAPI document is complete, and its examples fit its schemas.

That it is OpenAPI is looked at by `make valid`, and of those for one need in `test_by_need.py`.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from service.http.problems import KINDS, MEDIA_TYPE
from service.spec.components import COMPONENTS
from tests.support.openapi import Document, Schemas, operation_at, operations
from tests.support.registry import GAMES

OF_NO_OPERATION = {
    "dump-outdated",
    "bad-request",
    "method-not-allowed",
    "request-timeout",
    "url-too-long",
    "too-many-connections",
    "headers-too-large",
    "internal",
}
"""Codes that no operation answers with: they answer requests that reach none."""


def contents(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every body of a request or an answer, with the place where it stands."""
    for _, operation in operations(document):
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{operation['operationId']}: {media_type}", content
        for status, answer in operation["responses"].items():
            for media_type, content in answer.get("content", {}).items():
                yield f"{operation['operationId']}, {status}: {media_type}", content


def examples(content: Mapping[str, Any]) -> list[Any]:
    own = [content["example"]] if "example" in content else []
    return own + [example["value"] for example in content.get("examples", {}).values()]


@pytest.fixture(scope="module")
def schemas(document: Document) -> Schemas:
    return Schemas(document)


def test_every_operation_is_described(document: Document, schemas: Schemas) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    names = []
    for path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        assert set(operation["tags"]) <= tags, path
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], path
            assert schemas.errors(parameter["schema"], parameter["example"]) == [], path
        assert all(answer["description"] for answer in operation["responses"].values()), path
        names.append(operation["operationId"])
    assert len(names) == len(set(names))


def test_every_body_has_an_example_that_fits(document: Document, schemas: Schemas) -> None:
    for where, content in contents(document):
        assert examples(content), where
        for example in examples(content):
            assert schemas.errors(content["schema"], example) == [], where


def test_every_header_has_an_example_that_fits(document: Document, schemas: Schemas) -> None:
    headers = {
        name: header
        for _, operation in operations(document)
        for answer in operation["responses"].values()
        for name, header in answer.get("headers", {}).items()
    }
    assert headers
    for name, header in headers.items():
        assert schemas.errors(header["schema"], header["example"]) == [], name


def test_every_schema_has_a_description_and_an_example_that_fits(document: Document, schemas: Schemas) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        assert schema["examples"], name
        for example in schema["examples"]:
            assert schemas.errors({"$ref": COMPONENTS + name}, example) == [], name
        for key, value in schema.get("properties", {}).items():
            assert "description" in value or "$ref" in value, f"{name}.{key}"


def test_every_object_allows_only_its_own_properties(document: Document) -> None:
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            assert schema["additionalProperties"] is False, name


def test_no_name_of_a_schema_discloses_the_code(document: Document) -> None:
    for name in document["components"]["schemas"]:
        assert name.isalnum(), name


def test_every_problem_is_documented_with_its_status(document: Document) -> None:
    documented = [
        (code, status, example["value"])
        for _, operation in operations(document)
        for status, answer in operation["responses"].items()
        for code, example in answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {}).items()
    ]
    assert {code for code, _, _ in documented} == KINDS.keys() - OF_NO_OPERATION
    for code, status, example in documented:
        assert (int(status), example["status"], example["code"]) == (KINDS[code].status, KINDS[code].status, code)


def test_every_error_is_a_problem_document(document: Document) -> None:
    for where, content in contents(document):
        if MEDIA_TYPE in where:
            assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, where
    for path, operation in operations(document):
        for status, answer in operation["responses"].items():
            assert int(status) < 400 or list(answer["content"]) == [MEDIA_TYPE], (path, status)


def test_an_action_is_any_of_one_discriminated_union_for_each_game(document: Document) -> None:
    schemas = document["components"]["schemas"]
    unions = [schemas[option["$ref"].rpartition("/")[2]] for option in schemas["Action"]["anyOf"]]
    assert len(unions) == len(GAMES)
    assert all(union["discriminator"]["propertyName"] == "type" for union in unions)
    body = operation_at(document, "post", "/v1/tables/{table}/actions")["requestBody"]
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Action"}


def converts(options: object, kind: type[Struct]) -> bool:
    """Whether the options may be those of a game: none at all may be any game's, and some games share some."""
    try:
        msgspec.convert(options, kind)
    except msgspec.ValidationError:
        return False
    return True


def test_a_table_is_opened_with_the_options_of_its_game(document: Document, schemas: Schemas) -> None:
    request = document["components"]["schemas"]["TableRequest"]
    for name, game in GAMES.items():
        for other in GAMES.values():
            body = {"game": name, "options": msgspec.to_builtins(other.options())}
            assert (schemas.errors(request, body) == []) == converts(body["options"], game.options)
        assert schemas.errors(request, {"game": name}) == []
    assert schemas.errors(request, {"game": "bridge"})


def test_cards_are_those_of_every_pack(document: Document) -> None:
    pattern = re.compile(document["components"]["schemas"]["Card"]["pattern"])
    assert all(pattern.search(card) for game in GAMES.values() for card in game.pack)
    assert all(map(pattern.search, ("9h.1", "2.7h", "Jo.2", "0.As")))
    assert not any(map(pattern.search, ("Zs", "1s", "Ks.0", "Ks ", "", "10s")))


def test_exactly_the_operations_that_need_a_token_declare_it(document: Document) -> None:
    for path, operation in operations(document):
        own = [one for one in operation["security"] if "authorization_code" not in one]
        needed = own == [{"bearer": []}]
        assert needed == ("unauthenticated" in str(operation["responses"].get("401"))), path
        assert needed or own in ([{}, {"bearer": []}], [])
        assert operation["security"] or not path.startswith("/v1"), path


def test_the_last_scheme_by_name_is_a_players_own_token(document: Document) -> None:
    # Clients that openapi-generator makes send what the last one says.
    assert max(document["components"]["securitySchemes"]) == "bearer"


def test_tables_answer_with_their_version(document: Document) -> None:
    for path, operation in operations(document):
        if path.startswith("/v1/tables/{table}") and not path.endswith("/stream"):
            headers = [answer["headers"] for status, answer in operation["responses"].items() if status < "300"]
            assert all({"ETag", "Vary"} <= answer.keys() for answer in headers), path


def test_answers_to_a_creation_have_a_location_and_mark_repetitions(document: Document) -> None:
    for path, operation in operations(document):
        if "201" in operation["responses"]:
            assert {"Location", "Idempotency-Replayed"} <= operation["responses"]["201"]["headers"].keys(), path


def test_429_and_503_name_the_time_to_wait(document: Document) -> None:
    for path, operation in operations(document):
        for status in {"429", "503"} & operation["responses"].keys():
            assert "Retry-After" in operation["responses"][status]["headers"], path


def test_links_lead_to_operations_and_their_parameters(document: Document) -> None:
    known = {
        operation["operationId"]: {parameter["name"] for parameter in operation.get("parameters", ())}
        for _, operation in operations(document)
    }
    linked = [
        (link["operationId"], link["parameters"].keys())
        for _, operation in operations(document)
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    assert len(linked) > 20
    for operation, parameters in linked:
        assert parameters <= known[operation]


def test_statements_are_also_answered_as_csv(document: Document) -> None:
    answer = operation_at(document, "get", "/v1/players/{player}/ledger")["responses"]["200"]
    assert list(answer["content"]) == ["application/json", "text/csv"]


def test_the_version_is_the_packages(document: Document) -> None:
    assert document["info"]["version"] == version("codille")


def properties(part: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All properties of objects in a schema, with their names."""
    match part:
        case {"properties": dict(named), **_rest}:
            yield from named.items()
            yield from (inner for value in part.values() for inner in properties(value))
        case dict():
            yield from (inner for value in part.values() for inner in properties(value))
        case list():
            yield from (inner for value in part for inner in properties(value))


def test_a_description_speaks_of_null_only_where_the_type_has_it(document: Document) -> None:
    for name, schema in properties(document["components"]["schemas"]):
        if re.search(r"[;,] null\b(?! has none)", schema.get("description", "")):
            assert {"type": "null"} in schema.get("anyOf", ()), (name, schema)


def test_a_body_may_be_left_out_where_all_its_fields_may(document: Document) -> None:
    bodies = {
        one["operationId"]: one["requestBody"]["required"] for _, one in operations(document) if "requestBody" in one
    }
    assert {name for name, required in bodies.items() if not required} == {
        "takeSeat", "addToken", "rotateToken", "changeWebhook", "rotateWebhook", "invite", "rematch",
    }  # fmt: skip


def only_null(schema: Any) -> bool:
    """Whether the schema takes null and nothing else."""
    match schema:
        case {"type": "null" | ["null"]} | {"const": None} | {"enum": [None]}:
            return True
        case {"anyOf": [*kinds]} | {"oneOf": [*kinds]}:
            return all(map(only_null, kinds))
        case _:
            return False


def null_alone(part: Any, place: str = "") -> Iterator[str]:
    """The places of schemas that take null alone, except as one of several kinds."""
    if only_null(part):
        yield place
    match part:
        case dict():
            for key, value in part.items():
                if key not in ("example", "examples", "default"):
                    yield from null_alone(value, f"{place}/{key}")
        case list():
            kinds = [one for one in part if not only_null(one)] or part
            for value in kinds:
                yield from null_alone(value, place)
        case _:
            pass


def test_no_schema_is_null_alone(document: Document) -> None:
    """Programs that make clients of the document have no type for it."""
    assert list(null_alone({"a": {"anyOf": [{"type": "null"}]}, "b": [{"properties": {"c": {"type": "null"}}}]})) == [
        "/a", "/a/anyOf", "/b/properties/c"
    ]  # fmt: skip
    assert list(null_alone(document)) == []
