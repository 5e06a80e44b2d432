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
    kinds = {field.name: field.type for field in structs.fields(act)}
    texts: dict[str, list[str]] = {}
    for name, text in given:
        if name not in kinds:
            raise invalid_query(name[:64], f"is not a field of {wanted}")
        texts.setdefault(name, []).append(text)
    return Question(act, {name: _value(act, name, kinds[name], values, game.pack) for name, values in texts.items()})


def reason(game: Game, asked: Question, refusal: Rejected | None) -> WhyNot:
    """The answer to the question, with the text of the rule."""
    if refusal is None:
        return WhyNot(tag_of(asked.act), offered=True, code=None, rule=None, text=None, detail=None)
    text = next((rule.text for rule in (*game.rulebook.rules, *RULES) if rule.id == refusal.rule), None)
    return WhyNot(tag_of(asked.act), False, refusal.code, refusal.rule, text, game.pack.written(refusal.detail))


def _value(act: type[Action], name: str, kind: Any, texts: Sequence[str], pack: Pack) -> object:
    """The field's value. Raises Problem if the texts do not fit its type, or name cards that are not in the pack."""
    is_list = _is_list(kind)
    if not is_list and len(texts) > 1:
        raise invalid_query(name, "must be given once")
    value: object = ([] if texts == [""] else texts) if is_list else texts[0]
    try:
        converted = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise invalid_query(name, fault(error, kind, value, pack)[1]) from None
    if name in card_fields(act) and not_in_pack(converted, pack) is not None:
        raise invalid_query(name, f"must be {one_of(pack.cards)}")
    return converted


@cache
def _is_list(kind: Any) -> bool:
    """Whether the type is a list. Cached: inspecting a type takes longer than the rest of a question."""
    info = inspect.type_info(kind)
    alternatives = info.types if isinstance(info, inspect.UnionType) else (info,)
    return any(isinstance(one, (inspect.ListType, inspect.VarTupleType, inspect.TupleType)) for one in alternatives)
