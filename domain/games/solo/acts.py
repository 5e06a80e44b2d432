"""The acts of a player in Solo, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import SUITS, Card, Suit
from domain.games.solo.contracts import CONTRACTS, GAMES, LEAST_ALONE, GameName, contract_of
from domain.games.solo.events import BidAsked, BidHeld, ContractDeclared
from domain.games.solo.meta import BLACK_QUEENS
from domain.games.solo.state import Auction, Declaration
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar, Free
from domain.kernel.event import Event
from domain.kernel.hands import Hand
from domain.parts.auction import BidPassed, PassBid
from domain.parts.holding import either
from domain.parts.tricks import PlayCard, playing
from domain.seats import HOUSE, Seat


class Ask(Action, frozen=True, tag="ask"):
    """Open the auction, or ask the holder for the next level."""

    RULE: ClassVar = "SO-3.1"


class Yes(Action, frozen=True, tag="yes"):
    """Hold the level that was asked for."""

    RULE: ClassVar = "SO-3.1"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "SO-3.1"


class Declare(Action, frozen=True, tag="declare"):
    """Name the game, trumps and, in a simple game, the card whose holder is to be the partner."""

    RULE: ClassVar = "SO-3.2"

    game: GameName
    trump: Suit
    called: Card | None = None


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "SO-4.1"


SoloAction: TypeAlias = Ask | Yes | Pass | Declare | Play


def must_play_alone(hand: Hand) -> bool:
    """Whether the hand holds both black queens, and so must play solo or higher (SO-3.3)."""
    return BLACK_QUEENS.issubset(hand.known)


def callable_cards(hand: Hand) -> tuple[Card, ...]:
    """The cards whose holder declarer may call: aces not held or, if all are held, kings not held (SO-2.1)."""
    aces: tuple[Card, ...] = ("As", "Ah", "Ad", "Ac")
    kings: tuple[Card, ...] = ("Ks", "Kh", "Kd", "Kc")
    open_to = ([card for card in rank if card not in hand.known] for rank in (aces, kings))
    return tuple(next(filter(None, open_to), ()))


def _to_answer(state: Auction, _: Seat) -> str | None:
    auction = state.common.auction
    return f"you are asked for level {auction.question}: say yes, or pass" if auction.open else None


def _not_asked(state: Auction, _: Seat) -> str | None:
    return None if state.common.auction.open else "nobody has asked you for a level: ask, or pass"


def _bound(state: Auction, seat: Seat) -> str | None:
    question = state.common.auction.question
    if question > LEAST_ALONE or not must_play_alone(state.hands[seat]):
        return None
    return f"you hold both black queens, and do not pass at level {question}"


def _level(state: Declaration, game: GameName, trump: Suit) -> int:
    return contract_of(game, trump, state.common.options.color).level


def _called(state: Declaration, seat: Seat, action: Declare) -> tuple[Card | None, ...]:
    color = state.common.options.color
    return callable_cards(state.hands[seat]) if contract_of(action.game, color, color).partner else (None,)


def _not_called(state: Declaration, seat: Seat, action: Declare) -> str:
    may = _called(state, seat, action)
    if None in may:
        return f"a {action.game} is played alone: called must be left out"
    if not may:
        return "you hold all aces and kings, and so there is no card to call"
    return f"a {action.game} game calls a card that you do not hold: {either(may)}"


def _high_enough(state: Declaration, _: Seat, action: Declare) -> tuple[Suit, ...]:
    return tuple([trump for trump in SUITS if _level(state, action.game, trump) >= state.level])


def _too_low(state: Declaration, _: Seat, action: Declare) -> str:
    level = _level(state, action.game, action.trump)
    return f"you hold level {state.level}, and this game is one of level {level}"


def _of_queens(state: Declaration, seat: Seat, action: Declare) -> tuple[Suit, ...] | None:
    if not must_play_alone(state.hands[seat]):
        return None
    return tuple([trump for trump in SUITS if _level(state, action.game, trump) >= LEAST_ALONE])


def _queens_declare(state: Declaration, _: Seat, action: Declare) -> str:
    level = _level(state, action.game, action.trump)
    return f"you hold both black queens: level {LEAST_ALONE} or higher is declared, and this game is one of {level}"


def _simple(state: Declaration, _: Seat, action: Declare) -> tuple[Suit, ...] | None:
    if state.level:
        return None
    return tuple([trump for trump in SUITS if CONTRACTS[_level(state, action.game, trump)].partner])


def _not_simple(_state: Declaration, _: Seat, action: Declare) -> str:
    return f"all have passed: a simple game is declared, not a {action.game}"


def _asked(state: Auction, seat: Seat, _: Ask) -> Event[BidAsked]:
    return Event(BidAsked(seat, state.common.auction.question))


def _held(state: Auction, seat: Seat, _: Yes) -> Event[BidHeld]:
    return Event(BidHeld(seat, state.common.auction.question))


def _declared(state: Declaration, seat: Seat, action: Declare) -> Event[ContractDeclared]:
    level = _level(state, action.game, action.trump)
    return Event(ContractDeclared(seat, action.game, action.trump, action.called, level))


def _declaration_of(event: Event[ContractDeclared]) -> Declare | None:
    public = event.public
    return None if event.actor == HOUSE else Declare(public.game, public.trump, public.called)


ACTS = Acts("SO-1.1", (
    ActRules(Ask, BidAsked, (Bar("SO-3.1", _to_answer),), make=_asked),
    ActRules(Yes, BidHeld, (Bar("SO-3.1", _not_asked),), make=_held),
    ActRules(Pass, BidPassed, (Bar("SO-3.3", _bound),)),
    ActRules(Declare, ContractDeclared, (
        Free("game", tuple(GAMES)),
        Among("SO-2.1", "called", _called, _not_called, ("game",)),
        Among("SO-3.2", "trump", _high_enough, _too_low, ("game",)),
        Among("SO-3.3", "trump", _of_queens, _queens_declare, ("game",)),
        Among("SO-3.4", "trump", _simple, _not_simple, ("game",)),
    ), make=_declared, read=_declaration_of, each="game"),
    playing(Play, "SO-4.1", "SO-4.1"),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, Yes, Ask, Declare, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
