"""Says in words what is wrong with a value that does not fit its type.

msgspec reports the place and kind of the fault. What would be right there follows from the type at that place.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from domain.cards import NAMES, Pack
from service.http.forms import IN_WORDS

MOST_CHOICES = 20
"""Up to this number, all allowed values are named; beyond it, only SOME_CHOICES of them."""
SOME_CHOICES = 8

_KINDS: Mapping[str, str] = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
    "uuid": "a UUID",
}
_GIVEN: Mapping[str, str] = {**_KINDS, "float": "a number with a fraction or beyond 2^53"}
_COUNTED = {"str": "character", "array": "item", "object": "member"}
_LIMITS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "": "exactly"}

_PATH = re.compile(r" - at (`key` in )?`\$(.*)`$")
_KEY, _ANY = "`key`", "..."
"""The steps to a name in a mapping, and to a value there."""
_UNKNOWN = "Object contains unknown field"
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"field `([^`]*)`")

_SENTENCES: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = (
    (re.compile("Object missing"), lambda _: "is missing"),
    (re.compile("Line feed at the end"), lambda _: "must not end in a line feed"),
    (
        re.compile(r"Expected `([^`]+)`, got `([^`]+)`"),
        lambda one: f"must be {_any(one[1])}, not {_GIVEN.get(one[2], one[2])}",
    ),
    (re.compile(r"Expected `(?:int|float)` ([<>]=?) (\S+)"), lambda one: f"must be {_LIMITS[one[1]]} {one[2]}"),
    (
        re.compile(r"Expected `(str|array|object)` of length ([<>]?=?) ?(\d+)"),
        lambda one: f"must have {_LIMITS[one[2]]} {one[3]} {_COUNTED[one[1]]}{'' if one[3] == '1' else 's'}",
    ),
    (re.compile(r"Expected `([^`]+)`$"), lambda one: f"must be {_any(one[1])}"),
    (re.compile(".*out of range"), lambda _: "is out of range"),
    (re.compile("Invalid UUID"), lambda _: "must be a UUID"),
)


def fault(error: msgspec.ValidationError, kind: Any, value: object, pack: Pack | None = None) -> tuple[str, str]:
    """The place of the fault, as a JSON pointer (RFC 6901), and the fault in words. `kind` is the value's type.

    Where any card would fit the type, those of the pack are named.
    """
    text = str(error)
    path = _PATH.search(text)
    steps = [name or index for name, index in _STEP.findall(path[2])] if path else []
    text = text[: path.start()] if path else text
    if path and path[1]:
        steps.append(_KEY)
    if field := _FIELD.search(text):
        steps.append(field[1])
    if text.startswith(_UNKNOWN):
        known = ", ".join(_fields(*_at(kind, steps[:-1], value)))
        return _pointer(steps), f"is not a field of this object, which has {known or 'none'}"
    nodes, _ = _at(kind, steps, value)
    choices = [choice for node in nodes if isinstance(node, inspect.LiteralType) for choice in _choices(node, pack)]
    form = next((node.pattern for node in nodes if isinstance(node, inspect.StrType)), None)
    if steps[-1:] in ([_KEY], [_ANY]):
        _, members = _at(kind, steps[:-1], value)
        steps[-1] = _wrong_member(members, steps[-1], choices, form)
    return _pointer(steps), in_words(text, choices, form)


def _pointer(steps: Sequence[str]) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _wrong_member(members: Any, step: str, choices: Sequence[object], form: str | None) -> str:
    """The first name in a mapping that has another form, or whose value is none of the choices: msgspec names none."""
    for name, inner in members.items():
        if (inner not in choices) if step == _ANY else not re.search(form or "", name):
            return str(name)
    return step


@cache
def card_fields(kind: type) -> tuple[str, ...]:
    """The names of a type's fields that hold a card or a list of cards."""
    info = inspect.type_info(kind)
    fields = info.fields if isinstance(info, inspect.StructType) else ()
    return tuple(
        field.encode_name
        for field in fields
        if any(
            isinstance(node, inspect.LiteralType) and _is_card(node)
            for outer in _alternatives(field.type)
            for node in (outer, *_inside(outer, "0", None))
        )
    )


