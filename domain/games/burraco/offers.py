"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from collections.abc import Iterator
from typing import assert_never

from domain.cards import JOKER, Card
from domain.games.burraco.acts import MILDEST, NEW, Turn, turn_of
from domain.games.burraco.melds import Arranged, additions, arranged, layings
from domain.games.burraco.meta import PACK
from domain.games.burraco.outcomes import settled
from domain.games.burraco.state import Drawing, Melding, State
from domain.kernel.offers import MOST_LISTS, Offer, OneOf, OneOfLists
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

DRAW = (Offer("draw"), Offer("take-pile"))


def opening(state: State) -> Seat | None:
    """The seat that must look at its pozzetto now: in its own turn, before anything else (BU-8.2, BU-8.3).

    None if there is none.
    """
    return None if state.common.face_down(state.turn) is None or settled(state) is not None else state.turn


to_act = one_at_a_time(settled, lambda state: state.common.taking is not None or opening(state) is not None)
"""The seat that must act; none while a pozzetto is to be taken or looked at, or once the deal is settled."""


def _acts(state: State, _: Seat) -> tuple[Offer, ...]:
    match state:
        case Drawing():
            return DRAW
        case Melding():
            turn = turn_of(state)
            return (*_lay_offers(turn), *_add_offers(turn), *_discard_offers(turn))
        case _:
            assert_never(state)


_Lists = dict[tuple[Card, ...], list[tuple[Card, ...]]]
"""The layings, by the wild cards that fit them."""


def _lays(turn: Turn) -> _Lists:
    """The layings that are allowed: no second set of a rank, and none after which the turn could not end (BU-5.1,
    BU-6.5).
    """
    ranks = {meld.rank for meld in turn.melds.values()} - {None}
    lists: _Lists = {}
    for laying in layings(turn.held):
        if laying.rank in ranks:
            continue
        if len(turn.held) > 4:
            lists.setdefault(laying.wilds, []).append(laying.cards)
            continue
        # The rest depends on all three cards, so each wild card is tried by itself.
        singly: tuple[tuple[Card, ...], ...] = tuple([(card,) for card in laying.wilds]) or ((),)
        for wild in singly:
            cards = (*laying.cards, *wild)
            meld = arranged(cards)
            if meld is not None and turn.can_end_without(cards, {NEW: meld}):
                lists.setdefault(wild, []).append(laying.cards)
    return lists


def _lay_offers(turn: Turn) -> Iterator[Offer]:
    """Melds without a wild card as triples, others as pairs and a wild card (BU-6.1)."""
    for wilds, cards in _lays(turn).items():
        wild = {"wild": OneOf(wilds)} if wilds else {}
        for start in range(0, len(cards), MOST_LISTS):
            some = OneOfLists(tuple(cards[start : start + MOST_LISTS]))
            yield Offer("lay", {"cards": some, **wild})


def _add_offers(turn: Turn) -> Iterator[Offer]:
    """For each meld of the side, the cards that may be added (BU-6.2)."""
    for number, meld in turn.melds.items():
        cards = tuple(_adds(turn, number, meld))
        if cards:
            yield Offer("add", {"meld": OneOf((number,)), "card": OneOf(cards)})


def _adds(turn: Turn, number: int, meld: Arranged) -> Iterator[Card]:
    """The cards that may be added to the meld, so that the turn can still end (BU-6.5)."""
    for card, grown in additions(meld, turn.held):
        if grown is not None and (len(turn.held) > 2 or turn.can_end_without((card,), {number: grown})):
            yield card


def _discard_offers(turn: Turn) -> Iterator[Offer]:
    """Any card but the barred one (BU-4.2, BU-4.3). A last card is left only if it may be discarded (BU-6.5)."""
    cards = tuple([card for card in turn.held if card != turn.barred])
    if cards:
        yield Offer("discard", {"card": OneOf(cards)})


_LAST: tuple[Card, ...] = tuple(card for rank in ("2", JOKER) for card in PACK if PACK.rank(card) == rank)
"""Wild cards are given up last."""

offers = in_turn(to_act, _acts)
"""The acts open to the seat now: to draw, and then to lay, to add and to discard."""

default_action = mildest(offers, low_first(PACK, _LAST), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
