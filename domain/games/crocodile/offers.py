"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import SUITS
from domain.games.crocodile.actions import MILDEST
from domain.games.crocodile.contracts import CONTRACTS, Contract, ContractName, bonuses_of, declarable
from domain.games.crocodile.meta import HAND, MAX_TEXT, MAX_UTTERANCES, PACK
from domain.games.crocodile.scoring import settled
from domain.games.crocodile.state import (
    Asking,
    Auction,
    Conceded,
    Declaration,
    Exchanging,
    LayingCasco,
    Playing,
    State,
    TakingCasco,
)
from domain.kernel.offers import Field, Offer, OneOf, SomeOf, Text
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

CASCO_CARDS_LAID = 5
CONCEDE = Offer("concede")


def exposes(state: State) -> bool:
    """Whether declarer's cards must be laid open now (CR-5.3)."""
    return isinstance(state, Playing) and state.commitment.contract.exposed and not state.exposed


to_act = one_at_a_time(settled, exposes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def may_concede(state: Exchanging | Playing) -> bool:
    """Whether declarer may concede now (CR-9.11)."""
    declarer = state.commitment.declarer
    if not state.commitment.contract.concede:
        return False
    if isinstance(state, Exchanging):
        return declarer not in state.queue
    return not state.tricks.winners and all(played.seat != declarer for played in state.tricks.trick)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now. Declarer's concession and the opponents' talk need no turn."""
    on_turn = seat in to_act(state)
    match state:
        case Playing():
            cards = (_play(state, seat),) if on_turn else ()
            return (*cards, *_concede(state, seat), *_talk(state, seat))
        case Auction():
            return _auction(state) if on_turn else ()
        case Declaration():
            return _declaration(state) if on_turn else ()
        case TakingCasco():
            return (Offer("take-casco", {"keep": OneOf(state.hands[seat].known, "CR-7.6")}),) if on_turn else ()
        case LayingCasco():
            return (_lay(state, seat),) if on_turn else ()
        case Exchanging():
            return (*(_exchange(state, seat) if on_turn else ()), *_concede(state, seat))
        case Asking():
            answer = Offer("answer-priority", {"accept": OneOf((True, False), "CR-7.4")})
            return (*((answer,) if on_turn else ()), *_concede(state.exchange, seat))
        case Conceded():
            return ()
        case _:
            assert_never(state)


def _auction(state: Auction) -> tuple[Offer, ...]:
    return (Offer("bid", {"contract": OneOf(state.common.bidding.higher, "CR-4.3")}), Offer("pass"))


def _bonus(contract: Contract) -> OneOf:
    return OneOf((None, *bonuses_of(contract)), "CR-10.1")


def _declaration(state: Declaration) -> tuple[Offer, ...]:
    return tuple(map(_declare, declarable(state.bid)))


def _declare(name: ContractName) -> Offer:
    trumps = OneOf(SUITS if CONTRACTS[name].trumps == "named" else (None,), "CR-6.2")
    return Offer("declare", {"contract": OneOf((name,), "CR-6.1"), "trump": trumps, "bonus": _bonus(CONTRACTS[name])})


def _lay(state: LayingCasco, seat: Seat) -> Offer:
    lay: dict[str, Field] = {
        "lay": SomeOf(state.hands[seat].known, CASCO_CARDS_LAID, CASCO_CARDS_LAID, "CR-7.6"),
        "trump": OneOf((None, *SUITS), "CR-7.6"),
        "bonus": _bonus(CONTRACTS["casco"]),
    }
    return Offer("lay-casco", lay)


def _exchange(state: Exchanging, seat: Seat) -> tuple[Offer, ...]:
    hand = state.hands[seat].known
    contract = state.commitment.contract
    if seat == state.commitment.declarer and contract.exchange is not None:
        least, most = contract.exchange
        return (Offer("exchange", {"discard": SomeOf(hand, least, most, "CR-7.1")}),)
    unseen, face_up = len(state.stock.pile), state.stock.face_up
    # The cards taken by name limit the number of discards, so each number of them gets an offer.
    exchange = tuple(
        Offer(
            "exchange",
            {
                "discard": SomeOf(hand, taken, min(HAND, taken + unseen), "CR-7.7" if face_up else "CR-7.3"),
                **({"take": SomeOf(face_up, taken, taken, "CR-7.7")} if taken else {}),
            },
        )
        for taken in range(len(face_up) + 1)
    )
    priority = (Offer("offer-priority"),) if len(state.queue) > 1 and not state.priority_offered else ()
    return (*exchange, *priority)


def _concede(state: Exchanging | Playing, seat: Seat) -> tuple[Offer, ...]:
    if seat != state.commitment.declarer or not may_concede(state):
        return ()
    return (CONCEDE,) if settled(state) is None else ()


def _play(state: Playing, seat: Seat) -> Offer:
    return play_offer(state, seat, "CR-8.2")


def _talk(state: Playing, seat: Seat) -> tuple[Offer, ...]:
    talking = state.commitment.bonus == "talking" and state.exposed and settled(state) is None
    if not talking or seat == state.commitment.declarer or state.utterances[seat] >= MAX_UTTERANCES:
        return ()
    return (Offer("talk", {"text": Text(1, MAX_TEXT, "CR-10.7")}),)


default_action = mildest(offers, low_first(PACK), MILDEST, {"accept": False})
"""The act that the house takes for a player whose clock has run out."""
