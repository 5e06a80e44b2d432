"""Other worlds: the same deal, as an audience may suppose it, with other hidden cards and other sealed choices.

A game is `played` in the domain alone. A `World` of a deal is what is hidden in it: the orders in which cards were
shuffled, and the sealed choices. `replayed` plays a world of the deal along the recorded one, and gives it up as soon
as a public payload, or a section of the audience, is not the recorded one. As long as they are the same, nothing else
that the audience sees may differ: where it does, that is a `Leak`.
"""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.fair import deck
from domain.fair.shuffle import shuffled
from domain.kernel.action import Action, tag_of
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.offers import Offer, SomeOf, described
from domain.kernel.rejection import Rejected
from domain.seats import PUBLIC, Audience, Seat, seat_audience
from domain.table.actions import AbandonSeat, Act, Command, OpenTable, RunOut, TakeSeat
from domain.table.automatic import next_automatic
from domain.table.deadlines import deadlines, timer_of
from domain.table.decide import act, open_table
from domain.table.events import CardsDealt, DealScored
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table, deal_of, evolve, opened
from domain.table.view import to_act
from tests.support.games import EVERYBODY, OPENER, TABLE, by_default, parsed, pick, redacted

Orders: TypeAlias = dict[tuple[int, str], tuple[Card, ...]]
"""The orders that shuffles gave, by deal and label."""

TRIES = 4
"""How often a sealed choice is made anew before it stays as it was."""
FEW = 2
"""So many sealed choices are made anew where not all are."""

UNTOLD = {"card_commitments", "salt"}
"""What follows from the seed and the cards, and tells nobody anything."""


class Leak(AssertionError):
    """Two worlds that are the same to an audience differ in something that it sees."""


class Played(Struct, frozen=True):
    """A game from its start: its events, the house's fold after each, and what the shuffles gave."""

    game: Game
    events: tuple[Event[Any], ...]
    tables: tuple[Table, ...]
    commands: Mapping[int, Command]
    """What was asked for, by the version of the event that it made. The other events followed by themselves."""
    orders: Orders

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.tables[-1].players))

    @property
    def audiences(self) -> tuple[Audience, ...]:
        """All but the house."""
        return (PUBLIC, *map(seat_audience, self.seats))

    @property
    def deals(self) -> list[tuple[int, int]]:
        """The versions of the first event of each deal that is over, and of the last before it was scored."""
        first = [event.version for event in self.events if isinstance(event.public, CardsDealt)]
        last = [event.version - 1 for event in self.events if isinstance(event.public, DealScored)]
        return list(zip(first, last, strict=False))


class World(NamedTuple):
    """What is hidden in a deal: the orders of cards, and the actions whose events have sections sealed for others."""

    orders: Orders
    actions: dict[int, Action]


@contextmanager
def shuffles(orders: Orders) -> Iterator[None]:
    """Lets each shuffle give the order that stands here; one that stands not is chance, and put down here."""

    def ordered(cards: Sequence[Card], *, label: str, deal: int, **key: Any) -> list[Card]:
        known = orders.get((deal, label))
        if known is None:
            known = orders[deal, label] = tuple(shuffled(cards, label=label, deal=deal, **key))
        kept = [card for card in known if card in cards]
        return [*kept, *(card for card in cards if card not in kept)]

    with mock.patch.object(deck, "shuffled", ordered):
        yield


def after(game: Game, table: Table, event: Event[Any]) -> tuple[Event[Any], Table]:
    """The event at its place in the table's stream, and the table after it."""
    placed = replace(event, version=table.version + 1, deal=deal_of(table, event.public))
    return placed, evolve(game, table, placed)


def any_command(game: Game, table: Table, rng: random.Random, *, rare: float = 0.05) -> Command:
    """An act that is offered: mostly one of a seat that must act, rarely one that needs no turn; or the clock's.

    Where nobody must act it is often what is done by default, so that games stay short.
    """
    timer, waited_for = timer_of(game, table), to_act(game, table)
    free = table.deal_state.FREE if table.running_deal is not None else frozenset()
    every = [(seat, offer) for seat in range(len(table.players)) for offer in offers(game, table, seat)]
    if timer is not None and (not every or rng.random() < rare):
        return RunOut(timer.since)
    if table.running_deal is not None and not waited_for and rng.random() < 0.5:
        given_up = by_default(game, table, rng.randrange(len(table.players)))
        if given_up is not None:
            return Act(EVERYBODY[given_up[0]], parsed(given_up[1], game))
    due = [(seat, offer) for seat, offer in every if seat in waited_for and offer.type not in free]
    seat, offer = rng.choice(every if not due or rng.random() < rare else due)
    return Act(EVERYBODY[seat], parsed(pick((offer,), rng), game))


