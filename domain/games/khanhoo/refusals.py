"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.khanhoo.actions import Bump, Challenge, Discard, DrawDiscard, DrawStock, GoOut, LetGo, Yield
from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import ROWS
from domain.games.khanhoo.division import cards_to_go_out
from domain.games.khanhoo.meta import PACK
from domain.games.khanhoo.state import Challenging, Claiming, Discarding
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either, not_held
from domain.seats import Seat


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


REFUSALS = Refusals(
    cards="KH-2.1",
    acts={
        DrawStock: (),
        DrawDiscard: (),
        Discard: (Refusal("KH-4.1", _not_in_hand, ("card",)),),
        GoOut: (
            Refusal("KH-4.1", _not_in_hand, ("card",)),
            Refusal("KH-7.1", _not_out, ("card",)),
            Refusal("KH-7.1", _nobody_out),
        ),
        Bump: (
            Refusal("KH-6.2", _no_bump, ("meld",)),
            Refusal("KH-6.2", _cards_not_held, ("cards",)),
            Refusal("KH-6.2", _no_meld, ("meld", "cards")),
            Refusal("KH-6.2", _nothing_to_claim),
        ),
        LetGo: (),
        Challenge: (
            Refusal("KH-6.4", _worth_less, ("meld",)),
            Refusal("KH-6.4", _cards_not_held, ("cards",)),
            Refusal("KH-6.4", _no_meld, ("meld", "cards")),
            Refusal("KH-6.4", _nothing_to_claim),
        ),
        Yield: (),
    },
)
