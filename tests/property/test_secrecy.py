"""What is public about what is secret: nobody learns from an event's type, actor, number or seals what it does not say.

For each property there is a game that breaks it, so that the property is known to see that.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from domain.games.ombre import OMBRE
from domain.kernel.canonical import canonical
from domain.kernel.event import NOTHING, Event, Payload
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.parts.exchange import CardsExchanged, ExchangedCards
from domain.seats import HOUSE, Seat, seat_audience
from domain.table.automatic import next_automatic
from domain.table.deadlines import deadline_of
from domain.table.options import Clock, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import to_act, view
from tests.property.strategies import every_options, numbers_of_deals, tries
from tests.support.for_each import for_each
from tests.support.games import chance
from tests.support.helpers import helper
from tests.support.long import enough
from tests.support.registry import GAMES
from tests.support.repetition import times
from tests.support.worlds import Leak, Played, Supposing, folds, late_command, played

GAMES_PLAYED = 6
"""So many games are played by chance, each by other options, for each property."""
SUPPOSED, LEAST_SUPPOSED = 12, 4
"""So many times another world is tried for each audience and version: the seldomer, the more events it has."""
REPLAYED = 400
"""All those tries replay about so many events together."""
VERSIONS = 4
"""For so many audiences and versions of each game."""

of_each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def games_played(game: Game, number: int) -> Iterator[tuple[Played, random.Random]]:
    """So many games, under all options in turn, and chance for each; every third has a clock, and players who leave."""
    every = every_options(game)

    def so_far(table: Table) -> bool:
        return enough(game, table)

    for each in range(number):
        rng = chance((game.name, "secrecy", each))
        options = every[each % len(every)]
        deals = rng.choice(numbers_of_deals(game, options))
        if each % 3 == 2:
            own = TableOptions(clock=Clock(seconds=9, absent_after=100))
            yield played(game, rng, options, deals, until=so_far, choose=late_command, own=own), rng
        else:
            yield played(game, rng, options, deals, until=so_far), rng


def to_act_is_public(game: Game, number: int) -> None:
    """Who must act, and until when, is the same on every fold; nobody must while an event follows by itself."""
    for record, _ in games_played(game, number):
        house = [(to_act(game, table), deadline_of(game, table)) for table in record.tables]
        for table, (seats, _) in zip(record.tables, house, strict=True):
            assert not seats or next_automatic(game, table) is None, table.version
        for audience in record.audiences:
            for table, due in zip(folds(record, audience), house, strict=True):
                assert (to_act(game, table), deadline_of(game, table)) == due, (audience, table.version)


def offers_are_the_seats_own(game: Game, number: int) -> None:
    """What a seat may do follows from what it knows."""
    for record, _ in games_played(game, number):
        for seat in record.seats:
            for own, house in zip(folds(record, seat_audience(seat)), record.tables, strict=True):
                assert offers(game, own, seat) == offers(game, house, seat), (seat, house.version)


def version_in(record: Played, start: int, end: int, rng: random.Random) -> int:
    """One of these versions, more often one at which something was chosen that is sealed for others."""
    chosen = [at for at in range(start, end + 1) if at in record.commands and record.events[at - 1].sealed]
    return rng.choice(chosen) if chosen and rng.random() < 0.4 else rng.randint(start, end)


def worlds_look_alike(game: Game, number: int) -> Counter[str]:
    """Worlds that an audience may suppose look the same to it. Answers how many there were, and how they differ."""
    count, tells_choices = Counter[str](), helper(game.name, "habits").tells_choices
    for record, rng in games_played(game, number):
        for start, end in rng.choices(record.deals, k=VERSIONS):
            supposing = Supposing(record, rng.choice(record.audiences), start, version_in(record, start, end, rng))
            recorded = supposing.recorded
            supposed = max(LEAST_SUPPOSED, min(SUPPOSED, REPLAYED // len(supposing.versions)))
            others = list(supposing.others(rng, supposed))
            truth = canonical(view(game, recorded.table, supposing.audience))
            differing = [other for other in others if canonical(view(game, other.table, supposing.audience)) != truth]
            count["versions"] += 1
            count["with others"] += bool(differing)
            count["others"] += len(differing)
            if supposing.sealed:
                count["sealed"] += 1
                # An act without fields is no choice: what is sealed is only what came of it.
                count["choices"] += any(action.__struct_fields__ for action in supposing.sealed.values())
                # What is told as soon as all have chosen need not leave a trace in what the house knows.
                choosing = others if tells_choices else differing
                count["with other choices"] += any(other.world.actions != recorded.world.actions for other in choosing)
                count["might differ"] += tells_choices and supposing.might_differ(rng)
    return count


@of_each_game
def test_who_is_to_act_and_until_when_is_the_same_for_all_and_nobody_while_events_follow(game: Game) -> None:
    to_act_is_public(game, tries(game, GAMES_PLAYED))


@of_each_game
def test_offers_to_a_seat_follow_from_what_it_knows(game: Game) -> None:
    offers_are_the_seats_own(game, tries(game, GAMES_PLAYED))


@of_each_game
def test_worlds_that_an_audience_cannot_tell_apart_look_alike(game: Game) -> None:
    count = worlds_look_alike(game, times(GAMES_PLAYED))
    assert count["with others"] * 2 > count["versions"], count
    if helper(game.name, "habits").tells_choices:
        assert count["with other choices"] * 2 >= count["might differ"] > 0, count
    else:
        # What a player chose may be known from what the player does later.
        assert count["with other choices"] * 3 >= count["choices"], count
    assert count["with other choices"] or not count["choices"], count
    assert count["sealed"] or not any(event.SECTIONS and event.CHECK == "acts" for event in game.events), count


BLACK = (*OMBRE.pack.of_suit("s"), *OMBRE.pack.of_suit("c"))


class AceExchanged(CardsExchanged, frozen=True, gc=False):
    """Says by its type what only its section may say."""

    TYPE: ClassVar = "ace-exchanged"


class AceSighed(Payload, frozen=True, gc=False):
    """A seat that has drawn spadille sighs."""

    TYPE: ClassVar = "ace-sighed"
    REVEALS: ClassVar = NOTHING


def with_decider(**functions: Callable[..., Any]) -> Game:
    """Ombre with some of its functions replaced."""
    return replace(OMBRE, decider=replace(OMBRE.decider, **functions))


def exchanging(change: Callable[[Event[Any], ExchangedCards], Event[Any]]) -> Game:
    """Ombre with its exchanges changed."""

    def decide(state: Any, seat: Seat, action: Any) -> Event[Any]:
        event = OMBRE.decider.decide(state, seat, action)
        section = event.section(seat_audience(seat), ExchangedCards)
        return event if section is None else change(event, section)

    return with_decider(decide=decide)


def drew_ace(section: ExchangedCards) -> bool:
    return any(opening.card[0] == "A" for opening in section.drawn)


def ace_exchanged(event: Event[Any]) -> Event[Any]:
    return replace(event, public=AceExchanged(event.public.seat, event.public.count))


def holds_spadille(state: Any, seat: Seat) -> bool:
    """Whether the seat is known to hold it: the house always knows."""
    hands = OMBRE.showing.hands
    return hands is not None and "As" in hands(state)[seat].known


def type_by_card_drawn() -> Game:
    return exchanging(lambda event, section: ace_exchanged(event) if drew_ace(section) else event)


def type_by_card_discarded() -> Game:
    """The choice is sealed."""
    return exchanging(lambda event, section: ace_exchanged(event) if "Ac" in section.discarded else event)


def section_by_card_drawn() -> Game:
    return exchanging(
        lambda event, section: replace(event, sealed={**event.sealed, HOUSE: section}) if drew_ace(section) else event
    )


def actor_by_hand() -> Game:
    def next_automatic(state: Any) -> Event[Any] | None:
        event = OMBRE.decider.next_automatic(state)
        return replace(event, actor=seat_audience(1)) if event is not None and holds_spadille(state, 1) else event

    return with_decider(next_automatic=next_automatic)


def to_act_by_hand() -> Game:
    return with_decider(
        to_act=lambda state: tuple(seat for seat in OMBRE.decider.to_act(state) if not holds_spadille(state, seat))
    )


def to_act_while_an_event_follows() -> Game:
    return with_decider(
        to_act=lambda state: (
            OMBRE.decider.to_act(state)
            or (() if OMBRE.decider.next_automatic(state) is None else state.common.order[:1])
        )
    )


def event_by_hand() -> Game:
    """Whether it follows depends on what is hidden."""

    def sighs(state: Any) -> bool:
        exchange = getattr(state, "exchange", None)
        return bool(exchange and exchange.done and exchange.done[-1].count) and any(
            holds_spadille(state, seat) for seat in (0, 1, 2)
        )

    def evolve(state: Any, event: Event[Any]) -> Any:
        if not isinstance(event.public, AceSighed):
            return OMBRE.decider.evolve(state, event)
        done = (*state.exchange.done, replace(state.exchange.done[-1], count=0))
        return replace(state, exchange=replace(state.exchange, done=done))

    return with_decider(
        evolve=evolve,
        next_automatic=lambda state: Event(AceSighed()) if sighs(state) else OMBRE.decider.next_automatic(state),
        to_act=lambda state: () if sighs(state) else OMBRE.decider.to_act(state),
    )


def offers_by_talon() -> Game:
    """All offers but the first are withheld while the talon's next card is black."""

    def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
        offered = OMBRE.decider.offers(state, seat)
        pile = getattr(state, "talon", ())
        return offered[:1] if pile and pile[0] in BLACK else offered

    return with_decider(offers=offers)


@pytest.mark.parametrize(
    ("holds", "leaking"),
    [
        (to_act_is_public, to_act_by_hand),
        (to_act_is_public, to_act_while_an_event_follows),
        (to_act_is_public, event_by_hand),
        (offers_are_the_seats_own, offers_by_talon),
    ],
)
def test_a_fold_that_differs_is_seen(holds: Callable[[Game, int], object], leaking: Callable[[], Game]) -> None:
    with pytest.raises(AssertionError):
        holds(leaking(), GAMES_PLAYED)


@for_each(
    "leaking, what",
    [
        (type_by_card_drawn, "type at"),
        (type_by_card_discarded, "type at"),
        (section_by_card_drawn, "sections at"),
        (actor_by_hand, "actor at"),
        (to_act_by_hand, "to_act at"),
        (event_by_hand, "(to_act|whether ace-sighed follows) at"),
        (offers_by_talon, "offers at"),
    ],
)
def test_what_looks_different_in_another_world_is_seen(leaking: Callable[[], Game], what: str) -> None:
    with pytest.raises(Leak, match=what):
        worlds_look_alike(leaking(), GAMES_PLAYED)
