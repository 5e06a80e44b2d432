"""JSON Schemas of offers: the kinds of fields, and the offer of each action of a game."""

from typing import Any

import msgspec

from domain.kernel.offers import MOST_EXAMPLES, MOST_LISTS, MOST_TOTAL, OneOfLists, SetsOf
from service.describe.json_schema import Schema, any_of, record, ref

LISTS = OneOfLists(((), ("7c", "7d"), ("7c", "7d", "7s")))
SETS = SetsOf({"5h": 5, "5d": 5, "4s": 4, "2c": 2}, 9, (4,), 0, (("5h",), ("5d",), ("5h", "5d", "4s")))
"""Examples of the forms that few games offer."""


def offer_components() -> dict[str, Schema]:
    """The components of an offer on the wire, which no domain type describes."""
    item: Schema = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    lists = _list(_list(item) | {"uniqueItems": True}, least=1)
    choice: Schema = {
        "description": "A value to choose.",
        "anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"}],
    }
    return {
        "Choice": choice,
        "OneOf": record(
            "The field takes one of these values.",
            {"one_of": _list(ref("Choice"), least=1) | {"description": "The values."}},
        ),
        "OneOfLists": record(
            "The field takes one of these lists; the order of a list's items does not matter.",
            {"one_of": lists | {"maxItems": MOST_LISTS, "description": "The lists."}},
        )
        | {"examples": [_as_sent(LISTS)]},
        "SomeOf": record(
            "The field takes a list of `min` to `max` distinct values of these.",
            {"some_of": _list({"type": "string"}) | {"description": "The values."}, "min": _LEAST, "max": _MOST},
        ),
        "Text": record(
            "The field takes a text of this length without control characters.",
            {
                "text": record(
                    "The least and the greatest length, in Unicode code points.", {"min": _LEAST, "max": _MOST}
                )
            },
        ),
        "Sets": _sets() | {"examples": [_as_sent(SETS)["sets_of"]]},
        "SetsOf": _SETS_OF | {"examples": [_as_sent(SETS)]},
        "OfferedField": any_of(
            "The values that a field of an action admits.", ["OneOf", "OneOfLists", "SomeOf", "SetsOf", "Text"]
        ),
        "Offer": record(
            "An action that a seat may take now. Every combination of values that its fields admit is accepted. A "
            "field whose value would be null or an empty list may be left out of the action.",
            {
                "type": {"type": "string", "description": "The action's type."},
                "fields": {
                    "description": "The values that each field of the action admits.",
                    "type": "object",
                    "additionalProperties": ref("OfferedField"),
                },
            },
        ),
    }


def _as_sent(field: OneOfLists | SetsOf) -> Any:
    return msgspec.json.decode(msgspec.json.encode(field.describe()))


def _sets() -> Schema:
    card: Schema = {"type": "string"}
    number: Schema = {"type": "integer", "minimum": 1}
    chosen = _list(_list(card) | {"uniqueItems": True}, least=1) | {"maxItems": MOST_EXAMPLES}
    return record(
        "The condition on the cards of a list.",
        {
            "values": {
                "description": "The cards that may be chosen, each with its value.",
                "type": "object",
                "additionalProperties": number,
            },
            "total": number | {"maximum": MOST_TOTAL, "description": "The sum of the numbers in every set."},
            "with": _list(number) | {"description": "The numbers that are in the sets beside the cards' values."},
            "min": _LEAST | {"description": "The least number of cards."},
            "examples": chosen | {"description": "Some of the lists that the field takes."},
        },
    )


_SETS_OF = record(
    "The field takes a list of distinct cards of `values`, at least `min`, in any order. It must be possible to "
    "divide their values and all the numbers in `with` into sets that each add up to `total`. So `5h`, `5d` and "
    "`4s`, worth 5, 5 and 4, make up two sets of 9 with the number 4, and `4s` alone makes up none. The empty list "
    "is accepted if `min` is 0 and `with` is empty. A client that does not compute sends one of the `examples`.",
    {"sets_of": ref("Sets")},
)


_LEAST: Schema = {"type": "integer", "minimum": 0, "description": "The least number."}
_MOST: Schema = {"type": "integer", "minimum": 0, "description": "The greatest number."}


def _list(items: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": items} | ({"minItems": least} if least else {})


def offer_schema(tag: str, action: Schema) -> Schema:
    """The component of an action's offers. The form of a field follows from the type of its values."""
    fields = {name: _offered(schema) for name, schema in action["properties"].items() if name != "type"}
    return record(
        action["description"],
        {
            "type": {"type": "string", "const": tag},
            "fields": record("The values that each field admits.", fields, optional=fields),
        },
    )


def _offered(schema: Schema) -> Schema:
    if schema.get("type") == "array":
        some_of = {"some_of": _list(schema["items"]), "min": _LEAST, "max": _MOST}
        return {
            "description": "A list of values; an offer gives the admitted lists in one of three forms.",
            "anyOf": [record("The field takes some of these values.", some_of), ref("OneOfLists"), ref("SetsOf")],
        }
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const"}:
        return ref("Text")
    values = {key: value for key, value in schema.items() if key not in ("description", "default")}
    return record("The field takes one of these values.", {"one_of": _list(values, least=1)})
