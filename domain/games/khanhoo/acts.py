"""The acts of a player in Khanhoo, the rules that limit them, and the events that they cause."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import ROWS, MeldName
from domain.games.khanhoo.division import cards_to_go_out
from domain.games.khanhoo.events import (
    BumpChallenged,
    BumpYielded,
    CardDiscarded,
    Claim,
    ClaimAnswered,
    DiscardDrawn,
    DrawnCard,
    StockDrawn,
    WentOut,
)
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Challenging, Claiming, Discarding, Drawing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Refusal
from domain.kernel.event import Event
from domain.parts.holding import either, not_held
from domain.parts.piles import openings_of_pile
from domain.seats import Seat, seat_audience


class DrawStock(Action, frozen=True, tag="draw-stock"):
    """Draw the top card of the stock."""

    RULE: ClassVar = "KH-4.1"


class DrawDiscard(Action, frozen=True, tag="draw-discard"):
    """Draw the top card of the discard pile."""

    RULE: ClassVar = "KH-4.1"


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card face up."""

    RULE: ClassVar = "KH-4.3"
    ORDER: ClassVar = "KH-4.1"

    card: Card


class GoOut(Action, frozen=True, tag="go-out"):
    """Discard a card and go out, with all other cards in melds."""

    RULE: ClassVar = "KH-7.1"
    ORDER: ClassVar = "KH-4.1"

    card: Card


class Bump(Action, frozen=True, tag="bump"):
    """Claim the discard for a meld with these cards of the hand."""

    RULE: ClassVar = "KH-6.2"
    ORDER: ClassVar = "KH-6.1"

    meld: MeldName
    cards: tuple[Card, ...]


class LetGo(Action, frozen=True, tag="let-go"):
    """Let the discard go."""

    RULE: ClassVar = "KH-6.1"


class Challenge(Action, frozen=True, tag="challenge"):
    """Keep the discard from the bumper, with a meld of it and these cards of the hand."""

    RULE: ClassVar = "KH-6.4"

    meld: MeldName
    cards: tuple[Card, ...]


class Yield(Action, frozen=True, tag="yield"):
    """Leave the discard to the bumper."""

    RULE: ClassVar = "KH-6.4"


KhanhooAction: TypeAlias = DrawStock | DrawDiscard | Discard | GoOut | Bump | LetGo | Challenge | Yield


def _in_hand(state: Discarding, seat: Seat, _: Discard) -> tuple[Card, ...]:
    return state.cards.hands[seat].known


def _not_in_hand(state: Discarding, seat: Seat, action: Discard | GoOut) -> str | None:
    return not_held(state.cards.hands[seat], action.card)


def _not_out(state: Discarding, seat: Seat, action: GoOut) -> str | None:
    last = cards_to_go_out(state.cards.hands[seat].known)
    if action.card in last:
        return None
    others = f"discard {either(last)} to go out" if last else "you cannot go out with this hand"
    return f"without {action.card} your other cards are no melds without rest: {others}"


def _nobody_out(state: Discarding, seat: Seat, _: GoOut) -> str | None:
    last = cards_to_go_out(state.cards.hands[seat].known)
    return None if last else "whichever card you discard, the others are no melds without rest"


def _no_bump(_: Claiming, _seat: Seat, action: Bump) -> str | None:
    return "a sequence is no bump" if action.meld == "sequence" else None


def _worth_less(state: Challenging, _: Seat, action: Challenge) -> str | None:
    own, bump = ROWS[action.meld], ROWS[state.bump.meld]
    if own.points >= bump.points:
        return None
    return f"{own.name} is worth {own.points}, and the bump, {bump.name}, {bump.points}"


def _cards_not_held(state: Claiming | Challenging, seat: Seat, action: Bump | Challenge) -> str | None:
    return not_held(state.cards.hands[seat], *action.cards)


