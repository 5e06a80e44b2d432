"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from collections.abc import Iterator
from itertools import islice
from typing import assert_never

from domain.games.khanhoo.actions import MILDEST
from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import ROWS
from domain.games.khanhoo.division import cards_to_go_out
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Cards, Challenging, Claiming, Discarding, Drawing, Ended, State
from domain.kernel.offers import MOST_LISTS, Offer, OneOf, OneOfLists
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import in_turn
from domain.seats import Seat

DRAW = (Offer("draw-stock"), Offer("draw-discard"))
LET_GO = Offer("let-go")
YIELD = Offer("yield")


def to_act(state: State) -> tuple[Seat, ...]:
    """The seats that must act; none while an automatic event is due or the deal is over."""
    match state:
        case Drawing():
            return () if state.taking or state.cards.must_renew else (state.turn,)
        case Discarding():
            return (state.turn,)
        case Claiming():
            return state.waiting
        case Challenging():
            return () if state.yielded else (state.turn,)
        case Ended():
            return ()
        case _:
            assert_never(state)


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state:
        case Drawing():
            return DRAW
        case Discarding():
            return tuple(_discards(state.cards, seat))
        case Claiming():
            return (LET_GO, *_claims("bump", state.cards, seat, 0, "KH-6.2"))
        case Challenging():
            return (YIELD, *_claims("challenge", state.cards, seat, ROWS[state.bump.meld].points, "KH-6.4"))
        case Ended():
            return ()
        case _:
            assert_never(state)


def _discards(cards: Cards, seat: Seat) -> Iterator[Offer]:
    """Any card, and those with which the seat can go out (KH-4.3, KH-7.1)."""
    held = cards.hands[seat].known
    yield Offer("discard", {"card": OneOf(held, "KH-4.3")})
    last = cards_to_go_out(held)
    if last:
        yield Offer("go-out", {"card": OneOf(last, "KH-7.1")})


def _claims(type: str, cards: Cards, seat: Seat, least: int, rule: str) -> Iterator[Offer]:
    """The melds with the discard of at least this value; a kind with too many lists gets several offers.

    Only challenges may use sequences (KH-6.2, KH-6.4).
    """
    made = claims(cards.hands[seat].known, cards.top, sequences=type == "challenge")
    for meld, lists in made.items():
        rest = iter(lists if ROWS[meld].points >= least else ())
        while some := tuple(islice(rest, MOST_LISTS)):
            yield Offer(type, {"meld": OneOf((meld,), rule), "cards": OneOfLists(some, rule)})


offers = in_turn(to_act, _acts)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
