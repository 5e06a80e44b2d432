"""Static types of a document's schemas.

Objects are TypedDicts, so data stay as they came, and members that the document does not name are kept.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

HEADER = '''"""Types of {title}. Made by `python -m codille_client.types`, not to be edited."""

from __future__ import annotations

from typing import Any, Literal, NewType, NotRequired, TypeAlias, TypedDict

from codille_client.game import GameTypes
'''
GAME = '''class Game(GameTypes[View, Event, Action, Acted]):
    """The types of this game: `Client[Game]` has them."""'''
LISTED = 30
"""A type with more values has a name alone, since a checker would repeat them all in what it says of one."""
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def module(document: Schema) -> str:
    """A module with a type for each schema of the document."""
    schemas = document["components"]["schemas"]
    writer = _Writer(schemas)
    for name, schema in schemas.items():
        writer.define(name, schema)
    of_game = [GAME] if "const" in schemas["TableRequest"]["properties"]["game"] else []
    return "\n\n".join([HEADER.format(title=document["info"]["title"]), *writer.written, *of_game]) + "\n"


class _Writer:
    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = set(names)
        self.written: list[str] = []

    def define(self, name: str, schema: Schema) -> None:
        """Writes the type of this name."""
        members = schema.get("properties")
        if schema.get("type") == "object" and members is not None:
            required = schema.get("required", ())
            typed = {key: self.type(each, name + _camel(key)) for key, each in members.items()}
            given = {key: text if key in required else f"NotRequired[{text}]" for key, text in typed.items()}
            self.written.append("\n".join(_typed_dict(name, schema, given)))
        elif len(schema.get("enum", ())) > LISTED:
            self.written.append("\n".join(_named(name, schema)))
        else:
            text = self.type(schema, name)
            self.written.append(f"{name}: TypeAlias = {text!r}\n{_doc(schema, '')}".rstrip())

    def type(self, schema: Schema | bool, name: str) -> str:
        """The type of a schema as an annotation; an object within another gets the name."""
        if isinstance(schema, bool):
            return "Any"
        match schema:
            case {"$ref": str(reference)}:
                return reference.rpartition("/")[2]
            case {"const": value}:
                return f"Literal[{value!r}]"
            case {"enum": values}:
                return f"Literal[{', '.join(map(repr, values))}]"
            case {"anyOf": [*parts]} | {"oneOf": [*parts]}:
                return " | ".join(dict.fromkeys(self.type(part, f"{name}{at}") for at, part in enumerate(parts, 1)))
            case {"allOf": [one]}:
                return self.type(one, name)
            case {"type": [*kinds]}:
                return " | ".join(dict.fromkeys(self.type({**schema, "type": kind}, name) for kind in kinds))
            case {"type": "array", "prefixItems": [*items]}:
                return f"list[{' | '.join(dict.fromkeys(self.type(item, name) for item in items))}]"
            case {"type": "array"}:
                return f"list[{self.type(schema.get('items', True), name + 'Item')}]"
            case {"type": "object", "properties": {**members}} if members and name not in self._names:
                self._names.add(name)
                self.define(name, schema)
                return name
            case {"type": "object"}:
                return f"dict[str, {self.type(schema.get('additionalProperties', True), name + 'Value')}]"
            case {"type": str(kind)} if kind in SCALARS:
                return SCALARS[kind]
            case _:
                return "Any"


def _typed_dict(name: str, schema: Schema, members: Mapping[str, str]) -> Iterator[str]:
    if all(key.isidentifier() and not iskeyword(key) for key in members):
        yield f"class {name}(TypedDict):"
        yield _doc(schema, "    ") or ("" if members else "    pass")
        for key, text in members.items():
            yield f"    {key}: {text}"
            yield _doc(schema["properties"][key], "    ")
    else:
        yield f"{name} = TypedDict({name!r}, {{"
        yield from (f"    {key!r}: {text!r}," for key, text in members.items())
        yield "})"
        yield _doc(schema, "")


def _named(name: str, schema: Schema) -> Iterator[str]:
    """A type of its own for the values, and a dictionary that has them by their texts."""
    values = schema["enum"]
    yield f"{name} = NewType({name!r}, str)"
    yield _doc(schema, "")
    yield f"{name}s = TypedDict({name + 's'!r}, {{{', '.join(f'{value!r}: {name}' for value in values)}}})"
    yield f"{name.upper()}S: {name}s = {{{', '.join(f'{value!r}: {name}({value!r})' for value in values)}}}"
    yield f'"""Each {name}, as in `{name.upper()}S[{values[0]!r}]`."""'


def _doc(schema: Schema, indent: str) -> str:
    text = schema.get("description", "").replace("\\", "\\\\").replace('"""', "'''")
    paragraphs = [textwrap.fill(part, 110 - len(indent)) for part in re.split(r"\n\n+", text) if part]
    whole = "\n\n".join(paragraphs)
    return textwrap.indent(f'"""{whole}"""', indent) if text else ""


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


class _Prefixed(_Writer):
    """Names the types of `models` from outside."""

    def type(self, schema: Schema | bool, name: str) -> str:
        found = super().type(schema, name)
        return f"models.{found}" if isinstance(schema, Mapping) and "$ref" in schema else found


def annotation(schema: Schema) -> str:
    """The type of a schema, as an annotation beside an imported `models`."""
    return _Prefixed({}).type(schema, "")
