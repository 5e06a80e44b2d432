"""Acts: what a seat may do in a phase, and the rules that limit it, as rows in the order of the rules.

A rule of legality is one row: its number, what it allows, and why not. What is offered and why an act is refused are
both made from the rows.

row      what the rule does                      offers                          refusal
Bar      closes the act, whatever its fields     none                            why it is closed
Among    allows some values of a field           the values that all rows allow  why not this value
Count    allows some numbers of items of a list  as many as all rows allow       why not so many
Free     allows every value of a field's type    all of them                     none
Refusal  is kept by whatever is offered          none: the act makes its own     why the act breaks it

An act whose fields depend on each other in other ways makes its offers itself; its rows are bars and refusals.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, TypeAlias, TypeVar, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import astuple

from domain.cards import Card
from domain.kernel.action import Action, Phase, tag_of
from domain.kernel.event import Event, Payload
from domain.kernel.offers import MOST_CARDS, Choice, Field, Offer, OneOf, SomeOf
from domain.seats import Seat, seat_audience

T = TypeVar("T")

Objection: TypeAlias = Callable[[Any, Seat, Any], str | None]
"""The fault of a seat's act in a phase, as a sentence in the game's words; None if the act keeps the rule.

Called only if the act keeps the rules before. Reads public fields and the seat's own cards alone.
"""
Fault: TypeAlias = Callable[[Any, Seat, Any], str | None]
"""Why the act breaks the row's rule, as a sentence in the game's words. Called only for an act that breaks it."""


class Bar(Struct, frozen=True, gc=False):
    """A rule that closes the act to a seat, whatever its fields."""

    rule: str
    objection: Callable[[Any, Seat], str | None]
    """Why the act is closed, as a sentence; None if it is open."""


class Among(Struct, frozen=True, gc=False):
    """A rule that allows some values of a field. A list takes some of them, each once."""

    rule: str
    field: str
    values: Callable[[Any, Seat, Any], Sequence[Choice] | None]
    """The values that the rule allows; None if it limits nothing here. It reads no fields of the act but `reads`."""
    fault: Fault
    reads: tuple[str, ...] = ()


class Count(Struct, frozen=True, gc=False):
    """A rule that allows some numbers of items of a list."""

    rule: str
    field: str
    bounds: Callable[[Any, Seat, Any], tuple[int, int] | None]
    """The least and the most items; None if the rule limits nothing here. It reads no fields of the act but `reads`."""
    fault: Fault
    reads: tuple[str, ...] = ()


class Free(Struct, frozen=True, gc=False):
    """A field that takes each of these values, which are all that its type has."""

    field: str
    values: tuple[Choice, ...]


class Refusal(Struct, frozen=True, gc=False):
    """A rule that whatever is offered keeps, and the sentence for an act that breaks it."""

    rule: str
    objection: Objection
    fields: tuple[str, ...] = ()
    """The fields of the act that it reads. It does not judge a question that leaves one of them open."""
    phase: type[Phase] | None = None
    """The only phase in which the rule applies, if the act exists in other phases too."""


Limit: TypeAlias = Among | Count
Row: TypeAlias = Bar | Limit | Free | Refusal


class ActRules(Struct, frozen=True):
    """What a seat may do, the event that it causes, and the rules that limit it."""

    action: type[Action]
    event: type[Payload]
    """The type of the event that the act causes."""
    rows: tuple[Row, ...] = ()
    make: Callable[[Any, Seat, Any], Event[Payload]] | None = None
    """The event that the act causes, if it is legal. None: it has the seat and the act's fields as they are."""
    read: Callable[[Event[Any]], Action | None] | None = None
    """The act that caused an event of this type; None if another act did, or if its section is not open. No function:
    the event has the act's fields as they are.
    """
    section: type[Struct] | None = None
    """The seat's section of the event, if the act's fields are there and not in the public payload."""
    names: Mapping[str, str] = {}
    """The event's names for the act's fields, where they differ."""
    phase: type[Phase] | None = None
    """The only phase in which these rules apply, if the act exists in other phases too."""
    each: str | None = None
    """The field that other rows read, which is no list: there is an offer for each of its values."""
    offers: Callable[[Any, Seat], tuple[Offer, ...]] | None = None
    """The offers where no bar closes the act. None: the rows say which there are."""


