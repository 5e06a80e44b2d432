"""What a seat may do now, from public fields and the seat's own cards alone."""

from collections.abc import Iterator
from typing import assert_never

from domain.cards import Card
from domain.kernel.offers import Offer, OneOf, OneOfLists, sets_of
from domain.seats import Seat
from tests.games.toy.meta import PACK, value
from tests.games.toy.state import Passing, Playing, Pledging, State


def to_act(state: State) -> tuple[Seat, ...]:
    """The seats that must act; none while an automatic event is due or the deal is settled."""
    match state:
        case Passing():
            return (state.common.eldest,)
        case Pledging():
            return state.waiting
        case Playing():
            return () if state.turn is None else (state.turn,)
        case _:
            assert_never(state)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do now."""
    held = state.common.cards.hands[seat].known
    match state:
        case Passing() | Pledging() if seat not in to_act(state):
            return ()
        case Passing():
            return (Offer("pass", {"card": OneOf(held)}),)
        case Pledging():
            return (Offer("pledge", {"cards": OneOfLists(((), *_of_one_rank(held)))}),)
        case Playing():
            return tuple(_playing(state, seat, held))
        case _:
            assert_never(state)


def _of_one_rank(held: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """The cards held of each rank, all of them together."""
    ranks = dict.fromkeys(map(PACK.rank, held))
    return (tuple(card for card in held if PACK.rank(card) == rank) for rank in ranks)


def _playing(state: Playing, seat: Seat, held: tuple[Card, ...]) -> Iterator[Offer]:
    if state.turn is not None and state.alike and state.snapper is None:
        yield Offer("snap")
    if seat != state.turn:
        return
    yield Offer("lay", {"card": OneOf(held)})
    cards = state.common.cards
    values = {card: value(card) for card in cards.table}
    for card in held:
        taken = sets_of(values, value(card), least=1)
        if taken is not None:
            yield Offer("capture", {"card": OneOf((card,)), "taken": taken})
    if cards.blinds[seat]:
        yield Offer("turn")
