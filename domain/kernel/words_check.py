"""Whether a game's words fit its types: a sentence for every event, holes that name fields of their kind, labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec.inspect
from msgspec import Struct, defstruct
from msgspec.structs import replace

from domain.cards import NAMES, SUITS
from domain.kernel.action import Action, tag_of
from domain.kernel.event import Payload
from domain.kernel.ledger import Line
from domain.kernel.line_words import FORMS
from domain.kernel.words import HOLE, ITEM_BY_ITEM, SINGULAR, EventWords, Kind, Sentence, Words, when

FITTING: Mapping[Kind, tuple[type[msgspec.inspect.Type], ...]] = {
    "seat": (msgspec.inspect.IntType,),
    "place": (msgspec.inspect.IntType,),
    "card": (msgspec.inspect.LiteralType,),
    "suit": (msgspec.inspect.LiteralType,),
    "term": (msgspec.inspect.StrType, msgspec.inspect.LiteralType, msgspec.inspect.IntType),
    "amount": (msgspec.inspect.IntType,),
    "totals": (msgspec.inspect.IntType,),
    "lines": (msgspec.inspect.StructType,),
    "line": (),
    "number": (msgspec.inspect.IntType, msgspec.inspect.LiteralType),
    "text": (msgspec.inspect.StrType, msgspec.inspect.LiteralType),
    "each": (msgspec.inspect.StructType,),
    "last": (msgspec.inspect.StructType,),
}
"""The types of the fields that each kind of hole can take; a line stands in no field."""


def faults(
    words: Words, events: Iterable[type[Payload]], acts: Iterable[type[Action]], view: type[Struct]
) -> tuple[str, ...]:
    """What is wrong with the words for these types of events and acts and this view; empty if nothing is.

    Every event type has a sentence that fits whatever happened, every hole names a field of its kind that has a value
    where the sentence fits, every value of a term has a name, and every act has a label and something to be said while
    it is sent.
    """
    return tuple(_faults(words, tuple(events), tuple(acts), view))


def _faults(
    words: Words, events: Sequence[type[Payload]], acts: Sequence[type[Action]], view: type[Struct]
) -> Iterator[str]:
    types = {payload.TYPE: payload for payload in events}
    yield from (f"{type}: there is no such event" for type in words.events.keys() - types.keys())
    yield from (f"{type}: no words" for type in types.keys() - words.events.keys())
    for type, said_of in words.events.items():
        if type in types:
            yield from (f"{type}: {fault}" for fault in _event_faults(said_of, types[type], words.terms))
    by_tag = {tag_of(act): act for act in acts}
    yield from (f"{act}: there is no such act, or no label of it" for act in words.acts.keys() ^ by_tag.keys())
    yield from (f"{act}: nothing is said while it is sent" for act in by_tag.keys() - words.sending.keys())
    for tag, sending in words.sending.items():
        if tag not in by_tag or sending[-1].when:
            yield f"{tag}: there is no such act, or its last sentence does not fit always"
        else:
            yield from (f"{tag}: {fault}" for fault in _sentences_faults(sending, (by_tag[tag],), words.terms))
    asked = (view, defstruct("Asked", [("offers", _offers(by_tag))]))
    yield from (f"prompts: {fault}" for fault in _sentences_faults(words.prompts, asked, words.terms))
    for group in words.status:
        yield from (f"status: {fault}" for fault in _sentences_faults(group, (view,), words.terms))
    for path, sentences in words.groups.items():
        groups = _field((view,), path)
        if groups is None or not groups.listed or not isinstance(groups.type, msgspec.inspect.StructType):
            yield f"groups: {path} is no list of groups"
        else:
            yield from (f"groups: {fault}" for fault in _sentences_faults(sentences, (groups.type.cls,), words.terms))
    for path in words.marks:
        if not _fits("seat", _field((view,), path)):
            yield f"marks: {path} is no seat"
    for sentences in words.lines.values():
        yield from (f"lines: {fault}" for sentence in sentences for fault in _line_faults(sentence))


class _Limits(Struct):
    """What a prompt may say of an offer's field."""

    min: int
    max: int


def _offers(acts: Mapping[str, type[Action]]) -> type[Struct]:
    """A seat's offers by type, of which any may be missing."""
    made = []
    for tag, act in acts.items():
        fields = defstruct("Fields", [(name, _Limits | None) for name in act.__struct_encode_fields__])
        made.append((tag.replace("-", "_"), defstruct("Offer", [("fields", fields)]) | None))
    return defstruct("Offers", made, rename="kebab")


def _line_faults(sentence: Sentence) -> Iterator[str]:
    """What is wrong with a sentence of a line, whose holes are read from the line's text."""
    text, names = sentence.text, HOLE.findall(sentence.text)
    if "}{" in text or len(names) > len(set(names)):
        yield f"{text!r} has two holes side by side, or one twice"
    for hole in sentence.holes.values():
        if hole.kind not in FORMS:
            yield f"{text!r}: {hole.kind} cannot be read from a text"
    for condition in sentence.when:
        if _field((Line,), condition.field) is None:
            yield f"{text!r} rests on {condition.field}, which is no field"