Offered: TypeAlias = Callable[[Any, Seat], tuple[Offer, ...]]
"""The offers of an act where no bar closes it."""
Computed: TypeAlias = Mapping[type[Action], Offered]
NOTHING_COMPUTED: Computed = {}
_Open: TypeAlias = tuple[Callable[[Any, Seat], str | None] | None, tuple[Offer, ...], Offered]
"""Why an act is closed, if it has bars, and its offers where it is open: always the same, or those of a function."""

_Opens: TypeAlias = tuple[Offered | None, Sequence[_Open], Sequence[_Open]]
"""The acts of a phase: the only one for the seat that must act, all of them for it, and those that need no turn.

The only one, mostly a card to play, is offered by itself if no bar may close it.
"""


def every_card(_: Any, _card: Card) -> bool:
    """True: every table of the game deals from the whole pack."""
    return True


class Acts(Struct, frozen=True, dict=True):
    """All acts of a game, in the order in which they are offered."""

    cards: str
    """The rule that lists the cards. It refuses an act with any other card before all other rules."""
    rules: tuple[ActRules, ...]
    dealt: Callable[[Any, Card], bool] = every_card
    """Whether this table plays with the card of the pack."""

    # Read for each refusal. The cache is not part of the value and is not compared.
    @cached_property
    def refusals(self) -> Mapping[type[Action], tuple[Refusal, ...]]:
        """The rules that each type of act may break, in the order of the rules.

        An act that no offer describes breaks at least one.
        """
        found: dict[type[Action], tuple[Refusal, ...]] = {}
        for each in self.rules:
            rows = [_refusal(row, each.phase) for row in each.rows if not isinstance(row, Free)]
            found[each.action] = (*found.get(each.action, ()), *rows)
        return found

    @property
    def decide(self) -> Callable[[Any, Seat, Any], Event[Payload]]:
        """The event that a seat's act causes; `offers` has described the act, so it is legal."""
        makers = {
            action: _maker_of_event([each for each in self.rules if each.action is action])
            for action in dict.fromkeys([each.action for each in self.rules])
        }
        if len(makers) == 1:
            return next(iter(makers.values()))

        def decide(state: Any, seat: Seat, action: Any) -> Event[Payload]:
            return makers[type(action)](state, seat, action)

        return decide

    @property
    def action_of(self) -> Callable[[Event[Any]], Action | None]:
        """The act that caused an event; None for an automatic event, and if the acting seat's section is not open."""
        readers: dict[type[Payload], list[Callable[[Event[Any]], Action | None]]] = {}
        for each in self.rules:
            reader = each.read or _reader(each)
            if reader not in (known := readers.setdefault(each.event, [])):
                known.append(reader)

        def action_of(event: Event[Any]) -> Action | None:
            for reader in readers.get(type(event.public), ()):
                action = reader(event)
                if action is not None:
                    return action
            return None

        return action_of

    def offers(
        self, to_act: Callable[[Any], tuple[Seat, ...]], computed: Computed = NOTHING_COMPUTED
    ) -> Callable[[Any, Seat], tuple[Offer, ...]]:
        """The acts open to a seat now: those that need a turn only where the seat must act.

        Raises ValueError if neither `computed` has the offers of an act, nor rows say what each of its fields may be.
        """
        made = [(each, _open(each, computed)) for each in self.rules]
        phases: dict[type[Phase], _Opens] = {}

        def learn(phase: type[Phase]) -> _Opens:
            acts = [(each.action, one) for each, one in made if _applies(each, phase)]
            in_turn, any_time = [one for _, one in acts], [one for act, one in acts if tag_of(act) in phase.FREE]
            alone = in_turn[0][2] if len(in_turn) == 1 and in_turn[0][:2] == (None, ()) else None
            phases[phase] = found = alone, in_turn, any_time
            return found

        def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
            try:
                alone, in_turn, any_time = phases[type(state)]
            except KeyError:
                alone, in_turn, any_time = learn(type(state))
            turn = seat in to_act(state)
            if turn and alone is not None:
                return alone(state, seat)
            found: tuple[Offer, ...] = ()
            for bar, always, offered in in_turn if turn else any_time:
                if bar is None or bar(state, seat) is None:
                    found += always or offered(state, seat)
            return found

        return once_a_seat(offers)


