"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import SUITS, Card
from domain.games.solo.actions import MILDEST
from domain.games.solo.contracts import GAMES, LEAST_ALONE, Contract, contract_of
from domain.games.solo.meta import BLACK_QUEENS, PACK, SHOWN
from domain.games.solo.scoring import settled
from domain.games.solo.state import Auction, Declaration, Playing, State
from domain.kernel.hands import Hand
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

ASK = Offer("ask")
YES = Offer("yes")
PASS = Offer("pass")


def partner_to_show(state: State) -> Seat | None:
    """The seat that has just played the called card, and so must be shown as the partner (SO-2.1); None if none has."""
    if not isinstance(state, Playing):
        return None
    called = state.commitment.called
    return next((play.seat for play in state.tricks.trick if play.card == called and state.partner is None), None)


to_act = one_at_a_time(settled, lambda state: partner_to_show(state) is not None)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def must_play_alone(hand: Hand) -> bool:
    """Whether the hand holds both black queens, and so must play solo or higher (SO-3.3)."""
    return set(hand.known) >= BLACK_QUEENS


def callable_cards(hand: Hand) -> tuple[Card, ...]:
    """The cards whose holder declarer may call: aces not held or, if all are held, kings not held (SO-2.1)."""
    aces: tuple[Card, ...] = ("As", "Ah", "Ad", "Ac")
    kings: tuple[Card, ...] = ("Ks", "Kh", "Kd", "Kc")
    open_to = ([card for card in rank if card not in hand.known] for rank in (aces, kings))
    return tuple(next(filter(None, open_to), ()))


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state:
        case Playing():
            return (play_offer(state, seat, "SO-4.1"),)
        case Auction():
            return _auction(state, seat)
        case Declaration():
            return _declaration(state)
        case _:
            assert_never(state)


def _auction(state: Auction, seat: Seat) -> tuple[Offer, ...]:
    auction = state.common.auction
    speak = YES if auction.open else ASK
    bound = auction.question <= LEAST_ALONE and must_play_alone(state.hands[seat])
    return (speak,) if bound else (speak, PASS)


def _may_declare(state: Declaration, contract: Contract) -> bool:
    """Whether declarer may play this game with its trumps (SO-2.1, SO-3.2 to SO-3.4)."""
    hand = state.hands[state.declarer]
    if contract.level < state.level or not (state.level or contract.partner):
        return False
    bound = contract.level < LEAST_ALONE and must_play_alone(hand)
    return not bound and (not contract.partner or bool(callable_cards(hand)))


def _declaration(state: Declaration) -> tuple[Offer, ...]:
    """One offer a game, with the trumps that make it high enough."""
    color, called = state.common.options.color, callable_cards(state.hands[state.declarer])
    open_to = {
        game: tuple(trump for trump in SUITS if _may_declare(state, contract_of(game, trump, color))) for game in GAMES
    }
    return tuple(
        Offer(
            "declare",
            {
                "game": OneOf((game,), "SO-3.2"),
                "trump": OneOf(trumps, "SO-3.2"),
                "called": OneOf(called if contract_of(game, color, color).partner else (None,), "SO-2.1"),
            },
        )
        for game, trumps in open_to.items()
        if trumps
    )


offers = in_turn(to_act, _acts)
"""The acts open to the seat now."""

default_action = mildest(offers, low_first(PACK, ("Qs", SHOWN)), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
