"""A refusal of a value says what would have been right, and shows neither a pattern nor a type of Python."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from service.http import account_schemas, forms, schemas
from service.http.faults import fault, one_of
from tests.support.for_each import for_each
from tests.support.registry import GAMES


class Lead(Struct, tag="lead", tag_field="type", forbid_unknown_fields=True):
    suit: Literal["s", "h"] | None = None
    level: Annotated[int, Meta(ge=1, le=3)] | None = None
    pair: tuple[Literal[1], Literal[2]] = (1, 2)
    seats: Annotated[tuple[Literal[0, 1], ...], Meta(min_length=1, max_length=2)] = (0,)
    share: float = 0.5
    sure: bool = True
    words: Annotated[str, Meta(max_length=5)] = ""


class Skip(Struct, tag="skip", tag_field="type", forbid_unknown_fields=True):
    pass


class Yield(Struct, tag="yield", tag_field="type", forbid_unknown_fields=True):
    suit: Literal["d", "c"]


SAID = {
    '{"type": "resign", "suit": "s"}': ("/type", "must be one of lead, skip, yield"),
    '{"type": 3}': ("/type", "must be one of lead, skip, yield"),
    "{}": ("/type", "is missing"),
    "[]": ("", "must be an object, not a list"),
    '{"type": "yield"}': ("/suit", "is missing"),
    '{"type": "lead", "suit": 7}': ("/suit", "must be one of h, s"),
    '{"type": "lead", "suit": "d"}': ("/suit", "must be one of h, s"),
    '{"type": "yield", "suit": "s"}': ("/suit", "must be one of c, d"),
    '{"type": "lead", "level": 0}': ("/level", "must be at least 1"),
    '{"type": "lead", "level": 99999999999999999999}': ("/level", "must be at most 3"),
    '{"type": "lead", "level": 2.5}': (
        "/level",
        "must be a whole number or null, not a number with a fraction or beyond 2^53",
    ),
    '{"type": "lead", "level": "2"}': ("/level", "must be a whole number or null, not a text"),
    '{"type": "lead", "pair": [1, 3]}': ("/pair/1", "must be 2"),
    '{"type": "lead", "pair": [1]}': ("/pair", "must have exactly 2 items"),
    '{"type": "lead", "seats": []}': ("/seats", "must have at least 1 item"),
    '{"type": "lead", "seats": [0, 7]}': ("/seats/1", "must be one of 0, 1"),
    '{"type": "lead", "share": "all"}': ("/share", "must be a number, not a text"),
    '{"type": "lead", "sure": 1}': ("/sure", "must be true or false, not a whole number"),
    '{"type": "lead", "words": "too many"}': ("/words", "must have at most 5 characters"),
    '{"type": "lead", "why": 1}': (
        "/why",
        "is not a field of this object, which has type, suit, level, pair, seats, share, sure, words",
    ),
    '{"type": "yield", "suit": "d", "why": 1}': ("/why", "is not a field of this object, which has type, suit"),
    '{"type": "skip", "why": 1}': ("/why", "is not a field of this object, which has type"),
}


@for_each("body", SAID)
def test_what_is_wrong_is_said_in_words(body: str) -> None:
    kind: Any = Lead | Skip | Yield
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(body, type=kind)
    assert fault(refused.value, kind, msgspec.json.decode(body)) == SAID[body]


def test_of_many_values_some_are_named() -> None:
    assert one_of(("s",)) == "s"
    assert one_of(range(20)).endswith(", 18, 19")
    assert one_of(range(21)) == "one of 0, 1, 2, 3, 4, 5, 6, 7 and 13 others"


def ruling(**line: str) -> dict[str, object]:
    whole = {"account": 0, "with": 1, "amount": 1, "kind": "contract", "rule": "CR-1", "text": "Won."}
    return {"ruling": "upheld", "text": "Right.", "lines": [whole | line]}


@pytest.mark.parametrize(
    ("kind", "body", "form"),
    [
        (account_schemas.Registration, {"name": "\u202e"}, forms.NAME),
        (schemas.SeatRequest, {"entropy": "xyz"}, forms.ENTROPY),
        (schemas.DisputeRequest, {"reason": "\t"}, forms.PRINTABLE),
        (schemas.RulingRequest, ruling(kind="K"), forms.LINE_KIND),
        (schemas.RulingRequest, ruling(rule="1"), forms.RULE),
    ],
)
def test_a_text_of_another_form_is_described_and_its_pattern_is_not_shown(kind: Any, body: Any, form: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(body, kind)
    _, detail = fault(refused.value, kind, body)
    assert detail == forms.IN_WORDS[form]
    assert "^" not in detail


def patterns(schema: Any) -> set[str]:
    own = {schema["pattern"]} if isinstance(schema, dict) and isinstance(schema.get("pattern"), str) else set()
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return own.union(*map(patterns, parts))


def test_every_pattern_of_a_body_has_its_words() -> None:
    known = (*vars(schemas).values(), *vars(account_schemas).values())
    bodies = [kind for kind in known if isinstance(kind, type) and issubclass(kind, schemas.RequestBody)]
    assert len(bodies) > 5
    for kind in (*bodies, *(game.actions for game in GAMES.values()), *(game.options for game in GAMES.values())):
        assert patterns(msgspec.json.schema(kind)) <= forms.IN_WORDS.keys(), kind
