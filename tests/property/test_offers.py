"""Offers are the one source of legality: what they describe is accepted, everything else is rejected."""

import json
import random
from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple, cast, get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.inspect import BoolType, Field, IntType, LiteralType, Metadata, NoneType, StructType, Type, UnionType

from domain.cards import Card
from domain.kernel.action import Action
from domain.kernel.game import Game
from domain.kernel.offers import MOST_EXAMPLES, OneOf, OneOfLists, SetsOf, SomeOf, Text, sets_of
from domain.kernel.offers import Field as OfferedField
from domain.kernel.rejection import Rejected
from domain.picking import field_from_wire, pick_value
from domain.record.history import Moment, record_command
from domain.table.actions import Act
from domain.table.talk import MAX_UTTERANCES, action_types_of
from tests.property.strategies import events_a_game, in_random_games, picking, playing, started
from tests.support.games import EVERYBODY, Live, Wire, moment, parsed, pick
from tests.support.helpers import helper
from tests.support.long import enough
from tests.support.picking import describes, fits
from tests.support.registry import GAMES
from tests.support.repetition import times

MOST_COMBINATIONS = times(150)
"""The actions that are tried of types that some seat is offered, for a seat whose offers are not empty."""
MOST_AT_ONCE = 300
"""Likewise for all such seats together."""
MOST_UNLIKELY = 40
"""The actions that are tried of types that no seat is offered, and of a seat that is offered nothing."""
RARE = 4
"""In so many positions of a phase all are tried; in more of them the seldomer, the more there were."""
LONG = 120
"""In games with more events not each choice is drawn by itself: they would be more than Hypothesis draws."""
MOST_EVENTS = 200
MOST_VALUES = 52
"""Of a field that may have more values only some are tried."""
NUMBERS = tuple(range(-1, 17))
"""What is tried for a number of something on the table."""
CARDS = frozenset(get_args(Card)).union(*(game.pack for game in GAMES.values()))
NONSENSE: tuple[Wire, ...] = ({"type": "nonsense"}, {"type": "bid", "contract": "everything"}, {"type": "bid"})