def _event_faults(said_of: EventWords, payload: type[Payload], terms: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    if not said_of.sentences or said_of.sentences[-1].when:
        yield "the last sentence does not fit always"
    yield from _sentences_faults(said_of.sentences, (payload,), terms)
    if said_of.row is not None and said_of.row.text is not None:
        yield from _sentences_faults((said_of.row.text,), (payload,), terms)
    yield from (f"there is no section for {kind}" for kind in said_of.sections.keys() - payload.SECTIONS.keys())
    for kind, sentences in said_of.sections.items():
        if kind in payload.SECTIONS:
            yield from _sentences_faults(sentences, (payload.SECTIONS[kind], payload), terms)
    if said_of.absent and "seat" not in payload.SECTIONS:
        yield "no seat has a section"


def _sentences_faults(
    sentences: Sequence[Sentence], types: Sequence[type], terms: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    for index, sentence in enumerate(sentences):
        text = sentence.text
        if set(HOLE.findall(text)) != sentence.holes.keys():
            yield f"{text!r} has other holes than it names"
        for condition in sentence.when:
            if _field(types, condition.field) is None:
                yield f"{text!r} rests on {condition.field}, which is no field"
        for hole in sentence.holes.values():
            if hole.kind == "owner":
                continue
            field = _field(types, hole.field)
            if not _fits(hole.kind, field) or field is None:
                yield f"{text!r}: {hole.field} is no {hole.kind}"
                continue
            if field.nullable and not _excludes_null(sentences[: index + 1], hole.field):
                yield f"{text!r}: {hole.field} may be null"
            if hole.of is not None and isinstance(field.type, msgspec.inspect.LiteralType):
                unnamed = {str(value) for value in field.type.values} - terms.get(hole.of, {}).keys()
                yield from (f"{text!r}: {value} has no name" for value in sorted(unnamed))
            if hole.kind in ITEM_BY_ITEM:
                items = (field.type.cls,) if isinstance(field.type, msgspec.inspect.StructType) else ()
                yield from _sentences_faults(hole.each, items, terms)


class _Field(Struct, frozen=True):
    """The type of the value at a path: without null, and of the items if it is a list."""

    type: msgspec.inspect.Type
    nullable: bool = False
    listed: bool = False

    @property
    def card(self) -> bool:
        """Whether the values are names of cards."""
        return isinstance(self.type, msgspec.inspect.LiteralType) and set(self.type.values) <= set(NAMES)


def _field(types: Sequence[type], path: str) -> _Field | None:
    """The field at the path, in the first of the types that has a field of the path's first name."""
    name, _, rest = path.partition(".")
    for type in types:
        info = msgspec.inspect.type_info(type)
        for field in info.fields if isinstance(info, msgspec.inspect.StructType) else ():
            if field.encode_name == name:
                outer = _plain(field.type)
                if not rest:
                    return outer
                inner = _field((outer.type.cls,), rest) if isinstance(outer.type, msgspec.inspect.StructType) else None
                return inner and replace(
                    inner, nullable=outer.nullable or inner.nullable, listed=outer.listed or inner.listed
                )
    return None


def _plain(type: msgspec.inspect.Type) -> _Field:
    """The type without the null, list, limits and descriptions around it."""
    match type:
        case msgspec.inspect.Metadata():
            return _plain(type.type)
        case msgspec.inspect.UnionType(types=types):
            others = [one for one in types if not isinstance(one, msgspec.inspect.NoneType)]
            inner = _plain(others[0])
            return replace(inner, nullable=len(others) < len(types))
        case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
            return replace(_plain(type.item_type), nullable=False, listed=True)
        case _:
            return _Field(type)


def _fits(kind: Kind, field: _Field | None) -> bool:
    """Whether a hole of this kind can take the field."""
    if field is None:
        return False
    if kind == "suit" and isinstance(field.type, msgspec.inspect.LiteralType):
        return not field.listed and set(field.type.values) <= set(SUITS)
    listed = kind in SINGULAR or kind in ITEM_BY_ITEM or kind in ("hand", "totals", "lines")
    single: Kind = "card" if kind == "hand" else SINGULAR.get(kind, kind)
    return field.listed == listed and isinstance(field.type, FITTING[single]) and field.card == (single == "card")


def _excludes_null(sentences: Sequence[Sentence], path: str) -> bool:
    """Whether the last of the sentences is used only if the value at the path is not null.

    Its own condition ensures it, or an earlier sentence fits whenever the value is null and the last would fit.
    """
    *earlier, last = sentences
    paths = [path.rsplit(".", dots)[0] for dots in range(path.count(".") + 1)]
    if any(
        condition.field in paths
        and (condition.test == "is-not") == (condition.value is None)
        and condition.test in ("is", "is-not")
        for condition in last.when
    ):
        return True
    nothing = [when(one, None) for one in paths]
    return any(
        any(condition in nothing for condition in sentence.when)
        and all(condition in nothing or condition in last.when for condition in sentence.when)
        for sentence in earlier
    )
