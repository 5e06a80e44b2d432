"""Acts that might be refused: of any type, by any seat, with fields that are nearly right as often as they are wrong.

They are drawn from what a seat knows of its table, so that most of them break a rule that only a look at the cards, or
at what has been done, can name.
"""

import random
from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.inspect import (
    BoolType,
    Field,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
)
from msgspec.structs import asdict

from domain.cards import NAMES
from domain.kernel.action import Action, tag_of
from domain.seats import seat_audience
from domain.table.view import view
from tests.support.games import Live, Wire, parsed

NUMBERS = (-1, 0, *(1, 2, 3, 4, 5) * 3, *range(6, 14))
TEXTS = ("Trumps, please.", "a\nb", "\x7f")


def attempts(live: Live, seat: int, rng: random.Random, number: int) -> Iterator[Action]:
    """So many acts of a seat, or somewhat fewer; some of them may be legal."""
    state = live.table.deal_state
    acts = [act for act in live.game.action_types if act is not live.game.course.gate]
    placed = [act for act in acts if tag_of(act) in state.TURN | state.FREE]
    seen = Seen(live.hand(seat), cards_seen(live, seat), live.game.pack.cards)
    nearly = [offer for other in (seat, *live.to_act) for offer in live.offers(other) if offer.type != "talk"]
    for _ in range(number):
        if nearly and rng.random() < 0.6:
            wire = rng.choice(nearly).pick(rng.randrange)
            fields = fields_of(next(act for act in acts if tag_of(act) == wire["type"]))
            changed = rng.choice(fields) if fields else None
            if changed is not None:
                wire[changed.encode_name] = value(changed.type, seen, rng, wire.get(changed.encode_name))
        else:
            act = rng.choice(acts if rng.random() < 0.2 else placed or acts)
            wire = {"type": tag_of(act)}
            for field in fields_of(act):
                wire[field.encode_name] = value(field.type, seen, rng)
        action = decoded(live, wire)
        if action is not None:
            yield action


def part(action: Action, rng: random.Random) -> dict[str, Any]:
    """Some of the action's fields, as they may be asked about."""
    return {name: value for name, value in asdict(action).items() if rng.random() < 0.5}


def decoded(live: Live, wire: Wire) -> Action | None:
    """The action as the table's game decodes it; None where it does not."""
    try:
        return parsed(wire, live.game)
    except msgspec.ValidationError:
        return None


@cache
def fields_of(act: type[Action]) -> tuple[Field, ...]:
    """The act's fields."""
    info = msgspec.inspect.type_info(act)
    assert isinstance(info, StructType)
    return info.fields


class Seen(NamedTuple):
    """The cards that a value may be."""

    held: Sequence[str]
    known: Sequence[str]
    pack: Sequence[str]

    def card(self, rng: random.Random) -> str:
        """Mostly one that the seat holds, or knows; now and then any of the pack, or of another one."""
        (cards,) = rng.choices((self.held, self.known, self.pack, NAMES), (60, 25, 14, 1))
        return rng.choice(cards or self.pack)

    def item(self, rng: random.Random) -> str:
        """One in a list: mostly one that the seat knows."""
        (cards,) = rng.choices((self.held, self.known, self.pack, NAMES), (30, 60, 9, 1))
        return rng.choice(cards or self.pack)


def cards_seen(live: Live, seat: int) -> list[str]:
    """The cards that the seat's view shows."""
    shown = msgspec.to_builtins(view(live.game, live.table, seat_audience(seat)))
    return list(named(shown, live.game.pack.faces))


def named(value: object, pack: Container[str]) -> Iterator[str]:
    """Every card in a JSON value."""
    match value:
        case str() if value in pack:
            yield value
        case list() | tuple():
            for item in value:
                yield from named(item, pack)
        case dict():
            yield from named(list(value.values()), pack)
        case _:
            pass


def value(kind: Type, seen: Seen, rng: random.Random, before: object = None) -> object:
    """A value of this type; of a list mostly the one before with an item more, less or changed."""
    match kind:
        case Metadata():
            return value(kind.type, seen, rng, before)
        case LiteralType() if kind.values[0] in NAMES:
            return seen.card(rng)
        case LiteralType():
            return rng.choice(kind.values)
        case BoolType():
            return rng.random() < 0.5
        case NoneType():
            return None
        case IntType():
            return rng.choice(NUMBERS)
        case StrType():
            return rng.choice(TEXTS)
        case UnionType():
            return value(rng.choice(kind.types), seen, rng, before)
        case VarTupleType():
            return some(kind.item_type, seen, rng, before)
        case _:
            raise AssertionError(f"no value is known for {kind}")


def some(item: Type, seen: Seen, rng: random.Random, before: object) -> list[object]:
    """A list of such values."""

    def more(number: int) -> list[object]:
        cards = isinstance(item, LiteralType) and item.values[0] in NAMES
        return [seen.item(rng) if cards else value(item, seen, rng) for _ in range(number)]

    if not isinstance(before, list | tuple) or rng.random() < 0.2:
        return more(rng.choice((0, 0, 1, 1, 2, 3, 5, 9)))
    kept = [each for each in before if rng.random() < 0.9]
    again = rng.choices(before, k=1) if before and rng.random() < 0.1 else []
    return [*kept, *more(rng.choice((0, 0, 1, 1, 2))), *again]
