"""The rules that an act may break, and the sentences that explain the fault."""

from domain.games.dingo.actions import Discard, Pass, PassCard, PlayWolf, PlayWolves
from domain.games.dingo.meta import ACE, PACK, WOLVES
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Passing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either, not_held
from domain.seats import Seat


def _not_discarded(state: Discarding, seat: Seat, action: Discard) -> str | None:
    hand = state.hands[seat]
    if action.card in hand.known and PACK.rank(action.card) == ACE:
        others = [card for card in hand.known if PACK.rank(card) != ACE]
        return f"aces stay in the hand: discard {either(others)}"
    return not_held(hand, action.card)


def _not_passed(state: Passing, seat: Seat, action: PassCard) -> str | None:
    return not_held(state.hands[seat], action.card)


def _no_wolf(state: Hunt, _: Seat, action: PlayWolf) -> str | None:
    wolves = WOLVES[state.rank]
    return None if action.card in wolves else f"{action.card} is no wolf of the rank hunted: {either(wolves)} is"


def _wolf_not_held(state: Hunt, seat: Seat, action: PlayWolf) -> str | None:
    missing = not_held(state.hands[seat], action.card)
    return missing and f"{missing}: play another wolf that you hold, or pass"


def _no_black_aces(state: AceHunt, seat: Seat, action: PlayWolves) -> str | None:
    other = next((card for card in action.cards if card not in WOLVES[ACE]), None)
    if other is not None:
        return f"{other} is no black ace: play none, one or both of those that you hold"
    return not_held(state.hands[seat], *action.cards)


REFUSALS = Refusals(
    cards="DG-2.1",
    acts={
        Discard: (Refusal("DG-4.1", _not_discarded, ("card",)),),
        PassCard: (Refusal("DG-4.3", _not_passed, ("card",)),),
        PlayWolf: (Refusal("DG-5.2", _no_wolf, ("card",)), Refusal("DG-5.2", _wolf_not_held, ("card",))),
        Pass: (),
        PlayWolves: (Refusal("DG-6.2", _no_black_aces, ("cards",)),),
    },
)
