"""A game's own words: sentences for its events, labels of its acts, names of its terms, meanings of its fields.

The words are part of the game and served with it, so one client shows every game and knows none by name. They are data:
a sentence has typed holes, and the conditions under which it fits. Words change nothing in the rules, and are outside
their digest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.kernel.rulebook import Rulebook

Kind: TypeAlias = Literal[
    "seat",
    "seats",
    "place",
    "owner",
    "card",
    "cards",
    "hand",
    "suit",
    "term",
    "terms",
    "amount",
    "totals",
    "lines",
    "line",
    "number",
    "text",
    "each",
    "last",
]

SINGULAR: Mapping[str, Kind] = {"seats": "seat", "cards": "card", "terms": "term"}
"""The kinds of lists, with the kind of their items."""

ITEM_BY_ITEM: tuple[Kind, ...] = ("each", "last")
"""The kinds of lists whose items have sentences of their own."""

Final: TypeAlias = Literal["exchange", "discard", "contract"]

Test: TypeAlias = Literal["is", "is-not", "length", "length-not"]

Value: TypeAlias = str | int | bool | None


class Condition(Struct, frozen=True):
    """A condition on one field."""

    field: Annotated[str, Meta(description="The path of the field.")]
    test: Annotated[
        Test,
        Meta(
            description="`is`, `is-not`: whether the field equals `value`. `length`, `length-not`: whether the list "
            "in the field has `value` items; null has none."
        ),
    ]
    value: Annotated[Value, Meta(description="What the field, or its length, is compared with.")]

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether the condition holds for these values."""
        value = at(values, self.field)
        if self.test.startswith("length"):
            length = len(value) if isinstance(value, (list, tuple)) else 0
            return (length == self.value) == (self.test == "length")
        # In Python, unlike in JSON, 1 and true are equal.
        return (type(value) is type(self.value) and value == self.value) == (self.test == "is")


class Hole(Struct, frozen=True):
    """A hole in a sentence: the field whose value fills it, and the form in which it is written.

    A list is written item by item: cards with a space between two, everything else as `A, B and C`.
    """

    kind: Annotated[
        Kind,
        Meta(
            description="`seat`: the name of the player on the seat. `owner`: likewise of the seat that the section is "
            "sealed for. `card`: a card, by its rank and suit. `hand`: cards whose order means nothing, best sorted. "
            "`suit`: a suit's name. `term`: the name of the value in `terms`. `amount`: a signed number in the game's "
            "unit. `totals`: a list of such amounts by seat, each with the seat's name. `lines`: booked lines, each as "
            "the `version` of the event that booked it and its place in that event's `lines`, from 0; best written by "
            "the lines' sentences, where two lines have one sentence only once. `line`: the text of a booked line. "
            "`number`, `text`: the value itself. `place`: a seat's number, counted from 1. "
            "`seats`, `cards`, `terms`: a list of such values. `each`: for each item of a list, the first of "
            "the sentences in `each` that fits the item's own fields; an item that none fits is left out. `last`: "
            "likewise, but of the last such item alone; nothing where there is none."
        ),
    ]
    field: Annotated[
        str,
        Meta(
            description="The path of the field: names joined by dots, each a field of the value before. Where that "
            "value is a list, the rest of the path is taken of each item; where it is null, the result is null. "
            "Empty for `owner`."
        ),
    ]
    of: Annotated[str | None, Meta(description="For terms, the key in `terms`; else null.")] = None
    each: Annotated[
        tuple["Sentence", ...], Meta(description="For `each` and `last`, the sentences of an item; else empty.")
    ] = ()


class Sentence(Struct, frozen=True):
    """A sentence, complete in itself, that is said if all its conditions hold."""

    text: Annotated[
        str,
        Meta(
            description="The text in English. Each `{name}` is to be replaced by what fills the hole of that name; no "
            "other braces occur."
        ),
    ]
    holes: Annotated[Mapping[str, Hole], Meta(description="The holes, by name.")]
    when: Annotated[tuple[Condition, ...], Meta(description="The conditions, all of which must hold.")] = ()

    def fits(self, values: Mapping[str, Any]) -> bool:
        """Whether all its conditions hold for these values."""
        return all(condition.holds(values) for condition in self.when)


class Row(Struct, frozen=True):
    """How events may be put on one line together, as the cards of a trick are.

    Events outside the row that happen in between get lines of their own before it.
    """

    name: Annotated[str, Meta(description="What such a row is called. The rows of a name are counted in each deal.")]
    text: Annotated[
        Sentence | None,
        Meta(
            description="The event in the fewest words, to stand in the row; null if it ends the row and stands on a "
            "line of its own after it."
        ),
    ]
    ends: Annotated[bool, Meta(description="Whether the row ends with this event.")] = False


