"""Acts that might be refused: of any type, by any seat, with fields that are nearly right as often as they are wrong.

They are drawn from what a seat knows of its table, so that most of them break a rule that only a look at the cards, or
at what has been done, can name.
"""

import random
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
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
from domain.kernel.offers import Offer
from domain.picking import pick
from domain.seats import seat_audience
from domain.table.view import view
from tests.support.games import Live, Wire, parsed

NUMBERS = (-1, 0, *(1, 2, 3, 4, 5) * 3, *range(6, 14))
TEXTS = ("Trumps, please.", "a\nb", "\x7f")


def attempts(
    live: Live,
    seat: int,
    rng: random.Random,
    number: int,
    before: Sequence[Live] = (),
    only: Collection[type[Action]] = (),
) -> Iterator[Action]:
    """So many acts of a seat, or somewhat fewer; some of them may be legal.

    Many are like acts that are offered now, or that were offered to the seat `before`. All are of the types in `only`,
    if there are any in it.
    """
    state = live.table.deal_state
    acts = [act for act in live.game.action_types if act is not live.game.course.gate]
    placed = [act for act in acts if tag_of(act) in state.TURN | state.FREE]
    offered = [offer for other in (seat, *live.to_act) for offer in live.offers(other)]
    offered += [offer for other in before for offer in other.offers(seat)]
    by_type: dict[str, list[Offer]] = {}
    for offer in offered:
        by_type.setdefault(offer.type, []).append(offer)
    seen = Seen(live.hand(seat), cards_seen(live, seat), live.game.pack.cards, numbers_of(offered, rng))
    for _ in range(number):
        act = rng.choice([*only] or (acts if rng.random() < 0.1 else placed or acts))
        fields, alike = fields_of(act), by_type.get(tag_of(act), [])
        if alike and rng.random() < 0.6:
            wire = pick(rng.choice(alike), rng.randrange)
            changed = [rng.choice(fields)] if fields and rng.random() < 0.8 else []
        else:
            wire, changed = {"type": tag_of(act)}, list(fields)
        for field in changed:
            wire[field.encode_name] = value(field.encode_name, field.type, seen, rng, wire.get(field.encode_name))
        action = decoded(live, wire)
        if action is not None:
            yield action


def numbers_of(offers: Sequence[Offer], rng: random.Random) -> dict[str, list[int]]:
    """By the name of a field, some of the numbers that it may be."""
    numbers: dict[str, list[int]] = {}
    for offer in offers:
        for name, chosen in pick(offer, rng.randrange).items():
            if isinstance(chosen, int) and not isinstance(chosen, bool):
                numbers.setdefault(name, []).append(chosen)
    return numbers


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
    numbers: Mapping[str, Sequence[int]]
    """By the name of a field."""

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


def value(name: str, kind: Type, seen: Seen, rng: random.Random, before: object = None) -> object:
    """A value of this type; of a list mostly the one before with an item more, less or changed."""
    match kind:
        case Metadata():
            return value(name, kind.type, seen, rng, before)
        case LiteralType() if kind.values[0] in NAMES:
            return seen.card(rng)
        case LiteralType():
            return rng.choice(kind.values)
        case BoolType():
            return rng.random() < 0.5
        case NoneType():
            return None
        case IntType():
            return rng.choice(seen.numbers.get(name, NUMBERS) if rng.random() < 0.5 else NUMBERS)
        case StrType():
            return rng.choice(TEXTS)
        case UnionType():
            return value(name, rng.choice(kind.types), seen, rng, before)
        case VarTupleType():
            return some(name, kind.item_type, seen, rng, before)
        case _:
            raise AssertionError(f"no value is known for {kind}")


def some(name: str, item: Type, seen: Seen, rng: random.Random, before: object) -> list[object]:
    """A list of such values."""

    def more(number: int) -> list[object]:
        cards = isinstance(item, LiteralType) and item.values[0] in NAMES
        return [seen.item(rng) if cards else value(name, item, seen, rng) for _ in range(number)]

    if not isinstance(before, list | tuple) or rng.random() < 0.2:
        return more(rng.choice((0, 0, 1, 1, 2, 3, 5, 9)))
    kept = [each for each in before if rng.random() < 0.9]
    again = rng.choices(before, k=1) if before and rng.random() < 0.1 else []
    return [*kept, *more(rng.choice((0, 0, 1, 1, 2))), *again]
