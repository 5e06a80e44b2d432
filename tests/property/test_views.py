"""Views: the fold of what an audience was told, which cannot tell more than that."""

import random
import re

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.games.crocodile.events import (
    CardPlayed,
    CardsExchanged,
    CascoCards,
    CascoLaid,
    CascoTaken,
    ExchangedCards,
    HandExposed,
    TalonTurned,
)
from domain.games.crocodile.meta import PACK
from domain.kernel.canonical import canonical
from domain.kernel.decider import DealtHand
from domain.kernel.event import Event, Payload, redact
from domain.kernel.rejection import Rejected
from domain.kernel.seats import Audience
from domain.kernel.shuffle import Deck
from domain.table.events import CardsDealt, DealScored
from domain.table.offers import offers
from domain.table.state import Table, evolve, opened
from domain.table.view import view
from tests.property.strategies import luck, playing, started
from tests.support.games import AUDIENCES, GAME, READER, TABLE, Live, Wire, dealt, finished

CARD = re.compile(rb'"([KQJ765432A][shdc])"')


def seen(table: Table) -> bytes:
    """The view of the audience whose fold this is."""
    return canonical(view(GAME, table))


def learnt(event: Event[Payload], audience: Audience) -> set[str]:
    """The cards that the event shows to the audience, by the rules."""
    public = event.public
    own = audience.startswith("seat:") and getattr(public, "seat", None) == int(audience[5:])
    if isinstance(public, CardsDealt):
        hand = event.section(audience, DealtHand) if audience.startswith("seat:") else None
        return {opening.card for opening in hand.cards} if hand else set()
    if isinstance(public, TalonTurned | CardPlayed):
        return {public.card}
    if isinstance(public, CascoLaid | HandExposed):
        return set(public.cards)
    if isinstance(public, CardsExchanged):
        cards = event.section(audience, ExchangedCards) if own else None
        return {*public.taken, *(opening.card for opening in (cards.drawn if cards else ()))}
    if isinstance(public, CascoTaken) and own:
        casco = event.section(audience, CascoCards)
        return {opening.card for opening in (casco.taken if casco else ())}
    return set()


@given(live=started, rng=luck, audience=st.sampled_from(AUDIENCES[:4]))
@settings(max_examples=80)
def test_a_view_holds_no_card_that_its_audience_was_not_shown(
    live: Live, rng: random.Random, audience: Audience
) -> None:
    finished(live, rng)
    table: Table | None = None
    house: Table | None = None
    known: set[str] = set()
    for record, event in zip(live.records, live.events, strict=True):
        table = READER.fold(table, [record], audience)
        house = READER.fold(house, [record])
        assert table is not None
        assert house is not None
        if isinstance(event.public, CardsDealt):
            known = set()
        known |= learnt(event, audience)
        shown = seen(table)
        assert {card.decode() for card in CARD.findall(shown)} <= known
        truth = view(GAME, house)
        for told, true in zip(view(GAME, table).seats, truth.seats, strict=True):
            assert set(told.hand.known) <= set(true.hand.known)
            assert told.hand.size == true.hand.size
            if audience == f"seat:{told.seat}":
                assert told == true
            told_alike = msgspec.structs.replace(told, hand=true.hand)
            assert told_alike == true


@given(live=started, rng=luck)
@settings(max_examples=40)
def test_a_view_is_the_fold_of_redacted_events(live: Live, rng: random.Random) -> None:
    finished(live, rng)
    for audience in AUDIENCES:
        table: Table | None = None
        folded: Table | None = None
        for record, event in zip(live.records, live.events, strict=True):
            told = redact(event, audience)
            assert set(told.sealed) <= (set(event.sealed) if audience == "house" else {audience, "public"})
            assert told.public == event.public
            table = evolve(GAME, table, told) if table else opened(GAME, record.table, told)
            folded = READER.fold(folded, [record], audience)
            assert folded is not None
            assert folded == table
            assert seen(folded) == seen(table)


@given(live=started, rng=luck)
@settings(max_examples=20)
def test_what_is_the_same_for_all_is_told_to_all(live: Live, rng: random.Random) -> None:
    for state in playing(live, rng, until=lambda live: live.table.scored == 1):
        views = [state.view(audience) for audience in AUDIENCES]
        for name in ("auction", "contract", "exchanges", "trick", "last_trick", "to_act", "totals", "phase", "version"):
            assert all(told.get(name) == views[0].get(name) for told in views)


def renamed(wire: Wire, names: dict[str, str]) -> Wire:
    """The action with other cards."""

    def rename(value: object) -> object:
        if isinstance(value, list | tuple):
            return [names.get(card, card) for card in value]
        return names.get(str(value), value)

    return {name: value if name == "text" else rename(value) for name, value in wire.items()}


def world(live: Live, start: int, version: int, names: dict[str, str]) -> Live | None:
    """The deal that begins at `start` with other cards, in which the same is done up to `version`, if that is legal."""
    event = live.events[start - 1]
    before = live.told("house", start)
    assert isinstance(event.public, CardsDealt)
    deck: Deck = before.play.common.deck
    cards = tuple(names.get(card, card) for card in deck.cards if card is not None)
    other = Live(live.records[: start - 1])
    other.append([dealt(Deck(TABLE, event.public.deal, cards, deck.seed), event.public.dealer)])  # type: ignore[arg-type] # cards
    try:
        for at, seat, wire in live.acts:
            if start <= at < version:
                other.take(seat, renamed(wire, names))
    except Rejected:
        return None
    return other


@given(live=started, rng=luck, audience=st.sampled_from(AUDIENCES[:4]), data=st.data())
@settings(max_examples=150)
def test_what_an_audience_cannot_know_does_not_change_its_view(
    live: Live, rng: random.Random, audience: Audience, data: st.DataObject
) -> None:
    for _ in playing(live, rng, until=lambda live: live.table.scored == 2):
        pass
    deals = [event.version for event in live.events if isinstance(event.public, CardsDealt)]
    scores = [event.version for event in live.events if isinstance(event.public, DealScored)]
    deal = data.draw(st.integers(0, 1))
    start, end = deals[deal], scores[deal]
    version = data.draw(st.integers(start, end - 1))
    shown = set[str]().union(*(learnt(event, audience) for event in live.events[start - 1 : version]))
    unseen: list[str] = [card for card in PACK if card not in shown]
    assume(len(unseen) > 1)
    names = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    other = world(live, start, version, names)
    if other is None:
        names = {}
        for _ in range(12):
            one, two = rng.sample(unseen, 2)
            swapped = {**names, one: names.get(two, two), two: names.get(one, one)}
            moved = world(live, start, version, swapped)
            names, other = (swapped, moved) if moved else (names, other)
    assume(other is not None)
    assert other is not None
    told: Table | None = READER.fold(None, live.records[: start - 1], audience)
    again = told
    for number in range(start, version + 1):
        told = READER.fold(told, [live.records[number - 1]], audience)
        again = READER.fold(again, [other.records[number - 1]], audience)
        assert told is not None
        assert again is not None
        assert seen(told) == seen(again)
        if audience.startswith("seat:"):
            seat = int(audience[5:])
            assert offers(GAME, told, seat) == offers(GAME, again, seat)