class EventWords(Struct, frozen=True):
    """The words for the events of one type."""

    heading: Annotated[str, Meta(description="One or two words that say what the event is about.")]
    sentences: Annotated[
        tuple[Sentence, ...],
        Meta(description="Sentences about the event's public fields, of which the first that fits is said; one does."),
    ]
    sections: Annotated[
        Mapping[str, tuple[Sentence, ...]],
        Meta(
            description="What a sealed section adds for a reader to whom it is open, by the kind of its audience "
            "(`seat`, `house`, `public`): the first sentence that fits, or nothing. Fields are those of the section "
            "and, for names that it lacks, the public ones."
        ),
    ] = {}
    absent: Annotated[
        tuple[Sentence, ...],
        Meta(
            description="What is said of a seat for which the event has no section, where it has one for other seats. "
            "The seat is the `owner`."
        ),
    ] = ()
    row: Annotated[
        Row | None, Meta(description="How the event may stand in a row with others; null if it may not.")
    ] = None


class Introduction(Struct, frozen=True):
    """The game for somebody who has never seen it, sentence by sentence. Each part is read after those before it."""

    aim: tuple[str, ...] = ()
    """What one plays for, in two sentences."""
    turn: tuple[str, ...] = ()
    """What one does in a turn, in three sentences."""
    beginners: tuple[str, ...] = ()
    """What beginners get wrong, in three sentences."""


class Meaning(Struct, frozen=True):
    """The meaning of a field for a client, and the limits that its type does not express."""

    text: str
    least: int | None = None
    """The least value of a number, or of each number in a list."""
    distinct: bool = False
    """Whether the items of a list are distinct."""


class Words(Struct, frozen=True):
    """All words of a game."""

    introduction: Introduction = Introduction()
    """The game for somebody who has never seen it."""
    events: Mapping[str, EventWords] = {}
    """The words for events, by type."""
    acts: Mapping[str, str] = {}
    """The label of each act, by type."""
    prompts: tuple[Sentence, ...] = ()
    """What a seat is asked to do: of sentences about its view and, as the field `offers`, its offers by type, the first
    that fits. Each begins with a verb. Where an act has several offers, the first stands for them.
    """
    sending: Mapping[str, tuple[Sentence, ...]] = {}
    """What is said of an act while it is sent, by type: the first sentence that fits the act's fields; one does."""
    purposes: Mapping[str, str] = {}
    """Why the game has a phase, by phase, for a player who meets it for the first time. It advises no act."""
    promises: Mapping[str, Mapping[str, str]] = {}
    """What each bid, contract and announcement promises and costs, by kind and by value, as terms; that of an act is
    under `act`.
    """
    final: Mapping[str, Final] = {}
    """The acts that a player may want to be asked about once more, by type, with what kind of act it is."""
    piles: Mapping[str, tuple[str, ...]] = {}
    """The acts that taking from a pile means, by the pile's field in a view."""
    sections: tuple[str, ...] = ()
    """The names of the rules' sections, in their order."""
    terms: Mapping[str, Mapping[str, str]] = {}
    """The names of values, by kind (`contract`, `bonus`, `outcome`, `phase` …) and by value."""
    status: tuple[tuple[Sentence, ...], ...] = ()
    """The summary of a view: groups of sentences about the view's fields. The first that fits in each group is used."""
    marks: Mapping[str, str] = {}
    """The roles of seats in a view: the name of the role, by the path of the field that holds the seat."""
    groups: Mapping[str, tuple[Sentence, ...]] = {}
    """The names of groups of cards in a view, by the path of the list of groups.

    Each path has sentences about a group's fields; the first that fits is used.
    """
    lines: Mapping[str, tuple[Sentence, ...]] = {}
    """The sentences of booked lines, by the line's kind; their conditions are on the line's fields, such as its rule.

    They have the forms of the texts of such lines, as `line_words` reads them. The more a sentence reads, the earlier
    it stands, also among those of other kinds.
    """
    fields: Mapping[str, Meaning] = {}
    """The meanings of the game's own fields, by name, or by `Type.name` if the field means something else in
    that type.
    """


def when(field: str, value: Value = None, *, length: int | None = None) -> Condition:
    """The condition that the field has this value, or the list in it this length."""
    return Condition(field, "is", value) if length is None else Condition(field, "length", length)