def _no_meld(state: Claiming | Challenging, seat: Seat, action: Bump | Challenge) -> str | None:
    lists = claims(state.cards.hands[seat].known, state.cards.top, sequences=True).get(action.meld, ())
    if PACK.sorted(action.cards) in lists:
        return None
    row = ROWS[action.meld]
    return f"the discard {state.cards.top} with {', '.join(action.cards) or 'nothing'} makes no {row.name} ({row.rule})"


def _nothing_to_claim(state: Claiming | Challenging, seat: Seat, _: Bump | Challenge) -> str | None:
    least = ROWS[state.bump.meld].points if isinstance(state, Challenging) else 0
    made = claims(state.cards.hands[seat].known, state.cards.top, sequences=isinstance(state, Challenging))
    if any(ROWS[meld].points >= least for meld in made):
        return None
    worth = f" that is worth {least}" if least else ""
    return f"the discard {state.cards.top} makes no meld{worth} with cards of your hand"


def _stock_drawn(state: Drawing, seat: Seat, _: DrawStock) -> Event[StockDrawn]:
    (drawn,) = openings_of_pile(state.cards.deck, state.cards.stock[:1])
    return Event(StockDrawn(seat), {seat_audience(seat): DrawnCard(drawn)})


def _discard_drawn(state: Drawing, seat: Seat, _: DrawDiscard) -> Event[DiscardDrawn]:
    return Event(DiscardDrawn(seat, state.cards.top))


def _claimed(_: Claiming, seat: Seat, action: Bump | LetGo) -> Event[ClaimAnswered]:
    claim = Claim(action.meld, PACK.sorted(action.cards)) if isinstance(action, Bump) else Claim(None, ())
    return Event(ClaimAnswered(seat), {seat_audience(seat): claim})


def _claim_of(event: Event[ClaimAnswered]) -> Bump | LetGo | None:
    claim = event.section(seat_audience(event.public.seat), Claim)
    return None if claim is None else LetGo() if claim.meld is None else Bump(claim.meld, claim.cards)


def _challenged(_: Challenging, seat: Seat, action: Challenge) -> Event[BumpChallenged]:
    claim = Claim(action.meld, PACK.sorted(action.cards))
    return Event(BumpChallenged(seat, action.meld), {seat_audience(seat): claim})


def _challenge_of(event: Event[BumpChallenged]) -> Challenge | None:
    claim = event.section(seat_audience(event.public.seat), Claim)
    return None if claim is None else Challenge(event.public.meld, claim.cards)


ACTS = Acts("KH-2.1", (
    ActRules(DrawStock, StockDrawn, make=_stock_drawn),
    ActRules(DrawDiscard, DiscardDrawn, make=_discard_drawn),
    ActRules(Discard, CardDiscarded, (Among("KH-4.1", "card", _in_hand, _not_in_hand),)),
    ActRules(GoOut, WentOut, (
        Refusal("KH-4.1", _not_in_hand, ("card",)),
        Refusal("KH-7.1", _not_out, ("card",)),
        Refusal("KH-7.1", _nobody_out),
    )),
    ActRules(LetGo, ClaimAnswered, make=_claimed, read=_claim_of),
    ActRules(Bump, ClaimAnswered, (
        Refusal("KH-6.2", _no_bump, ("meld",)),
        Refusal("KH-6.2", _cards_not_held, ("cards",)),
        Refusal("KH-6.2", _no_meld, ("meld", "cards")),
        Refusal("KH-6.2", _nothing_to_claim),
    ), make=_claimed, read=_claim_of),
    ActRules(Yield, BumpYielded),
    ActRules(Challenge, BumpChallenged, (
        Refusal("KH-6.4", _worth_less, ("meld",)),
        Refusal("KH-6.4", _cards_not_held, ("cards",)),
        Refusal("KH-6.4", _no_meld, ("meld", "cards")),
        Refusal("KH-6.4", _nothing_to_claim),
    ), make=_challenged, read=_challenge_of),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (LetGo, Yield, DrawStock, Discard)
"""The act that the house takes for a player whose clock has run out."""
