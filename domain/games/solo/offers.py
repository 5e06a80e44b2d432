"""What a seat may do now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import SUITS, Card
from domain.games.solo.actions import MILDEST
from domain.games.solo.contracts import GAMES, LEAST_ALONE, Contract, contract_of
from domain.games.solo.meta import BLACK_QUEENS, PACK, RANKINGS, SHOWN
from domain.games.solo.scoring import settled
from domain.games.solo.state import Auction, Declaration, Playing, State
from domain.kernel.hands import Hand
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.seats import Seat

ASK = Offer("ask")
YES = Offer("yes")
PASS = Offer("pass")


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat that must act; none while an automatic event is due or the deal is settled."""
    if isinstance(state, Playing) and (partner_to_show(state) is not None or settled(state) is not None):
        return ()
    turn = state.turn
    return () if turn is None else (turn,)


def partner_to_show(state: Playing) -> Seat | None:
    """The seat that has just played the called card, and so is to be shown as the partner (SO-2.1)."""
    called = state.commitment.called
    return next((play.seat for play in state.tricks.trick if play.card == called and state.partner is None), None)


def must_play_alone(hand: Hand) -> bool:
    """Whether the hand holds both black queens, and so plays solo or higher (SO-3.3)."""
    return set(hand.known) >= BLACK_QUEENS


def callable_cards(hand: Hand) -> tuple[Card, ...]:
    """The cards whose holder declarer may call: aces not held, without one kings not held (SO-2.1)."""
    aces: tuple[Card, ...] = ("As", "Ah", "Ad", "Ac")
    kings: tuple[Card, ...] = ("Ks", "Kh", "Kd", "Kc")
    open_to = ([card for card in rank if card not in hand.known] for rank in (aces, kings))
    return tuple(next(filter(None, open_to), ()))


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do now."""
    if seat not in to_act(state):
        return ()
    match state:
        case Playing():
            return (play_offer(state.hands[seat], state.tricks, RANKINGS[state.commitment.trump], "SO-4.1"),)
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


def barred(state: Declaration, contract: Contract) -> str | None:
    """The rule that keeps declarer from this game, if there is one."""
    hand = state.hands[state.declarer]
    if not state.level and not contract.partner:
        return "SO-3.4"
    if contract.level < state.level:
        return "SO-3.2"
    if contract.level < LEAST_ALONE and must_play_alone(hand):
        return "SO-3.3"
    return "SO-2.1" if contract.partner and not callable_cards(hand) else None


def _declaration(state: Declaration) -> tuple[Offer, ...]:
    """One offer a game, with the trumps that make it high enough. What bars a game in color bars it in any suit."""
    color, called = state.common.options.color, callable_cards(state.hands[state.declarer])
    games = {game: {trump: contract_of(game, trump, color) for trump in SUITS} for game in GAMES}
    ruled_out: dict[str, str] = {
        game: rule for game, rows in games.items() if (rule := barred(state, rows[color])) is not None
    }
    return tuple(
        Offer(
            "declare",
            {
                "game": OneOf((game,), "SO-3.2", ruled_out),
                "trump": OneOf(tuple(trump for trump, row in rows.items() if not barred(state, row)), "SO-3.2"),
                "called": OneOf(called if rows[color].partner else (None,), "SO-2.1"),
            },
        )
        for game, rows in games.items()
        if game not in ruled_out
    )


default_action = mildest(offers, low_first(PACK, ("Qs", SHOWN)), MILDEST)
"""What is done for a player whose clock has run out."""
