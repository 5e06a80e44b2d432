"""SO-2.1: which seat is the partner, and that no audience knows it before the called card falls."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import msgspec
import pytest

from domain.cards import Card
from domain.games.solo import SOLO
from domain.games.solo.events import ContractDeclared, PartnerShown
from domain.kernel.canonical import canonical
from domain.kernel.rejection import Rejected
from domain.record.history import record_command
from domain.seats import Audience, Seat
from domain.table.actions import Act
from domain.table.events import CardsDealt
from domain.table.seat_offers import offers
from domain.table.view import to_act, view
from tests.games.solo.tables import PACK, SUITS, SoloLive, declared, planned, played
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, READER, Wire, chance, moment, parsed, step

WIRES: tuple[Wire, ...] = (
    *({"type": kind} for kind in ("ask", "yes", "pass")),
    *(
        {"type": "declare", "game": "simple", "trump": trump, "called": f"A{suit}"}
        for trump, suit in product(SUITS, SUITS)
    ),
    *({"type": "play", "card": card} for card in PACK),
)


@for_each("fall", range(8))
@for_each("partner", [1, 2, 3])
@for_each("wins", [True, False])
def test_so_2_1_the_partner_is_shown_right_after_the_called_card(fall: int, partner: Seat, *, wins: bool) -> None:
    winners = [0, 1, 2, 3, 0, 1, 2, 3]
    winners[fall] = partner if wins else 0
    plan = planned(winners, partner, fall)
    live = declared(1, plan)
    while not live.of(PartnerShown):
        live.do("play", card=plan.tricks[len(live.table.deal_state.tricks.winners)][live.turn])
    place = next(place for place, event in enumerate(live.events) if isinstance(event.public, PartnerShown))
    card, shown = live.events[place - 1], live.events[place]
    assert (card.public.TYPE, card.public.card, card.public.seat) == ("card-played", plan.called, partner)
    assert (shown.public, shown.actor) == (PartnerShown(partner), "house")
    for audience in live.audiences:
        assert live.view(audience, card.version)["contract"]["partner"] is None
        assert live.view(audience, shown.version)["contract"]["partner"] == partner


@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_so_2_1_games_alone_show_no_partner(level: int) -> None:
    live = played(level, [0] * 8)
    assert live.of(PartnerShown) == []
    assert live.of(ContractDeclared)[0].called is None


class Hidden(NamedTuple):
    """A deal in which a partner is still hidden: the version that dealt it, and that before the called card fell."""

    live: SoloLive
    start: int
    last: int
    declarer: Seat
    partner: Seat
    called: str


def hidden_partners() -> Iterator[Hidden]:
    """First deals of random games that are simple ones."""
    for number in range(60):
        rng = chance(("partner", number))
        seed = bytes([number]) * 32
        live = SoloLive.started(deals=4, seed=seed, options=SOLO.options(color=rng.choice(SUITS)))
        while not live.table.scored:
            step(live, rng)
        (contract,) = live.of(ContractDeclared)
        if contract.called is None:
            continue
        start = next(event.version for event in live.events if isinstance(event.public, CardsDealt))
        shown = next(event for event in live.events if isinstance(event.public, PartnerShown))
        yield Hidden(live, start, shown.version - 2, contract.seat, shown.public.seat, contract.called)


def swapped(hidden: Hidden, other: Seat, card: str) -> SoloLive | None:
    """The deal in which the other seat holds the called card for this one of its own, if it can be played alike."""
    live, names = hidden.live, {hidden.called: card, card: hidden.called}
    event = live.events[hidden.start - 1]
    deck = live.known_to("house", hidden.start).deal_state.common.deck.cards
    world = SoloLive(live.records[: hidden.start - 1])
    cards: list[Card] = [names.get(one, one) for one in deck]
    world.append([world.dealing(cards, event.public.dealer)])
    assert hidden.called in world.hand(other)
    try:
        for at, seat, wire in live.acts:
            if hidden.start <= at < hidden.last:
                world.take(seat, wire)
    except Rejected:
        return None
    assert world.version == hidden.last
    return world


def answers(live: SoloLive, seat: Seat) -> list[object]:
    """What the table answers to anything that the seat may try; the table itself stays as it is."""
    found: list[object] = []
    for wire in WIRES:
        try:
            _, records = record_command(
                SOLO, live.history, Act(EVERYBODY[seat], parsed(wire, SOLO)), moment(live.version)
            )
        except Rejected as refused:
            found.append((refused.code, refused.rule, refused.detail))
        else:
            found.append([(record.type, record.public) for record in records])
    return found


def test_so_2_1_who_is_partner_changes_nothing_for_anybody_else() -> None:
    """Another seat gets the called card: seats that hold neither card see no difference until it falls."""
    worlds = compared = answered = 0
    for hidden in hidden_partners():
        live, before = hidden.live, SoloLive(hidden.live.records[: hidden.last])
        for other in {0, 1, 2, 3} - {hidden.declarer, hidden.partner}:
            for card in before.hand(other):
                world = swapped(hidden, other, card)
                if world is None:
                    continue
                worlds += 1
                assert [(event.public, event.actor) for event in world.events[hidden.start :]] == [
                    (event.public, event.actor) for event in live.events[hidden.start : hidden.last]
                ]
                for audience in ("public", *(f"seat:{seat}" for seat in {0, 1, 2, 3} - {other, hidden.partner})):
                    compared += same_for(audience, live, world, hidden)
                for seat in {0, 1, 2, 3} - {other, hidden.partner}:
                    assert answers(before, seat) == answers(world, seat)
                    answered += 1
                break
    assert worlds > 20
    assert compared > 500
    assert answered == 2 * worlds


def same_for(audience: Audience, live: SoloLive, world: SoloLive, hidden: Hidden) -> int:
    """Asserts that view and offers of the audience are the same at every version. Returns how many versions."""
    one = READER.fold(None, live.records[: hidden.start - 1], audience)
    other = one
    for version in range(hidden.start, hidden.last + 1):
        one = READER.fold(one, [live.records[version - 1]], audience)
        other = READER.fold(other, [world.records[version - 1]], audience)
        assert canonical(view(SOLO, one, audience)) == canonical(view(SOLO, other, audience))
        assert to_act(SOLO, one) == to_act(SOLO, other)
        if audience != "public":
            seat = int(audience.removeprefix("seat:"))
            assert offers(SOLO, one, seat) == offers(SOLO, other, seat)
    return hidden.last + 1 - hidden.start


def test_so_2_1_the_partner_is_told_no_more_than_the_own_cards() -> None:
    """Views differ in the own hand alone, at every version of every deal."""
    seen = 0
    for hidden in hidden_partners():
        live = hidden.live
        for version in range(hidden.start, hidden.last + 1, 5):
            public = view(SOLO, live.known_to("public", version), "public")
            for seat in range(4):
                own = view(SOLO, live.known_to(f"seat:{seat}", version), f"seat:{seat}")
                hands = tuple(
                    msgspec.structs.replace(each, hand=public.seats[each.seat].hand) if each.seat == seat else each
                    for each in own.seats
                )
                assert msgspec.structs.replace(own, you=None, seats=hands) == public
                seen += 1
    assert seen > 300
