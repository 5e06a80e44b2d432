"""The events that legal actions cause, and the automatic events, which need no action."""

from typing import assert_never

from domain.games.solo.actions import Ask, Declare, Pass, Play, SoloAction, Yes
from domain.games.solo.contracts import CONTRACTS, contract_of
from domain.games.solo.events import BidAsked, BidHeld, ContractDeclared, PartnerShown, QueenShown, SoloEvent
from domain.games.solo.meta import SHOWN
from domain.games.solo.offers import partner_to_show
from domain.games.solo.state import Auction, Declaration, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.seats import HOUSE, Seat


def decide(state: State, seat: Seat, action: SoloAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    match action:
        case Ask():
            return Event(BidAsked(seat, state.common.auction.question))
        case Yes():
            return Event(BidHeld(seat, state.common.auction.question))
        # A card played and a pass cause the same events in every game.
        case Play() | Pass():
            return action.event(seat)
        case Declare():
            contract = contract_of(action.game, action.trump, state.common.options.color)
            return Event(ContractDeclared(seat, action.game, action.trump, action.called, contract.level))
        case _:
            assert_never(action)


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, or None: partner or queen shown, a trick won, the only declaration there is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if (partner := partner_to_show(state)) is not None:
            return Event(PartnerShown(partner))
        case Playing():
            # The player of the highest card takes the trick, once everybody has played to it.
            return trick_won(state)
        case Auction() if state.turn is None:
            holder = next(seat for seat, hand in enumerate(state.hands) if SHOWN in hand.known)
            return Event(QueenShown(holder, SHOWN))
        case Declaration() if state.turn is None:
            # The highest level leaves only this game, which is played in color and without a partner.
            game, color = CONTRACTS[state.level].game, state.common.options.color
            return Event(ContractDeclared(state.declarer, game, color, None, state.level))
        case _:
            return None


def action_of(event: Event[SoloEvent]) -> SoloAction | None:
    """The action that caused this event; None for an automatic event."""
    public = event.public
    match public:
        case BidAsked():
            return Ask()
        case BidHeld():
            return Yes()
        case BidPassed():
            return Pass()
        case ContractDeclared():
            return None if event.actor == HOUSE else Declare(public.game, public.trump, public.called)
        case CardPlayed():
            return Play(public.card)
        case QueenShown() | PartnerShown() | TrickWon():
            return None
        case _:
            assert_never(public)
