"""Bodies as they are decoded: numbers however they are written, and texts that are not JSON."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from domain.kernel.game import Game
from domain.table.actions import Act
from domain.table.talk import actions_of
from service.http import account_schemas, schemas, webhook_schemas
from service.http.body import ActDecoder, Decoders, convert, decode, digest
from service.http.problems import Problem
from tests.golden.games import recordings
from tests.support.for_each import for_each
from tests.support.foreign_words import in_text
from tests.support.registry import GAMES

DECODERS = Decoders()
KINDS = {
    kind
    for module in (schemas, account_schemas, webhook_schemas)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, schemas.RequestBody)
}
BODIES: dict[bytes, Any] = {
    b'{"game": "ombre", "deals": 20, "table": {"clock": {"seconds": 30, "reserve": 0}}}': schemas.TableRequest,
    b'{"game": "ombre", "table": {"spectator_delay": {"events": 10}}}': schemas.TableRequest,
    b'{"seat": 0}': schemas.SeatRequest,
    b'{"lines": [{"version": 12, "line": 0}], "reason": "wrong"}': schemas.DisputeRequest,
    b'{"ruling": "upheld", "text": "so it is", "lines": [{"account": 0, "with": 1, "amount": 100, "kind": "contract", '
    b'"rule": "CR-1", "text": "Won."}]}': schemas.RulingRequest,
    b'{"after": 9007199254740991}': webhook_schemas.WebhookReplay,
}


def with_points(value: Any) -> Any:
    """The value, whose whole numbers are floats."""
    match value:
        case dict():
            return {name: with_points(inner) for name, inner in value.items()}
        case list():
            return [with_points(inner) for inner in value]
        case int() if not isinstance(value, bool):
            return float(value)
        case _:
            return value


def spellings(value: Any) -> Iterator[bytes]:
    """The value as JSON, with its whole numbers spelt otherwise."""
    text = json.dumps(with_points(value))
    for end in (".0", "e0", ".000E+0"):
        yield text.replace(".0", end).encode()


def check_spellings(decoded: Callable[[bytes], object], raw: bytes) -> None:
    for other in spellings(json.loads(raw)):
        assert decoded(other) == decoded(raw), other
        assert digest(other) == digest(raw), other


@for_each("raw", BODIES)
def test_a_whole_number_may_be_written_with_a_point_or_an_exponent(raw: bytes) -> None:
    check_spellings(lambda text: decode(text, DECODERS.of(BODIES[raw])), raw)


@for_each("game", GAMES.values())
def test_so_it_may_in_acts_and_options(game: Game) -> None:
    acts = {
        type(step.command.action): msgspec.json.encode(step.command.action)
        for one in recordings(game.name).values()
        if one.rules == game.rulebook.version
        for step in one.steps
        if isinstance(step.command, Act)
    }
    assert acts
    for raw in acts.values():
        check_spellings(ActDecoder(game).decode, raw)
    options = game.options()
    assert convert(with_points(msgspec.to_builtins(options)), game.options) == options


@for_each("number", ["3.5", '"3"', "1e400", "-1e400", "9007199254740993.0", "1e16", "1e-7", "true", "9" * 5000])
def test_other_numbers_stay_refused(number: str) -> None:
    kind = DECODERS.of(schemas.SeatRequest)
    with pytest.raises(Problem) as refused:
        decode(f'{{"seat": {number}}}'.encode(), kind)
    assert (refused.value.code, refused.value.document.detail[:6]) == ("invalid-body", "/seat:")


def test_minus_zero_is_zero() -> None:
    for number in ("-0", "-0.0", "-0e5"):
        assert decode(f'{{"seat": {number}}}'.encode(), DECODERS.of(schemas.SeatRequest)).seat == 0
        assert digest(f'{{"seat": {number}}}'.encode()) == digest(b'{"seat":0}')


def test_the_digest_of_a_usual_body_stays_what_receipts_hold() -> None:
    assert digest(b'{ "type": "play", "card": "Ks" }').hex().startswith("ed72c966ac3989931af0f44f1d7ceb96")
    assert digest(b'{"game": "ombre", "deals": 3}').hex().startswith("cf21c2d5aab88879e038b165c2827063")


def limits(schema: Any) -> Iterator[Any]:
    """The schemas of whole numbers in a schema."""
    if isinstance(schema, dict) and schema.get("type") == "integer":
        yield schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from limits(inner)


def test_every_number_of_a_body_has_limits_that_a_double_holds() -> None:
    for kind in (*KINDS, *(game.options for game in GAMES.values())):
        for schema in limits(msgspec.json.schema(kind)):
            assert max(-schema["minimum"], schema["maximum"]) < 2**53, kind


WHOLE = b'{"ruling": "upheld", "n": [-1.5e3, true, null, {"a": "\\u00e4\\n"}]}'


def spoilt() -> Iterator[bytes]:
    """The body cut off at each place, and with other signs at each."""
    for place in range(len(WHOLE)):
        yield WHOLE[:place]
        for sign in (b"", b",", b"'", b'"', b"\\", b"]", b"}", b":", b"x", b"\x01", b"\xff", b"\xef\xbb\xbf", b"NaN"):
            yield WHOLE[:place] + sign + WHOLE[place + 1 :]


def test_what_is_no_json_is_refused_in_words_of_the_service() -> None:
    texts: set[str] = set()
    for raw in spoilt():
        with pytest.raises(Problem) as refused:
            decode(raw, DECODERS.of(schemas.RulingRequest))
        texts.add(refused.value.document.detail)
    assert "the body is not JSON at line 1, column 1" in texts
    assert len(texts) > 50
    assert not {text: foreign for text in texts if (foreign := in_text(text))}


WRONG = (
    None,
    True,
    7,
    2.5,
    1e300,
    -1,
    "",
    "\n",
    "x" * 3000,
    "1s",
    [],
    [None] * 99,
    {},
    {"x": 1},
    {"1": "x"},
    {"x": "quick"},
)
"""Each of them is wrong in most places."""


def wrong(kind: inspect.Type) -> Iterator[Any]:
    """Values that do not fit the type, or do not fit it in one place."""
    yield from WRONG
    match kind:
        case inspect.UnionType(types=kinds):
            for each in kinds:
                yield from wrong(each)
        case inspect.Metadata(type=inner):
            yield from wrong(inner)
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            named = {tag_field: tag} if tag_field else {}
            yield from ({**named, field.encode_name: value} for field in fields for value in wrong(field.type))
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            yield from ([value] for value in wrong(inner))


def test_what_does_not_fit_is_refused_in_words_of_the_service() -> None:
    texts: set[str] = set()
    for kind in (*KINDS, *(kind for game in GAMES.values() for kind in (actions_of(game), game.options))):
        for value in wrong(inspect.type_info(kind)):
            try:
                convert(value, kind)
            except Problem as problem:
                texts.add(problem.document.detail)
    assert len(texts) > 500
    assert not {text: foreign for text in texts if (foreign := in_text(text))}
