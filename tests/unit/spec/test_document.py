"""The OpenAPI document is valid, complete, and true to its own examples."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from domain.registry import GAMES
from service.http.problems import KINDS, MEDIA_TYPE
from service.spec.export import specification

Document = Mapping[str, Any]

NOWHERE = {"bad-request", "method-not-allowed", "url-too-long", "headers-too-large", "internal"}
"""Codes that belong to no operation: no request that an operation takes is answered so."""


def operations(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


def contents(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every body of a request or an answer, and where it stands."""
    for _, operation in operations(document):
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{operation['operationId']}: {media_type}", content
        for status, answer in operation["responses"].items():
            for media_type, content in answer.get("content", {}).items():
                yield f"{operation['operationId']}, {status}: {media_type}", content


def examples(content: Mapping[str, Any]) -> list[Any]:
    own = [content["example"]] if "example" in content else []
    return own + [example["value"] for example in content.get("examples", {}).values()]


def errors(document: Document, schema: Mapping[str, Any], value: object) -> list[str]:
    """Where the value does not fit the schema, whose references are into the document."""
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(document))
    found = Draft202012Validator(
        _absolute(schema), registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    ).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in found]


def _absolute(schema: Any) -> Any:
    match schema:
        case dict():
            return {k: f"urn:document{v}" if k == "$ref" else _absolute(v) for k, v in schema.items()}
        case list():
            return [_absolute(part) for part in schema]
        case _:
            return schema


def test_it_is_valid_openapi(document: Document) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_it_comes_out_the_same_each_time(document: Document) -> None:
    assert specification() == document


def test_every_operation_is_described(document: Document) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    names = []
    for path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        assert set(operation["tags"]) <= tags, path
        assert all(parameter["description"] and "example" in parameter for parameter in operation.get("parameters", ()))
        assert all(answer["description"] for answer in operation["responses"].values()), path
        names.append(operation["operationId"])
    assert len(names) == len(set(names))


def test_every_body_has_an_example_that_fits(document: Document) -> None:
    for where, content in contents(document):
        assert examples(content), where
        for example in examples(content):
            assert errors(document, content["schema"], example) == [], where


def test_every_schema_has_a_description_and_an_example_that_fits(document: Document) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        assert schema["examples"], name
        for example in schema["examples"]:
            assert errors(document, schema, example) == [], name
        for key, value in schema.get("properties", {}).items():
            assert "description" in value or "$ref" in value, f"{name}.{key}"


def test_every_object_says_what_it_may_hold(document: Document) -> None:
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            assert schema["additionalProperties"] is False, name


def test_no_name_tells_of_the_code(document: Document) -> None:
    for name in document["components"]["schemas"]:
        assert name.isalnum(), name


@pytest.mark.parametrize("code", sorted(KINDS.keys() - NOWHERE))
def test_every_problem_is_documented_with_its_status(document: Document, code: str) -> None:
    found = [
        (status, answer["content"][MEDIA_TYPE]["examples"][code]["value"])
        for _, operation in operations(document)
        for status, answer in operation["responses"].items()
        if code in answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {})
    ]
    assert found
    for status, example in found:
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
    body = document["paths"]["/v1/tables/{table}/actions"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Action"}


def test_a_table_is_opened_with_the_options_of_its_game(document: Document) -> None:
    request = document["components"]["schemas"]["TableRequest"]
    for name, game in GAMES.items():
        for other in GAMES.values():
            body = {"game": name, "options": msgspec.to_builtins(other.options())}
            assert (errors(document, request, body) == []) == (other is game)
        assert errors(document, request, {"game": name}) == []
    assert errors(document, request, {"game": "bridge"})


def test_cards_are_those_of_every_pack(document: Document) -> None:
    assert len(document["components"]["schemas"]["Card"]["enum"]) == 52


def test_only_what_needs_a_token_says_so(document: Document) -> None:
    for path, operation in operations(document):
        needed = operation["security"] == [{"bearer": []}]
        assert needed == ("unauthenticated" in str(operation["responses"].get("401"))), path
        assert needed or operation["security"] in ([{}, {"bearer": []}], [])
        assert operation["security"] or not path.startswith("/v1"), path


def test_tables_answer_with_their_version(document: Document) -> None:
    for path, operation in operations(document):
        if path.startswith("/v1/tables/{table}"):
            headers = [answer["headers"] for status, answer in operation["responses"].items() if status < "300"]
            assert all({"ETag", "Vary"} <= answer.keys() for answer in headers), path


def test_creating_answers_say_where_it_is_and_whether_again(document: Document) -> None:
    for path, operation in operations(document):
        if "201" in operation["responses"]:
            assert {"Location", "Idempotency-Replayed"} <= operation["responses"]["201"]["headers"].keys(), path


def test_come_again_says_when(document: Document) -> None:
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


def test_statements_come_as_csv_too(document: Document) -> None:
    answer = document["paths"]["/v1/players/{player}/ledger"]["get"]["responses"]["200"]
    assert list(answer["content"]) == ["application/json", "text/csv"]