def limiting(acts: Acts, action: type[Action]) -> tuple[str, ...]:
    """The rules that limit an act, in the order in which they are judged; the act's own if it has no others."""
    rows = [row for each in acts.rules if each.action is action for row in each.rows]
    return tuple(dict.fromkeys([action.RULE if isinstance(row, Free) else row.rule for row in rows])) or (action.RULE,)


def _maker_of_event(rules: Sequence[ActRules]) -> Callable[[Any, Seat, Any], Event[Payload]]:
    """The function that makes the event of a legal act, by the rules of the act in its phases."""
    act, *others = rules
    if any((each.event, each.make) != (act.event, act.make) for each in others):
        makers = [(each.phase or Phase, _maker_of_event([each])) for each in rules]

        @cache
        def maker(phase: type[Phase]) -> Callable[[Any, Seat, Any], Event[Payload]]:
            return next(make for each, make in makers if issubclass(phase, each))

        return lambda state, seat, action: maker(state.__class__)(state, seat, action)
    if act.make is not None:
        return act.make
    event: Any = act.event
    section: Any = act.section
    if section is not None:
        return lambda _, seat, action: Event(event(seat), {seat_audience(seat): section(*astuple(action))})
    return lambda _, seat, action: Event(event(seat, *astuple(action)))


def _reader(act: ActRules) -> Callable[[Event[Any]], Action | None]:
    """The function that reads the act back from its event."""
    names = [act.names.get(name, name) for name in act.action.__struct_fields__]
    action: type[Action] = act.action
    section: Any = act.section

    def openly(event: Event[Any]) -> Action | None:
        return action(*[getattr(event.public, name) for name in names])

    def sealed(event: Event[Any]) -> Action | None:
        opened = event.section(seat_audience(event.public.seat), section)
        return None if opened is None else action(*[getattr(opened, name) for name in names])

    return openly if section is None else sealed


def _applies(each: ActRules, phase: type[Phase]) -> bool:
    """Whether the act exists in the phase, by these rules."""
    return tag_of(each.action) in phase.TURN | phase.FREE and (each.phase is None or issubclass(phase, each.phase))


def _refusal(row: Bar | Limit | Refusal, phase: type[Phase] | None) -> Refusal:
    match row:
        case Bar():
            return Refusal(row.rule, lambda state, seat, _: row.objection(state, seat), (), phase)
        case Among():
            return Refusal(row.rule, _not_among(row), (row.field, *row.reads), phase)
        case Count():
            return Refusal(row.rule, _not_so_many(row), (row.field, *row.reads), phase)
        case Refusal():
            return Refusal(row.rule, row.objection, row.fields, row.phase or phase)


def _not_among(row: Among) -> Objection:
    def objection(state: Any, seat: Seat, action: Any) -> str | None:
        values, value = row.values(state, seat, action), getattr(action, row.field)
        if values is None:
            return None
        if isinstance(value, tuple):
            allowed = len(set(value)) == len(value) and set(value) <= set(values)
        else:
            allowed = value in values
        return None if allowed else row.fault(state, seat, action)

    return objection


def _not_so_many(row: Count) -> Objection:
    def objection(state: Any, seat: Seat, action: Any) -> str | None:
        bounds = row.bounds(state, seat, action)
        if bounds is None or bounds[0] <= len(getattr(action, row.field)) <= bounds[1]:
            return None
        return row.fault(state, seat, action)

    return objection


def _open(act: ActRules, computed: Computed) -> _Open:
    offered = computed.get(act.action) or act.offers or _from_rows(act)
    bars = [row.objection for row in act.rows if isinstance(row, Bar)]

    def closed(state: Any, seat: Seat) -> str | None:
        for bar in bars:
            why = bar(state, seat)
            if why is not None:
                return why
        return None

    bar = closed if len(bars) > 1 else next(iter(bars), None)
    return (bar, offered, _none) if isinstance(offered, tuple) else (bar, (), offered)


def _none(_state: Any, _seat: Seat) -> tuple[Offer, ...]:
    return ()


Maker: TypeAlias = Callable[[Any, Seat, Any], Field | None]
"""The field that the rows allow; None if they leave nothing."""


