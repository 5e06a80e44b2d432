"""The acts of a player in Dingo, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.games.dingo.events import CardDiscarded, CardPassed, PassedCard, WolfPassed, WolfPlayed, WolvesPlayed
from domain.games.dingo.meta import ACE, PACK, SEATS, WOLVES
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Passing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among
from domain.kernel.event import Event
from domain.parts.holding import either, held, not_held
from domain.seats import Seat, seat_audience


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card face up."""

    RULE: ClassVar = "DG-4.1"

    card: Card


class PassCard(Action, frozen=True, tag="pass-card"):
    """Pass a card face down to the seat that the step names."""

    RULE: ClassVar = "DG-4.3"
    ORDER: ClassVar = "DG-4.1"

    card: Card


class PlayWolf(Action, frozen=True, tag="play-wolf"):
    """Play a wolf of the rank that is hunted."""

    RULE: ClassVar = "DG-5.2"

    card: Card


class Pass(Action, frozen=True, tag="pass"):
    """Play no wolf of the rank that is hunted."""

    RULE: ClassVar = "DG-5.2"


class PlayWolves(Action, frozen=True, tag="play-wolves"):
    """Play black aces in the hunt of the ace: none, one or both."""

    RULE: ClassVar = "DG-6.2"

    cards: tuple[Card, ...] = ()


ACES = frozenset(card for card in PACK if PACK.rank(card) == ACE)

DingoAction: TypeAlias = Discard | PassCard | PlayWolf | Pass | PlayWolves


def _may_go(state: Discarding, seat: Seat, _: Discard) -> tuple[Card, ...]:
    return tuple([card for card in state.hands[seat].known if card not in ACES])


def _stays(state: Discarding, seat: Seat, action: Discard) -> str | None:
    missing = not_held(state.hands[seat], action.card)
    return missing or f"aces stay in the hand: discard {either(_may_go(state, seat, action))}"


def _wolves(state: Hunt, _seat: Seat, _: PlayWolf) -> tuple[Card, ...]:
    return WOLVES[state.rank]


def _no_wolf(state: Hunt, _: Seat, action: PlayWolf) -> str:
    return f"{action.card} is no wolf of the rank hunted: {either(WOLVES[state.rank])} is"


def _black_aces(_state: AceHunt, _seat: Seat, _: PlayWolves) -> tuple[Card, ...]:
    return WOLVES[ACE]


def _no_black_aces(state: AceHunt, seat: Seat, action: PlayWolves) -> str | None:
    other = next((card for card in action.cards if card not in WOLVES[ACE]), None)
    if other is None:
        return not_held(state.hands[seat], *action.cards)
    return f"{other} is no black ace: play none, one or both of those that you hold"


def _passed(state: Passing, seat: Seat, action: PassCard) -> Event[CardPassed]:
    to = (seat + state.step.to) % SEATS
    return Event(CardPassed(seat, to), {seat_audience(each): PassedCard(action.card) for each in sorted((seat, to))})


def _played(_: AceHunt, seat: Seat, action: PlayWolves) -> Event[WolvesPlayed]:
    return Event(WolvesPlayed(seat, PACK.sorted(action.cards)))


ACTS = Acts("DG-2.1", (
    ActRules(Discard, CardDiscarded, (Among("DG-4.1", "card", _may_go, _stays),)),
    ActRules(PassCard, CardPassed, (held("DG-4.3"),), make=_passed, section=PassedCard),
    ActRules(PlayWolf, WolfPlayed, (
        Among("DG-5.2", "card", _wolves, _no_wolf),
        held("DG-5.2", ": play another wolf that you hold, or pass"),
    )),
    # A seat without a wolf must answer too, so that a pass discloses nothing (DG-5.3).
    ActRules(Pass, WolfPassed),
    ActRules(PlayWolves, WolvesPlayed, (
        Among("DG-6.2", "cards", _black_aces, _no_black_aces),
        held("DG-6.2", field="cards"),
    ), make=_played),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Discard, PassCard, Pass, PlayWolves)
"""The acts that the house takes for a player whose clock has run out: the lowest cards are given up, and no wolf is
played.
"""
