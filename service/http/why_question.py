"""The question why an act is not offered, as a query asks it, and its answer."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect, structs

from domain.cards import Pack
from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.rejection import Rejected
from domain.table.rules import RULES
from domain.table.talk import action_types_of
from service.http.faults import card_fields, fault, not_in_pack, one_of
from service.http.problems import invalid_query
from service.http.schemas import WhyNot


class Question(Struct, frozen=True):
    """The act in question: its type, and the given fields."""

    act: type[Action]
    fields: Mapping[str, object]


def question(game: Game, wanted: str, given: Sequence[tuple[str, str]]) -> Question:
    """The question in a query: the type of an act, and fields as text; a list has one text per item.

    Raises Problem if the game has no such act, or the act no such field or value.
    """
    acts = {tag_of(act): act for act in action_types_of(game)}
    act = acts.get(wanted)
    if act is None:
        raise invalid_query("why", f"must be {one_of(tuple(acts))}")
    fields = _fields(act)
    texts: dict[str, list[str]] = {}
    for name, text in given:
        if name not in fields:
            raise invalid_query(name[:64], f"is not a field of {wanted}")
        texts.setdefault(name, []).append(text)
    return Question(act, {name: _value(fields[name], values, game.pack) for name, values in texts.items()})


def reason(game: Game, asked: Question, refusal: Rejected | None) -> WhyNot:
    """The answer to the question, with the text of the rule."""
    if refusal is None:
        return WhyNot(tag_of(asked.act), offered=True, code=None, rule=None, text=None, detail=None)
    text = next((rule.text for rule in (*game.rulebook.rules, *RULES) if rule.id == refusal.rule), None)
    return WhyNot(tag_of(asked.act), False, refusal.code, refusal.rule, text, game.pack.written(refusal.detail))


class _ActField(Struct, frozen=True):
    """A field of an act: its name, its type, whether the type is a list, and whether it holds cards."""

    name: str
    kind: Any
    is_list: bool
    has_cards: bool


@cache
def _fields(act: type[Action]) -> Mapping[str, _ActField]:
    """The act's fields by name. Cached: inspecting their types takes longer than the rest of a question."""
    cards = card_fields(act)
    return {
        field.name: _ActField(field.name, field.type, _is_list(field.type), field.name in cards)
        for field in structs.fields(act)
    }


def _value(field: _ActField, texts: Sequence[str], pack: Pack) -> object:
    """The field's value. Raises Problem if the texts do not fit its type, or name cards that are not in the pack."""
    if not field.is_list and len(texts) > 1:
        raise invalid_query(field.name, "must be given once")
    value: object = ([] if texts == [""] else texts) if field.is_list else texts[0]
    try:
        converted = msgspec.convert(value, field.kind, strict=False)
    except msgspec.ValidationError as error:
        raise invalid_query(field.name, fault(error, field.kind, value, pack)[1]) from None
    if field.has_cards and not_in_pack(converted, pack) is not None:
        raise invalid_query(field.name, f"must be {one_of(pack.cards)}")
    return converted


def _is_list(kind: Any) -> bool:
    info = inspect.type_info(kind)
    alternatives = info.types if isinstance(info, inspect.UnionType) else (info,)
    return any(isinstance(one, (inspect.ListType, inspect.VarTupleType, inspect.TupleType)) for one in alternatives)