def late_command(game: Game, table: Table, rng: random.Random) -> Command:
    """Likewise at a table with a clock; but players are late, so that the house acts for them, and one may leave."""
    late = [due.command for due in deadlines(game, table) if due.seat is not None]
    if late and rng.random() < 0.1:
        return rng.choice(late)
    if table.status == "playing" and table.leaving is None and rng.random() < 0.01:
        return AbandonSeat(rng.choice(EVERYBODY[: len(table.players)]))
    return any_command(game, table, rng)


def played(
    game: Game,
    rng: random.Random,
    options: object,
    deals: int,
    *,
    until: Callable[[Table], bool] = lambda _: False,
    choose: Callable[[Game, Table, random.Random], Command] = any_command,
    own: TableOptions = DEFAULT,
) -> Played:
    """A game played to its end, or until it is so far; by chance, if nothing else chooses. `own` are the table's."""
    table, opening = open_table(game, TABLE, OpenTable(OPENER, deals, options, rng.randbytes(32), own))
    events, tables, commands, orders = [*opening], [table], dict[int, Command](), Orders()
    seatings = iter([TakeSeat(EVERYBODY[seat], seat) for seat in range(len(table.players))])
    with shuffles(orders):
        while not table.over and not until(table):
            event = next_automatic(game, table)
            if event is None:
                command = next(seatings, None) or choose(game, table, rng)
                commands[table.version + 1] = command
                event = act(game, table, command)
            event, table = after(game, table, event)
            events.append(event)
            tables.append(table)
    return Played(game, tuple(events), tuple(tables), commands, orders)


def folds(record: Played, audience: Audience) -> Iterator[Table]:
    """What the audience knows after each event."""
    table: Table | None = None
    for event in record.events:
        own = redacted(event, audience)
        table = evolve(record.game, table, own) if table else opened(record.game, TABLE, own)
        yield table


def said(event: Event[Any], audience: Audience) -> Any:
    """All that the event's payload, and the sections that the audience may open, say."""
    sections = [event.sealed[to] for to in (audience, PUBLIC) if to in event.sealed]
    return _without_proofs([to_builtins(part) for part in (event.public, *sections)])


def _without_proofs(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_proofs(each) for name, each in value.items() if name not in UNTOLD}
        case list() | tuple():
            return [_without_proofs(each) for each in value]
        case _:
            return value


def cards_named(game: Game, value: Any) -> Iterator[Card]:
    """The cards that stand in it."""
    match value:
        case dict():
            yield from cards_named(game, list(value.values()))
        case list():
            for each in value:
                yield from cards_named(game, each)
        case str() if value in game.pack:
            yield value


def cards_opened(value: Any) -> Iterator[Card]:
    """The cards of which it says at what place of the deal they were."""
    match value:
        case {"position": _, "card": card}:
            yield card
        case dict():
            yield from cards_opened(list(value.values()))
        case list():
            for each in value:
                yield from cards_opened(each)


def seen_besides(game: Game, table: Table, event: Event[Any]) -> dict[str, Any]:
    """What an audience sees of an event besides what it says, the table being the one after it."""
    timer = timer_of(game, table)
    return {
        "type": (event.public.TYPE, event.public.SCHEMA),
        "sections": sorted(event.sealed),
        "actor": event.actor,
        "to_act": to_act(game, table),
        "time limit": timer and (timer.since, timer.seconds, timer.event.TYPE),
    }


class Supposed(NamedTuple):
    """A deal as an audience may suppose it, up to a version: it saw the same."""

    world: World
    table: Table
    """The house's fold at that version."""
    events: tuple[Event[Any], ...]
    """The deal's events up to it."""