def _from_rows(act: ActRules) -> Offered | tuple[Offer, ...]:
    """The offers of an act, made from its rows. Raises ValueError if no row says what one of the fields may be."""
    action, each, type = act.action, act.each, tag_of(act.action)
    hints = get_type_hints(action)
    makers = {name: _maker(act, name, is_list=get_origin(hints[name]) is tuple) for name in action.__struct_fields__}
    draft = action(*[None] * len(makers))

    def offer(state: Any, seat: Seat, draft: Action, chosen: Field | None = None) -> tuple[Offer, ...]:
        fields: dict[str, Field] = {}
        for name, maker in makers.items():
            field = chosen if chosen is not None and name == each else maker(state, seat, draft)
            if field is None:
                return ()
            fields[name] = field
        return (Offer(type, fields),)

    def singly(state: Any, seat: Seat) -> tuple[Offer, ...]:
        found: tuple[Offer, ...] = ()
        field = makers[str(each)](state, seat, draft)
        for value in field.values if isinstance(field, OneOf) else ():
            chosen = action(*[value if name == each else None for name in makers])
            found += offer(state, seat, chosen, OneOf((value,)))
        return found

    if each:
        return singly
    if all(isinstance(row, Free) for row in act.rows if not isinstance(row, Bar | Refusal)):
        # Such an offer is the same wherever it is made.
        return offer(None, 0, draft)
    if len(makers) > 1:
        return lambda state, seat: offer(state, seat, draft)
    ((name, maker),) = makers.items()

    def single(state: Any, seat: Seat) -> tuple[Offer, ...]:
        field = maker(state, seat, draft)
        return () if field is None else (Offer(type, {name: field}),)

    return single


def _maker(act: ActRules, name: str, *, is_list: bool) -> Maker:
    """The function that makes a field of the act. Raises ValueError if no row says what it may be."""
    for row in act.rows:
        if isinstance(row, Free) and row.field == name:
            free = OneOf(row.values)
            return lambda _state, _seat, _draft: free
    among = [row for row in act.rows if isinstance(row, Among) and row.field == name]
    if not among:
        raise ValueError(f"no row says what {name} of {act.action.__name__} may be")
    counts = [row for row in act.rows if isinstance(row, Count) and row.field == name]
    first, *others = [row.values for row in among]

    def left(state: Any, seat: Seat, draft: Any) -> tuple[Any, ...]:
        """The values that all rows allow, in the order of the last."""
        values = first(state, seat, draft)
        for row in others:
            allowed = row(state, seat, draft)
            if values is None:
                values = allowed
            elif allowed is not None:
                values = [value for value in allowed if value in values]
        return () if values is None else tuple(values)

    def one_of(state: Any, seat: Seat, draft: Any) -> OneOf | None:
        values = left(state, seat, draft)
        return OneOf(values) if values else None

    def some_of(state: Any, seat: Seat, draft: Any) -> SomeOf | None:
        values = left(state, seat, draft)
        least, most = 0, min(MOST_CARDS, len(values))
        for row in counts:
            bounds = row.bounds(state, seat, draft)
            if bounds is not None:
                least, most = max(least, bounds[0]), min(most, bounds[1])
        return SomeOf(values, least, most) if least <= most else None

    if is_list:
        return some_of
    if others:
        return one_of

    def of_one_row(state: Any, seat: Seat, draft: Any) -> OneOf | None:
        values = first(state, seat, draft)
        return OneOf(tuple(values)) if values else None

    return of_one_row


def once_a_state(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """The function of a frozen state, which remembers its last answer: decisions, answers and views ask it about the
    same state. States are compared by identity.
    """
    last: tuple[Any, T] | None = None

    def remembering(state: Any) -> T:
        nonlocal last
        kept = last
        if kept is not None and kept[0] is state:
            return kept[1]
        answer = function(state)
        last = state, answer
        return answer

    return remembering


def once_a_seat(function: Callable[[Any, Seat], T]) -> Callable[[Any, Seat], T]:
    """The same for a function of a frozen state and a seat. One for both would cost twice as much."""
    last: tuple[Any, Seat, T] | None = None

    def remembering(state: Any, seat: Seat) -> T:
        nonlocal last
        kept = last
        if kept is not None and kept[0] is state and kept[1] == seat:
            return kept[2]
        answer = function(state, seat)
        last = state, seat, answer
        return answer

    return remembering
