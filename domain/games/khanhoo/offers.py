"""The seats that must act, and what they are offered, from public fields and the seat's own cards alone."""

from itertools import islice
from typing import assert_never

from domain.games.khanhoo.acts import ACTS, MILDEST, Bump, Challenge, GoOut
from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import ROWS
from domain.games.khanhoo.division import cards_to_go_out
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Cards, Challenging, Claiming, Discarding, Drawing, Ended, State
from domain.kernel.offers import MOST_LISTS, Offer, OneOf, OneOfLists
from domain.parts.defaults import low_first, mildest
from domain.seats import Seat


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


def _going_out(state: Discarding, seat: Seat) -> tuple[Offer, ...]:
    """The cards with which the seat can go out (KH-7.1)."""
    last = cards_to_go_out(state.cards.hands[seat].known)
    return (Offer("go-out", {"card": OneOf(last)}),) if last else ()


def _bumps(state: Claiming, seat: Seat) -> tuple[Offer, ...]:
    return _claims("bump", state.cards, seat, 0)


def _challenges(state: Challenging, seat: Seat) -> tuple[Offer, ...]:
    return _claims("challenge", state.cards, seat, ROWS[state.bump.meld].points)


def _claims(type: str, cards: Cards, seat: Seat, least: int) -> tuple[Offer, ...]:
    """The melds with the discard of at least this value; a kind with too many lists gets several offers.

    Only challenges may use sequences (KH-6.2, KH-6.4).
    """
    found: list[Offer] = []
    made = claims(cards.hands[seat].known, cards.top, sequences=type == "challenge")
    for meld, lists in made.items():
        rest = iter(lists if ROWS[meld].points >= least else ())
        while some := tuple(islice(rest, MOST_LISTS)):
            found.append(Offer(type, {"meld": OneOf((meld,)), "cards": OneOfLists(some)}))
    return tuple(found)


offers = ACTS.offers(to_act, {GoOut: _going_out, Bump: _bumps, Challenge: _challenges})
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