class Supposing:
    """What an audience that has followed a deal up to a version may suppose of what is hidden from it."""

    def __init__(self, record: Played, audience: Audience, start: int, version: int) -> None:
        self.record = record
        self.audience = audience
        self.versions = range(start, version + 1)
        self.said = {at: said(record.events[at - 1], audience) for at in self.versions}
        everything = list(self.said.values())
        self._named_at = {at: frozenset(cards_named(record.game, each)) for at, each in self.said.items()}
        self.named = set[Card]().union(*self._named_at.values())
        """The cards that the audience has heard of."""
        self.opened = set(cards_opened(everything))
        """The cards of which it knows where they were."""
        self.sealed = {
            at: command.action
            for at in self.versions
            if isinstance(command := record.commands.get(at), Act) and self._is_sealed(at)
        }
        """The actions that it does not know, by the versions of their events."""
        self.seat: Seat | None = next((seat for seat in record.seats if seat_audience(seat) == audience), None)
        """The audience's seat; None for the public."""
        self._recorded_seen: dict[int, dict[str, Any]] = {}

    @property
    def recorded(self) -> Supposed:
        """What has truly happened."""
        record, deal = self.record, self.record.events[self.versions[0] - 1].deal
        orders = {key: order for key, order in record.orders.items() if key[0] == deal}
        events = record.events[self.versions[0] - 1 : self.versions[-1]]
        return Supposed(World(orders, self.sealed), record.tables[self.versions[-1] - 1], events)

    def alternatives(self, rng: random.Random) -> Iterator[tuple[int, Action]]:
        """Other actions in place of sealed ones that would then have said the same; of each offer one is tried."""
        for version, action in self.sealed.items():
            table = self.record.tables[version - 2]
            for offer in offers(self.record.game, table, self._actor(version)):
                other = parsed(pick((offer,), rng), self.record.game)
                if other != action and self._looks_alike(table, version, other):
                    yield version, other

    def might_differ(self, rng: random.Random) -> bool:
        """Whether some act that the audience does not know could have been another, all else being as it was."""
        truth = self.recorded.world
        worlds = (World(truth.orders, {**truth.actions, at: other}) for at, other in self.alternatives(rng))
        return any(self.replayed(world) for world in worlds)

    def _actor(self, version: int) -> Seat:
        return next(seat for seat in self.record.seats if seat_audience(seat) == self.record.events[version - 1].actor)

    def _is_sealed(self, version: int) -> bool:
        event = self.record.events[version - 1]
        return event.actor != self.audience and bool(set(event.sealed) - {self.audience, PUBLIC})

    def others(self, rng: random.Random, tries: int) -> Iterator[Supposed]:
        """Worlds that the audience may suppose, each made from the last. Raises Leak if one shows another difference.

        At first all cards that it has not heard of are dealt anew; then a few cards at a time change places. Every
        second time only a few sealed choices are made anew, for where all are, one of many soon shows.
        """
        supposed, choices = self.recorded, sorted({at for at, _ in self.alternatives(rng)})
        for number in range(tries):
            orders = {
                key: self._all_moved(order, rng) if number < 2 else self._some_moved(order, rng)
                for key, order in supposed.world.orders.items()
            }
            anew = rng.sample(choices, FEW) if number % 2 and len(choices) > FEW else self.sealed
            other = self.replayed(World(orders, supposed.world.actions), rng, anew)
            if other is not None:
                supposed = other
                yield other

    def _all_moved(self, order: Sequence[Card], rng: random.Random) -> tuple[Card, ...]:
        unheard = [card for card in order if card not in self.named]
        moved = dict(zip(unheard, rng.sample(unheard, len(unheard)), strict=True))
        return tuple(moved.get(card, card) for card in order)

    def _some_moved(self, order: Sequence[Card], rng: random.Random) -> tuple[Card, ...]:
        movable = [card for card in order if card not in self.opened]
        if rng.random() < 0.1 or len(movable) < 2:
            movable = list(order)
        moved: dict[Card, Card] = {}
        for _ in range(rng.randint(0, 2)):
            one, two = rng.sample(movable, 2)
            moved[one], moved[two] = moved.get(two, two), moved.get(one, one)
        return tuple(moved.get(card, card) for card in order)

    def replayed(self, world: World, rng: random.Random | None = None, anew: Collection[int] = ()) -> Supposed | None:
        """The world, if the audience may suppose it. Raises Leak.

        With chance, the sealed choices of these versions are made anew, and those that cannot be as they were.
        """
        record, game = self.record, self.record.game
        table, actions, events = record.tables[self.versions[0] - 2], dict[int, Action](), list[Event[Any]]()
        with shuffles(world.orders):
            for version in self.versions:
                due, command = next_automatic(game, table), record.commands.get(version)
                if (due is None) is (command is None):
                    self._require_disclosed(version, due or record.events[version - 1])
                    return None
                if version in self.sealed:
                    action = world.actions.get(version, self.sealed[version])
                    if rng is not None and (version in anew or not self._looks_alike(table, version, action)):
                        action = self._redrawn(table, version, action, rng)
                    actions[version] = action
                    command = Act(EVERYBODY[self._actor(version)], action)
                made = due or self._made(table, version, command)
                if made is None or said(made, self.audience) != self.said[version]:
                    return None
                event, table = after(game, table, made)
                events.append(event)
                self._require_same(event, table)
        return Supposed(World(world.orders, actions), table, tuple(events))

    def _made(self, table: Table, version: int, command: Command | None) -> Event[Any] | None:
        """The event that the command makes in this world; None if it is refused."""
        assert command is not None
        try:
            return act(self.record.game, table, command)
        except Rejected as rejected:
            if self.record.events[version - 1].actor == self.audience:
                raise Leak(f"{self.audience} is refused {command} at {version}: {rejected}") from rejected
            return None

    def _redrawn(self, table: Table, version: int, before: Action, rng: random.Random) -> Action:
        """An action that the audience cannot tell from the recorded one; the one before if none is found soon."""
        seat = self._actor(version)
        offered = offers(self.record.game, table, seat)
        later = set[Card]().union(*(self._named_at[at] for at in range(version + 1, self.versions[-1] + 1)))
        for _ in range(TRIES if offered else 0):
            action = _action_like(self.record.game, offered, before, later, rng)
            if self._looks_alike(table, version, action):
                return action
        return before

    def _looks_alike(self, table: Table, version: int, action: Action) -> bool:
        """Whether the action can be taken, and the audience cannot tell it from the recorded one."""
        made = self._made(table, version, Act(EVERYBODY[self._actor(version)], action))
        return made is not None and said(made, self.audience) == self.said[version]

    def _require_disclosed(self, version: int, event: Event[Any]) -> None:
        """An event that follows in one world only has to say why."""
        if not any(cards_named(self.record.game, said(event, self.audience))):
            raise Leak(f"whether {event.public.TYPE} follows at {version} tells {self.audience} what is hidden")

    def _require_same(self, event: Event[Any], table: Table) -> None:
        record = self.record
        if event.version not in self._recorded_seen:
            recorded, before = record.events[event.version - 1], record.tables[event.version - 1]
            self._recorded_seen[event.version] = self._seen(before, recorded)
        other = self._seen(table, event)
        for name, value in self._recorded_seen[event.version].items():
            if value != other[name]:
                raise Leak(f"{name} at {event.version} tells {self.audience} more: {value} or {other[name]}")

    def _seen(self, table: Table, event: Event[Any]) -> dict[str, Any]:
        """What the audience sees of an event besides what it says, its own offers included."""
        seen = seen_besides(self.record.game, table, event)
        return seen if self.seat is None else seen | {"offers": offers(self.record.game, table, self.seat)}


