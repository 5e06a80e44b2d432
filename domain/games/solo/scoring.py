"""The score of a deal, judged from the tricks won alone, and its lines (SO-4)."""

from domain.games.solo.contracts import FAILED, MADE, Contract, Result
from domain.games.solo.meta import HAND
from domain.games.solo.state import Playing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
from domain.parts.scoring import cited, once_settled, reason


def result(contract: Contract, won: int, lost: int) -> Result | None:
    """The result for these numbers of tricks by declarer's side and by the others; None while it may still change."""
    if won >= contract.goal:
        return MADE
    return FAILED if lost > HAND - contract.goal else None


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on or, in a simple game, the partner is unknown (SO-4.3)."""
    if not isinstance(state, Playing):
        return None
    commitment, partner, winners = state.commitment, state.partner, state.tricks.winners
    if commitment.contract.partner and partner is None:
        return None
    side = (commitment.declarer,) if partner is None else (commitment.declarer, partner.seat)
    won = sum([winner in side for winner in winners])
    return result(commitment.contract, won, len(winners) - won)


def _score(state: Playing, ended: Result) -> Score:
    commitment, contract, declarer = state.commitment, state.commitment.contract, state.commitment.declarer
    partner, shown_at = (None, None) if state.partner is None else (state.partner.seat, state.partner.shown_at)
    events = cited(*commitment.made_at, shown_at, *state.tricks.won_at)
    won = sum([winner in (declarer, partner) for winner in state.tricks.winners])
    how = f"{ended.name}, tricks {won} against {len(state.tricks.winners) - won}"
    paid = {declarer: how}
    if partner is not None:
        paid[partner] = f"{how}, seat {partner} as partner"
    transfers = tuple(
        Transfer(
            seat, BANK, ended.sign * contract.value, "contract", ended.rule,
            reason(contract.name, declarer, how, contract.value), events,
        )
        for seat, how in paid.items()
    )  # fmt: skip
    extra = {"declarer": declarer, "partner": partner, "game": contract.game, "level": contract.level}
    return Score(ended.outcome, transfers, extra)


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""