@in_random_games(10)
def test_any_sequence_of_picks_is_accepted_and_ends(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live = data.draw(started(tables))
    deals, longest = live.table.deals, helper(live.game.name, "habits").events_a_deal
    longest += MAX_UTTERANCES * len(live.seats) * live.table.table_options.talk
    for state in playing(live, rng if events_a_game(tables.game) > LONG else data.draw(picking)):
        assert all(state.offers(seat) for seat in state.to_act)
        assert state.table.status == "finished" or state.to_act or nobody_has_a_turn(state)
        assert state.version < 10 + deals * longest
    if not enough(tables.game, live.table):
        assert live.table.status == "finished"
        assert live.table.scored == deals or tables.game.course.over(live.table.standing)


def nobody_has_a_turn(live: Live) -> bool:
    """Whether the game goes on without turns: some seat is offered an act, and none one that needs a turn."""
    offered = set[str]().union(*map(live.types, live.seats)) - {"talk"}
    return bool(offered) and offered <= live.table.deal_state.FREE


def actions(game: Game) -> dict[str, tuple[Field, ...]]:
    """The fields of the game's actions, by type."""
    return _actions(game.name)


@cache
def _actions(game: str) -> dict[str, tuple[Field, ...]]:
    types = msgspec.inspect.multi_type_info(action_types_of(GAMES[game]))
    structs = [one for one in types if isinstance(one, StructType)]
    return {str(one.tag): one.fields for one in structs}


def values(field: Type, game: Game) -> tuple[Any, ...] | None:
    """All that the field may hold; None where it is a list or a text."""
    match field:
        case Metadata():
            return values(field.type, game)
        case LiteralType():
            return tuple(value for value in field.values if value in game.pack or value not in CARDS)
        case BoolType():
            return (True, False)
        case NoneType():
            return (None,)
        case IntType():
            return NUMBERS
        case UnionType():
            every = [values(one, game) for one in field.types]
            return None if None in every else tuple(value for some in every for value in some or ())
        case _:
            return None


class Try(NamedTuple):
    """An action that is tried: as it is sent, as it is decoded, and whether it has no fields but its own."""

    wire: Wire
    action: Action | None
    """None where it cannot be decoded."""
    well_formed: bool


def attempt(game: Game, wire: Wire) -> Try:
    """The action, to be tried."""
    try:
        action = parsed(wire, game)
    except msgspec.ValidationError:
        action = None
    return Try(wire, action, well_formed(game, wire))


@cache
def simple_actions(game: str) -> tuple[Try, ...]:
    """Every action of the game that holds no list and no text, decoded once."""
    wires = list(NONSENSE)
    for kind, fields in _actions(game).items():
        choices = [values(field.type, GAMES[game]) for field in fields]
        if None not in choices:
            names = [field.encode_name for field in fields]
            wires += [
                {"type": kind, **dict(zip(names, chosen, strict=True))}
                for chosen in product(*(some for some in choices if some is not None))
            ]
    return tuple(attempt(GAMES[game], wire) for wire in wires)


def some_actions(game: Game, offered: frozenset[str], rng: random.Random, most: int) -> list[Try]:
    """Of the actions whose types are offered to some seat at most so many, and a few of the others."""
    likely, unlikely = by_likelihood(game.name, offered)
    limits = ((likely, most), (unlikely, min(most, MOST_UNLIKELY)))
    return [each for some, limit in limits for each in (some if len(some) <= limit else rng.sample(some, limit))]


@cache
def by_likelihood(game: str, offered: frozenset[str]) -> tuple[list[Try], list[Try]]:
    """The simple actions whose types are offered to some seat, and the others."""
    likely, unlikely = list[Try](), list[Try]()
    for each in simple_actions(game):
        (likely if each.wire["type"] in offered else unlikely).append(each)
    return likely, unlikely


def lists_and_texts(game: Game, kind: str) -> frozenset[str]:
    """The fields of the action that hold a list or a text."""
    return _lists_and_texts(game.name, kind)


@cache
def _lists_and_texts(game: str, kind: str) -> frozenset[str]:
    fields = _actions(game).get(kind, ())
    return frozenset(field.encode_name for field in fields if values(field.type, GAMES[game]) is None)


def variants(live: Live, seat: int, rng: random.Random) -> list[Wire]:
    """Actions picked from offers, as they are and changed in one way each; and lists of cards from the hand."""
    wires: list[Wire] = []
    for offer in live.offers(seat):
        wire = pick((offer,), rng)
        wires += [wire, *changed(live.game, wire, rng)]
    hand = list(live.hand(seat))
    discard = rng.sample(hand, rng.randint(0, len(hand)))
    for kind in actions(live.game):
        lists = lists_and_texts(live.game, kind)
        wires.append({"type": kind, **dict.fromkeys(lists, discard)})
        wires.append({"type": kind, **{name: rng.sample(live.game.pack.cards, rng.randint(0, 3)) for name in lists}})
        wires += [{"type": kind, **dict.fromkeys(lists, text)} for text in ("now", "a\nb", "x" * 281)]
    return wires


def changed(game: Game, wire: Wire, rng: random.Random) -> list[Wire]:
    """The action with one field changed, left out, or added."""
    results = []
    fields = {field.encode_name: field for field in actions(game)[wire["type"]]}
    for name, value in wire.items():
        if name == "type":
            continue
        possible = values(fields[name].type, game) or ()
        others: list[object] = [None, 5, *(possible if len(possible) <= MOST_VALUES else rng.sample(possible, 12))]
        if isinstance(value, list | tuple):
            cards = cast("list[str]", list(value))
            others += [
                [*cards, rng.choice(game.pack.cards)],
                cards[1:],
                [*cards, *cards[:1]],
                rng.sample(cards, len(cards)),
            ]
            others += [[*cards[1:], rng.choice(game.pack.cards)], [], "Ks"]
        elif values(fields[name].type, game) is None:
            others += [f"{value}\x00", "x" * 281, "", " "]
        results += [{**wire, name: other} for other in others]
        results.append({key: kept for key, kept in wire.items() if key != name})
    extras: list[Wire] = [{"take": []}, {"take": ["Ks"]}, {"card": "Ks"}, {"zz": None}]
    return [*results, *({**wire, **extra} for extra in extras)]


def accepted(live: Live, seat: int, action: Action | None, at: Moment) -> bool:
    """Whether the table takes the action from the seat; the table itself stays as it is."""
    if action is None:
        return False
    try:
        record_command(live.game, live.history, Act(EVERYBODY[seat], action), at)
    except Rejected:
        return False
    return True


def well_formed(game: Game, wire: Wire) -> bool:
    """Whether the action has no fields but its own, no list or text among them null."""
    fields = actions(game).get(wire["type"])
    if fields is None or not set(wire) - {"type"} <= {field.encode_name for field in fields}:
        return False
    return all(wire.get(name, ()) is not None for name in lists_and_texts(game, wire["type"]))


def described(live: Live, seat: int) -> dict[str, list[Any]]:
    """What the seat is offered, as a client reads it, by type of action."""
    by_type: dict[str, list[Any]] = {}
    for offer in as_sent([offer.describe() for offer in live.offers(seat)]):
        by_type.setdefault(offer["type"], []).append(offer)
    return by_type


@in_random_games(12, events=300)
def test_an_action_is_accepted_exactly_when_some_offer_describes_it(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, game = data.draw(started(tables)), tables.game
    deals, events = live.table.scored + 2, live.version + MOST_EVENTS

    def far_enough(live: Live) -> bool:
        return live.table.scored == deals or live.version > events

    times_in = Counter[str | None]()
    for state in playing(live, rng, until=far_enough):
        times_in[state.phase] += 1
        if rng.random() > RARE / times_in[state.phase]:
            continue
        at, open_to = moment(state.version), {seat: described(state, seat) for seat in state.seats}
        types = frozenset[str]().union(*open_to.values())
        most = min(MOST_COMBINATIONS, MOST_AT_ONCE // max(1, sum(map(bool, open_to.values()))))
        for seat, offered in open_to.items():
            for wire, action, well_formed in (
                *some_actions(game, types, rng, most if offered else MOST_UNLIKELY),
                *(attempt(game, wire) for wire in variants(state, seat, rng)),
            ):
                expected = well_formed and any(describes(offer, wire) for offer in offered.get(wire["type"], ()))
                assert accepted(state, seat, action, at) == expected, (seat, wire, offered)


FEW = ("As", "2s", "3h", "4d", "4c", "5h", "6d", "Jo.1", "Jo.2")

cards = st.sampled_from(FEW)
some_cards = st.lists(cards, unique=True, max_size=6).map(tuple)


@st.composite
def sums(draw: st.DrawFn) -> SetsOf | None:
    """Sets of a total; None if no cards make them up."""
    values = draw(st.dictionaries(cards, st.integers(1, 9), max_size=7))
    beside = draw(st.lists(st.integers(1, 9), max_size=2))
    return sets_of(values, draw(st.integers(1, 12)), beside=beside, least=draw(st.integers(0, 3)))


fields: st.SearchStrategy[OfferedField] = st.one_of(
    st.builds(OneOf, st.lists(st.none() | cards | st.integers(2, 9), unique=True, min_size=1).map(tuple)),
    st.builds(OneOf, st.permutations((True, False)).map(tuple)),
    st.builds(OneOfLists, st.lists(some_cards, min_size=1, max_size=5).map(tuple)),
    st.builds(OneOfLists, st.just(((), (2,), (3, 2)))),
    some_cards.flatmap(
        lambda values: st.integers(0, len(values)).flatmap(
            lambda least: st.builds(SomeOf, st.just(values), st.just(least), st.integers(least, len(values)))
        )
    ),
    sums().filter(lambda field: field is not None),
    st.integers(0, 40).flatmap(lambda least: st.builds(Text, st.just(least), st.integers(least, 60))),
)
"""A field of each form."""

values_sent: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    cards,
    st.booleans(),
    st.integers(2, 9),
    st.text(max_size=61),
    st.lists(cards, max_size=5),
    st.lists(st.integers(2, 9), max_size=3),
    st.just(["Kh"]),
)
"""What a client might send, as decoded JSON."""


def as_sent(value: object) -> Any:
    """The value as decoded JSON."""
    return json.loads(msgspec.json.encode(value))


@given(field=fields, rng=picking)
@settings(max_examples=times(200))
def test_what_a_field_picks_it_admits(field: OfferedField, rng: random.Random) -> None:
    for _ in range(5):
        value = pick_value(field, rng.randrange)
        assert field.admits(value)
        assert fits(as_sent(field.describe()), as_sent(value))


@given(field=fields, value=values_sent, rng=picking)
@settings(max_examples=times(300))
def test_a_field_read_from_the_wire_admits_the_same_values(field: OfferedField, value: Any, rng: random.Random) -> None:
    wire = as_sent(field.describe())
    read = field_from_wire(wire)
    assert as_sent(read.describe()) == wire
    picked = as_sent(pick_value(field, rng.randrange))
    for sent in (value, picked, *near(picked, rng)):
        assert field.admits(sent) == read.admits(sent) == fits(wire, sent), sent


def near(value: Any, rng: random.Random) -> list[Any]:
    """Values that differ little from this one."""
    if not isinstance(value, list):
        return [[value], f"{value}\n", None]
    return [value[1:], [*value, rng.choice(FEW)], [*value, *value[:1]], [*value[1:], rng.choice(FEW)], value * 2]


@given(field=fields, rng=picking)
@settings(max_examples=times(100))
def test_the_order_of_a_list_does_not_matter_and_nothing_stands_in_it_twice(
    field: OfferedField, rng: random.Random
) -> None:
    value = pick_value(field, rng.randrange)
    if isinstance(value, tuple):
        assert field.admits(rng.sample(value, len(value)))
        assert not value or not field.admits([*value, rng.choice(value)])


@given(
    values=st.dictionaries(cards, st.integers(1, 9), max_size=6),
    total=st.integers(1, 12),
    beside=st.lists(st.integers(1, 9), max_size=2),
    least=st.integers(0, 4),
)
@settings(max_examples=times(200))
def test_sets_are_admitted_that_trying_every_division_of_every_choice_finds(
    values: dict[str, int], total: int, beside: list[int], least: int
) -> None:
    wire = {"sets_of": {"values": values, "total": total, "with": beside, "min": least, "examples": []}}
    every = [list(chosen) for size in range(len(values) + 1) for chosen in combinations(values, size)]
    legal = [chosen for chosen in every if fits(wire, chosen)]
    field = sets_of(values, total, beside=beside, least=least)
    if field is None:
        assert not legal, "where some choice is legal, there is a field"
        return
    assert [chosen for chosen in every if field.admits(chosen)] == legal
    assert 1 <= len(field.examples) <= MOST_EXAMPLES
    assert len(set(map(frozenset, field.examples))) == len(field.examples)
    assert all(list(example) in legal for example in field.examples), "in the order of the values"