def _action_like(game: Game, offered: Sequence[Offer], before: Action, later: set[Card], rng: random.Random) -> Action:
    """The same action, or one with some of its fields chosen anew, or rarely another."""
    of_type = [offer for offer in offered if offer.type == tag_of(before)]
    fields = asdict(before)
    if rng.random() < 0.5 and described(of_type, tag_of(before), fields):
        return before
    offer = rng.choice(of_type if of_type and rng.random() < 0.8 else offered)
    wire = pick((offer,), rng)
    for name, field in offer.fields.items():
        value = fields.get(name)
        if isinstance(field, SomeOf) and isinstance(value, tuple):
            wire[name] = _list_like(field, value, later, rng)
        elif rng.random() < 0.5 and field.admits(value):
            wire[name] = value
    return parsed(wire, game)


def _list_like(field: SomeOf, before: Sequence[str], later: set[Card], rng: random.Random) -> list[str]:
    """As many values of the field: those before as far as they are there, others of which nobody hears later."""
    kept = [value for value in before if value in field.values]
    if kept and rng.random() < 0.5:
        kept.remove(rng.choice(kept))
    rest = [value for value in field.values if value not in kept]
    rng.shuffle(rest)
    rest.sort(key=later.__contains__)
    return [*kept, *rest][: max(field.min, min(len(before), field.max))]