def unless(field: str, value: Value = None, *, length: int | None = None) -> Condition:
    """The condition that the field has another value, or the list in it another length."""
    return Condition(field, "is-not", value) if length is None else Condition(field, "length-not", length)


def offered(act: str) -> Condition:
    """The condition, of a prompt, that the seat has an offer of this type of act."""
    return unless(f"offers.{act}", None)


HOLE = re.compile(r"\{([^{}]*)\}")


@cache
def split(text: str) -> tuple[str, ...]:
    """The text cut at its holes: every second part is the name of a hole."""
    return tuple(HOLE.split(text))


def say(text: str, *conditions: Condition, each: Sequence[Sentence] = ()) -> Sentence:
    """The sentence of this text, used if the conditions hold.

    A hole is written `{path:kind}`, or `{path}` if the last name of the path is a kind. A term is looked up under the
    last name of its path, or under NAME in `{path:term NAME}`. `each` are the sentences for holes of the kinds `each`
    and `last`. Raises ValueError for a hole of no kind.
    """
    return Sentence(text, {name: _hole(name, tuple(each)) for name in HOLE.findall(text)}, conditions)


def _hole(name: str, each: tuple[Sentence, ...]) -> Hole:
    path, _, described = name.partition(":")
    last = path.rpartition(".")[2]
    kind, _, of = (described or last).partition(" ")
    if kind not in get_args(Kind):
        raise ValueError(f"the hole {{{name}}} is of no kind")
    chosen: Kind = next(one for one in get_args(Kind) if one == kind)
    of_terms = (of or last) if chosen in ("term", "terms") else None
    return Hole(chosen, "" if chosen == "owner" else path, of_terms, each if chosen in ITEM_BY_ITEM else ())


def terms_of(rulebook: Rulebook, column: str = "name") -> dict[str, dict[str, str]]:
    """Names, or texts, from the rulebook's tables: this column of each row, by its first column and the value there."""
    terms: dict[str, dict[str, str]] = {}
    for rows in rulebook.tables.values():
        for row in rows:
            columns = asdict(row)
            key, value = next(iter(columns.items()))
            if column in columns:
                terms.setdefault(key, {})[str(value)] = columns[column]
    return terms


class Filled(Struct, frozen=True):
    """A value that stands in a sentence, to be written as its kind says."""

    kind: Kind
    value: Any
    of: str | None = None


Parts: TypeAlias = tuple[str | Filled, ...]
"""A sentence in its order: literal text, and the values in between."""


def said(sentences: Iterable[Sentence], values: Mapping[str, Any], owner: int | None = None) -> Parts | None:
    """The first sentence that fits the values, with its holes filled; None where none fits.

    The values are decoded JSON. Lists come apart into their items, except a `hand`, `totals` and `lines`.
    """
    for sentence in sentences:
        if sentence.fits(values):
            return tuple(filled(sentence, values, owner))
    return None


def filled(sentence: Sentence, values: Mapping[str, Any], owner: int | None = None) -> Iterator[str | Filled]:
    """The sentence with its holes filled from the values, whether or not they fit its conditions."""
    for place, part in enumerate(split(sentence.text)):
        if place % 2 == 0:
            if part:
                yield part
        else:
            yield from _value(sentence.holes[part], values, owner)


def _value(hole: Hole, values: Mapping[str, Any], owner: int | None) -> Iterator[str | Filled]:
    if hole.kind == "owner":
        yield Filled("seat", owner)
        return
    value = at(values, hole.field)
    if hole.kind in ITEM_BY_ITEM:
        items = [parts for item in value for parts in [said(hole.each, item, owner)] if parts is not None]
        yield from _listed(items[-1:] if hole.kind == "last" else items, ", ")
    elif single := SINGULAR.get(hole.kind):
        items = [(Filled(single, item, hole.of),) for item in value]
        yield from _listed(items, " " if single == "card" else ", ")
    else:
        yield Filled(hole.kind, value, hole.of)


def _listed(items: Sequence[Parts], between: str) -> Iterator[str | Filled]:
    for place, item in enumerate(items):
        if place:
            yield " and " if between != " " and place == len(items) - 1 else between
        yield from item


def at(values: Any, path: str) -> Any:
    """The value at the path, of each item where a list lies on the way; None where the path leads nowhere."""
    name, _, rest = path.partition(".")
    if isinstance(values, (list, tuple)):
        return [at(item, path) for item in values]
    value = values.get(name) if isinstance(values, Mapping) else None
    return at(value, rest) if rest else value