def not_in_pack(value: str | Sequence[str] | None, pack: Pack) -> str | None:
    """Where in a card or a list of cards the first one stands that is not in the pack, as a JSON pointer."""
    if isinstance(value, str):
        return None if value in pack else ""
    return next((f"/{index}" for index, card in enumerate(value or ()) if card not in pack), None)


def _is_card(node: inspect.LiteralType) -> bool:
    return len(node.values) == len(NAMES) and set(node.values) == set(NAMES)


def _choices(node: inspect.LiteralType, pack: Pack | None) -> Sequence[object]:
    return pack.cards if pack is not None and _is_card(node) else tuple(node.values)


def in_words(text: str, choices: Sequence[object] = (), form: str | None = None) -> str:
    """msgspec's message about a value, in the words of a refusal.

    `choices` are the allowed values of an enumeration, and `form` is the pattern of the allowed texts.
    """
    if not text.startswith(("Object", "Line feed")):
        if choices:
            return f"must be {one_of(choices)}"
        if "matching regex" in text:
            return IN_WORDS.get(form, "is of another form") if form else "is of another form"
    for pattern, say in _SENTENCES:
        if match := pattern.match(text):
            return say(match)
    # A type's own words begin with a small letter.
    return "is of another form" if text[:1].isupper() else text


def one_of(choices: Sequence[object]) -> str:
    """These values, or the first of many, to follow the words `must be`."""
    if len(choices) == 1:
        return str(choices[0])
    named = choices if len(choices) <= MOST_CHOICES else choices[:SOME_CHOICES]
    others = len(choices) - len(named)
    return f"one of {', '.join(map(str, named))}" + (f" and {others} others" if others else "")


def _any(kinds: str) -> str:
    """The kinds in msgspec's notation `int | null`, in words."""
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds.split(" | "))


def _at(kind: Any, steps: Sequence[str], value: object) -> tuple[Sequence[inspect.Type], object]:
    """The types allowed at a place in values of the type, and this value's part there."""
    nodes = list(_alternatives(_type_info(kind)))
    for step in steps:
        nodes = [each for node in nodes for inner in _inside(node, step, value) for each in _alternatives(inner)]
        value = _part(value, step)
    return nodes, value


def _fields(nodes: Sequence[inspect.Type], value: object) -> list[str]:
    """The names of the fields that the object may have."""
    structs = [node for node in nodes if isinstance(node, inspect.StructType) and _is_own(node, value)]
    tags = [node.tag_field for node in structs if node.tag_field is not None]
    return list(dict.fromkeys([*tags, *(field.encode_name for node in structs for field in node.fields)]))


_type_info = lru_cache(maxsize=256)(inspect.type_info)
"""It returns literals sorted."""


def _alternatives(node: inspect.Type) -> Iterator[inspect.Type]:
    match node:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _alternatives(each)
        case inspect.Metadata(type=inner):
            yield from _alternatives(inner)
        case _:
            yield node


def _inside(node: inspect.Type, step: str, value: object) -> Iterator[inspect.Type]:
    """The types at a name or index within a value of this type. Of tagged types, only the value's own counts."""
    match node:
        case inspect.StructType(tag_field=str(tag_field), tag=tag) if step == tag_field:
            yield inspect.LiteralType((str(tag),))
        case inspect.StructType(fields=fields) if _is_own(node, value):
            yield from (field.type for field in fields if field.encode_name == step)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            yield item
        case inspect.TupleType(item_types=items) if step.isdigit() and int(step) < len(items):
            yield items[int(step)]
        case inspect.DictType(key_type=key, value_type=inner):
            yield key if step == _KEY else inner
        case _:
            return


def _is_own(node: inspect.StructType, value: object) -> bool:
    """Whether the value has this type's tag, or the type has none."""
    return node.tag_field is None or (isinstance(value, dict) and value.get(node.tag_field) == node.tag)


def _part(value: object, step: str) -> object:
    if isinstance(value, dict):
        return value.get(step)
    return value[int(step)] if isinstance(value, list) and step.isdigit() and int(step) < len(value) else None
