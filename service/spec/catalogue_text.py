"""The catalogue of events as text, one file a game, so that a change of an event is a line of a diff.

An event has a block for each schema it may have in a record, the newest first. Objects that members hold have blocks
after the events.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec.inspect
from msgspec import NODEFAULT, Struct

from domain.cards import NAMES, SUITS
from domain.kernel.event import Payload
from domain.kernel.game import Game
from domain.table.events import EVENTS

AUDIENCES = {"seat": "sealed for a seat", "house": "sealed for the house", "public": "sealed, and open to everybody"}
ALIASES: dict[frozenset[object], str] = {frozenset(NAMES): "card", frozenset(SUITS): "suit"}


PLAIN: dict[type[msgspec.inspect.Type], str] = {
    msgspec.inspect.BoolType: "boolean",
    msgspec.inspect.IntType: "integer",
    msgspec.inspect.NoneType: "null",
    msgspec.inspect.StrType: "string",
}


def catalogue(games: Iterable[Game]) -> dict[str, str]:
    """The files' texts by name: `table` has the events of a table's life, the others those of a game."""
    texts = {game.name: text(f"The events of {game.title}", game.events) for game in games}
    return {"table": text("The events of a table's life", EVENTS)} | texts


def text(title: str, payloads: Sequence[type[Payload]]) -> str:
    """The text of one file, under this title."""
    forms = [form for payload in payloads for form in (payload, *reversed(payload.EARLIER))]
    parts = _Parts()
    events = [line for form in forms for line in ("", *_event(form, parts))]
    return "\n".join((title, *events, *parts.lines())) + "\n"


def _event(form: type[Payload], parts: "_Parts") -> Iterator[str]:
    yield f"{form.TYPE}, schema {form.SCHEMA}"
    yield "  public"
    yield from parts.members(form, "    ")
    for kind, section in form.SECTIONS.items():
        yield f"  {AUDIENCES[kind]}"
        yield from parts.members(section, "    ")


class _Parts:
    """The objects that members hold, in the order in which they are first met."""

    def __init__(self) -> None:
        self._met: list[type[Struct]] = []

    def members(self, kind: type[Struct], indent: str) -> Iterator[str]:
        """A line for each member of an object: its name on the wire, and its type."""
        described = msgspec.inspect.type_info(kind)
        assert isinstance(described, msgspec.inspect.StructType)  # noqa: S101 (for the type checker)
        for field in described.fields:
            # Without a default it is UNSET where an event has none.
            has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
            may_lack = not field.required and (kind.__struct_config__.omit_defaults or not has_default)
            yield f"{indent}{field.encode_name}: {self._type(field.type)}{', or left out' if may_lack else ''}"

    def lines(self) -> Iterator[str]:
        """The blocks of all objects that members hold, those that only other objects hold too."""
        for kind in self._met:  # which grows while its members are described
            yield from ("", kind.__name__, *self.members(kind, "  "))

    def _type(self, kind: msgspec.inspect.Type) -> str:
        match kind:
            case msgspec.inspect.Metadata(type=inner):
                return self._type(inner)
            case msgspec.inspect.StructType(cls=cls):
                if cls not in self._met:
                    self._met.append(cls)
                return cls.__name__
            case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
                items = self._type(item)
                return f"list of ({items})" if isinstance(item, msgspec.inspect.UnionType) else f"list of {items}"
            case msgspec.inspect.TupleType(item_types=items):
                return f"list of {', '.join(map(self._type, items))}"
            case msgspec.inspect.DictType():
                return "object"
            case msgspec.inspect.UnionType(types=types):
                return " or ".join(map(self._type, types))
            case msgspec.inspect.LiteralType(values=values):
                return ALIASES.get(frozenset(values)) or " or ".join(json.dumps(value) for value in values)
            case _:
                return PLAIN[type(kind)]
