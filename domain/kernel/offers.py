"""Offers: what a seat may do now, and the one source of legality.

An action is legal exactly when some offer describes it. Each field of an offer carries the rule that limits it,
so that a refusal can name the rule that was broken.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.kernel.rejection import Code, Rejected

Choice: TypeAlias = str | int | bool | None


class OneOf(Struct, frozen=True, gc=False):
    """The field takes one of these values. `ruled_out` names the rules of those that another rule takes away."""

    values: tuple[Choice, ...]
    rule: str
    ruled_out: Mapping[str, str] = {}

    def admits(self, value: object) -> bool:
        """Whether the value is among them."""
        return value in self.values

    def describe(self) -> dict[str, object]:
        """As it stands on the wire."""
        return {"one_of": self.values}

    def __str__(self) -> str:
        return "one of " + ", ".join(map(_name, self.values))


class SomeOf(Struct, frozen=True, gc=False):
    """The field takes a list of distinct values among these, of `min` to `max` length."""

    values: tuple[str, ...]
    min: int
    max: int
    rule: str

    def admits(self, value: object) -> bool:
        """Whether the value is such a list."""
        chosen = value if isinstance(value, (tuple, list)) else () if value is None else None
        return (
            chosen is not None
            and self.min <= len(chosen) <= self.max
            and len(set(chosen)) == len(chosen)
            and set(chosen) <= set(self.values)
        )

    def describe(self) -> dict[str, object]:
        """As it stands on the wire."""
        return {"some_of": self.values, "min": self.min, "max": self.max}

    def __str__(self) -> str:
        number = str(self.min) if self.min == self.max else f"{self.min} to {self.max}"
        return f"{number} of " + (", ".join(self.values) or "no cards")


class Text(Struct, frozen=True, gc=False):
    """The field takes a text of `min` to `max` Unicode code points without control characters."""

    min: int
    max: int
    rule: str

    def admits(self, value: object) -> bool:
        """Whether the value is such a text."""
        return isinstance(value, str) and self.min <= len(value) <= self.max and not any(map(_is_control, value))

    def describe(self) -> dict[str, object]:
        """As it stands on the wire."""
        return {"text": {"min": self.min, "max": self.max}}

    def __str__(self) -> str:
        return f"a text of {self.min} to {self.max} characters without control characters"


Field: TypeAlias = OneOf | SomeOf | Text


class Offer(Struct, frozen=True, gc=False):
    """An action that may be taken now; every combination of what its fields admit is accepted."""

    type: str
    fields: dict[str, Field] = {}

    def describe(self) -> dict[str, object]:
        """As it stands on the wire, the rules left out."""
        return {"type": self.type, "fields": {name: field.describe() for name, field in self.fields.items()}}

    def admits(self, fields: Mapping[str, object]) -> bool:
        """Whether each field admits its value, and no other field has a value."""
        offered = self.fields
        for name, field in offered.items():
            if not field.admits(fields.get(name)):
                return False
        return fields.keys() <= offered.keys() or not _extra(offered, fields)


def _name(value: Choice) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"


def _extra(offered: Mapping[str, Field], fields: Mapping[str, object]) -> list[str]:
    """The names of the fields that have a value and are not offered."""
    return [name for name, value in fields.items() if name not in offered and value not in (None, ())]


def described(offers: Iterable[Offer], type: str, fields: Mapping[str, object]) -> bool:
    """Whether one of the offers describes the action of this type with these fields, so that it is legal."""
    return any(offer.type == type and offer.admits(fields) for offer in offers)


class _Refusal(Struct, frozen=True, gc=False):
    """Why one offer does not describe an action."""

    name: str
    """The first field that it refuses; else the first that it does not have."""
    field: Field | None
    place: int
    """How many fields it admits before that one."""
    extra: bool
    """Whether the action has a field that the offer does not have."""


def require(offers: Sequence[Offer], type: str, fields: Mapping[str, object], rule: str) -> None:
    """Returns if one of the offers describes the action. Raises Rejected, with the rule that was broken, if none does.

    `rule` is cited where no offer has the action's type. Otherwise the refusal names a field of the nearest offer: of
    those that have all the fields given, else of all, the one that admits the most fields before its first refusal.
    It says what the field may be by that offer and by all that refuse the same field after as many.
    """
    if described(offers, type, fields):
        return
    refusals = [_refusal(offer, fields) for offer in offers if offer.type == type]
    if not refusals:
        raise Rejected(Code.RULE_VIOLATION, f"{type} is not open to this seat now", rule)
    nearest = max(refusals, key=lambda refusal: (not refusal.extra, refusal.place))
    name, value = nearest.name, fields.get(nearest.name)
    if nearest.field is None:
        raise Rejected(Code.RULE_VIOLATION, f"{type} takes no {name} here", rule)
    alike = [
        refusal.field
        for refusal in refusals
        if refusal.field is not None and (refusal.name, refusal.place) == (name, nearest.place)
    ]
    ruled_out = (broken for field in alike if (broken := _broken(field, value)) != field.rule)
    broken = next(ruled_out, nearest.field.rule)
    raise Rejected(Code.RULE_VIOLATION, f"{name} must be {_any_of(alike)}", broken)


def _refusal(offer: Offer, fields: Mapping[str, object]) -> _Refusal:
    """Why the offer does not describe these fields, which it does not admit."""
    extra = _extra(offer.fields, fields)
    for place, (name, field) in enumerate(offer.fields.items()):
        if not field.admits(fields.get(name)):
            return _Refusal(name, field, place, bool(extra))
    return _Refusal(extra[0], None, len(offer.fields), extra=True)


def _any_of(fields: Sequence[Field]) -> str:
    """What a value may be that one of the fields admits."""
    choices = [field for field in fields if isinstance(field, OneOf)]
    if len(choices) == len(fields):
        return str(OneOf(tuple(dict.fromkeys(value for field in choices for value in field.values)), ""))
    return " or ".join(dict.fromkeys(map(str, fields)))


def _broken(field: Field, value: object) -> str:
    """The rule that the value breaks which the field does not admit."""
    return field.ruled_out.get(str(value), field.rule) if isinstance(field, OneOf) else field.rule
